from __future__ import annotations

from patchq.syntax.definitions import Definition, definitions
from patchq.syntax.languages import language_of
from patchq.syntax.node import Tree
from patchq.syntax.parse import Forest

MODULE = b"""
import os

LIMIT = 8
TABLE = {"a": [1, 2], "b": other(1)}


@cached
def run(job, *, times=1):
    local = job.size
    def inner(x):
        return x + local
    return inner(times)


class Box:
    size: int = 4

    @property
    def run(self):
        return self.size

    @run.setter
    def run(self, value):
        self.size = value
"""


def found(text: bytes, path: bytes = b"a.py", forest: Forest | None = None) -> dict[str, Definition]:
    language = language_of(path)
    assert language is not None
    tree = (forest or Forest()).tree(text, language)
    assert isinstance(tree, Tree)
    made = definitions(tree.root, tree.facts)
    assert len({one.key for one in made}) == len(made)
    return {str(one): one for one in made}


def test_functions_classes_constants_and_entries_are_definitions_and_locals_are_not() -> None:
    assert list(found(MODULE)) == [
        "LIMIT",
        "TABLE",
        'TABLE["a"]',
        'TABLE["b"]',
        "run",
        "run.inner",
        "Box",
        "Box.size",
        "Box.run",
    ]


def test_a_definition_knows_the_one_around_it() -> None:
    made = found(MODULE)
    assert made["run.inner"].within is made["run"]
    assert made['TABLE["a"]'].within is made["TABLE"]
    assert made["Box"].within is None


def test_the_wording_outlives_a_new_name_place_and_layout_but_no_change() -> None:
    forest = Forest()
    one = found(b"def f(n):\n    return n and f(n - 1, twice=True)\n", forest=forest)["f"]
    head, tail = b"class A:\n    @staticmethod\n    def g(n):  # why\n", b"            n - 1, twice=True,\n        )\n"
    text = head + b"        return n and g(\n" + tail
    other = found(text, forest=forest)["A.g"]
    changed = found(text.replace(b"n - 1", b"n - 2"), forest=forest)["A.g"]
    assert one.wording == other.wording != changed.wording
    assert one.likeness(other) == 1.0


def test_likeness_counts_statements_and_the_heads_of_compound_ones() -> None:
    forest = Forest()
    body = b"    if a.ready():\n        go(a)\n        go(b)\n    log(a, b)\n"
    one = found(b"def f(a, b):\n" + body, forest=forest)["f"]
    two = found(b"def f(a, b):\n" + body.replace(b"go(b)", b"stay(b)"), forest=forest)["f"]
    assert one.likeness(two) == 0.75


CPP = b"""
template <typename T>
T twice(T x) {
    int y = 2;
    return y * x;
}
struct A { int f() { return 1; } };
int f();
"""
RUST = b"""
use a::b;
const N: u8 = 1;
impl Show for A {
    fn f(&self) -> u8 {
        let x = 1;
        x
    }
}
"""


def test_templates_impls_and_methods_of_other_languages_are_definitions() -> None:
    assert list(found(CPP, b"a.cpp")) == ["twice", "A", "A.f"]
    assert list(found(RUST, b"a.rs")) == ["N", "Show for A", "Show for A.f"]
