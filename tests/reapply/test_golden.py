from __future__ import annotations

import pytest

from patchq.model.attempt import Carried, Refused
from patchq.reapply.ladder import carry
from tests.reapply.goldens import Golden, gaps, goldens, verdict_of

GOLDENS = goldens()
GAPS = gaps()


@pytest.mark.parametrize("golden", GOLDENS, ids=lambda golden: golden.name)
def test_a_golden_case_ends_as_it_says(golden: Golden) -> None:
    answer = carry(golden.case)
    says = golden.says
    assert verdict_of(answer) == says["verdict"]
    match answer:
        case Carried(data, evidence):
            assert data == (golden.expected if says["verdict"] != "absorbed" else golden.case.ours)
            best, worst = golden.classes
            assert best <= evidence.review.value <= worst
            assert evidence.rung.value == says.get("rung", evidence.rung.value)
            places = {edit.anchor.partition("::")[2] for edit in evidence.edits}
            assert says.get("place") is None or says["place"] in places
        case Refused(conflicts):
            assert golden.expected is None
            kinds = {conflict.kind.value for conflict in conflicts}
            assert says.get("conflict") is None or says["conflict"] in kinds


@pytest.mark.parametrize("gap", GAPS, ids=lambda gap: gap.name)
def test_a_known_gap_is_refused_and_moves_to_the_other_cases_when_it_works(gap: Golden) -> None:
    assert gap.says["now"] == "refused", "a wrong answer is no gap: fix it or refuse it"
    answer = carry(gap.case)
    if isinstance(answer, Carried) and verdict_of(answer) == gap.says["ideal"]:
        pytest.fail(f"{gap.name} works now: move it out of known_gaps and write `verdict:` for `now:` and `ideal:`")
    assert isinstance(answer, Refused)


def test_the_suite_covers_each_kind_of_construct_and_of_wrong_answer() -> None:
    kinds = {golden.name.partition("/")[0] for golden in GOLDENS}
    assert kinds >= {
        "absorbed",
        "annotations",
        "branches",
        "c",
        "call",
        "comments",
        "conditions",
        "cpp",
        "cuda",
        "decorators",
        "dict",
        "expressions",
        "files",
        "functions",
        "go",
        "imports",
        "javascript",
        "members",
        "moved",
        "parameters",
        "rust",
        "sequence",
        "statements",
        "strings",
        "trust",
        "wrapped",
        "typescript",
        "bash",
        "cmake",
        "dockerfile",
        "json",
        "markdown",
        "toml",
        "yaml",
    }
    verdicts = [golden.says["verdict"] for golden in GOLDENS]
    assert min(verdicts.count(verdict) for verdict in ("carried", "absorbed", "refused")) >= 20
