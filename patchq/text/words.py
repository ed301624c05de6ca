"""Carry a change of words into a passage in which other words changed, or which only breaks its lines elsewhere."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from patchq.text.diff import diff
from patchq.text.slide import Slide

if TYPE_CHECKING:
    import re
    from collections.abc import Sequence

    from patchq.text.diff import Region

# One unchanged word between two edits is the least; from two on they are not neighbours.
_APART = 2


@dataclass(frozen=True, slots=True)
class Reworded:
    """The new text; `close`: a single word stands between an edit and one of ours; `carried` edits are new in it."""

    text: bytes
    carried: int
    absorbed: int
    close: bool


def reworded(
    base: Sequence[re.Match[bytes]], theirs: Sequence[re.Match[bytes]], ours: Sequence[re.Match[bytes]], text: bytes
) -> Reworded | None:
    """Carry base -> theirs into `text`, whose words are `ours`; None where the two sides' edits touch.

    Every edit must find the words that it replaces, and the one on each side, side by side in ours; the edge of the
    passage counts as a word.
    """
    old, mine, new = ([word[0] for word in words] for words in (base, ours, theirs))
    image, gap = _images(old, mine)
    pieces: list[bytes] = []
    at = carried = absorbed = 0
    close = False
    for region in diff(old, new, how=Slide.LOW):
        before, after = image.get(region.old_start - 1), image.get(region.old_end)
        if before is None or after is None:
            return None
        wanted = new[region.new_start : region.new_end]
        if mine[before + 1 : after] == wanted:
            absorbed += 1
            continue
        if mine[before + 1 : after] != old[region.old_start : region.old_end]:
            return None
        carried += 1
        close = close or _near(region, gap)
        start, end, piece = _piece(region, theirs, ours, before, after)
        pieces.extend((text[at:start], piece))
        at = end
    return Reworded(b"".join([*pieces, text[at:]]), carried, absorbed, close)


def _images(old: Sequence[bytes], mine: Sequence[bytes]) -> tuple[dict[int, int], tuple[Region, ...]]:
    """Map the kept words of `old`, and the two edges, to their places in `mine`; give the changed regions too."""
    gaps = diff(old, mine, how=Slide.LOW)
    image = {-1: -1, len(old): len(mine)}
    row, other = 0, 0
    for start, end, goes_on in (*((gap.old_start, gap.old_end, gap.new_end) for gap in gaps), (len(old), len(old), 0)):
        image.update((row + k, other + k) for k in range(start - row))
        row, other = end, goes_on
    return image, gaps


def _near(region: Region, gaps: Sequence[Region]) -> bool:
    """Whether fewer than two unchanged words stand between the region and a change of ours."""
    return any(
        0 <= region.old_start - gap.old_end < _APART or 0 <= gap.old_start - region.old_end < _APART for gap in gaps
    )


def _piece(
    region: Region, theirs: Sequence[re.Match[bytes]], ours: Sequence[re.Match[bytes]], before: int, after: int
) -> tuple[int, int, bytes]:
    """Give the bytes of ours that go and what comes instead, white space chosen so that the reverse restores it."""
    words = theirs[region.new_start : region.new_end]
    said = b" ".join(word[0] for word in words)
    if after - before > 1 and words:
        return ours[before + 1].start(), ours[after - 1].end(), said
    if after - before > 1 and before >= 0:
        return ours[before].end(), ours[after - 1].end(), b""
    if after - before > 1:
        return ours[0].start(), ours[after].start() if after < len(ours) else ours[after - 1].end(), b""
    if before >= 0 and _whole_lines(region, theirs) and (after == len(ours) or _line_between(ours, before)):
        begun = theirs[region.new_start - 1].end()
        raw = words[0].string[begun : words[-1].end()]
        return ours[before].end(), ours[before].end(), raw
    if before >= 0:
        return ours[before].end(), ours[before].end(), b" " + said
    start = ours[0].start() if ours else 0
    return start, start, said + (b" " if ours else b"")


def _whole_lines(region: Region, theirs: Sequence[re.Match[bytes]]) -> bool:
    """Whether the words that theirs adds behind others are lines of their own."""
    last = region.new_end == len(theirs)
    return (
        region.new_start > 0
        and _line_between(theirs, region.new_start - 1)
        and (last or _line_between(theirs, region.new_end - 1))
    )


def _line_between(words: Sequence[re.Match[bytes]], left: int) -> bool:
    return b"\n" in words[left].string[words[left].end() : words[left + 1].start()]
