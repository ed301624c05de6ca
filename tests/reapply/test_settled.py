"""What a case does not turn on is not read, and no answer depends on that."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from patchq.model.attempt import Carried, Carry, Case
from patchq.reapply.claim import settled
from patchq.reapply.ladder import carry
from patchq.syntax.languages import language_of
from patchq.syntax.node import Tree
from patchq.syntax.parse import Forest
from tests.reapply.goldens import gaps, goldens

if TYPE_CHECKING:
    from tests.reapply.goldens import Golden

GOLDENS = [*goldens(), *gaps()]
_QUIET = "".join(
    f"def quiet_{at}(value):\n    total = value + {at}\n    return [total, value, {at}]\n\n\n" for at in range(40)
)


def _said(answer: Carry) -> object:
    if isinstance(answer, Carried):
        return answer.data, answer.absorbed, answer.evidence.review, answer.evidence.rung
    return [(conflict.kind, conflict.reason) for conflict in answer.conflicts]


@pytest.mark.parametrize("golden", GOLDENS, ids=lambda golden: golden.name)
def test_no_golden_case_depends_on_what_is_left_unread(golden: Golden) -> None:
    assert _said(carry(golden.case)) == _said(carry(golden.case, Forest()))


@pytest.mark.parametrize("golden", GOLDENS, ids=lambda golden: golden.name)
def test_quiet_functions_around_it_change_no_answer(golden: Golden) -> None:
    case = golden.case
    if not case.path.endswith(b".py") or b"\r" in case.ours or not case.ours.endswith(b"\n"):
        pytest.skip("the functions are for LF files of Python with a last line")
    more = b"\n\n" + _QUIET.encode()
    wide = Case(
        path=case.path,
        ours_path=case.ours_path,
        base=case.base.rstrip(b"\n") + b"\n" + more,
        theirs=case.theirs.rstrip(b"\n") + b"\n" + more,
        ours=case.ours.rstrip(b"\n") + b"\n" + more,
    )
    assert _said(carry(wide)) == _said(carry(wide, Forest()))


def test_a_quiet_body_is_one_token_and_can_be_opened() -> None:
    base = (_QUIET + "LIMIT = 8\n").encode()
    case = Case(
        path=b"m.py",
        ours_path=b"m.py",
        base=base,
        theirs=base.replace(b"LIMIT = 8", b"LIMIT = 9"),
        ours=base + b"MORE = 1\n",
    )
    language = language_of(case.path)
    assert language is not None
    whole, clipped = Forest().tree(case.base, language), settled(case).tree(case.base, language)
    assert isinstance(whole, Tree)
    assert isinstance(clipped, Tree)
    assert len(list(clipped.root.closed())) == 40
    assert sum(1 for _ in clipped.root.walk()) < sum(1 for _ in whole.root.walk()) / 3
    assert [leaf.text for leaf in clipped.root.tokens()] == [leaf.text for leaf in whole.root.leaves()]


def test_a_reduced_text_keeps_its_lines_and_what_it_binds() -> None:
    base = (
        _QUIET + "def loud():\n    global setting, another, third\n    setting = another = third = 1\n\n\nLIMIT = 8\n"
    ).encode()
    case = Case(
        path=b"m.py",
        ours_path=b"m.py",
        base=base,
        theirs=base.replace(b"LIMIT = 8", b"LIMIT = 9"),
        ours=base + b"MORE = 1\n",
    )
    language = language_of(case.path)
    assert language is not None
    tree = settled(case).tree(case.theirs, language)
    assert isinstance(tree, Tree)
    reduced = tree.reduced()
    assert reduced.count(b"\n") == case.theirs.count(b"\n")
    assert b"global setting" in reduced
    assert b"total" not in reduced
