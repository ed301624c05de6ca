from __future__ import annotations

from hypothesis import assume, given, settings

from patchq.model.attempt import Carried, Case, ConflictKind, Refused
from patchq.reapply.both_ways import carry_both_ways
from patchq.reapply.ladder import carry
from tests.text.texts import two_edits

TABLE = b"T = {\n    9: [1],\n    10: [6, 8],\n}\n"
PATCHED = TABLE.replace(b"    10: [6, 8],\n", b"    10: [6, 8],\n    12: [2],\n")
UPSTREAM = TABLE.replace(b"[6, 8]", b"[4, 6, 8]")
BODY = b"    n = len(x)\n    log(n)\n    check(n)\n    return n\n"
TWINS = b"def first(x):\n" + BODY + b"\n\ndef second(x):\n" + BODY


def case_of(base: bytes, theirs: bytes, ours: bytes, path: bytes = b"a.py") -> Case:
    return Case(path=path, ours_path=path, base=base, theirs=theirs, ours=ours)


def test_the_patch_is_carried_whichever_side_it_is_on() -> None:
    wanted = UPSTREAM.replace(b"8],\n", b"8],\n    12: [2],\n")
    for theirs, ours in ((PATCHED, UPSTREAM), (UPSTREAM, PATCHED)):
        answer = carry_both_ways(case_of(TABLE, theirs, ours))
        assert isinstance(answer, Carried)
        assert answer.data == wanted


def test_a_doubt_of_one_way_counts_against_a_result_of_the_other() -> None:
    # Upstream deletes one of two equal functions, and a merge by lines takes the patch for the one that is left.
    deleted = b"def second(x):\n" + BODY
    patched = TWINS.replace(b"    check(n)\n", b"    check(n)\n    flush(n)\n", 1)
    for theirs, ours in ((patched, deleted), (deleted, patched)):
        assert isinstance(carry_both_ways(case_of(TWINS, theirs, ours)), Refused)
        assert isinstance(carry_both_ways(case_of(TWINS, theirs, ours, b"a.txt")), Refused)


def test_what_one_side_has_already_is_kept_as_that_side_has_it() -> None:
    other_words = TABLE.replace(b"    10: [6, 8],\n", b"    10: [6, 8],\n    12: [\n        2,\n    ],\n")
    answer = carry_both_ways(case_of(TABLE, PATCHED, other_words))
    assert isinstance(answer, Carried)
    assert (answer.data, answer.absorbed is not None) == (other_words, True)


def test_the_sides_of_a_conflict_are_the_callers() -> None:
    base, theirs, ours = b"A = 1\n", b"A = 2\n", b"A = 3\n"
    answer = carry_both_ways(case_of(base, theirs, ours))
    assert isinstance(answer, Refused)
    (conflict,) = answer.conflicts
    assert (conflict.kind, conflict.theirs, conflict.ours) == (ConflictKind.CLASH, b"2", b"3")


@settings(max_examples=60, deadline=None)
@given(two_edits())
def test_what_is_merged_does_not_depend_on_which_side_is_which(sides: tuple[bytes, bytes, bytes]) -> None:
    base, theirs, ours = sides
    assume(base not in {theirs, ours})
    one = carry_both_ways(case_of(base, theirs, ours, b"a.txt"))
    other = carry_both_ways(case_of(base, ours, theirs, b"a.txt"))
    assert isinstance(one, Carried) == isinstance(other, Carried)
    if isinstance(one, Carried) and isinstance(other, Carried) and one.data != other.data:
        # Each has what the other one says, in another layout: then a side keeps its own.
        assert one.absorbed is not None
        assert one.data.split() == other.data.split()


@settings(max_examples=60, deadline=None)
@given(two_edits())
def test_nothing_is_merged_that_neither_way_merges(sides: tuple[bytes, bytes, bytes]) -> None:
    base, theirs, ours = sides
    answer = carry_both_ways(case_of(base, theirs, ours, b"a.txt"))
    if isinstance(answer, Carried):
        ways = (carry(case_of(base, theirs, ours, b"a.txt")), carry(case_of(base, ours, theirs, b"a.txt")))
        assert answer.data in {way.data for way in ways if isinstance(way, Carried)}
