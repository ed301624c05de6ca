from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from patchq.text.diff import diff
from patchq.text.lines import split_lines
from patchq.text.locate import follow, occurrences
from tests.text.texts import edited, texts

_LAWS = settings(max_examples=100, deadline=None)


@_LAWS
@given(texts(), st.data())
def test_every_place_of_a_block_is_found(text: bytes, data: st.DataObject) -> None:
    lines = split_lines(text)
    start = data.draw(st.integers(0, len(lines)))
    block = lines[start : start + data.draw(st.integers(0, 4))]
    rows = [row for row in range(len(lines)) if block and lines[row : row + len(block)] == block]
    assert occurrences(block, text) == tuple(rows)


def test_a_line_occurs_as_a_whole_line_only() -> None:
    assert occurrences([b"a\n"], b"xa\na\n ba\n") == (1,)
    assert occurrences([b"a"], b"a\na") == (1,)
    assert occurrences([b"a"], b"a\nxa") == ()
    assert occurrences([b"a\n"], b"b\na") == ()


def test_overlapping_places_count_up_to_the_limit() -> None:
    assert occurrences([b"a\n"] * 3, b"a\n" * 6) == (0, 1, 2, 3)
    assert occurrences([b"a\n"] * 3, b"a\n" * 6, limit=2) == (0, 1)
    assert len(occurrences([b"a\n"] * 50_000, b"a\n" * 100_000)) == 1000


@_LAWS
@given(texts(), st.data())
def test_lines_that_a_diff_keeps_together_are_followed_to_equal_lines(text: bytes, data: st.DataObject) -> None:
    old = split_lines(text)
    new = split_lines(data.draw(edited(text)))
    start = data.draw(st.integers(0, len(old)))
    end = data.draw(st.integers(start, len(old)))
    regions = diff(old, new)
    row = follow(regions, start, end)
    if row is not None:
        assert new[row : row + end - start] == old[start:end]
    elif start < end:
        assert any(region.old_start < end and region.old_end >= start for region in regions)


def test_a_change_inside_ends_the_trail_and_one_beside_does_not() -> None:
    old = [b"%d\n" % number for number in range(9)]
    inside = diff(old, [*old[:4], b"new\n", *old[4:]])
    assert follow(inside, 2, 6) is None
    assert follow(inside, 0, 4) == 0
    assert follow(inside, 4, 6) == 5
