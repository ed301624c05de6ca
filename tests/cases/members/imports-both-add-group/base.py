import os

import flask
