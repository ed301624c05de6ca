import os
import sys

from pkg.nn.layers import (
    Attention,
    Linear,
    SM120Linear,
)
from pkg.utils import is_cuda


def f():
    return os, sys, Attention, Linear, is_cuda
