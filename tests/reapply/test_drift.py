from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from patchq.errors import Where
from patchq.reapply.drift import Placed, Unplaced, locate_hunks
from patchq.reapply.hunks import apply_hunks
from patchq.text.diff import hunks
from patchq.text.lines import split_lines
from tests.text.texts import edited, texts

_NUMBERS = b"".join(b"%d\n" % number for number in range(1, 41))
_NEW = _NUMBERS.replace(b"\n5\n", b"\nfive\n").replace(b"\n30\n", b"\nthirty\n")
_CHANGE = hunks(_NUMBERS, _NEW)


def test_hunks_follow_lines_that_came_before_and_between_them() -> None:
    drifted = b"a\nb\n" + _NUMBERS.replace(b"\n20\n", b"\n20\nc\n")
    placement = locate_hunks(_CHANGE, drifted)
    assert isinstance(placement, Placed)
    assert [(hunk.old_start, hunk.new_start) for hunk in placement.hunks] == [(4, 4), (30, 30)]
    expected = b"a\nb\n" + _NEW.replace(b"\n20\n", b"\n20\nc\n")
    assert apply_hunks(placement.hunks, drifted, where=Where()) == expected


def test_a_hunk_that_fits_twice_is_refused_with_both_lines() -> None:
    twice = _NUMBERS + _NUMBERS[: _NUMBERS.index(b"9\n")]
    assert locate_hunks(_CHANGE, twice) == Unplaced(hunk=1, reason="it fits at lines 2 and 42", candidates=(2, 42))


def test_a_hunk_whose_lines_are_gone_is_refused() -> None:
    changed = _NUMBERS.replace(b"\n28\n", b"\n28 \n")
    assert locate_hunks(_CHANGE, changed) == Unplaced(hunk=2, reason="its lines do not occur in the file")


def test_hunks_whose_lines_changed_their_order_are_refused() -> None:
    lines = split_lines(_NUMBERS)
    placement = locate_hunks(_CHANGE, b"".join(lines[20:] + lines[:20]))
    assert isinstance(placement, Unplaced)
    assert (placement.hunk, placement.candidates) == (2, (7,))


def test_a_hunk_made_at_an_edge_of_the_file_is_taken_only_there() -> None:
    appended = hunks(b"1\n2\n3\n", b"1\n2\n3\n4\n")
    assert locate_hunks(appended, b"0\n1\n2\n3\n") == locate_hunks(appended, b"0\n1\n2\n3\n")
    assert isinstance(locate_hunks(appended, b"0\n1\n2\n3\n"), Placed)
    assert isinstance(locate_hunks(appended, b"1\n2\n3\nmore\n"), Unplaced)
    created = hunks(b"", b"1\n")
    assert isinstance(locate_hunks(created, b""), Placed)
    assert isinstance(locate_hunks(created, b"2\n"), Unplaced)


@settings(max_examples=100, deadline=None)
@given(st.data())
def test_a_placement_always_applies(data: st.DataObject) -> None:
    old = data.draw(texts())
    change = hunks(old, data.draw(edited(old)))
    other = data.draw(edited(old))
    placement = locate_hunks(change, other)
    if isinstance(placement, Placed):
        apply_hunks(placement.hunks, other, where=Where())
    else:
        assert 1 <= placement.hunk <= len(change)
