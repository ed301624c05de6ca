from tools import read
from tools import write as put

KEEP = ("one", "two", "three")
