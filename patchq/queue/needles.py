"""What can be told of an edit by its bytes alone: whether it stands there word for word, and what to count for it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from patchq.text.lines import split_lines

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from patchq.model.change import Hunk
    from patchq.text.diff import Region

_MOST = 24
_LONG = 8  # bytes of a line that may say something by itself
_ALIKE = bytes.maketrans(b'"', b"'")
_CONTEXT = 3  # lines on each side of an edit, until one of them says something


@dataclass(frozen=True, slots=True)
class Verbatim:
    """One edit with a little context, before and after it, and the lines that it alone brings, reduced."""

    before: bytes
    after: bytes
    gained: tuple[bytes, ...]

    def there(self, data: bytes) -> bool | None:
        """Say whether `data` has the edit word for word, or nothing of it at all; None: neither is plain."""
        before, after = _has(data, self.before), _has(data, self.after)
        if after and not before:
            return True
        if after or not (before or self.gained):
            return None
        reduced = _reduced(data)
        return None if any(line in reduced for line in self.gained) else False


def verbatim(base: Sequence[bytes], theirs: Sequence[bytes], region: Region) -> Verbatim | None:
    """Cut one edit out of the lines of `base` and `theirs`; None where the two would hold one another.

    Without context an added line would be found anywhere, and what a deletion leaves is nothing but context.
    """
    above = _telling(base[max(0, region.old_start - _CONTEXT) : region.old_start][::-1])[::-1]
    below = _telling(base[region.old_end : region.old_end + _CONTEXT])
    removed, added = base[region.old_start : region.old_end], theirs[region.new_start : region.new_end]
    before, after = b"".join([*above, *removed, *below]), b"".join([*above, *added, *below])
    if not above or not below or before in after or after in before:
        return None
    old = _reduced(b"".join(base))
    lines = dict.fromkeys(map(_reduced, added))
    return Verbatim(before, after, tuple(line for line in lines if len(line) >= _LONG and line not in old))


def _has(data: bytes, lines: bytes) -> bool:
    """Whether whole lines stand in `data`."""
    return data.startswith(lines) or b"\n" + lines in data


def _reduced(text: bytes) -> bytes:
    """Drop what a formatter changes: blanks, the kind of quotes, commas at line ends."""
    return text.translate(_ALIKE, b" \t\r\n,")


def _telling(lines: Sequence[bytes]) -> Sequence[bytes]:
    """Take lines up to the first that has a word in it."""
    for count, line in enumerate(lines, 1):
        if sum(byte > ord("/") for byte in line.strip()) >= _LONG // 2:
            return lines[:count]
    return ()


def needles(base: bytes, theirs: bytes, regions: Sequence[Region]) -> tuple[bytes, ...]:
    """Choose what to count for the edits `regions` from `base` to `theirs`: lines gained and lost, most telling first.

    A line that stands nowhere else is a needle without its indentation; of any other the needle is its text with the
    line before it or behind it: `return None` alone comes and goes without anybody having meant the edit.
    """
    old, new = split_lines(base), split_lines(theirs)
    single: dict[bytes, None] = {}
    double: dict[bytes, None] = {}
    for region in regions:
        for text, lines, rows in (
            (theirs, new, range(region.new_start, region.new_end)),
            (base, old, range(region.old_start, region.old_end)),
        ):
            for row in rows:
                line = lines[row].strip()
                if len(line) >= _LONG and text.count(line) == 1:
                    single[line] = None
                elif line:
                    double.update(dict.fromkeys(_pairs(lines, row)))
        if region.new_start == region.new_end:
            # What a deletion leaves: the lines that come to stand side by side.
            double.update(dict.fromkeys(_pairs(new, region.new_start)))
    return _spread(tuple(single), _MOST) + (_spread(tuple(double), _MOST // 2) if len(single) < _MOST // 4 else ())


def hunk_needles(hunks: Sequence[Hunk]) -> tuple[bytes, ...]:
    """Choose what to count for whole hunks: each as it is before and after, and its lines that may say something."""
    blocks: dict[bytes, None] = {}
    lines: dict[bytes, None] = {}
    for hunk in hunks:
        blocks[b"".join(hunk.old_lines)] = None
        blocks[b"".join(hunk.new_lines)] = None
        lines.update(dict.fromkeys(line.text.strip() for line in hunk.lines if len(line.text.strip()) >= _LONG))
    return (*_spread(tuple(filter(None, blocks)), 2 * _MOST), *_spread(tuple(lines), 2 * _MOST))


def counts(data: bytes, sought: Iterable[bytes]) -> tuple[int, ...]:
    """Count each of `sought` in `data`."""
    return tuple(map(data.count, sought))


def _pairs(lines: Sequence[bytes], row: int) -> list[bytes]:
    pairs = [lines[at] + lines[at + 1] for at in (row - 1, row) if 0 <= at < len(lines) - 1]
    return [pair.strip() for pair in pairs if pair.strip()]


def _spread(found: tuple[bytes, ...], most: int) -> tuple[bytes, ...]:
    """Keep `most` of what was found, from everywhere."""
    if len(found) <= most:
        return found
    return tuple(found[at * len(found) // most] for at in range(most))
