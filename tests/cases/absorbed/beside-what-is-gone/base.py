import os

OLD_TOPIC = "invalidate"

ROOT = os.getcwd()
