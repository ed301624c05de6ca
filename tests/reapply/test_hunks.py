from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from patchq.errors import ApplyError, PatchFormatError, Where
from patchq.model.change import Hunk, HunkLine, LineKind
from patchq.reapply.hunks import apply_hunks, change_rows, reverse_hunks
from patchq.text.diff import diff, hunks
from patchq.text.lines import split_lines
from tests.text.texts import edited, texts

_LAWS = settings(max_examples=100, deadline=None)
_HERE = Where(file="x.patch")
_NUMBERS = b"".join(b"%d\n" % number for number in range(1, 21))


@_LAWS
@given(st.data(), st.integers(0, 4))
def test_applying_and_reversing_are_inverse(data: st.DataObject, context: int) -> None:
    old = data.draw(texts())
    new = data.draw(edited(old))
    change = hunks(old, new, context=context)
    assert apply_hunks(change, old, where=_HERE) == new
    assert apply_hunks(reverse_hunks(change), new, where=_HERE) == old
    assert reverse_hunks(reverse_hunks(change)) == change


@_LAWS
@given(st.data())
def test_change_rows_are_where_the_regions_of_the_diff_begin(data: st.DataObject) -> None:
    old = data.draw(texts())
    new = data.draw(edited(old))
    regions = diff(split_lines(old), split_lines(new))
    rows = [row for hunk in hunks(old, new) for row in change_rows(hunk)]
    assert rows == [region.new_start for region in regions]


def test_stale_new_line_numbers_do_not_matter() -> None:
    first, second = hunks(_NUMBERS, _NUMBERS.replace(b"\n2\n", b"\n2\nx\n").replace(b"19\n", b"y\n"))
    only = replace(second, new_start=999)
    changed = _NUMBERS.replace(b"19\n", b"y\n")
    assert apply_hunks([only], _NUMBERS, where=_HERE) == changed
    assert apply_hunks(reverse_hunks([only]), changed, where=_HERE) == _NUMBERS
    assert first.new_start == 1


def test_a_line_that_differs_is_named_with_both_texts() -> None:
    change = hunks(_NUMBERS, _NUMBERS.replace(b"\n10\n", b"\nten\n"))
    with pytest.raises(ApplyError, match=r"x.patch: hunk 1: line 9 should be '9\\n', but is 'nine\\r\\n'"):
        apply_hunks(change, _NUMBERS.replace(b"\n9\n", b"\nnine\r\n"), where=_HERE)
    with pytest.raises(ApplyError, match=r"line 12 should be '12\\n', but the file ends before it"):
        apply_hunks(change, _NUMBERS[: _NUMBERS.index(b"12")], where=_HERE)


def test_long_lines_are_shown_around_the_first_difference() -> None:
    old = b"x" * 200 + b"a" + b"y" * 200 + b"\n"
    with pytest.raises(ApplyError) as caught:
        apply_hunks(hunks(old, b"new\n"), old.replace(b"a", b"\xff"), where=_HERE)
    assert caught.value.message == (
        f"line 1 should be '...{'x' * 30}a{'y' * 29}...', but is '...{'x' * 30}\\\\xff{'y' * 26}...'"
    )


def test_a_hunk_made_at_the_end_of_the_file_does_not_fit_before_its_end() -> None:
    appended = hunks(b"1\n2\n3\n4\n", b"1\n2\n3\n4\n5\n")
    with pytest.raises(ApplyError, match="made at the end of the file, but 1 lines follow it"):
        apply_hunks(appended, b"1\n2\n3\n4\nmore\n", where=_HERE)
    prepended = [replace(hunk, old_start=2) for hunk in hunks(b"1\n2\n3\n4\n", b"0\n1\n2\n3\n4\n")]
    with pytest.raises(ApplyError, match="made at the start of the file, but 1 lines stand before it"):
        apply_hunks(prepended, b"more\n1\n2\n3\n4\n", where=_HERE)


def test_overlapping_hunks_are_refused() -> None:
    (hunk,) = hunks(_NUMBERS, _NUMBERS.replace(b"\n10\n", b"\nten\n"))
    with pytest.raises(PatchFormatError, match="hunk 2: the hunk overlaps the one before it"):
        apply_hunks([hunk, hunk], _NUMBERS, where=_HERE)


def test_a_line_without_an_end_in_the_middle_is_refused() -> None:
    glue = Hunk(old_start=1, new_start=2, lines=(HunkLine(LineKind.ADDED, b"x"),))
    with pytest.raises(PatchFormatError, match="line 2 of the result has no line end"):
        apply_hunks([glue], b"1\n2\n", where=_HERE)
