"""A unified diff for a terminal: coloured, and nothing in it that the terminal would obey."""

from __future__ import annotations

import re
from enum import Enum
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


class LineSort(Enum):
    """What a line of a patch file is."""

    ADDED = "added"
    REMOVED = "removed"
    HUNK = "hunk"  # `@@ … @@`
    FILE = "file"  # `diff --git`, `index`, `+++` and the like
    OTHER = "other"


_SORTS = {b"+": LineSort.ADDED, b"-": LineSort.REMOVED}
_TINTS = {
    LineSort.ADDED: Tint.GREEN,
    LineSort.REMOVED: Tint.RED,
    LineSort.HUNK: Tint.CYAN,
    LineSort.FILE: Tint.BOLD,
    LineSort.OTHER: None,
}


def diff_view(data: bytes, style: Style) -> str:
    """Show a patch file: every line of it, none cut or wrapped, no line end at the end.

    For a terminal only: control characters are written out, so a file or a pipe must get the bytes themselves. Tabs
    stay.
    """
    shown = (("\t".join(map(visible, decoded(line).split("\t"))), sort) for line, sort in sorted_lines(data))
    return "\n".join(style.paint(text, _TINTS[sort]) for text, sort in shown)


def sorted_lines(data: bytes) -> Iterator[tuple[bytes, LineSort]]:
    """Yield each line of a patch file, without its end, and what it is.

    Whether `--- x` is a file's head or a removed `-- x` is decided by the counts of the hunk before it.
    """
    old_left = new_left = 0
    for line in data.removesuffix(b"\n").split(b"\n"):
        if old_left > 0 or new_left > 0:
            sign = line[:1]
            old_left -= sign in {b" ", b"-", b""}  # editors trim the blank of an empty context line
            new_left -= sign in {b" ", b"+", b""}
            yield line, _SORTS.get(sign, LineSort.OTHER)
        elif head := _HUNK_HEAD.match(line):
            old_left, new_left = (int(count) if count is not None else 1 for count in head.groups())
            yield line, LineSort.HUNK
        else:
            yield line, LineSort.FILE if _FILE_HEAD.match(line) else LineSort.OTHER
