import os
import sys

import flask
