from __future__ import annotations

import pytest

from patchq.model.attempt import (
    Applied,
    Attempt,
    Case,
    Conflict,
    Conflicted,
    ConflictKind,
    Declined,
    Edit,
    EditFate,
    Evidence,
)
from patchq.model.verdict import ReviewClass, Rung
from patchq.reapply.claim import Claim, Failed, trees_of
from patchq.reapply.copies import no_second_copy
from patchq.reapply.gates import (
    comment_delta,
    idempotent,
    names_resolve,
    parses,
    reversible,
    token_delta,
    upstream_kept,
)
from patchq.reapply.places import in_place, second_opinion
from patchq.reapply.proof import GATES, Proven, Unproven, prove
from patchq.syntax.parse import Forest

BASE = """\
import os

LIMIT = 8


def first(a):
    b = prepare(a)
    check(b, strict=True)
    return b


def second(a):
    b = prepare(a)
    check(b, strict=True)
    return b
"""
THEIRS = BASE.replace("LIMIT = 8", "LIMIT = 12")
OURS = "# Upstream's head.\n" + BASE


def _claim(
    result: str,
    *,
    theirs: str = THEIRS,
    base: str = BASE,
    ours: str = OURS,
    again: Attempt | None = None,
    opinion: Attempt | None = None,
    fates: tuple[EditFate, ...] = (EditFate.CARRIED,),
    rung: Rung = Rung.THREE_WAY,
    path: bytes = b"m.py",
    there: bool = False,
) -> Claim:
    case = Case(path=path, ours_path=path, base=base.encode(), theirs=theirs.encode(), ours=ours.encode())
    forest = Forest()
    answer = _applied(result) if again is None else again
    return Claim(
        case=case,
        rung=rung,
        result=result.encode(),
        edits=tuple(Edit(fate=fate, review=ReviewClass.A, anchor="m.py::", how="by hand") for fate in fates),
        again=lambda other: _applied(ours) if other.base == case.theirs else answer,
        is_there=lambda _: there,
        by_structure=Declined("not asked") if opinion is None else opinion,
        forest=forest,
        trees=trees_of(case, result.encode(), forest),
    )


def _applied(text: str) -> Applied:
    return Applied(text.encode(), Evidence(rung=Rung.THREE_WAY))


def test_a_right_result_passes_every_gate_and_says_so() -> None:
    proof = prove(_claim(OURS.replace("LIMIT = 8", "LIMIT = 12")))
    assert isinstance(proof, Proven)
    assert len(proof.said) == len(GATES)


def test_the_first_gate_that_refuses_is_named() -> None:
    proof = prove(_claim(OURS.replace("LIMIT = 8", "LIMIT = 12 =")))
    assert proof == Unproven("parses", "the result does not parse")


def test_what_the_grammar_takes_and_the_compiler_does_not_is_refused() -> None:
    wrong = OURS.replace("def first(a)", "def first(a=1, b)").replace("LIMIT = 8", "LIMIT = 12")
    failed = parses(_claim(wrong))
    assert isinstance(failed, Failed)
    assert "does not compile" in failed.reason


def test_a_result_for_a_newer_python_is_not_refused_by_an_older_compiler() -> None:
    newer = "def f(x):\n    print(x) if x else print 1\n"
    ours, theirs = "z = 0\n" + newer, newer + "y = 1\n"
    assert not isinstance(parses(_claim(ours + "y = 1\n", base=newer, theirs=theirs, ours=ours)), Failed)


@pytest.mark.parametrize(
    "result",
    [
        OURS.replace("LIMIT = 8", "LIMIT = 12").replace("strict=True", "strict=False", 1),
        OURS.replace("LIMIT = 8", "LIMIT = 12 + 0"),
        OURS.replace("LIMIT = 8\n", ""),
        OURS,
    ],
    ids=["another token too", "a token too many", "tokens too few", "nothing"],
)
def test_tokens_that_are_not_the_patch_s_are_refused(result: str) -> None:
    assert isinstance(token_delta(_claim(result)), Failed)


def test_an_operator_is_a_token() -> None:
    base, theirs = "x = a + b\n", "x = a - b\n"
    wrong = _claim("x = a * b  # ours\n", base=base, theirs=theirs, ours="x = a + b  # ours\n")
    assert isinstance(token_delta(wrong), Failed)


