from __future__ import annotations

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from patchq.model.attempt import Applied, Case, Conflicted, ConflictKind, Declined, EditFate
from patchq.model.verdict import ReviewClass, Rung
from patchq.reapply.offset import offset
from patchq.reapply.three_way import three_way
from tests.text.texts import two_edits

_BODY = b"".join(b"    step(%d)\n" % number for number in range(7))
_EXTEND, _DECODE = b"def extend():\n" + _BODY, b"def decode():\n" + _BODY
_FIXED = _BODY.replace(b"step(3)", b"other()")
_REST = b"".join(b"rest %d\n" % number for number in range(20))


def case(base: bytes, theirs: bytes, ours: bytes) -> Case:
    return Case(path=b"x.py", ours_path=b"x.py", base=base, theirs=theirs, ours=ours)


def test_a_hunk_follows_its_lines_and_says_how_far() -> None:
    base = _REST + _EXTEND
    attempt = offset(case(base, base.replace(_BODY, _FIXED), b"new\nlines\n" + base))
    assert isinstance(attempt, Applied)
    assert attempt.data == b"new\nlines\n" + base.replace(_BODY, _FIXED)
    assert attempt.evidence.rung is Rung.OFFSET
    (edit,) = attempt.evidence.edits
    assert (edit.fate, edit.review, edit.anchor) == (EditFate.CARRIED, ReviewClass.A, "x.py:27")
    assert edit.how == "the hunk and all of its context stand 2 lines further down"


def test_the_twin_of_a_deleted_block_is_never_taken_for_it() -> None:
    base = _EXTEND + _DECODE + _REST
    attempt = offset(case(base, base.replace(_BODY, _FIXED, 1), _DECODE + _REST))
    assert isinstance(attempt, Declined)
    assert "occur twice there, and once in upstream's file: line 2" in attempt.reason


def test_an_equal_block_elsewhere_is_not_where_the_lines_have_gone() -> None:
    base = _EXTEND + _REST
    attempt = offset(case(base, base.replace(_BODY, _FIXED), _REST + _DECODE))
    assert isinstance(attempt, Declined)
    assert attempt.reason.endswith("occur in upstream's file at line 22, but they were not there before")


def test_a_new_twin_makes_the_place_a_guess() -> None:
    base = _EXTEND + _REST
    attempt = offset(case(base, base.replace(_BODY, _FIXED), _DECODE + base))
    assert isinstance(attempt, Declined)


def test_twins_that_all_stayed_keep_their_own_patch() -> None:
    base = _EXTEND + _REST + _DECODE
    theirs = _EXTEND + _REST + _DECODE.replace(_BODY, _FIXED)
    attempt = offset(case(base, theirs, b"new\n" + base))
    assert isinstance(attempt, Applied)
    assert attempt.data == b"new\n" + theirs


def test_one_changed_context_line_is_too_much() -> None:
    base = _REST + _EXTEND
    attempt = offset(case(base, base.replace(_BODY, _FIXED), base.replace(b"step(1)", b"step(-1)")))
    assert isinstance(attempt, Declined)
    assert "do not occur in upstream's file as they are" in attempt.reason


def test_an_addition_at_the_end_of_the_file_is_left_to_others_once_upstream_has_added_there() -> None:
    attempt = offset(case(_REST, _REST + b"mine\n", _REST + b"theirs\n"))
    assert attempt == Declined("lines 18-20 of the base are an edge of the file there, but not in upstream's file")


@pytest.mark.parametrize("data", [b"", b"1\n2\n"])
def test_a_patch_without_effect_is_not_carried(data: bytes) -> None:
    assert offset(case(data, data, b"other\n")) == Declined("the patch does not change the text")


@settings(max_examples=100, deadline=None)
@given(st.integers(0, 35), st.integers(0, 39), st.lists(st.integers(0, 10**6), min_size=1, max_size=3))
def test_an_unrelated_edit_of_upstream_never_changes_the_answer(at: int, edit: int, new: list[int]) -> None:
    lines = [b"line %d\n" % (number % 32) for number in range(40)]  # the last eight are twins of the first eight
    base = b"".join(lines)
    theirs = b"".join([*lines[:at], b"patched\n", *lines[at + 1 :]])
    if abs(edit - at) <= 3:
        return
    inserted = [b"upstream %d\n" % number for number in new]
    ours = b"".join(lines[:edit] + inserted + lines[edit:])
    expected = b"".join(lines[:edit] + inserted + lines[edit:]).split(b"\n")
    expected[at + (len(new) if edit <= at else 0)] = b"patched"
    attempt = offset(case(base, theirs, ours))
    if isinstance(attempt, Applied):
        assert attempt.data == b"\n".join(expected)
    else:
        assert isinstance(attempt, Declined)
        assert "occur twice there" in attempt.reason  # the edit went into the twin of the patched lines


@settings(max_examples=120, deadline=None)
@given(two_edits())
@example((b"\n\n}\n", b"\n\n}\n  a\n}\n", b"\n\n}\n  a\n}\n"))
def test_what_it_carries_the_merge_carries_to_the_same_text(sides: tuple[bytes, bytes, bytes]) -> None:
    moved, merged = offset(case(*sides)), three_way(case(*sides))
    if isinstance(moved, Applied) and isinstance(merged, Applied):
        assert moved.data == merged.data
    elif isinstance(moved, Applied):
        assert isinstance(merged, Conflicted)
        assert {conflict.kind for conflict in merged.conflicts} == {ConflictKind.AMBIGUOUS}


@settings(max_examples=100, deadline=None)
@given(two_edits(), st.integers(0, 30))
def test_a_change_that_upstream_has_taken_is_never_made_again(sides: tuple[bytes, bytes, bytes], at: int) -> None:
    base, theirs, _ = sides
    lines = theirs.split(b"\n")
    for more in ([], [b"one more"]):
        assert isinstance(offset(case(base, theirs, b"\n".join(lines[:at] + more + lines[at:]))), Declined)
