log(f"{{{name}}}: {size:>{width}}", level)
y = 1
