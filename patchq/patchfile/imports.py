"""Patches of other tools to our own: plain diffs, quilt, DEP-3, `git show` and `log -p`, mailboxes."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from patchq.errors import PatchFormatError, SeriesError, Where
from patchq.model.names import PatchName
from patchq.model.patch import Patch
from patchq.patchfile.gitlog import COMMIT_LINE, is_merge, split_log
from patchq.patchfile.mail import MBOX_LINE, has_diff, parse_message, split_mail, split_mbox
from patchq.patchfile.parse import parse_changes
from patchq.patchfile.read import canonical
from patchq.patchfile.transport import decode_mail

if TYPE_CHECKING:
    from patchq.model.change import FileChange
    from patchq.model.patch import Message

_TAG_OR_COMMIT = re.compile(rb"\s*(?:tag \S+\n|commit [0-9a-f]{7,64}\b)")
_COVER_LETTER = re.compile(rb"^Subject:[^\n]*(?<!\d)0{1,4}/\d{1,4}\]", re.MULTILINE)
_FILE_SUFFIX = re.compile(r"\.(?:patch|diff|txt|eml|mbox)$")
_FILE_NUMBER = re.compile(r"^\d+[-_.]+(?=.)")


@dataclass(frozen=True, slots=True)
class _Found:
    """One foreign patch; `name` is what it would like to be called."""

    name: PatchName
    message: Message
    changes: tuple[FileChange, ...]


def read_import(data: bytes, *, file: str, strip: int = 1) -> tuple[Patch, ...]:
    """Read every patch in `data`, in the order in which they apply; names are unique, `raw` is canonical.

    Takes a plain diff, quilt and DEP-3 patches, `git show`, `git log -p`, git-format-patch files and mailboxes. Names
    come from subjects, or from `file` (a path; only its last part counts) where there is no mail or git head. A file
    that `write_patch` wrote comes back with the same bytes. Merges in `git log -p` and cover letters have no diff and
    are left out. PatchFormatError when there is no diff at all, or anything is malformed.
    """
    is_log = _TAG_OR_COMMIT.match(data) is not None and COMMIT_LINE.search(data) is not None
    pieces = split_log(data) if is_log else split_mbox(data)
    line = 1 + data.count(b"\n") - sum(piece.count(b"\n") for piece in pieces)
    found: list[_Found] = []
    for piece in pieces:
        one = _read_piece(piece, file=file, strip=strip, first_line=line, several=len(pieces) > 1)
        if one is not None:
            found.append(one)
        line += piece.count(b"\n")
    if not found:
        raise PatchFormatError("no diff found", where=Where(file=file, line=1))
    taken: dict[PatchName, int] = {}
    ordered = _oldest_first(found) if is_log else found
    return tuple(
        canonical(Patch(name=_free_name(one.name, taken), message=one.message, changes=one.changes)) for one in ordered
    )


def _read_piece(piece: bytes, *, file: str, strip: int, first_line: int, several: bool) -> _Found | None:
    mail = decode_mail(piece, file=file)
    head, rest = split_mail(mail)
    if several and not has_diff(rest) and (is_merge(head) or _COVER_LETTER.search(head)):
        return None
    message = parse_message(head, file=file)
    changes = parse_changes(rest, file=file, strip=strip, first_line=first_line + head.count(b"\n"))
    stem = _stem(file)
    by_subject = message.date is not None or MBOX_LINE.match(mail) is not None
    name = PatchName.from_title(message.title) if by_subject and message.subject else _name_after(stem)
    return _Found(name, message if message.subject else replace(message, subject=stem.encode()), changes)


def _stem(file: str) -> str:
    """Take the name out of a path, without suffix and number; `patch` where nothing is left (standard input)."""
    stem = _FILE_NUMBER.sub("", _FILE_SUFFIX.sub("", re.split(r"[/\\]", file)[-1]))
    return stem if re.search(r"\w", stem) else "patch"


def _name_after(stem: str) -> PatchName:
    """Name a patch after its file: exactly, where that is legal, because people know it under this name."""
    try:
        return PatchName(stem)
    except SeriesError:
        return PatchName.from_title(stem)


def _free_name(name: PatchName, taken: dict[PatchName, int]) -> PatchName:
    """Add a number to a name that is in `taken` already; note the result there, with the last number tried for it."""
    free = name
    while free in taken:
        taken[name] += 1
        free = PatchName(f"{name}-{taken[name]}")
    taken[free] = 1
    return free


def _oldest_first(found: list[_Found]) -> list[_Found]:
    """Bring the commits of `git log -p` into the order in which they apply.

    Blob ids prove it: a file's old id is the new id of the patch before. Where no file is changed twice the order
    does not matter to the result, and git's own, newest first, is assumed.
    """
    forward = backward = 0
    last_seen: dict[bytes, tuple[str | None, str | None]] = {}
    for one in found:
        for change in one.changes:
            before = last_seen.get(change.path)
            if before is not None and change.old_id is not None:
                forward += before[1] == change.old_id
                backward += before[0] == change.new_id
            last_seen[change.path] = (change.old_id, change.new_id)
    return found if forward > backward else found[::-1]
