"""The head of one file in a git diff: `diff --git`, the extended header lines, and the names in all of them."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from patchq.model.change import ChangeKind
from patchq.model.tree import Mode
from patchq.patchfile.lines import bare, show
from patchq.patchfile.paths import strip_parts
from patchq.patchfile.quoting import unquote

if TYPE_CHECKING:
    from patchq.patchfile.lines import Lines

GIT_START = b"diff --git "
DEV_NULL = b"/dev/null"

_EXTENDED = re.compile(
    rb"(old mode|new mode|deleted file mode|new file mode|copy from|copy to|rename (?:from|old)|rename (?:to|new)"
    rb"|similarity index|dissimilarity index|index) (.*)",
    re.DOTALL,
)
_INDEX = re.compile(rb"([0-9a-f]{4,64})\.\.([0-9a-f]{4,64})(?: ([0-7]{6}))?")
_PERCENT = re.compile(rb"(\d{1,3})%")
_REGULAR_FILE = re.compile(rb"100[0-7]{3}")
_OWNER_EXECUTES = 0o100


@dataclass(slots=True, kw_only=True)
class GitHeader:
    """What the lines from `diff --git` up to `---` say, filled line by line; names are stripped of their prefix."""

    name: bytes | None = None
    old_mode: Mode | None = None
    new_mode: Mode | None = None
    old_id: str | None = None
    new_id: str | None = None
    similarity: int | None = None
    created: bool = False
    deleted: bool = False
    moved: ChangeKind | None = None
    moved_from: bytes | None = None
    moved_to: bytes | None = None

    @property
    def kind(self) -> ChangeKind:
        """What happens to the path."""
        if self.created:
            return ChangeKind.CREATE
        if self.deleted:
            return ChangeKind.DELETE
        return self.moved or ChangeKind.MODIFY


def read_git_header(lines: Lines, strip: int) -> GitHeader:
    """Read the header under the cursor, which is left on the first line that is no extended header."""
    header = GitHeader(name=_read_pair(lines, strip))
    start = lines.at
    lines.at += 1
    while found := _EXTENDED.fullmatch(bare(lines.next)):
        _read_extended(lines, header, found[1], found[2], strip)
        lines.at += 1
    moved = (header.moved_from is not None) + (header.moved_to is not None)
    if header.created + header.deleted + (header.moved is not None) > 1 or moved == 1:
        raise lines.error("the header contradicts itself about what happens to the file", at=start)
    if Mode.GITLINK in {header.old_mode, header.new_mode}:
        hint = "leave it out, `git diff --ignore-submodules`: patchq carries files only"
        raise lines.error(f"the patch changes a submodule, {show(header.name or b'unnamed')}", at=start, hint=hint)
    return header


def _read_extended(lines: Lines, header: GitHeader, key: bytes, value: bytes, strip: int) -> None:
    match key:
        case b"old mode":
            header.old_mode = _mode(lines, value)
        case b"new mode":
            header.new_mode = _mode(lines, value)
        case b"deleted file mode":
            header.deleted, header.old_mode = True, _mode(lines, value)
        case b"new file mode":
            header.created, header.new_mode = True, _mode(lines, value)
        case b"copy from" | b"copy to" | b"rename from" | b"rename old" | b"rename to" | b"rename new":
            _read_move(lines, header, key, _whole_name(lines, value, max(strip - 1, 0)))
        case b"similarity index":
            header.similarity = _percent(lines, value)
        case b"index":
            _read_index(lines, header, value)
        case _:
            _percent(lines, value)  # of a rewrite: git recomputes it, nobody needs it


def _read_move(lines: Lines, header: GitHeader, key: bytes, name: bytes) -> None:
    kind = ChangeKind.COPY if key.startswith(b"copy") else ChangeKind.RENAME
    if header.moved not in {None, kind}:
        raise lines.error("the header calls the file both copied and renamed")
    header.moved = kind
    if key.endswith((b"from", b"old")):
        header.moved_from = name
    else:
        header.moved_to = name


def _read_index(lines: Lines, header: GitHeader, value: bytes) -> None:
    found = _INDEX.fullmatch(value)
    if found is None:
        raise lines.error("malformed `index` line", hint="it reads `index OLD..NEW` or `index OLD..NEW MODE`")
    header.old_id, header.new_id = found[1].decode(), found[2].decode()
    if found[3] is not None:
        header.old_mode = header.new_mode = _mode(lines, found[3])


def _percent(lines: Lines, value: bytes) -> int:
    found = _PERCENT.fullmatch(value)
    if found is None:
        raise lines.error("malformed percentage")
    return int(found[1])


def _mode(lines: Lines, value: bytes) -> Mode:
    """Read a mode; odd permissions become git's two, as git itself does since its first year."""
    if _REGULAR_FILE.fullmatch(value):
        return Mode.EXECUTABLE if int(value, 8) & _OWNER_EXECUTES else Mode.REGULAR
    if value == Mode.SYMLINK.value.encode():
        return Mode.SYMLINK
    if value == Mode.GITLINK.value.encode():
        return Mode.GITLINK
    raise lines.error(f"unknown file mode {show(value)}")


