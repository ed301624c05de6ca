"""Intents and addresses as people type them, and the places where they are wrong."""

from __future__ import annotations

import pytest
from hypothesis import given, settings

from patchq.errors import PatchFormatError, Where
from patchq.model.anchor import Anchor, Expect, Mirror, Step, StepKind
from patchq.model.names import PatchName
from patchq.model.patch import Trailer
from patchq.patchfile.intents import format_intent, parse_anchor, parse_intent
from patchq.patchfile.read import read_patch
from tests.patchfile.strategies import ANCHORS

_HERE = Where(file="x.patch", line=3)


@settings(max_examples=200, deadline=None)
@given(ANCHORS)
def test_an_address_reads_as_it_was_written(anchor: Anchor) -> None:
    assert parse_anchor(str(anchor), where=_HERE) == anchor
    expect = Expect(anchor)
    assert parse_intent(format_intent(expect), where=_HERE) == expect
    entry = Anchor(anchor.path, (*anchor.steps, Step(StepKind.ENTRY, "a[0] = 1")))
    mirror = Mirror(entry, Step(StepKind.ENTRY, "(1, ']')"))
    assert parse_intent(format_intent(mirror), where=_HERE) == mirror


@pytest.mark.parametrize(
    ("text", "steps"),
    [
        ("a.py::", []),
        ("a.py::C.d[12]", [("name", "C"), ("name", "d"), ("entry", "12")]),
        ("a.py::f(x)", [("name", "f"), ("argument", "x")]),
        ("a.py::D['a.b'][(1, \"]\")]", [("name", "D"), ("entry", "'a.b'"), ("entry", '(1, "]")')]),
        ('a.py::D["it\'s"].x', [("name", "D"), ("entry", '"it\'s"'), ("name", "x")]),
        ("a.py::D[it's]", [("name", "D"), ("entry", "it's")]),
        ("a.rs::m[&'a str][&'b str]", [("name", "m"), ("entry", "&'a str"), ("entry", "&'b str")]),
        ("a.py::D['''x']''']", [("name", "D"), ("entry", "'''x']'''")]),
        ("a.py::D[{1: [2]}]", [("name", "D"), ("entry", "{1: [2]}")]),
        ("a.py::[0]", [("entry", "0")]),
    ],
)
def test_steps_are_told_apart(text: str, steps: list[tuple[str, str]]) -> None:
    anchor = parse_anchor(text, where=_HERE)
    assert [(step.kind.value, step.text) for step in anchor.steps] == steps
    assert str(anchor) == text


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("Expect", "a.py"),
        ("Expect", "::X"),
        ("Expect", "../a.py::X"),
        ("Expect", "/a.py::X"),
        ("Expect", "a.py::X."),
        ("Expect", "a.py::.X"),
        ("Expect", "a.py::X..y"),
        ("Expect", "a.py::X.[1]"),
        ("Expect", "a.py::X[1"),
        ("Expect", "a.py::X[1)]"),
        ("Expect", "a.py::X[]"),
        ("Expect", "a.py::X[1]y"),
        ("Expect", "a.py::X]"),
        ("Expect", "a.py::X[12] = [10]"),
        ("Expect", "a.py::X {"),
        ("Expect", "a.py::" + "x" * 20_000),
        ("Mirror", "a.py::X[12]"),
        ("Mirror", "a.py::X[12] = 10"),
        ("Mirror", "a.py::X[12] = (10)"),
        ("Mirror", "a.py::X[12] = [10] x"),
        ("Mirror", "a.py::X[12]=[10]"),
        ("Mirror", "a.py::X.y = [10]"),
        ("Mirror", "a.py:: = [10]"),
    ],
)
def test_a_malformed_intent_is_refused_where_it_stands(key: str, value: str) -> None:
    with pytest.raises(PatchFormatError, match="malformed intent") as caught:
        parse_intent(Trailer(key, value), where=_HERE)
    assert caught.value.where == _HERE
    assert caught.value.hint is not None


def test_other_trailers_are_none_of_ours() -> None:
    assert parse_intent(Trailer("Expected-by", "x"), where=_HERE) is None


def test_a_malformed_intent_in_a_file_is_refused_with_its_line() -> None:
    raw = b"Subject: s\n\nwhy\n\nBug: 1\nExpect: nowhere\n---\ndiff --git a/f b/f\n"
    with pytest.raises(PatchFormatError) as caught:
        read_patch(PatchName("x"), raw, file="x.patch")
    assert (caught.value.where.file, caught.value.where.line, caught.value.where.field) == ("x.patch", 6, "Expect")


def test_deep_and_endless_brackets_take_bounded_time() -> None:
    deep = "a::x" + "[" * 4_000 + "1" + "]" * 4_000
    assert str(parse_anchor(deep, where=_HERE)) == deep
    for text in ("a::" + "[" * 9_000, "a::x[" + "'" * 9_000, "a::x" + "['''" * 2_000):
        with pytest.raises(PatchFormatError, match="malformed intent"):
            parse_anchor(text, where=_HERE)
