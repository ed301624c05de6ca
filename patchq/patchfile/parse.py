"""From the bytes of a diff, git's or plain, to file changes; what cannot be read with certainty is refused."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from patchq.model.change import BinaryBody, ChangeKind, FileChange, TextBody
from patchq.model.tree import Mode
from patchq.patchfile.binary import BINARY_START, read_binary
from patchq.patchfile.githeader import DEV_NULL, GIT_START, GitHeader, read_git_header, read_name
from patchq.patchfile.hunks import HUNK_HEADER, HUNK_START, empties_file, makes_file, read_hunks
from patchq.patchfile.limits import MAX_INFLATED_BYTES
from patchq.patchfile.lines import END, Lines, bare, show
from patchq.patchfile.paths import unsafe_reason
from patchq.patchfile.plainheader import NEW_START, OLD_START, read_plain_header

if TYPE_CHECKING:
    from patchq.errors import PatchFormatError
    from patchq.model.change import Body

# The ids of an empty blob in SHA-1 and SHA-256 repositories: such a file is created and deleted without any hunk.
_EMPTY_BLOBS = (
    "e69de29bb2d1d6434b8b29ae775ad8c2e48c5391",
    "473a0f4c3be8a93681a267e3b1e9a7dcda1185436fe141f7749120a303721813",
)
# Lines that git and GNU patch lead a file's diff in with; they belong to the diff, not to the text before it.
_LEAD_IN = (b"Index: ", b"======", b"diff ")
_BINARY_DIFFER = re.compile(rb"(?:Binary )?[Ff]iles .* differ\n?")
_SUBMODULE = re.compile(rb"Submodule .+ [0-9a-f]{7,64}\.{2,3}[0-9a-f]{7,64}")
_ONLY_IN = re.compile(rb"Only in .+: .+")


@dataclass(frozen=True, slots=True, kw_only=True)
class DiffSection:
    """The changes in some bytes, and the byte offsets where the first begins and the last one ends."""

    changes: tuple[FileChange, ...]
    start: int
    end: int


def parse_changes(data: bytes, *, file: str, strip: int = 1, first_line: int = 1) -> tuple[FileChange, ...]:
    """Read every file change in `data`, in order; text before, between and after them is passed over.

    `strip` is the -p of git apply and patch(1); `file` and `first_line` only serve errors. Raises PatchFormatError:
    `no diff found`, wrong hunk counts, unsafe paths, missing binary contents, submodules, combined and context diffs.
    Formats: "generate patch text with -p" in git-diff(1), "Detailed Unified" in the manual of GNU diffutils.
    """
    return find_diff(data, file=file, strip=strip, first_line=first_line).changes


def find_diff(data: bytes, *, file: str, strip: int = 1, first_line: int = 1) -> DiffSection:
    """Read as `parse_changes` does, and say which bytes are the diff."""
    lines = Lines.of(data, file=file, first_line=first_line)
    changes: list[FileChange] = []
    budget = MAX_INFLATED_BYTES
    start = end = 0
    while (line := lines.next) is not END:
        header_at = lines.at
        if line.startswith(GIT_START):
            change = _read_git_change(lines, strip, budget)
        elif line.startswith(OLD_START) and lines.lines[lines.at + 1].startswith(NEW_START):
            change = _read_plain_change(lines, strip)
        else:
            _refuse_lost(lines, after_first=bool(changes))
            lines.at += 1
            continue
        _check_paths(lines, change, header_at)
        if isinstance(change.body, BinaryBody):
            budget -= len(change.body.forward.data) + (len(change.body.reverse.data) if change.body.reverse else 0)
        if not changes:
            start = _lead_in(lines, header_at)
        end = lines.at
        changes.append(change)
    if not changes:
        hint = "a patch holds lines such as `diff --git a/FILE b/FILE`, or `--- FILE`, `+++ FILE` and `@@ … @@`"
        if b"\x1b[" in data:
            hint = "the text was coloured for a terminal: make it again with --no-color"
        raise lines.error("no diff found", at=0, hint=hint)
    _refuse_writes_through_links(lines, changes)
    return DiffSection(changes=tuple(changes), start=lines.offset(start), end=lines.offset(end))


def _read_git_change(lines: Lines, strip: int, budget: int) -> FileChange:
    start = lines.at
    header = read_git_header(lines, strip)
    old, new = header.moved_from, header.moved_to
    if old is None or new is None:
        old = new = header.name
    body: Body = TextBody(())
    if lines.next.startswith(OLD_START) and lines.lines[lines.at + 1].startswith(NEW_START):
        old, new = _read_sides(lines, header, old, new, strip)
        body = TextBody(read_hunks(lines))
    elif lines.next == BINARY_START:
        body = read_binary(lines, budget)
    elif lines.next.startswith(HUNK_START):
        body = TextBody(read_hunks(lines))
    elif _BINARY_DIFFER.fullmatch(lines.next):
        raise _contents_missing(lines)
    name = new if new is not None else old
    if name is None:
        raise lines.error("the header does not say which file it is about", at=start)
    change = FileChange(
        kind=header.kind,
        old_path=None if header.created else old,
        new_path=None if header.deleted else new,
        old_mode=header.old_mode,
        new_mode=header.new_mode,
        old_id=header.old_id,
        new_id=header.new_id,
        similarity=header.similarity,
        body=body,
    )
    _check_body(lines, change, start)
    return change


def _read_sides(
    lines: Lines, header: GitHeader, old: bytes | None, new: bytes | None, strip: int
) -> tuple[bytes | None, bytes | None]:
    """Read `---` and `+++`, which must say what the lines above them say."""
    sides: list[bytes | None] = []
    for known, absent in ((old, header.created), (new, header.deleted)):
        name = read_name(lines, bare(lines.next)[len(OLD_START) :], strip)
        if absent != (name is None):
            what = "says" if name is None else "does not say"
            raise lines.error(f"the header {what} {show(DEV_NULL)}, against the lines above it")
        if name is not None and known is not None and name != known:
            raise lines.error(f"the header names both {show(known)} and {show(name)}")
        sides.append(known if name is None else name)
        lines.at += 1
    found_old, found_new = sides
    if header.moved is None and None not in {found_old, found_new} and found_old != found_new:
        raise lines.error("the names differ, but no `rename from` or `copy from` line says so", at=lines.at - 2)
    return found_old, found_new


def _read_plain_change(lines: Lines, strip: int) -> FileChange:
    start = lines.at
    header = read_plain_header(lines, strip)
    if not lines.next.startswith(HUNK_START):
        raise lines.error("a file header without any hunk", at=start, hint="context diffs (`diff -c`) are not read")
    hunks = read_hunks(lines)
    kind = header.kind_with(hunks)
    created, deleted = kind is ChangeKind.CREATE, kind is ChangeKind.DELETE
    change = FileChange(
        kind=kind,
        old_path=None if created else header.name,
        new_path=None if deleted else header.name,
        new_mode=Mode.REGULAR if created else None,
        body=TextBody(hunks),
    )
    _check_body(lines, change, start)
    return change


def _check_body(lines: Lines, change: FileChange, start: int) -> None:
    """Refuse a header whose contents were cut off, and contents that the kind of change does not allow."""
    if isinstance(change.body, BinaryBody):
        return
    hunks = change.body.hunks
    if not hunks:
        if not _may_be_empty(change):
            hint = "the diff was cut off, or made with --irreversible-delete or without --binary"
            raise lines.error(f"the diff of {show(change.path)} has a header but no contents", at=start, hint=hint)
        return
    if change.kind is ChangeKind.CREATE and not makes_file(hunks):
        raise lines.error(f"the new file {show(change.path)} is not given as one hunk of added lines", at=start)
    if change.kind is ChangeKind.DELETE and not empties_file(hunks):
        raise lines.error(f"the deleted file {show(change.path)} is not given as one hunk of removed lines", at=start)


def _may_be_empty(change: FileChange) -> bool:
    match change.kind:
        case ChangeKind.CREATE:
            return change.new_id is None or _is_empty_blob(change.new_id)
        case ChangeKind.DELETE:
            return change.old_id is None or _is_empty_blob(change.old_id)
        case ChangeKind.RENAME | ChangeKind.COPY:
            return change.old_id == change.new_id
        case ChangeKind.MODIFY:
            return change.old_mode is not change.new_mode and change.old_id == change.new_id


def _is_empty_blob(object_id: str) -> bool:
    return any(blob.startswith(object_id) for blob in _EMPTY_BLOBS)


def _check_paths(lines: Lines, change: FileChange, at: int) -> None:
    for path in (change.old_path, change.new_path):
        reason = None if path is None else unsafe_reason(path)
        if path is not None and reason is not None:
            raise lines.error(f"the path {show(path)} {reason}", at=at, hint="such a patch is never applied")


def _refuse_writes_through_links(lines: Lines, changes: list[FileChange]) -> None:
    links = {change.new_path for change in changes if change.new_mode is Mode.SYMLINK}
    if not links:
        return
    for change in changes:
        path = change.new_path
        while path and b"/" in path:
            path = path.rpartition(b"/")[0]
            if path in links:
                message = f"the patch makes {show(path)} a symbolic link and writes {show(change.path)} through it"
                raise lines.error(message, at=0, hint="such a patch is never applied")


def _contents_missing(lines: Lines) -> PatchFormatError:
    hint = "make the diff again with `git diff --binary --full-index`"
    return lines.error("the contents of a binary file are missing from the diff", hint=hint)


def _refuse_lost(lines: Lines, *, after_first: bool) -> None:
    """Refuse text that stands for a change which git apply and patch(1) would lose without a word."""
    line = lines.next
    if line.startswith(HUNK_START) and HUNK_HEADER.match(line):
        raise lines.error("a hunk without a file header", hint="the line before it should read `+++ b/FILE`")
    if line.startswith((b"diff --cc ", b"diff --combined ", b"@@@ ")):
        hint = "make it against one parent: `git diff FIRST-PARENT MERGE`"
        raise lines.error("a combined diff of a merge cannot be applied", hint=hint)
    if line == b"***************\n":
        raise lines.error("this is a context diff", hint="make a unified one: `diff -u`")
    if _BINARY_DIFFER.fullmatch(line):
        raise _contents_missing(lines)
    if _SUBMODULE.match(line):
        raise lines.error("the patch changes a submodule", hint="leave it out: `git diff --ignore-submodules`")
    if after_first and _ONLY_IN.match(line):
        raise lines.error("the diff leaves a whole file out", hint="make it again with `diff -N`")


def _lead_in(lines: Lines, at: int) -> int:
    while at and lines.lines[at - 1].startswith(_LEAD_IN):
        at -= 1
    return at
