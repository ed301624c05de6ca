"""Doc."""

from __future__ import annotations

import logging
import json
import os

print(os, json)
