"""A file that the command line names, or standard input, up to a bound."""

from __future__ import annotations

import sys
from pathlib import Path

STANDARD_INPUT = "-"


def read_some(name: str, most: int) -> bytes:
    """Return what is in the file `name` (`-`: standard input); of more than `most` bytes one more, so that it shows.

    Raises OSError.
    """
    if name == STANDARD_INPUT:
        return sys.stdin.buffer.read(most + 1)
    with Path(name).open("rb") as stream:
        return stream.read(most + 1)
