import os

SIZE = 10
