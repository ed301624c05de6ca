"""Doc."""

from __future__ import annotations

import json
import logging
import os

print(os, json)
