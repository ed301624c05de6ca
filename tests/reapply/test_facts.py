from __future__ import annotations

import ast
from typing import TYPE_CHECKING

import pytest

from patchq.errors import Where
from patchq.patchfile.intents import parse_anchor
from patchq.reapply.facts import FactState, anchor_stands, check_fact, derive_facts
from tests.reapply.goldens import Golden, goldens
from tests.reapply.mutations import MODULE, MUTATIONS, PATCHES, Mutation, Patch, swapped

if TYPE_CHECKING:
    from patchq.model.anchor import Fact

PATH = b"pkg/m.py"
CARRIED = [golden for golden in goldens() if golden.says["verdict"] == "carried"]


def _facts(before: str, after: str) -> tuple[Fact, ...]:
    return derive_facts(PATH, before.encode(), after.encode())


def _states(facts: tuple[Fact, ...], text: str) -> set[FactState]:
    return {check_fact(fact, PATH, text.encode()) for fact in facts}


@pytest.mark.parametrize("golden", CARRIED, ids=lambda golden: golden.name)
def test_every_fact_of_a_carried_patch_is_true_of_its_result(golden: Golden) -> None:
    path, expected = golden.case.path, golden.expected
    assert expected is not None
    for fact in derive_facts(path, golden.case.ours, expected):
        assert check_fact(fact, path, expected) is FactState.PRESENT


@pytest.mark.parametrize("mutation", MUTATIONS, ids=lambda mutation: mutation.name)
def test_facts_hold_in_a_tree_that_was_only_written_otherwise(mutation: Mutation) -> None:
    if mutation.name in {"return types", "annotated assignments", "a keyword more", "reversed entries"}:
        pytest.skip("rewrites the very statements that facts speak of")
    for patch in PATCHES[MUTATIONS.index(mutation) % 3 :: 3]:
        facts = _facts(MODULE, patch.on(MODULE))
        assert _states(facts, mutation.apply(patch.on(MODULE))) == {FactState.PRESENT}, patch.name


@pytest.mark.parametrize("patch", PATCHES, ids=lambda patch: patch.name)
def test_no_patch_is_called_present_in_the_tree_without_it(patch: Patch) -> None:
    facts = _facts(MODULE, patch.on(MODULE))
    assert facts
    assert _states(facts, MODULE) != {FactState.PRESENT}


def test_a_named_entry_stands_at_its_own_anchor_in_one_line() -> None:
    (fact,) = _facts(
        MODULE, swapped(MODULE, '    "large": 128,\n', '    "large": 128,\n    "huge": [\n        1,\n    ],\n')
    )
    assert fact.anchor == 'pkg/m.py::LIMITS["huge"]'
    assert fact.holds == ('"huge": [ 1, ]',)
    assert fact.lacks == ()


def test_an_unnamed_edit_is_told_by_its_statement_at_the_named_place_around() -> None:
    (fact,) = _facts(MODULE, swapped(MODULE, "            row.scale(scale)\n", "            row.stretch(scale)\n"))
    assert fact.anchor == "pkg/m.py::Runner.run"
    assert fact.holds == ("row.stretch(scale)",)
    assert fact.lacks == ("row.scale(scale)",)


def test_an_entry_with_another_value_has_diverged() -> None:
    facts = _facts(MODULE, swapped(MODULE, '    "large": 128,\n', '    "large": 128,\n    "huge": 256,\n'))
    other = swapped(MODULE, '    "large": 128,\n', '    "large": 128,\n    "huge": 512,\n')
    assert _states(facts, other) == {FactState.DIVERGED}


def test_without_the_dict_the_target_is_gone() -> None:
    facts = _facts(MODULE, swapped(MODULE, '    "large": 128,\n', '    "large": 128,\n    "huge": 256,\n'))
    assert _states(facts, MODULE.replace("LIMITS", "BOUNDS")) == {FactState.TARGET_GONE}


def test_a_removal_is_true_as_long_as_the_thing_is_not_back() -> None:
    without = swapped(MODULE, "        self.rank = rank\n", "")
    facts = _facts(MODULE, without)
    assert _states(facts, without) == {FactState.PRESENT}
    assert FactState.PRESENT not in _states(facts, MODULE)


def test_a_long_text_stands_in_the_record_as_a_digest_and_is_found_again() -> None:
    body = "".join(f"    step_{number}(values, mode={number})\n" for number in range(40))
    after = MODULE + f"\n\ndef many(values):\n{body}"
    (fact,) = _facts(MODULE, after)
    assert fact.holds[0].startswith("sha256:")
    assert _states((fact,), ast.unparse(ast.parse(after))) == {FactState.PRESENT}
    assert _states((fact,), after.replace("mode=7", "mode=70")) != {FactState.PRESENT}


def test_a_file_without_a_grammar_is_told_by_its_lines() -> None:
    before, after = b"[a]\nx = 1\ny = 2\n", b"[a]\nx = 1\ny = 3\n"
    (fact,) = derive_facts(b"m.ini", before, after)
    assert (fact.holds, fact.lacks) == (("y = 3",), ("y = 2",))
    assert check_fact(fact, b"m.ini", b"[a]\r\n  y = 3\r\n") is FactState.PRESENT
    assert check_fact(fact, b"m.ini", before) is FactState.ABSENT


def test_a_new_file_is_told_by_what_it_defines() -> None:
    facts = derive_facts(PATH, b"", MODULE.encode())
    assert _states(facts, MODULE) == {FactState.PRESENT}
    assert FactState.PRESENT not in _states(facts, "")


@pytest.mark.parametrize(
    ("anchor", "stands"),
    [
        ('pkg/m.py::LIMITS["small"]', True),
        ('pkg/m.py::LIMITS["tiny"]', False),
        ("pkg/m.py::Runner.run(scale)", True),
        ("pkg/m.py::Runner.sizes[10]", True),
        ("pkg/m.py::Runner.run.rows", True),
        ("pkg/m.py::Runner.fast", True),
        ("pkg/m.py::is_hip", True),
        ("pkg/m.py::Walker", False),
        ("pkg/m.py::", True),
    ],
)
def test_an_expected_anchor_stands_where_it_leads_to_a_node(anchor: str, stands: bool) -> None:  # noqa: FBT001 - a table
    assert anchor_stands(parse_anchor(anchor, where=Where()), MODULE.encode()) is stands
