"""What was not carried, as chunks with a conflict at every change in question, where upstream has its place now."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, assert_never

from patchq.errors import Where
from patchq.model.attempt import Carried, Refused
from patchq.patchfile.intents import parse_anchor
from patchq.reapply.spots import decoded
from patchq.reapply.texts import plain_text
from patchq.reapply.three_way import aligned
from patchq.syntax.anchors import resolve
from patchq.syntax.languages import language_of
from patchq.syntax.node import Unread
from patchq.syntax.parse import Forest
from patchq.text.conflict import ConflictStyle, opened
from patchq.text.diff import diff
from patchq.text.lines import split_lines
from patchq.text.merge3 import Clash, OnlyOurs, OnlyTheirs, Part, merge3
from patchq.text.slide import Slide

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from patchq.model.attempt import Case
    from patchq.reapply.parts import Left
    from patchq.syntax.node import Node
    from patchq.text.merge3 import Chunk


@dataclass(frozen=True, slots=True)
class Marked:
    """Chunks to be written by `render_conflict`, at least one of them a clash, and in which style."""

    chunks: tuple[Chunk, ...]
    style: ConflictStyle


def marked(left: Left, forest: Forest | None = None) -> Marked:
    """Open every change of the case that is left.

    Taking upstream's side of every conflict gives the case's ours. Where the ladder has a result that only waits for a
    look, the patch's side shows that result in its place, and taking it everywhere gives the result.
    """
    match left.answer:
        case Carried(data=data) if data != left.case.ours:
            return _proposal(left.case, data)
        case Carried() | Refused():
            return Marked(_question(left, Forest() if forest is None else forest), ConflictStyle.DIFF3)
        case _:
            assert_never(left.answer)


def _proposal(case: Case, data: bytes) -> Marked:
    """Show ours -> `data`; the base has its place in it where the patch is made of as many changes, in that order."""
    chunks = opened(merge3(case.ours, data, case.ours))
    lines, _ = aligned(case)
    base, theirs = split_lines(lines.base), split_lines(lines.theirs)
    regions = diff(base, theirs, how=Slide.LOW)
    places = [chunk for chunk in chunks if isinstance(chunk, Clash)]
    if len(regions) != len(places):
        return Marked(chunks, ConflictStyle.MERGE)
    before = iter([Part(region.old_start, tuple(base[region.old_start : region.old_end])) for region in regions])
    shown = tuple(replace(chunk, base=next(before)) if isinstance(chunk, Clash) else chunk for chunk in chunks)
    return Marked(shown, ConflictStyle.DIFF3)


def _question(left: Left, forest: Forest) -> tuple[Chunk, ...]:
    lines, _ = aligned(left.case)
    chunks = opened(merge3(lines.base, lines.theirs, lines.ours))
    if isinstance(left.answer, Refused):
        for anchor in dict.fromkeys(conflict.anchor for conflict in left.answer.conflicts):
            window = _window(anchor, left.case, forest)
            if window is not None and any(_astray(chunk, window) for chunk in chunks):
                return _followed(lines, window) or chunks
    return chunks


@dataclass(frozen=True, slots=True)
class _Window:
    """The rows that one construct has in base, theirs and ours, half open; None where both sides have added it."""

    base: tuple[int, int] | None
    theirs: tuple[int, int]
    ours: tuple[int, int]


def _window(anchor: str, case: Case, forest: Forest) -> _Window | None:
    """Find the smallest named construct around `anchor` that both sides have once, and the base at most once."""
    language = language_of(case.path)
    address = anchor.removeprefix(f"{decoded(case.ours_path)}::")
    if language is None or address == anchor:
        return None
    roots = []
    for text in (case.base, case.theirs, case.ours):
        tree = forest.tree(plain_text(text) or text, language)
        if isinstance(tree, Unread):
            return None
        roots.append(tree.root)
    steps = parse_anchor(f"file::{address}", where=Where(field=anchor)).steps
    while steps:
        match [resolve(root, steps, language.facts) for root in roots]:
            case [[], [theirs], [ours]]:
                return _Window(None, _rows(theirs), _rows(ours))
            case [[base], [theirs], [ours]]:
                return _Window(_rows(base), _rows(theirs), _rows(ours))
            case _:
                steps = steps[:-1]
    return None


def _rows(node: Node) -> tuple[int, int]:
    text = node.source
    return text.count(b"\n", 0, node.start), text.count(b"\n", 0, max(node.start, node.end - 1)) + 1


def _astray(chunk: Chunk, window: _Window) -> bool:
    """Whether a conflict within the construct is shown where upstream does not have the construct any more."""
    part, rows = (chunk.theirs, window.theirs) if window.base is None else (chunk.base, window.base)
    there = chunk.ours.start <= window.ours[1] and window.ours[0] <= chunk.ours.end
    return isinstance(chunk, Clash) and _meets(part, *rows) and not there


def _followed(lines: Case, window: _Window) -> tuple[Chunk, ...] | None:
    """Compare the construct with itself, and the rest with the rest; None where the two are not apart."""
    base, theirs, ours = split_lines(lines.base), split_lines(lines.theirs), split_lines(lines.ours)
    before = () if window.base is None else base[slice(*window.base)]
    inner = opened(merge3(before, theirs[slice(*window.theirs)], ours[slice(*window.ours)]))
    seam = window.theirs[0]
    around = merge3(base, (*theirs[:seam], *before, *theirs[window.theirs[1] :]), ours)
    start, end = window.ours
    if any(isinstance(chunk, OnlyTheirs | Clash) and _meets(chunk.ours, start, end) for chunk in around):
        return None
    outside = [_clash(chunk) for chunk in around if not _is_margin(chunk, seam)]
    cut = (*_cut(outside, 0, start), *inner, *_cut(outside, end, len(ours)))
    return cut if any(isinstance(chunk, Clash) for chunk in cut) else None


def _is_margin(chunk: Chunk, seam: int) -> bool:
    """Whether theirs only added blank lines, where a construct has been taken out of it."""
    at_seam = chunk.theirs.start <= seam <= chunk.theirs.end
    added = isinstance(chunk, OnlyTheirs) and not chunk.ours.lines
    return added and at_seam and not any(map(bytes.strip, chunk.theirs.lines))


def _clash(chunk: Chunk) -> Chunk:
    return Clash(base=chunk.base, theirs=chunk.theirs, ours=chunk.ours) if isinstance(chunk, OnlyTheirs) else chunk


def _meets(part: Part, start: int, end: int) -> bool:
    """Whether lines, or the place of none, are among the rows `start:end`."""
    return part.start < end and start < max(part.end, part.start + 1)


def _cut(chunks: Sequence[Chunk], start: int, end: int) -> Iterator[Chunk]:
    """Give what stands in the rows `start:end` of ours; what is cut through holds nothing but ours' lines."""
    for chunk in chunks:
        if isinstance(chunk, Clash):
            if start <= chunk.ours.start and chunk.ours.end <= end:
                yield chunk
            continue
        part = chunk.ours
        low, high = max(part.start, start), min(part.end, end)
        if low < high:
            piece = part.cut(low - part.start, high - part.start)
            yield OnlyOurs(base=Part(0, ()), theirs=Part(0, ()), ours=piece)