def test_of_a_patch_that_is_there_in_part_a_part_of_its_tokens_is_enough() -> None:
    theirs = BASE.replace("LIMIT = 8", "LIMIT = 12").replace("import os\n", "import os\nimport sys\n")
    ours = OURS.replace("import os\n", "import os\nimport sys\n")
    result = ours.replace("LIMIT = 8", "LIMIT = 12")
    both = (EditFate.CARRIED, EditFate.ABSORBED)
    assert not isinstance(token_delta(_claim(result, theirs=theirs, ours=ours, fates=both)), Failed)
    assert isinstance(token_delta(_claim(result, theirs=theirs, ours=ours)), Failed)


def test_the_halves_of_a_moved_line_count_one_by_one() -> None:
    base, theirs = "a(1)\nb(2)\nc(3)\n", "b(2)\nc(3)\na(1)\n"
    ours = "b(2)\nc(3)\nd(4)\n"  # upstream has removed the line that the patch moves
    both = (EditFate.CARRIED, EditFate.ABSORBED)
    claim = _claim("b(2)\nc(3)\na(1)\nd(4)\n", base=base, theirs=theirs, ours=ours, fates=both)
    assert not isinstance(token_delta(claim), Failed)


def test_a_lost_comment_of_upstream_is_refused() -> None:
    result = BASE.replace("LIMIT = 8", "LIMIT = 12")
    assert not isinstance(token_delta(_claim(result)), Failed)
    assert isinstance(comment_delta(_claim(result)), Failed)


def test_a_second_definition_or_key_is_refused() -> None:
    result = OURS.replace("LIMIT = 8", "LIMIT = 12") + "\n\ndef first(a):\n    return a\n"
    failed = no_second_copy(_claim(result))
    assert failed == Failed("`first` would stand twice in the file")
    table = "T = {1: 1, 2: 2}\n"
    failed = no_second_copy(_claim("T = {1: 1, 2: 2, 1: 1}\n", base=table, theirs=table, ours=table))
    assert failed == Failed("`[1]` would stand twice in `T`")


def test_a_statement_that_upstream_has_added_to_the_same_function_is_not_added_again() -> None:
    added = "    check(b, strict=True)\n    log('checked', b)\n"
    theirs = BASE.replace("    check(b, strict=True)\n", added, 1)
    ours = OURS.replace("    return b\n", "    log('checked', b)\n    return b\n", 1)
    failed = no_second_copy(_claim(ours.replace("    check(b, strict=True)\n", added, 1), theirs=theirs, ours=ours))
    assert isinstance(failed, Failed)
    assert "upstream has added" in failed.reason


def test_a_statement_that_upstream_has_added_to_another_function_is_no_reason() -> None:
    added = "    check(b, strict=True)\n    log('checked', b)\n"
    theirs = BASE.replace("    check(b, strict=True)\n", added, 1)
    ours = OURS + "    log('checked', b)\n"
    result = ours.replace("    check(b, strict=True)\n", added, 1)
    assert not isinstance(no_second_copy(_claim(result, theirs=theirs, ours=ours)), Failed)


def test_an_edit_in_the_twin_of_its_function_is_refused() -> None:
    patched = "    b = prepare(a, 1)\n"
    theirs = BASE.replace("    b = prepare(a)\n", patched, 1)
    head, _, tail = OURS.rpartition("    b = prepare(a)\n")
    failed = in_place(_claim(head + patched + tail, theirs=theirs))
    assert failed == Failed("an edit would land in `second.b`, where the patch has none")


def test_a_function_that_upstream_renamed_is_still_the_place() -> None:
    theirs = BASE.replace("strict=True", "strict=False", 1)
    ours = BASE.replace("def first", "def primary")
    result = ours.replace("strict=True", "strict=False", 1)
    assert not isinstance(in_place(_claim(result, theirs=theirs, ours=ours)), Failed)


def test_an_entry_of_another_inner_dict_is_another_place() -> None:
    base = "T = {'x': {1: 1}, 'y': {1: 1}}\n"
    theirs = "T = {'x': {1: 1}, 'y': {1: 1, 2: 2}}\n"
    failed = in_place(_claim("T = {'x': {1: 1, 2: 2}, 'y': {1: 1}}\n", base=base, theirs=theirs, ours=base))
    assert isinstance(failed, Failed)


def test_two_ways_that_disagree_are_no_proof() -> None:
    result = OURS.replace("LIMIT = 8", "LIMIT = 12")
    other = _applied(OURS.replace("import os", "import os, LIMIT"))
    assert second_opinion(_claim(result, opinion=other)) == Failed("by structure, an edit belongs to another place")
    assert not isinstance(second_opinion(_claim(result, opinion=_applied(result))), Failed)


