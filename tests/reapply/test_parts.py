from __future__ import annotations

from typing import TYPE_CHECKING

from patchq.model.attempt import Carried, Case, Conflict, ConflictKind, Refused
from patchq.reapply.ladder import carry
from patchq.reapply.parts import without_provable

if TYPE_CHECKING:
    from patchq.model.attempt import Carry

BASE = b"T = {\n    9: [1],\n    10: [6, 8],\n}\n\n\ndef f(x):\n    check(x)\n    return x\n\n\nLIMIT = 8\n"
REFUSAL = Refused((Conflict(kind=ConflictKind.UNPROVEN, reason="a gate", anchor="a.py::"),), ())


def case_of(theirs: bytes, ours: bytes, base: bytes = BASE) -> Case:
    return Case(path=b"a.py", ours_path=b"a.py", base=base, theirs=theirs, ours=ours)


def believed(answer: Carry) -> bool:
    return isinstance(answer, Carried) and not answer.evidence.review.needs_review


def test_what_structure_can_carry_is_carried_beside_what_stays_open() -> None:
    theirs = BASE.replace(b"    10: [6, 8],\n", b"    10: [6, 8],\n    12: [2],\n").replace(b"LIMIT = 8", b"LIMIT = 12")
    ours = BASE.replace(b"[6, 8]", b"[4, 6, 8]").replace(b"LIMIT = 8", b"LIMIT = 16")
    case = case_of(theirs, ours)
    left = without_provable(case, carry(case), carry, believed)
    assert left.case.ours == ours.replace(b"    10: [4, 6, 8],\n", b"    10: [4, 6, 8],\n    12: [2],\n")
    assert left.case.base == theirs.replace(b"LIMIT = 12", b"LIMIT = 8")
    assert left.case.theirs == theirs
    assert isinstance(left.answer, Refused)


def test_a_patch_of_one_change_has_no_parts() -> None:
    case = case_of(BASE.replace(b"LIMIT = 8", b"LIMIT = 12"), BASE.replace(b"LIMIT = 8", b"LIMIT = 16"))
    answer = carry(case)
    left = without_provable(case, answer, carry, believed)
    assert (left.case, left.answer) == (case, answer)


def test_where_only_the_sum_was_refused_no_part_is_taken() -> None:
    theirs = BASE.replace(b"LIMIT = 8", b"LIMIT = 12").replace(b"9: [1]", b"9: [2]")
    case = case_of(theirs, BASE + b"\n\nMORE = 1\n")
    assert isinstance(carry(case), Carried)
    left = without_provable(case, REFUSAL, carry, believed)
    assert (left.case, left.answer) == (case, REFUSAL)


def test_a_patch_of_many_changes_costs_a_bounded_number_of_tries() -> None:
    base = b"".join(b"x%d = 1\n\n\n" % number for number in range(60))
    asked = []

    def ladder(case: Case) -> Carry:
        asked.append(case)
        return REFUSAL

    left = without_provable(
        case_of(base.replace(b"= 1", b"= 2"), base.replace(b"= 1", b"= 3"), base), REFUSAL, ladder, believed
    )
    assert left.answer is REFUSAL
    assert len(asked) <= 9
