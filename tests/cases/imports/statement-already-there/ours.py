import os
import sys
import time

from pkg.layers import (
    Attention,
    Linear,
)
from pkg.utils import is_cuda


def f():
    return time, os, sys, Attention, Linear, is_cuda
