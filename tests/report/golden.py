"""Expected texts, one file each; escape characters are written as `^[` so that the files can be read and diffed."""

from __future__ import annotations

import re
from pathlib import Path

_FOLDER = Path(__file__).parent / "expected"


def expected(name: str) -> str:
    return (_FOLDER / f"{name}.txt").read_text(encoding="utf-8").removesuffix("\n").replace("^[", "\x1b")


def without_colour(text: str) -> str:
    return re.sub(r"\x1b\[\d+m", "", text)
