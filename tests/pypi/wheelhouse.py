"""pip told where to look by its environment, as users do it: one folder, and no network."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path

    import pytest


def make_wheelhouse(folder: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Make `folder` the only place where pip finds releases."""
    folder.mkdir()
    for name in list(os.environ):
        if name.startswith("PIP_"):
            monkeypatch.delenv(name)
    for name, value in {
        "PIP_CONFIG_FILE": os.devnull,
        "PIP_NO_CACHE_DIR": "1",
        "PIP_NO_INDEX": "1",
        "PIP_FIND_LINKS": str(folder),
        "PIP_RETRIES": "0",
    }.items():
        monkeypatch.setenv(name, value)
    return folder
