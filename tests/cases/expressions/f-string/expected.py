log(
    f"{{{name!r}}}: {size:>{width}}",
    level,
)
y = 1
