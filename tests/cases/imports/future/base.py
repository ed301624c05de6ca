from __future__ import annotations

import os

print(os)
