import os
import sys

SIZE = 10
