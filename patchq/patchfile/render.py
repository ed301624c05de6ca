"""From file changes to the bytes that `git diff --full-index --binary` writes for them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from patchq.model.change import BinaryBody, ChangeKind, LineKind, TextBody
from patchq.patchfile.binary import render_binary
from patchq.patchfile.quoting import quote

if TYPE_CHECKING:
    from collections.abc import Sequence

    from patchq.model.change import FileChange, Hunk

_NO_NEWLINE = b"\n\\ No newline at end of file\n"


def render_changes(changes: Sequence[FileChange]) -> bytes:
    """Write a diff with `a/` and `b/` prefixes, names quoted as under `core.quotePath=true`, three-digit escapes.

    Laws: `parse_changes(render_changes(x)) == x`, and rendering what was parsed from git's own output gives equal
    bytes. Object ids are written as the change has them; no `index` line where it has none.
    """
    return b"".join(map(_render_change, changes))


def _render_change(change: FileChange) -> bytes:
    out: list[bytes] = []
    if change.kind is ChangeKind.DELETE and change.old_mode is None:
        # A plain diff does not know the mode of what it deletes; git's form has to state one, the plain form not.
        out += [_side(b"--- ", b"a/", change.old_path), _side(b"+++ ", b"b/", None)]
    else:
        out += _git_header(change)
        if isinstance(change.body, TextBody) and change.body.hunks:
            out += [_side(b"--- ", b"a/", change.old_path), _side(b"+++ ", b"b/", change.new_path)]
    if isinstance(change.body, BinaryBody):
        out.append(render_binary(change.body))
    else:
        for hunk in change.body.hunks:
            _render_hunk(out, hunk)
    return b"".join(out)


def _git_header(change: FileChange) -> list[bytes]:
    old_path = change.old_path if change.old_path is not None else change.path
    out = [b"diff --git " + quote(b"a/" + old_path) + b" " + quote(b"b/" + change.path) + b"\n"]
    old_mode = None if change.old_mode is None else change.old_mode.value.encode()
    new_mode = None if change.new_mode is None else change.new_mode.value.encode()
    match change.kind:
        case ChangeKind.CREATE:
            out.append(b"new file mode %s\n" % (new_mode or b"100644"))
        case ChangeKind.DELETE:
            out.append(b"deleted file mode %s\n" % (old_mode or b"100644"))
        case ChangeKind.MODIFY | ChangeKind.RENAME | ChangeKind.COPY:
            if old_mode is not None and new_mode is not None and old_mode != new_mode:
                out.append(b"old mode %s\nnew mode %s\n" % (old_mode, new_mode))
            out += _moved_lines(change)
    old_id, new_id = _ids(change)
    if old_id != new_id:
        both = b" " + new_mode if new_mode is not None and old_mode == new_mode else b""
        out.append(b"index %s..%s%s\n" % (old_id.encode(), new_id.encode(), both))
    return out


def _moved_lines(change: FileChange) -> list[bytes]:
    if change.kind not in {ChangeKind.RENAME, ChangeKind.COPY} or change.old_path is None:
        return []
    out = [] if change.similarity is None else [b"similarity index %d%%\n" % change.similarity]
    verb = change.kind.value.encode()
    return [*out, b"%s from %s\n%s to %s\n" % (verb, quote(change.old_path), verb, quote(change.path))]


def _ids(change: FileChange) -> tuple[str, str]:
    """Give both ids, zeros for a side that does not exist, or twice the same where they are not both known."""
    old_id, new_id = change.old_id, change.new_id
    if change.kind is ChangeKind.CREATE and new_id is not None:
        return old_id or "0" * len(new_id), new_id
    if change.kind is ChangeKind.DELETE and old_id is not None:
        return old_id, new_id or "0" * len(old_id)
    return (old_id, new_id) if old_id is not None and new_id is not None else ("", "")


def _side(start: bytes, prefix: bytes, path: bytes | None) -> bytes:
    if path is None:
        return start + b"/dev/null\n"
    name = quote(prefix + path)
    # A blank in the name makes git end it with a tab, so that no tool takes its end for a timestamp.
    return start + name + (b"\t\n" if b" " in name else b"\n")


def _render_hunk(out: list[bytes], hunk: Hunk) -> None:
    old = new = 0
    body: list[bytes] = []
    for line in hunk.lines:
        kind, text = line.kind, line.text
        # Compared by identity: a table by enum member costs a call of Enum.__hash__ a line, half of the whole time.
        if kind is LineKind.CONTEXT:
            old += 1
            new += 1
            body.append(b" " + text)
        elif kind is LineKind.ADDED:
            new += 1
            body.append(b"+" + text)
        else:
            old += 1
            body.append(b"-" + text)
        if not text.endswith(b"\n"):
            body.append(_NO_NEWLINE)
    section = b" " + hunk.section if hunk.section else b""
    out.append(b"@@ -%s +%s @@%s\n" % (_range(hunk.old_start, old), _range(hunk.new_start, new), section))
    out += body


def _range(start: int, count: int) -> bytes:
    return b"%d" % start if count == 1 else b"%d,%d" % (start, count)
