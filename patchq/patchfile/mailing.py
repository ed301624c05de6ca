"""Patches as mails: each with header fields of its own, alone for git am, or many in a mailbox."""

from __future__ import annotations

from typing import TYPE_CHECKING

from patchq.errors import PatchFormatError, Where
from patchq.patchfile.read import write_patch
from patchq.patchfile.trailers import render_trailer

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from patchq.model.patch import Patch, Trailer

# The separator of git format-patch --zero-commit: its date is a constant by which file(1) knows such mailboxes.
_SEPARATOR = b"From 0000000000000000000000000000000000000000 Mon Sep 17 00:00:00 2001\n"


def write_mail(patch: Patch, fields: Sequence[Trailer] = ()) -> bytes:
    """Write the canonical file of `patch` with more header `fields` below its subject; git am passes over them.

    `read_import` gives the patch back, with `fields` as trailers before its own. PatchFormatError where a mail needs
    what the patch has not: an author, a date, a change.
    """
    message = patch.message
    missing = "author" if message.author is None else "date" if message.date is None else None
    where = Where(patch=str(patch.name))
    if missing is not None:
        hint = "add `From: NAME <EMAIL>` and `Date:` lines at the top of the patch"
        raise PatchFormatError(f"has no {missing}, so no mail can be made of it", hint=hint, where=where)
    if not patch.changes:
        raise PatchFormatError("changes nothing yet, so there is nothing to mail", where=where)
    head, _, rest = write_patch(patch).partition(b"\n\n")
    return head + b"\n" + b"".join(map(render_trailer, fields)) + b"\n" + rest


def write_mailbox(mails: Iterable[bytes]) -> bytes:
    """Join mails to a mailbox; the inverse of `split_mbox` but for the separator lines.

    Nothing is quoted, for git am would not take the marks away: canonical messages hold no line that separates.
    """
    return b"".join(_SEPARATOR + mail for mail in mails)
