set(A 1)
add(x y)
add(z w)
