"""A refused patch in parts: the changes that can be carried without the others, and the case that stays open."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from patchq.model.attempt import Carried
from patchq.reapply.doubts import slides, twins
from patchq.reapply.three_way import aligned
from patchq.text.diff import diff
from patchq.text.lines import split_lines
from patchq.text.merge3 import Clash, merge3
from patchq.text.slide import Slide

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from patchq.model.attempt import Carry, Case
    from patchq.text.diff import Region

# Each try climbs the whole ladder. A text that is read in 0.1 s is worth some of them, one of a megabyte is not.
_MOST_TRIES = 8
_BYTES = 1 << 20


@dataclass(frozen=True, slots=True)
class Left:
    """What stays open: `case` has the carried parts in its base and its ours alike; `answer` is the ladder's to it."""

    case: Case
    answer: Carry


def without_provable(
    case: Case, answer: Carry, ladder: Callable[[Case], Carry], taken: Callable[[Carry], bool]
) -> Left:
    """Carry those runs of changed lines that the ladder carries by themselves, each of them proved as a patch is.

    `answer` is what `ladder` says of the whole, and it is not `taken`. Where every part could be carried by itself,
    none is: their sum is what was not proved.
    """
    base, theirs = split_lines(case.base), split_lines(case.theirs)
    regions = diff(base, theirs, how=Slide.LOW)
    if len(regions) < 2:  # noqa: PLR2004 - one change has no parts
        return Left(case, answer)
    done: list[Region] = []
    ours = case.ours
    tries = min(_MOST_TRIES, _BYTES // (1 + max(len(case.base), len(case.ours))))
    groups = _groups(regions, case)
    while tries > 0 and (group := next(groups, None)) is not None:
        tries -= 1
        wanted = sorted({*done, *group}, key=lambda region: region.old_start)
        if wanted == done:
            continue
        part = replace(case, base=_with(done, base, theirs), theirs=_with(wanted, base, theirs), ours=ours)
        said = ladder(part)
        if isinstance(said, Carried) and taken(said):
            done, ours = wanted, said.data
    if not done or len(done) == len(regions):
        return Left(case, answer)
    left = replace(case, base=_with(done, base, theirs), ours=ours)
    said = ladder(left)
    return Left(case, answer) if taken(said) else Left(left, said)


def _groups(regions: Sequence[Region], case: Case) -> Iterator[Sequence[Region]]:
    """Give what to try: everything that a merge by lines finds in order, at once; then each run of lines alone."""
    lines, _ = aligned(case)
    chunks = merge3(lines.base, lines.theirs, lines.ours)
    doubted = [doubt.change for doubt in (*twins(chunks, lines), *slides(chunks, lines))]
    suspects = [*doubted, *(chunk for chunk in chunks if isinstance(chunk, Clash))]
    clear = [
        region
        for region in regions
        if not any(chunk.base.start <= region.old_start and region.old_end <= chunk.base.end for chunk in suspects)
    ]
    if 0 < len(clear) < len(regions):
        yield clear
    for region in regions:
        yield (region,)


def _with(chosen: Sequence[Region], base: Sequence[bytes], theirs: Sequence[bytes]) -> bytes:
    """Give base with the `chosen` changes of theirs."""
    out: list[bytes] = []
    row = 0
    for region in chosen:
        out += base[row : region.old_start]
        out += theirs[region.new_start : region.new_end]
        row = region.old_end
    return b"".join((*out, *base[row:]))
