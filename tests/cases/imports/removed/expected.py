import os
import sys

from pkg.layers import Attention
from pkg.utils import is_cuda


def f():
    return os, sys, Attention, is_cuda
