"""The difference of two texts by lines: regions for the core, hunks for patches, both as git would cut them."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING

from patchq.model.change import Hunk, HunkLine, LineKind
from patchq.text.lines import as_lines
from patchq.text.myers import changed_lines
from patchq.text.slide import Slide, groups, slide

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

_SECTION = 80  # bytes of a section heading that git keeps
_SECTION_STARTS = frozenset(b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz_$")


@dataclass(frozen=True, slots=True)
class Region:
    """Lines `old_start:old_end` are replaced by lines `new_start:new_end`; half open, counted from 0."""

    old_start: int
    old_end: int
    new_start: int
    new_end: int


def diff(old: Sequence[bytes], new: Sequence[bytes], *, how: Slide = Slide.INDENT) -> tuple[Region, ...]:
    """Return the regions in which two sequences of lines differ, in order; a kept line stands between any two.

    For ordinary texts these are the regions of `git diff` (with Slide.LOW: of `git merge-file`). The time is bounded,
    see `patchq.text.myers`.
    """
    numbers: dict[bytes, int] = {}
    old_numbers = [numbers.setdefault(line, len(numbers)) for line in old]
    new_numbers = [numbers.setdefault(line, len(numbers)) for line in new]
    removed, added = changed_lines(old_numbers, new_numbers)
    goes, comes = groups(removed), groups(added)
    goes = slide(goes, comes, old, how)
    comes = slide(comes, goes, new, how)
    return tuple(_regions(goes, comes))


def _regions(goes: dict[int, int], comes: dict[int, int]) -> Iterator[Region]:
    gone = come = 0
    for kept in sorted(goes.keys() | comes.keys()):
        old_start, new_start = kept + gone, kept + come
        gone += goes.get(kept, 0)
        come += comes.get(kept, 0)
        yield Region(old_start, kept + gone, new_start, kept + come)


def hunks(old: bytes | Sequence[bytes], new: bytes | Sequence[bytes], *, context: int = 3) -> tuple[Hunk, ...]:
    """Return the difference as hunks with `context` lines around, numbered and headed as `git diff` does.

    The section heading is git's for files without a diff driver: the last line before the hunk that starts with a
    letter, `_` or `$`, cut to 80 bytes and to whole UTF-8 characters.
    """
    old, new = as_lines(old), as_lines(new)
    return hunks_around(diff(old, new), old, new, context=context)


def hunks_around(
    regions: Sequence[Region], old: Sequence[bytes], new: Sequence[bytes], *, context: int = 3
) -> tuple[Hunk, ...]:
    """Return the hunks of a difference that is known already."""
    section = b""
    seen = 0
    found = []
    for cluster in _clusters(regions, 2 * context):
        start = max(cluster[0].old_start - context, 0)
        section = next((head for row in range(start - 1, seen - 1, -1) if (head := _heading(old[row]))), section)
        seen = start
        found.append(_hunk(old, new, cluster, context, section))
    return tuple(found)


def _clusters(regions: Iterable[Region], gap: int) -> list[list[Region]]:
    """Put regions into one list where no more than `gap` kept lines stand between them."""
    clusters: list[list[Region]] = []
    for region in regions:
        if clusters and region.old_start - clusters[-1][-1].old_end <= gap:
            clusters[-1].append(region)
        else:
            clusters.append([region])
    return clusters


def _heading(line: bytes) -> bytes:
    """Cut `line` to a heading, before the first byte that is not UTF-8; empty where it does not look like one."""
    if not line or line[0] not in _SECTION_STARTS:
        return b""
    heading = line[:_SECTION].rstrip(b" \t\r\n")
    try:
        heading.decode()
    except UnicodeDecodeError as wrong:
        return heading[: wrong.start]
    return heading


def _hunk(old: Sequence[bytes], new: Sequence[bytes], cluster: list[Region], context: int, section: bytes) -> Hunk:
    first, last = cluster[0], cluster[-1]
    before = min(context, first.old_start)
    old_start, new_start = first.old_start - before, first.new_start - before
    old_end = min(last.old_end + context, len(old))
    lines = _kept(old[old_start : first.old_start])
    for region, following in pairwise([*cluster, Region(old_end, old_end, 0, 0)]):
        lines += [HunkLine(LineKind.REMOVED, line) for line in old[region.old_start : region.old_end]]
        lines += [HunkLine(LineKind.ADDED, line) for line in new[region.new_start : region.new_end]]
        lines += _kept(old[region.old_end : following.old_start])
    new_end = last.new_end + old_end - last.old_end
    return Hunk(
        old_start=old_start + (old_end > old_start),
        new_start=new_start + (new_end > new_start),
        lines=tuple(lines),
        section=section,
    )


def _kept(lines: Sequence[bytes]) -> list[HunkLine]:
    return [HunkLine(LineKind.CONTEXT, line) for line in lines]
