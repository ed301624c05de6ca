q = (
    df.where(a)
    .select(b, c)
    .limit(10)
)
z = 0
