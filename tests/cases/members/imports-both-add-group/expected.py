import os
import sys

import attr
import flask
