from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from patchq.model.attempt import Case
from patchq.model.verdict import Accept, Rung, Verdict
from patchq.queue.merging import Marking, Merged, Unmerged, Ways, merge_file
from patchq.reapply.ladder import carry
from patchq.text.conflict import Labels
from tests.reapply.goldens import gaps, goldens, verdict_of
from tests.reapply.markers import Side, blocks, taken

if TYPE_CHECKING:
    from tests.reapply.goldens import Golden

MARKING = Marking(labels=Labels(ours="upstream v2", base="v1", theirs="patch size-12"))
TABLE = b"T = {\n    9: [1],\n    10: [6, 8],\n}\n"
PATCHED = TABLE.replace(b"    10: [6, 8],\n", b"    10: [6, 8],\n    12: [6, 8],\n")


def merge(base: bytes, theirs: bytes, ours: bytes, path: bytes = b"a.py", **how: Accept | Ways) -> Merged | Unmerged:
    case = Case(path=path, ours_path=path, base=base, theirs=theirs, ours=ours)
    match how:
        case {"accept": Accept() as accept}:
            return merge_file(case, MARKING, accept=accept)
        case {"ways": Ways() as ways}:
            return merge_file(case, MARKING, ways=ways)
        case _:
            return merge_file(case, MARKING)


@pytest.mark.parametrize("golden", [*goldens(), *gaps()], ids=lambda golden: golden.name)
def test_a_golden_is_merged_or_marked_and_never_neither(golden: Golden) -> None:
    outcome = merge_file(golden.case, MARKING)
    answer = carry(golden.case)
    match outcome:
        case Merged(data):
            assert data == (golden.case.ours if verdict_of(answer) == "absorbed" else golden.expected)
            assert not outcome.result.review.needs_review
        case Unmerged(data):
            assert b"<<<<<<< upstream v2" in data
            assert (outcome.result is None) is (verdict_of(answer) == "refused")


def test_a_copy_whose_original_has_changed_waits_for_a_look() -> None:
    ours = TABLE.replace(b"[6, 8]", b"[4, 6, 8]")
    outcome = merge(TABLE, PATCHED, ours)
    assert isinstance(outcome, Unmerged)
    assert outcome.result is not None
    assert outcome.result.notes[0].startswith("[12] copies [10], which upstream has changed since")
    assert (blocks(outcome.data), taken(outcome.data, Side.OURS)) == (1, ours)
    accepted = merge(TABLE, PATCHED, ours, accept=Accept.REVIEW)
    assert isinstance(accepted, Merged)
    assert accepted.data == taken(outcome.data, Side.THEIRS)
    assert (accepted.result.verdict, accepted.result.rung) == (Verdict.ADAPTED, Rung.ANCHORED)


@pytest.mark.parametrize(
    ("theirs", "ours", "merged"),
    [(b"\0b", b"\0a", b"\0b"), (b"\0a", b"\0b", b"\0b"), (b"\0b", b"\0b", b"\0b"), (b"\0b", b"\0c", None)],
)
def test_binary_contents_are_taken_whole_or_not_at_all(theirs: bytes, ours: bytes, merged: bytes | None) -> None:
    outcome = merge(b"\0a", theirs, ours)
    assert outcome.data == (ours if merged is None else merged)
    assert isinstance(outcome, Merged) is (merged is not None)
    if isinstance(outcome, Unmerged):
        assert outcome.conflicts[0].reason == "upstream and the patch change binary contents in different ways"


def test_a_patch_that_changes_nothing_leaves_upstream() -> None:
    outcome = merge(TABLE, TABLE, PATCHED)
    assert isinstance(outcome, Merged)
    assert (outcome.data, outcome.result.verdict) == (PATCHED, Verdict.ABSORBED)


@pytest.mark.parametrize(
    ("theirs", "ours", "data"),
    [
        (b"a\nb\n", b"a\nc\n", b"a\n<<<<<<< upstream v2\nc\n||||||| v1\n=======\nb\n>>>>>>> patch size-12\n"),
        (b"a\n", b"a\n", b"a\n"),
        (b"a", b"", b"a"),
    ],
)
def test_two_new_files_are_compared_with_nothing(theirs: bytes, ours: bytes, data: bytes) -> None:
    assert merge(b"", theirs, ours, b"a.txt").data == data


def test_bytes_that_are_no_text_and_a_last_line_without_an_end_survive() -> None:
    base = b"gr\xfc\xdfe\r\n" + b"1\r\n2\r\n3\r\n4\r\n" + b"end"
    theirs, ours = base.replace(b"1", b"one"), base.replace(b"end", b"\xffend")
    outcome = merge(base, theirs, ours, b"a.txt")
    assert isinstance(outcome, Merged)
    assert outcome.data == b"gr\xfc\xdfe\r\none\r\n2\r\n3\r\n4\r\n\xffend"


def test_of_two_branches_the_patch_may_be_on_either() -> None:
    ours = TABLE.replace(b"9: [1]", b"9: [1, 2]").replace(b"[6, 8]", b"[4, 6, 8]")
    patched = TABLE.replace(b"    10: [6, 8],\n", b"    10: [6, 8],\n    12: [2],\n")
    for theirs, mine in ((patched, ours), (ours, patched)):
        outcome = merge(TABLE, theirs, mine, ways=Ways.BRANCHES)
        assert isinstance(outcome, Merged)
        assert outcome.data == b"T = {\n    9: [1, 2],\n    10: [4, 6, 8],\n    12: [2],\n}\n"


def test_more_than_can_be_merged_is_said_and_left_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("patchq.queue.merging.MAX_BYTES", 10)
    outcome = merge(b"a", b"b", b"c" * 11)
    assert isinstance(outcome, Unmerged)
    assert (outcome.data, outcome.verdict) == (b"c" * 11, Verdict.CONFLICT)
