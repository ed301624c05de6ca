"""What a mail says below its `---`: notes for those who look at it, which neither git am nor a canonical file keeps."""

from __future__ import annotations

import re

from patchq.patchfile.mail import DIVIDER, split_mail, split_mbox
from patchq.patchfile.transport import decode_mail

_DIFF = (b"diff ", b"Index: ", b"--- ")
# The table of changes that git-format-patch puts there.
_TABLE = re.compile(
    rb" .* \| +(?:\d+ ?[+-]*|Bin .*)|\s*\d+ files? changed.*| (?:create|delete) mode .*| mode change .*"
    rb"| (?:rename|copy|rewrite) .*"
)


def notes_below(raw: bytes) -> bytes:
    """Return the notes of one patch file in one line, without git's table of changes; empty where there are none."""
    _, rest = split_mail(raw)
    if not rest.startswith(DIVIDER):
        return b""
    found: list[bytes] = []
    for line in rest.removeprefix(DIVIDER).split(b"\n"):
        if line.startswith(_DIFF):
            break
        if line.strip() and not _TABLE.fullmatch(line.rstrip()):
            found.append(line.strip())
    return b" ".join(found)


def notes_of_import(data: bytes, *, file: str) -> tuple[bytes, ...]:
    """Return the notes of every mail in a file or mailbox that has some."""
    found = (notes_below(decode_mail(piece, file=file)) for piece in split_mbox(data))
    return tuple(filter(None, found))
