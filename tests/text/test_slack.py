from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from patchq.text.diff import Region, diff
from patchq.text.lines import split_lines
from patchq.text.slack import could_touch, extent, passing
from patchq.text.slide import Slide
from tests.text.texts import edited, texts


@settings(max_examples=120, deadline=None)
@given(st.data())
def test_a_change_can_be_written_everywhere_within_its_extent(data: st.DataObject) -> None:
    text = data.draw(texts())
    old, new = split_lines(text), split_lines(data.draw(edited(text, max_edits=1)))
    regions = diff(old, new, how=data.draw(st.sampled_from(Slide)))
    for region in regions[:1] if len(regions) == 1 else ():
        low, high = extent(old, new, region)
        assert low <= region.old_start <= region.old_end <= high
        count = region.old_end - region.old_start
        for start in range(low, high - count + 1):
            shift = start - region.old_start
            inserted = new[region.new_start + shift : region.new_end + shift]
            assert (*old[:start], *inserted, *old[start + count :]) == new


def test_only_a_line_with_a_word_makes_it_matter() -> None:
    old = (b"a\n", b"}\n", b"\n", b"z\n")
    inserted = (*old[:3], b"b\n", b"}\n", b"\n", *old[3:])
    (region,) = diff(old, inserted)
    assert extent(old, inserted, region) == (1, 3)
    assert list(passing(old, inserted, [region], [Region(1, 2, 1, 1)])) == []
    worded = (b"a\n", b"return\n", b"\n", b"z\n")
    inserted = (*worded[:3], b"b\n", b"return\n", b"\n", *worded[3:])
    (region,) = diff(worded, inserted)
    assert list(passing(worded, inserted, [region], [Region(1, 2, 1, 1)])) == [(region, Region(1, 2, 1, 1))]


def test_changes_of_two_sides_can_touch_though_neither_diff_says_so() -> None:
    old = (b"a\n", b"x\n", b"a\n", b"z\n")
    behind, before = (*old[:3], b"x\n", b"a\n", b"z\n"), (b"new\n", *old)
    (one,), (two,) = diff(old, behind, how=Slide.LOW), diff(old, before)
    assert (one.old_start, two.old_end) == (3, 0)
    assert could_touch(old, (behind, [one]), (before, [two]))
    last = (*old, b"new\n")
    assert not could_touch(old, (behind, [one]), (last, diff(old, last)))