def test_another_order_of_what_has_none_is_no_disagreement() -> None:
    base, theirs = "T = {1: 1}\n", "T = {1: 1, 3: 3}\n"
    ours = "T = {1: 1, 2: 2}\n"
    opinion = _applied("T = {1: 1, 3: 3, 2: 2}\n")
    claim = _claim("T = {1: 1, 2: 2, 3: 3}\n", base=base, theirs=theirs, ours=ours, opinion=opinion)
    assert not isinstance(second_opinion(claim), Failed)


def test_another_value_of_the_same_key_overrules_a_merge_by_lines() -> None:
    conflict = Conflict(
        kind=ConflictKind.OTHER_VALUE, reason="upstream added it with another value", anchor="m.py::T[1]"
    )
    failed = second_opinion(_claim(OURS, opinion=Conflicted((conflict,))))
    assert failed == Failed("m.py::T[1]: upstream added it with another value")


def test_lines_that_change_in_white_space_only_are_refused() -> None:
    result = OURS.replace("LIMIT = 8", "LIMIT = 12").replace("def second(a):\n    b", "def second(a):\n     b")
    failed = upstream_kept(_claim(result))
    assert failed == Failed("line 14 of upstream would change in white space or order only")


def test_a_name_that_nothing_binds_any_more_is_refused() -> None:
    theirs = BASE.replace("LIMIT = 8", "LIMIT = os.cpu_count()")
    ours = OURS.replace("import os\n", "import sys\n")
    failed = names_resolve(_claim(ours.replace("LIMIT = 8", "LIMIT = os.cpu_count()"), theirs=theirs, ours=ours))
    assert failed == Failed("`os` is used, but nothing in the new upstream's file defines or imports it")


def test_a_name_that_the_patch_s_own_file_did_not_bind_either_is_no_reason() -> None:
    theirs = BASE.replace("LIMIT = 8", "LIMIT = defined_by_exec")
    assert not isinstance(
        names_resolve(_claim(OURS.replace("LIMIT = 8", "LIMIT = defined_by_exec"), theirs=theirs)), Failed
    )


def test_a_result_that_another_application_changes_once_more_is_refused() -> None:
    result = OURS.replace("LIMIT = 8", "LIMIT = 12")
    assert isinstance(idempotent(_claim(result, again=_applied(result + "x = 1\n"))), Failed)
    assert not isinstance(idempotent(_claim(result)), Failed)


def test_a_rung_may_refuse_its_own_result_where_taking_it_back_proves_it() -> None:
    result = OURS.replace("LIMIT = 8", "LIMIT = 12")
    clash = Conflicted((Conflict(kind=ConflictKind.CLASH, reason="touching lines", anchor="m.py:3"),))
    assert not isinstance(idempotent(_claim(result, again=clash)), Failed)
    assert not isinstance(idempotent(_claim(result, again=clash, rung=Rung.ANCHORED)), Failed)


def test_a_merge_by_lines_may_double_its_own_result_where_the_ladder_would_see_it_first() -> None:
    result = OURS.replace("LIMIT = 8", "LIMIT = 12")
    twice = _applied(result + "x = 1\n")
    assert not isinstance(idempotent(_claim(result, again=twice, there=True)), Failed)
    assert isinstance(idempotent(_claim(result, again=twice, there=True, rung=Rung.ANCHORED)), Failed)


def test_a_result_whose_reverse_is_not_upstream_is_refused() -> None:
    result = OURS.replace("LIMIT = 8", "LIMIT = 12")
    assert not isinstance(reversible(_claim(result)), Failed)
    claim = _claim(result)
    wrong = Claim(
        case=claim.case,
        rung=claim.rung,
        result=claim.result,
        edits=claim.edits,
        again=lambda _: _applied(result),
        is_there=claim.is_there,
        by_structure=claim.by_structure,
        forest=claim.forest,
        trees=claim.trees,
    )
    assert isinstance(reversible(wrong), Failed)


def test_without_a_grammar_lines_and_words_are_counted() -> None:
    base, theirs, ours = "a = 1\nb = 2\n", "a = 1\nb = 3\n", "# head\na = 1\nb = 2\n"
    right = _claim("# head\na = 1\nb = 3\n", base=base, theirs=theirs, ours=ours, path=b"m.ini")
    assert isinstance(prove(right), Proven)
    wrong = _claim("# head\na = 3\nb = 2\n", base=base, theirs=theirs, ours=ours, path=b"m.ini")
    assert isinstance(prove(wrong), Unproven)
