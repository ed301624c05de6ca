"""A second reading of a patch by unidiff, which knows nothing of ours: two readers that differ are worth a look."""

from __future__ import annotations

from dataclasses import dataclass
from io import StringIO
from typing import TYPE_CHECKING

from unidiff.constants import LINE_TYPE_EMPTY, LINE_TYPE_NO_NEWLINE
from unidiff.errors import UnidiffParseError
from unidiff.patch import PatchSet

from patchq.model.change import TextBody
from patchq.patchfile.lines import show
from patchq.patchfile.mail import split_mail

if TYPE_CHECKING:
    from collections.abc import Sequence

    from unidiff.patch import Hunk as TheirHunk

    from patchq.model.change import FileChange, Hunk


@dataclass(frozen=True, slots=True)
class Agrees:
    """Both readers see the same hunks with the same lines at the same places."""


@dataclass(frozen=True, slots=True)
class Differs:
    """The readers see different things; `what` names the file and the hunk of the first difference."""

    what: str


@dataclass(frozen=True, slots=True)
class Unreadable:
    """unidiff gave up, which says nothing about the patch: 1.0.1 fails on names that git quotes, for one."""

    reason: str


SecondReading = Agrees | Differs | Unreadable

_Lines = list[str]


def read_again(raw: bytes, changes: Sequence[FileChange]) -> SecondReading:
    """Compare the hunks in `changes`, as this room reads the patch file `raw`, with those that unidiff finds there.

    Names, modes and binary contents are left out: there unidiff is known to be wrong. It is told no encoding but given
    Latin-1, which maps every byte to one character, and lines that end at newlines only.
    """
    _, rest = split_mail(raw)
    try:
        files = [file for file in PatchSet(StringIO(rest.decode("latin-1"), newline="\n")) if file]
    except UnidiffParseError as error:
        return Unreadable(str(error).strip())
    texts = [change for change in changes if isinstance(change.body, TextBody) and change.body.hunks]
    if len(files) != len(texts):
        return Differs(f"unidiff finds hunks in {len(files)} files, patchq in {len(texts)}")
    for change, file in zip(texts, files, strict=True):
        hunks = change.body.hunks if isinstance(change.body, TextBody) else ()
        if len(hunks) != len(file):
            return Differs(f"{show(change.path)}: unidiff finds {len(file)} hunks, patchq {len(hunks)}")
        for number, (ours, theirs) in enumerate(zip(hunks, file, strict=True), 1):
            if _ours(ours) != _theirs(theirs):
                return Differs(f"{show(change.path)}: hunk {number}")
    return Agrees()


def _ours(hunk: Hunk) -> tuple[int, int, _Lines]:
    lines = [(line.kind.value + line.text).decode("latin-1") for line in hunk.lines]
    return hunk.old_start, hunk.new_start, lines


def _theirs(hunk: TheirHunk) -> tuple[int, int, _Lines]:
    lines: _Lines = []
    for line in hunk:
        if line.line_type == LINE_TYPE_NO_NEWLINE and lines:
            lines[-1] = lines[-1].removesuffix("\n")
        elif line.line_type not in {LINE_TYPE_NO_NEWLINE, LINE_TYPE_EMPTY}:
            lines.append(line.line_type + line.value)
    return hunk.source_start, hunk.target_start, lines
