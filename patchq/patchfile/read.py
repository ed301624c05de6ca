"""One patch file to a Patch and back: the reading and writing of a series' files."""

from __future__ import annotations

from dataclasses import replace
from hashlib import sha256
from typing import TYPE_CHECKING

from patchq.model.patch import Patch
from patchq.patchfile.intents import format_intent, parse_intents
from patchq.patchfile.mail import DIVIDER, parse_message, render_message, split_mail
from patchq.patchfile.parse import parse_changes
from patchq.patchfile.render import render_changes

if TYPE_CHECKING:
    from patchq.model.names import PatchName


def read_patch(name: PatchName, raw: bytes, *, file: str, strip: int = 1) -> Patch:
    """Read one file of a series folder; `raw` is kept, and `file` is what errors call it.

    A head without a subject gets the patch's name for one. The only file without a diff that is read is a new patch
    as `write_patch` leaves it, which ends with its `---` line: any other is more likely cut off than empty.
    PatchFormatError when head, intents or diff are malformed.
    """
    head, rest = split_mail(raw)
    message = parse_message(head, file=file)
    intents = parse_intents(message, file=file, head=head)
    if not message.subject:
        message = replace(message, subject=str(name).encode())
    if rest == DIVIDER and message.author is not None:
        return Patch(name=name, message=message, changes=(), intents=intents, raw=raw)
    changes = parse_changes(rest, file=file, strip=strip, first_line=head.count(b"\n") + 1)
    return Patch(name=name, message=message, changes=changes, intents=intents, raw=raw)


def write_patch(patch: Patch) -> bytes:
    r"""Write the canonical file: mail head, message, trailers, `---`, diff; no diffstat, no version line.

    `patch.raw` is not looked at. Intents that the message does not hold yet become trailers. The file ends with one
    newline, or where a binary block does, with the blank line that belongs to it. PatchFormatError for a message
    that no mail head can hold.
    """
    message = patch.message
    held = parse_intents(message, file=patch.name.file_name)
    missing = tuple(format_intent(intent) for intent in patch.intents if intent not in held)
    message = replace(message, trailers=message.trailers + missing)
    return render_message(message) + render_changes(patch.changes)


def canonical(patch: Patch) -> Patch:
    """Give the patch as it is after its canonical file is written and read: its `raw` is that file."""
    return read_patch(patch.name, write_patch(patch), file=patch.name.file_name)


def patch_digest(raw: bytes) -> str:
    """Name the bytes of a patch file by their SHA-256, in hex."""
    return sha256(raw).hexdigest()
