"""The head of one file in a diff without git's lines: `---` and `+++` with names, timestamps and `/dev/null`."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from patchq.model.change import ChangeKind
from patchq.patchfile.githeader import read_name
from patchq.patchfile.hunks import empties_file, makes_file
from patchq.patchfile.lines import bare, show

if TYPE_CHECKING:
    from patchq.model.change import Hunk
    from patchq.patchfile.lines import Lines

OLD_START = b"--- "
NEW_START = b"+++ "

# Some tools put blanks where diff(1) puts a tab.
_BLANK_TIMESTAMP = re.compile(rb"(?<! ) +\d{4}-\d\d-\d\d[ T]\d\d:\d\d:\d\d\S*(?: ?(?:Z|[+-]\d{4}))?$")
_EPOCH = re.compile(rb"\t(1969-12-31|1970-01-01) (\d\d):(\d\d):00(?:\.0+)?(?: ([+-])(\d\d)(\d\d))?$")


@dataclass(frozen=True, slots=True, kw_only=True)
class PlainHeader:
    """The one name of a plain diff, and which sides are absent for certain or by the look of their timestamp."""

    name: bytes
    created: bool
    deleted: bool
    old_epoch: bool
    new_epoch: bool

    def kind_with(self, hunks: tuple[Hunk, ...]) -> ChangeKind:
        """Decide the kind; a timestamp alone is believed only where hunks and the other side agree with it.

        Files out of archives made for reproducible builds carry the timestamp 0 as well.
        """
        if self.created or (self.old_epoch and not self.new_epoch and makes_file(hunks)):
            return ChangeKind.CREATE
        if self.deleted or (self.new_epoch and not self.old_epoch and empties_file(hunks)):
            return ChangeKind.DELETE
        return ChangeKind.MODIFY


def read_plain_header(lines: Lines, strip: int) -> PlainHeader:
    """Read `---` and `+++` under the cursor, which is left on the line behind them.

    Where the names differ, the longer must be the shorter with something appended (`x.c.orig`); others are refused,
    because every tool guesses differently there.
    """
    old_line, new_line = bare(lines.next), bare(lines.lines[lines.at + 1])
    if old_line.endswith(b"\r") or new_line.endswith(b"\r"):
        hint = "the patch was converted to CRLF as a whole: convert it back, unless its files have CRLF themselves"
        raise lines.error("the header line ends with a carriage return", hint=hint)
    old = read_name(lines, _BLANK_TIMESTAMP.sub(b"", old_line[len(OLD_START) :]), strip)
    lines.at += 1
    new = read_name(lines, _BLANK_TIMESTAMP.sub(b"", new_line[len(NEW_START) :]), strip)
    lines.at += 1
    if old is not None and new is not None:
        shorter, longer = sorted((old, new), key=len)
        if not longer.startswith(shorter):
            message = f"the diff names two files, {show(old)} and {show(new)}, without saying that one was renamed"
            raise lines.error(message, at=lines.at - 2, hint="make the two names equal; git writes `rename from` lines")
    else:
        shorter = old or new or b""
        if not shorter:
            raise lines.error("both sides of the diff are /dev/null", at=lines.at - 2)
    return PlainHeader(
        name=shorter,
        created=old is None,
        deleted=new is None,
        old_epoch=_is_epoch(old_line),
        new_epoch=_is_epoch(new_line),
    )


def _is_epoch(line: bytes) -> bool:
    """Tell whether a header line carries the timestamp with which diff(1) -N marks an absent file."""
    found = _EPOCH.search(line)
    if found is None:
        return False
    minutes = int(found[2]) * 60 + int(found[3]) - (24 * 60 if found[1].startswith(b"1969") else 0)
    if found[4] is None:
        return minutes == 0
    offset = int(found[5]) * 60 + int(found[6])
    return minutes == (offset if found[4] == b"+" else -offset)
