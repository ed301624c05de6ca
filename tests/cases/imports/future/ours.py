"""Doc."""

from __future__ import annotations

import logging
import os

print(os)
