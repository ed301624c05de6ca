from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from patchq.errors import Where
from patchq.model.anchor import Anchor
from patchq.patchfile.intents import parse_anchor
from patchq.syntax.anchors import resolve
from patchq.syntax.edits import edits
from patchq.syntax.tokens import comment_bag, flat, token_bag
from tests.reapply.mutations import MODULE, PATCHES, Patch, exploded, joined
from tests.syntax.trees import PYTHON, roots_of, tree_of

if TYPE_CHECKING:
    from collections.abc import Callable

    from patchq.syntax.node import Node

FACTS = PYTHON.facts


def _edits(old: str, new: str) -> list[tuple[str, str | None, str | None]]:
    left, right = roots_of(old, new)
    return [
        (str(Anchor("m.py", edit.address.steps)), _word(edit.old), _word(edit.new))
        for edit in edits(left, right, FACTS)
    ]


def _word(node: Node | None) -> str | None:
    return None if node is None else node.word


def test_an_added_entry_is_one_edit_at_its_own_address() -> None:
    assert _edits("T = {1: 1}\n", "T = {1: 1, 2: 2}\n") == [("m.py::T[2]", None, "2: 2")]


def test_a_changed_argument_is_the_smallest_edit() -> None:
    assert _edits("def f():\n    g(a, k=1)\n", "def f():\n    g(a, k=2)\n") == [("m.py::f", "1", "2")]


def test_order_that_means_nothing_is_no_edit() -> None:
    assert _edits("T = {1: 1, 2: 2}\nimport a\nimport b\n", "T = {2: 2, 1: 1}\nimport b\nimport a\n") == []


def test_order_that_means_something_is_an_edit() -> None:
    assert _edits("f(a, b)\n", "f(b, a)\n") != []


def test_a_comment_is_an_edit_of_its_own() -> None:
    assert _edits("x = 1\n", "# why\nx = 1\n") == [("m.py::", None, "# why")]
    assert _edits("x = 1  # a\n", "x = 1  # b\n") == [("m.py::x", "x = 1", "x = 1")]


@pytest.mark.parametrize("write", [joined, exploded])
def test_layout_is_no_edit(write: Callable[[str], str]) -> None:
    assert _edits(MODULE, write(MODULE)) == []


@pytest.mark.parametrize("patch", PATCHES, ids=lambda patch: patch.name)
def test_every_patch_is_an_edit_and_its_address_leads_somewhere(patch: Patch) -> None:
    left, right = roots_of(MODULE, patch.on(MODULE))
    found = edits(left, right, FACTS)
    assert found
    for edit in found:
        root = left if edit.new is None else right
        assert resolve(root, edit.address.steps, FACTS)


@pytest.mark.parametrize(
    ("anchor", "texts"),
    [
        ('m.py::LIMITS["small"]', ['"small": 64']),
        ("m.py::LIMITS['small']", ['"small": 64']),
        ("m.py::Runner.sizes[10]", ["10: [6, 8]"]),
        ("m.py::Runner.run(scale)", ["scale=1.0"]),
        ("m.py::Runner.run.rows", ['rows = prepare(batch, self.config, limit=LIMITS["small"])']),
        ('m.py::KINDS["a"]', ['"a"']),
        ("m.py::json", ["json"]),
        ("m.py::nothing", []),
    ],
)
def test_an_address_is_resolved(anchor: str, texts: list[str]) -> None:
    steps = parse_anchor(anchor, where=Where()).steps
    assert [node.word for node in resolve(tree_of(MODULE).root, steps, FACTS)] == texts


def test_a_name_that_is_bound_twice_is_found_twice() -> None:
    root = tree_of("x = 1\nif y:\n    x = 2\n").root
    assert len(resolve(root, parse_anchor("m.py::x", where=Where()).steps, FACTS)) == 2


def test_tokens_do_not_count_what_formatters_change() -> None:
    one, other = roots_of("f(a, 'b')  # c\n", 'f(\n    a,\n    "b",\n)\n')
    assert token_bag(one, FACTS) == token_bag(other, FACTS)
    assert comment_bag(one, FACTS) == {b"# c": 1}


def test_a_node_is_written_on_one_line() -> None:
    root = tree_of("T = {\n    1: f(a,  b),  # why\n}\n").root
    assert flat(root, FACTS) == "T = { 1: f(a, b), }"
