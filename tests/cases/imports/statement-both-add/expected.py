import os
import sys
import time
import threading

from pkg.layers import (
    Attention,
    Linear,
)
from pkg.utils import is_cuda


def f():
    return os, sys, Attention, Linear, is_cuda
