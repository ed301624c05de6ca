from m import (
    a,
    b,
    bb,
    # for capability 12
    c,
    d,
    z,
)
