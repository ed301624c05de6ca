"""A unified diff for a terminal: coloured, and nothing in it that the terminal would obey."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from patchq.report.cells import decoded, visible
from patchq.report.style import Tint

if TYPE_CHECKING:
    from collections.abc import Iterator

    from patchq.report.style import Style

_HUNK_HEAD = re.compile(rb"@@ -\d{1,9}(?:,(\d{1,9}))? \+\d{1,9}(?:,(\d{1,9}))? @@")
_FILE_HEAD = re.compile(
    rb"(diff|index|---|\+\+\+|old mode|new mode|new file|deleted file|similarity|dissimilarity|rename|copy"
    rb"|GIT binary patch|Binary files)( |$)"
)
_TINTS = {b"+": Tint.GREEN, b"-": Tint.RED}


def diff_view(data: bytes, style: Style) -> str:
    """Show a patch file: every line of it, none cut or wrapped, no line end at the end.

    For a terminal only: control characters are written out, so a file or a pipe must get the bytes themselves. Tabs
    stay. Whether `--- x` is a file's head or a removed `-- x` is decided by the counts of the hunk before it.
    """
    return "\n".join(_lines(data, style))


def _lines(data: bytes, style: Style) -> Iterator[str]:
    old_left = new_left = 0
    for line in data.removesuffix(b"\n").split(b"\n"):
        shown = "\t".join(visible(part) for part in decoded(line).split("\t"))
        if old_left > 0 or new_left > 0:
            sign = line[:1]
            old_left -= sign in {b" ", b"-", b""}  # editors trim the blank of an empty context line
            new_left -= sign in {b" ", b"+", b""}
            yield style.paint(shown, _TINTS.get(sign))
        elif head := _HUNK_HEAD.match(line):
            old_left, new_left = (int(count) if count is not None else 1 for count in head.groups())
            yield style.paint(shown, Tint.CYAN)
        else:
            yield style.paint(shown, Tint.BOLD if _FILE_HEAD.match(line) else None)
