import a
from m import (
    one as uno,
)
from m import (
    two as due,
)

x = 2
