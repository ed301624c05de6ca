"""A hunk looked for in a text without its base: by its lines with their context, whatever the white space is."""

from __future__ import annotations

from enum import Enum
from typing import TYPE_CHECKING

from patchq.model.change import LineKind
from patchq.reapply.aligning import lines_of
from patchq.text.locate import occurrences

if TYPE_CHECKING:
    from collections.abc import Sequence

    from patchq.model.change import Hunk
    from patchq.reapply.aligning import Lines


class HunkState(Enum):
    """What a text has of one hunk."""

    THERE = "there"  # the lines as the hunk leaves them, with their context
    NOT_THERE = "not-there"  # the lines as the hunk expects them, with their context
    LIKELY = (
        "likely"  # what it adds stands beside a neighbour, and what it removes does not; else it is another context
    )
    UNLIKELY = "unlikely"  # nothing of what it adds stands there, and what it removes does; the context is another one
    OTHER = "other"  # neither is there, but something of it is
    NOTHING = "nothing"  # no line of it is there


def hunk_state(hunk: Hunk, text: bytes) -> HunkState:
    """Say what `text` has of `hunk`.

    A context that occurs both ways (twins, of which one was changed) shows nothing, and is `OTHER`.
    """
    ours = lines_of(text)
    old, new = lines_of(b"".join(hunk.old_lines)).keys, lines_of(b"".join(hunk.new_lines)).keys
    before, after = _stands(old, ours), _stands(new, ours)
    # An edit at the edge of its hunk: one side holds the other.
    if after and (not before or _within(old, new)):
        return HunkState.THERE
    if before and (not after or _within(new, old)):
        return HunkState.NOT_THERE
    if before and after:
        return HunkState.OTHER
    return _by_blocks(hunk, ours)


def _by_blocks(hunk: Hunk, ours: Lines) -> HunkState:
    added, removed, kept = ([key for key in _keys(hunk, kind) if key] for kind in _KINDS)
    standing = set(ours.keys)
    if not standing.intersection((*added, *removed, *kept)):
        return HunkState.NOTHING
    new = bool(added) and all(any(_stands(keys, ours) for keys in block) for block in _neighboured(hunk))
    old = any(_stands(block, ours) for block in _blocks(hunk, LineKind.REMOVED))
    if new and not old:
        return HunkState.LIKELY
    if not new and not standing.intersection(added) and (old or not removed):
        return HunkState.UNLIKELY
    return HunkState.OTHER


_KINDS = (LineKind.ADDED, LineKind.REMOVED, LineKind.CONTEXT)


def _keys(hunk: Hunk, kind: LineKind) -> tuple[bytes, ...]:
    return lines_of(b"".join(line.text for line in hunk.lines if line.kind is kind)).keys


def _blocks(hunk: Hunk, kind: LineKind) -> list[tuple[bytes, ...]]:
    """Return the runs of lines of one kind, each without blank lines at its ends."""
    runs: list[list[bytes]] = [[]]
    for line in hunk.lines:
        if line.kind is kind:
            runs[-1].append(line.text)
        elif runs[-1]:
            runs.append([])
    return [keys for run in runs if any(keys := lines_of(b"".join(run)).keys)]


def _neighboured(hunk: Hunk) -> list[list[tuple[bytes, ...]]]:
    """Return each run of added lines with the context line above, and with the one below: alone it may be anywhere."""
    found: list[list[tuple[bytes, ...]]] = []
    lines = [line for line in hunk.lines if line.kind is not LineKind.REMOVED]
    row = 0
    while row < len(lines):
        end = row
        while end < len(lines) and lines[end].kind is LineKind.ADDED:
            end += 1
        if end > row:
            texts = [line.text for line in lines]
            sides = ([texts[row - 1 : end]] if row else []) + ([texts[row : end + 1]] if end < len(lines) else [])
            found.append([lines_of(b"".join(side)).keys for side in sides or [texts[row:end]]])
        row = end + 1
    return found


def _stands(keys: Sequence[bytes], ours: Lines) -> bool:
    """Say whether lines stand somewhere in a row; no lines at all do where the text has none either."""
    if not keys:
        return not ours.lines
    return bool(occurrences([key + b"\n" for key in keys], b"".join(key + b"\n" for key in ours.keys), limit=1))


def _within(inner: Sequence[bytes], outer: Sequence[bytes]) -> bool:
    width = len(inner)
    return any(tuple(outer[at : at + width]) == tuple(inner) for at in range(len(outer) - width + 1))
