from __future__ import annotations

import subprocess
from typing import TYPE_CHECKING

import pytest
from hypothesis import given, settings

from patchq.model.attempt import Applied, Case, Conflict, Conflicted, ConflictKind, Declined, EditFate
from patchq.model.verdict import ReviewClass, Rung
from patchq.reapply.three_way import three_way
from tests.text.texts import random_text, randomly_edited, seeded, two_edits

if TYPE_CHECKING:
    from pathlib import Path

_BODY = b"".join(b"    step(%d)\n" % number for number in range(7))
_FIXED = _BODY.replace(b"step(3)", b"other()")
_HEAD = b"import x\n\n"
_TAIL = b"\nmain()\n"


def case(base: bytes, theirs: bytes, ours: bytes) -> Case:
    return Case(path=b"old.py", ours_path=b"new.py", base=base, theirs=theirs, ours=ours)


def refusal(base: bytes, theirs: bytes, ours: bytes) -> Conflict:
    attempt = three_way(case(base, theirs, ours))
    assert isinstance(attempt, Conflicted)
    return attempt.conflicts[0]


def test_each_edit_is_carried_or_absorbed_at_its_line_of_the_result() -> None:
    base = b"1\n2\n3\n4\n5\n6\n7\n"
    theirs = base.replace(b"2\n", b"two\n").replace(b"6\n", b"six\n")
    ours = b"0\n" + base.replace(b"6\n", b"six\n")
    attempt = three_way(case(base, theirs, ours))
    assert isinstance(attempt, Applied)
    assert attempt.data == b"0\n1\ntwo\n3\n4\n5\nsix\n7\n"
    assert attempt.evidence.rung is Rung.THREE_WAY
    assert [(edit.fate, edit.review, edit.anchor) for edit in attempt.evidence.edits] == [
        (EditFate.CARRIED, ReviewClass.A, "new.py:3"),
        (EditFate.ABSORBED, ReviewClass.A, "new.py:7"),
    ]


@settings(max_examples=100, deadline=None)
@given(two_edits())
def test_a_patch_that_upstream_has_taken_is_absorbed_edit_by_edit(sides: tuple[bytes, bytes, bytes]) -> None:
    base, theirs, _ = sides
    attempt = three_way(case(base, theirs, theirs))
    if base == theirs:
        assert isinstance(attempt, Declined)
        return
    assert isinstance(attempt, Applied)
    assert attempt.data == theirs
    assert {edit.fate for edit in attempt.evidence.edits} == {EditFate.ABSORBED}


def test_a_clash_shows_the_smallest_three_sides_at_the_line_of_upstream() -> None:
    base = b"1\n2\n3\n4\n5\n"
    conflict = refusal(base, b"1\nnew\nmine\n4\n5\n", b"0\n1\nnew\nyours\n4\n5\n")
    assert conflict == Conflict(
        kind=ConflictKind.CLASH,
        reason="upstream and the patch change the same lines, or lines that touch",
        anchor="new.py:4",
        base=b"2\n3\n",
        theirs=b"mine\n",
        ours=b"yours\n",
    )


def test_the_reason_says_which_side_has_deleted_the_lines() -> None:
    base, changed, gone = b"1\n2\n3\n", b"1\ntwo\n3\n", b"1\n3\n"
    assert refusal(base, changed, gone).reason == "upstream has deleted lines that the patch changes"
    assert refusal(base, gone, changed).reason == "the patch deletes lines that upstream has changed"


def crlf(text: bytes) -> bytes:
    return text.replace(b"\n", b"\r\n")


def test_a_patch_made_for_other_line_ends_gives_a_text_with_the_line_ends_of_upstream() -> None:
    base, theirs, ours = b"1\n2\n3\n4\n", b"1\ntwo\n3\n4\n", b"1\n2\n3\n4\n5"
    for convert, other, names in ((crlf, bytes, ("CRLF", "LF")), (bytes, crlf, ("LF", "CRLF"))):
        attempt = three_way(case(other(base), other(theirs), convert(ours)))
        assert isinstance(attempt, Applied)
        assert attempt.data == convert(b"1\ntwo\n3\n4\n5")
        assert attempt.evidence.notes == (f"upstream's lines end with {names[0]}, the patch was made for {names[1]}",)


def test_mixed_line_ends_are_never_converted() -> None:
    base = b"1\n2\n3\n4\n"
    assert isinstance(three_way(case(base, b"1\ntwo\n3\n4\n", b"1\r\n2\r\n3\n4\n")), Conflicted)


def test_the_body_that_is_left_of_two_equal_ones_is_a_guess() -> None:
    first, second = b"class A:\n  def f():\n" + _BODY, b"class B:\n  def f():\n" + _BODY
    left = b"class C:\n  def f():\n" + _BODY
    conflict = refusal(first + second, first + second.replace(_BODY, _FIXED), left)
    assert conflict.kind is ConflictKind.AMBIGUOUS
    assert "occur twice there and once in upstream's file: line 2" in conflict.reason
    assert isinstance(three_way(case(first + second, first.replace(_BODY, _FIXED) + second, left)), Conflicted)


@pytest.mark.parametrize("place", [0, 1])
def test_the_rest_of_two_equal_neighbours_is_a_guess(place: int) -> None:
    twin = b"@overload\ndef f():\n" + _BODY + b"\n"
    patched = [twin, twin]
    patched[place] = twin.replace(_BODY, _FIXED)
    conflict = refusal(_HEAD + twin * 2 + _TAIL, _HEAD + b"".join(patched) + _TAIL, _HEAD + twin + _TAIL)
    assert conflict.kind in {ConflictKind.AMBIGUOUS, ConflictKind.CLASH}


def test_a_twin_that_the_patch_adds_leaves_open_which_of_them_upstream_has_edited() -> None:
    old, new = b"def f():\n" + _BODY, b"def g():\n" + _BODY
    conflict = refusal(_HEAD + old + _TAIL, _HEAD + old + new + _TAIL, _HEAD + old.replace(_BODY, _FIXED) + _TAIL)
    assert conflict.kind is ConflictKind.AMBIGUOUS
    assert conflict.reason == "it could as well be written past upstream's change at line 7 of the base"


def test_layout_that_could_be_written_elsewhere_is_no_guess() -> None:
    base = b"def f():\n    a()\n\n\ndef z():\n    b()\n"
    theirs = base.replace(b"def z", b"def m():\n    m()\n\n\ndef z")
    attempt = three_way(case(base, theirs, base.replace(b"a()", b"A()")))
    assert isinstance(attempt, Applied)
    assert attempt.data == theirs.replace(b"a()", b"A()")


def test_what_is_carried_is_what_git_merges(tmp_path: Path) -> None:
    rng = seeded(12)
    carried = 0
    for _ in range(60):
        base = random_text(rng, rng.choice([20, 60]), rng.choice([20, 300]))
        theirs, ours = randomly_edited(rng, base, 2), randomly_edited(rng, base, 2)
        attempt = three_way(case(base, theirs, ours))
        for name, data in (("base", base), ("theirs", theirs), ("ours", ours)):
            (tmp_path / name).write_bytes(data)
        merge = ["git", "merge-file", "-p", "ours", "base", "theirs"]
        git = subprocess.run(merge, cwd=tmp_path, capture_output=True, check=False)
        if isinstance(attempt, Applied):
            assert (git.returncode, git.stdout) == (0, attempt.data)
            carried += 1
        elif isinstance(attempt, Conflicted):
            clash = {conflict.kind for conflict in attempt.conflicts} == {ConflictKind.CLASH}
            assert clash is (git.returncode > 0)
    assert carried > 20
