import os

NEW_TOPIC = "deleted"

ROOT = os.getcwd()
