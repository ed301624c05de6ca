from __future__ import annotations

from itertools import product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from patchq.model.attempt import Carried, Case, Refused
from patchq.model.verdict import AbsorbedHow, Rung
from patchq.reapply.ladder import carry
from tests.reapply.goldens import Golden, goldens, verdict_of
from tests.reapply.mutations import MODULE, MUTATIONS, PATCHES, Mutation, Patch, meaning, swapped

GOLDENS = goldens()
CARRIED = [golden for golden in GOLDENS if golden.says["verdict"] == "carried"]
_C = "\nint quite_unrelated(int alpha)\n{\n    return combine(alpha);\n}\n"
_JS = "\nfunction quiteUnrelated(alpha, beta) {\n  return alpha.combine(beta);\n}\n"
UNRELATED = {
    "py": "\n\ndef quite_unrelated(alpha, beta):\n    return alpha.combine(beta)\n",
    **dict.fromkeys(("c", "cpp", "cu", "cuh", "hpp"), _C),
    **dict.fromkeys(("js", "jsx", "ts", "tsx"), _JS),
    "go": "\nfunc quiteUnrelated(alpha int) int {\n\treturn combine(alpha)\n}\n",
    "rs": "\nfn quite_unrelated(alpha: u8) -> u8 {\n    alpha.combine()\n}\n",
}


def _case(base: str, theirs: str, ours: str) -> Case:
    return Case(path=b"m.py", ours_path=b"m.py", base=base.encode(), theirs=theirs.encode(), ours=ours.encode())


def _some(mutation: Mutation, *, of: int) -> tuple[Patch, ...]:
    """Choose every `of`-th patch, others for each mutation: all pairs take too long for every run."""
    return PATCHES[MUTATIONS.index(mutation) % of :: of]


def _means(patch: Patch, *mutations: Mutation) -> bool:
    """Carry `patch` over mutations of upstream; whether it was carried. Anything but the truth fails."""
    ours, truth = MODULE, patch.on(MODULE)
    for mutation in mutations:
        ours, truth = mutation.apply(ours), mutation.apply(truth)
    answer = carry(_case(MODULE, patch.on(MODULE), ours))
    if isinstance(answer, Refused):
        return False
    assert meaning(answer.data) == meaning(truth.encode()), answer.data.decode()
    assert answer.absorbed is None
    return True


@pytest.mark.parametrize("mutation", MUTATIONS, ids=lambda mutation: mutation.name)
def test_a_patch_means_the_same_on_a_mutated_upstream_or_is_refused(mutation: Mutation) -> None:
    refused = [patch.name for patch in _some(mutation, of=3) if not _means(patch, mutation)]
    assert not refused


@settings(max_examples=25, deadline=None)
@given(patch=st.sampled_from(PATCHES), chosen=st.lists(st.sampled_from(MUTATIONS), min_size=2, max_size=3, unique=True))
def test_a_patch_means_the_same_after_several_mutations_or_is_refused(patch: Patch, chosen: list[Mutation]) -> None:
    order = sorted(chosen, key=MUTATIONS.index, reverse=True)  # those that rewrite the layout come last
    _means(patch, *order)


@pytest.mark.parametrize("patch", [patch for patch in PATCHES if patch.spoiled], ids=lambda patch: patch.name)
def test_a_patch_is_refused_or_shown_where_upstream_made_something_else_of_its_target(patch: Patch) -> None:
    for spoiled in patch.spoiled:
        ours = swapped(MODULE, patch.old, spoiled)
        for text in (ours, MUTATIONS[0].apply(ours)):
            answer = carry(_case(MODULE, patch.on(MODULE), text))
            assert isinstance(answer, Refused) or answer.evidence.review.needs_review, text


def test_a_patch_is_refused_where_its_scope_is_gone() -> None:
    inside = [
        patch for patch in PATCHES if patch.old in MODULE[MODULE.index("class Runner") : MODULE.index("def choose")]
    ]
    gone = MODULE[: MODULE.index("class Runner")] + MODULE[MODULE.index("def choose") :]
    assert inside
    for patch in inside:
        if patch.new:
            assert isinstance(carry(_case(MODULE, patch.on(MODULE), gone)), Refused), patch.name


@pytest.mark.parametrize("patch", PATCHES, ids=lambda patch: patch.name)
def test_on_an_unchanged_upstream_the_patched_bytes_are_taken(patch: Patch) -> None:
    answer = carry(_case(MODULE, patch.on(MODULE), MODULE))
    assert isinstance(answer, Carried)
    assert answer.evidence.rung is Rung.EXACT
    assert answer.data == patch.on(MODULE).encode()


@pytest.mark.parametrize("mutation", MUTATIONS, ids=lambda mutation: mutation.name)
def test_a_patch_that_upstream_has_is_absorbed_however_it_is_written(mutation: Mutation) -> None:
    for patch in _some(mutation, of=4):
        answer = carry(_case(MODULE, patch.on(MODULE), mutation.apply(patch.on(MODULE))))
        if isinstance(answer, Refused):
            assert "return types" in mutation.name, patch.name  # then the new function is another one
        else:
            assert answer.absorbed is not None, patch.name


@pytest.mark.parametrize("golden", CARRIED, ids=lambda golden: golden.name)
def test_what_was_carried_is_absorbed_the_next_time(golden: Golden) -> None:
    case, expected = golden.case, golden.expected
    assert expected is not None
    again = carry(Case(path=case.path, ours_path=case.path, base=case.base, theirs=case.theirs, ours=expected))
    # Behind a new condition, or among overloads, it is refused the second time: never written twice.
    assert verdict_of(again) == golden.says.get("again", "absorbed")


@pytest.mark.parametrize("golden", GOLDENS, ids=lambda golden: golden.name)
def test_an_unrelated_function_of_upstream_changes_no_answer(golden: Golden) -> None:
    case = golden.case
    more = UNRELATED.get(case.path.decode().rpartition(".")[2], "").encode()
    if not more or b"\r" in case.ours or not case.ours.endswith(b"\n"):
        pytest.skip("the function is for LF files with a last line")
    answer = carry(Case(path=case.path, ours_path=case.path, base=case.base, theirs=case.theirs, ours=case.ours + more))
    assert verdict_of(answer) == golden.says["verdict"]
    if isinstance(answer, Carried) and golden.expected is not None:
        assert meaning_or_text(answer.data) == meaning_or_text(golden.expected + more)


def meaning_or_text(text: bytes) -> str | bytes:
    """Compare texts that this Python cannot read as they are."""
    try:
        return meaning(text)
    except (SyntaxError, ValueError):
        return b"".join(sorted(text.splitlines()))


def test_the_same_case_has_the_same_answer() -> None:
    for patch, mutation in product(PATCHES[:3], MUTATIONS[:3]):
        case = _case(MODULE, patch.on(MODULE), mutation.apply(MODULE))
        assert carry(case) == carry(case)


def test_a_file_that_is_the_patched_one_is_absorbed_as_a_whole() -> None:
    text = PATCHES[0].on(MODULE)
    answer = carry(_case(MODULE, text, text))
    assert isinstance(answer, Carried)
    assert answer.absorbed is AbsorbedHow.TREE
