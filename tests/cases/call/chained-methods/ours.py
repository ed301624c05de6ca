q = (
    df.where(a)
    .select(b)
    .limit(10)
)
z = 0
