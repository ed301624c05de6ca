"""What README.md shows, for tests that print it again."""

from __future__ import annotations

import re
from pathlib import Path

README = Path(__file__).parents[1] / "README.md"


def screen(mark: str) -> str:
    """The block of README.md behind `<!-- mark -->`."""
    found = re.search(rf"<!-- {mark} -->\n```[a-z]*\n(.*?)```", README.read_text(), re.DOTALL)
    assert found is not None
    return found[1]
