from m import (
    a,
    d,
    z,
)
