"""The proof: every gate in order, for every rung that did more than copy."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, assert_never

from patchq.model.verdict import ReviewClass
from patchq.reapply.branches import same_branches
from patchq.reapply.claim import Failed, Passed
from patchq.reapply.copies import no_second_copy, removal_holds
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

if TYPE_CHECKING:
    from patchq.reapply.claim import Claim

# Cheap ones first: most wrong results fall at the first four.
GATES = (
    parses,
    token_delta,
    comment_delta,
    no_second_copy,
    removal_holds,
    in_place,
    same_branches,
    second_opinion,
    upstream_kept,
    names_resolve,
    idempotent,
    reversible,
)


@dataclass(frozen=True, slots=True)
class Proven:
    """Every gate passed: what each of them said, and the worst class that one of them asked for."""

    said: tuple[str, ...]
    review: ReviewClass


@dataclass(frozen=True, slots=True)
class Unproven:
    """A gate refused."""

    gate: str
    reason: str


def prove(claim: Claim) -> Proven | Unproven:
    """Ask the gates in order and stop at the first that refuses."""
    said: list[str] = []
    reviews: list[ReviewClass] = []
    for gate in GATES:
        answer = gate(claim)
        match answer:
            case Passed(phrase, review):
                said.append(phrase)
                reviews.append(review)
            case Failed(reason):
                return Unproven(gate.__name__.replace("_", " "), reason)
            case _:
                assert_never(answer)
    return Proven(tuple(said), ReviewClass.worst(tuple(reviews)))