def read_name(lines: Lines, text: bytes, strip: int) -> bytes | None:
    r"""Read the name behind `--- ` or `+++ `, up to a tab, and strip its prefix; None for `/dev/null`."""
    if text.startswith(b'"'):
        unquoted = unquote(text)
        if unquoted is None or (unquoted[1] and not unquoted[1].startswith(b"\t")):
            raise lines.error(f"malformed quoted name {show(text)}")
        return _stripped(lines, unquoted[0], strip)
    name = text.partition(b"\t")[0]
    return None if name == DEV_NULL else _stripped(lines, name, strip)


def _whole_name(lines: Lines, text: bytes, strip: int) -> bytes:
    """Read the name of a rename or copy line: it takes the whole line and has no prefix."""
    if not text.startswith(b'"'):
        return _stripped(lines, text, strip)
    unquoted = unquote(text)
    if unquoted is None or unquoted[1]:
        raise lines.error(f"malformed quoted name {show(text)}")
    return _stripped(lines, unquoted[0], strip)


def _stripped(lines: Lines, name: bytes, strip: int) -> bytes:
    stripped = strip_parts(name, strip)
    if stripped is None:
        hint = f"give the number of leading parts to remove, for example -p{max(strip - 1, 0)}"
        raise lines.error(f"the name {show(name)} has nothing left after removing {strip} leading parts", hint=hint)
    return stripped


def _read_pair(lines: Lines, strip: int) -> bytes | None:
    """Read the name from `diff --git A B` where both sides have the same; None where they differ or it is unclear.

    An unquoted name may hold blanks, so only a line that splits into two equal names can be read for certain; git
    says the name again in other lines whenever the two differ.
    """
    text = bare(lines.next)[len(GIT_START) :]
    if text.endswith(b"\r"):
        hint = "the patch went through a conversion to CRLF; ask for it again, or convert it back with care"
        raise lines.error("the header line ends with a carriage return", hint=hint)
    for old, new in _splits(text):
        if old == new and strip == 1:  # with -p2 somebody has counted the parts
            hint = "it was made with `--no-prefix` or diff.noprefix: pass -p0"
            raise lines.error(f"both names of the diff are {show(old)}, without the usual prefixes", hint=hint)
        name = strip_parts(old, strip)
        if name is not None and name == strip_parts(new, strip):
            return name
    return None


def _splits(text: bytes) -> list[tuple[bytes, bytes]]:
    """List the ways to read `text` as two names, of which each may be quoted."""
    if text.startswith(b'"'):
        first = unquote(text)
        if first is None or not first[1].startswith(b" "):
            return []
        rest = first[1][1:]
        second = unquote(rest) if rest.startswith(b'"') else (rest, b"")
        return [(first[0], second[0])] if second is not None and not second[1] else []
    if text.endswith(b'"'):
        bare_name, _, quoted = text.partition(b' "')
        second = unquote(b'"' + quoted)
        return [(bare_name, second[0])] if second is not None and not second[1] else []
    # Both names end alike, so the second starts near the middle: prefixes differ by a few bytes only.
    middle = len(text) // 2
    near = range(max(middle - _PREFIX_SLACK, 0), min(middle + _PREFIX_SLACK, len(text)))
    return [(text[:at], text[at + 1 :]) for at in near if text[at : at + 1] == b" "]


_PREFIX_SLACK = 128
