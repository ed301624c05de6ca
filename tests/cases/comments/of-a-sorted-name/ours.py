from m import (
    a,
    b,
    bb,
    d,
    z,
)
