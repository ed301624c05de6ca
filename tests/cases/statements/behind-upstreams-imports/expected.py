import os
import sys
os.umask(0)

SIZE = 10
