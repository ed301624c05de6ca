from __future__ import annotations

import tomllib
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from patchq.errors import Where
from patchq.model.anchor import Anchor
from patchq.patchfile.intents import parse_anchor
from patchq.reapply.render import render
from patchq.syntax.anchors import resolve
from patchq.syntax.brace import ITEM
from patchq.syntax.languages import LANGUAGES, Language, language_of
from patchq.syntax.members import pegs
from patchq.syntax.node import Tree, Unread
from patchq.syntax.parse import Forest
from patchq.syntax.strip import strip_of
from tests.reapply.goldens import Golden, goldens

ROOT = Path(__file__).parents[2]
BRACED = [language for language in LANGUAGES if language.facts.wrapper == ITEM]
NAMED = {language.facts.name: language for language in BRACED}


def braced(path: bytes) -> Language | None:
    language = language_of(path)
    return language if language in BRACED else None


GOLDENS = [golden for golden in goldens() if braced(golden.case.path)]


def read(text: str | bytes, name: str, forest: Forest | None = None) -> Tree:
    source = text if isinstance(text, bytes) else text.encode()
    tree = (Forest() if forest is None else forest).tree(source, NAMED[name])
    assert isinstance(tree, Tree)
    return tree


def check_laws(tree: Tree) -> None:
    facts = tree.facts
    for node in tree.root.walk():
        if not node.children:
            continue
        edges = [node.start, *(edge for kid in node.children for edge in (kid.start, kid.end)), node.end]
        assert edges == sorted(edges)
        strip = strip_of(node, facts)
        assert strip.opening + b"".join(segment.data for segment in strip.segments) + strip.closing == node.text
        assert render(strip, {}, {}, facts) == node.text
        for peg in pegs(strip, None, facts):
            if peg.signature is not None and peg.signature.step is not None:
                anchor = Anchor("path", (peg.signature.step,))
                assert parse_anchor(str(anchor), where=Where(file="test")) == anchor


@pytest.mark.parametrize("golden", GOLDENS, ids=lambda golden: golden.name)
def test_every_node_can_be_cut_into_a_strip_and_written_again(golden: Golden) -> None:
    language = braced(golden.case.path)
    assert language is not None
    for text in (golden.case.base, golden.case.theirs, golden.case.ours):
        tree = Forest().tree(text, language)
        assert isinstance(tree, Tree)
        assert tree.root.text == text
        check_laws(tree)


@settings(max_examples=60, deadline=None)
@given(st.data())
def test_a_text_with_a_hole_or_a_scar_can_be_cut_and_written_again(data: st.DataObject) -> None:
    golden = data.draw(st.sampled_from(GOLDENS), label="golden")
    text, language = golden.case.base, braced(golden.case.path)
    assert language is not None
    at = data.draw(st.integers(0, len(text)), label="at")
    upto = data.draw(st.integers(at, min(len(text), at + 60)), label="upto")
    scar = data.draw(
        st.sampled_from([b"", b"{", b"}", b"(", b"/*", b",", b'"', b"\n#if X\n", b"<", b"\\\n"]), label="scar"
    )
    tree = Forest().tree(text[:at] + scar + text[upto:], language)
    assert isinstance(tree, Tree)
    check_laws(tree)


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("Rust", "fn f() ->( std::fmt::Result {\n    1\n}\n"),
        ("Rust", "fn f() -> (Name) {\n    1\n}\n"),
        ("C", "enum e {\n    A,\n    B\n#if X\nint f(void)\n{\n    return 1;\n}\n"),
    ],
)
def test_a_comma_or_bracket_that_is_not_there_is_not_written(name: str, text: str) -> None:
    check_laws(read(text, name))


@pytest.mark.parametrize(
    ("name", "one", "other"),
    [
        ("C", "enum e { A, B };", "enum e {\n    A,\n    B,\n};"),
        ("C", "int f(void) { return (a); }", "int f(void)\n{\n    return a;\n}"),
        ("C++", "auto x = a && b && c;", "auto x = a &&\n    b && c;"),
        ("CUDA", "void f() { k<<<g, b>>>(x); }", "void f() {\n  k<<<\n      g, b>>>(x);\n}"),
        ("Rust", "use a::{b, c};", "use a::{\n    b,\n    c,\n};"),
        ("Rust", "fn f() -> u8 { a }", "/// Doc.\nfn f() -> u8 {\n    a\n}"),
        ("Go", "package p\nvar x = f(a, b)", "package p\n\nvar x = f(\n\ta, b,\n)\n"),
        ("JavaScript", "x = {a: 'b'};", 'x = {\n  a: "b",\n};'),
        ("TypeScript", "f(a, b);", "f(\n  a, // why\n  b,\n);"),
    ],
)
def test_two_ways_to_write_one_thing_are_the_same(name: str, one: str, other: str) -> None:
    forest = Forest()
    assert read(one + "\n", name, forest).root.same == read(other + "\n", name, forest).root.same


@pytest.mark.parametrize(
    ("name", "one", "other"),
    [
        ("C", "int x = a - b - c;", "int x = a - (b - c);"),
        ("C", "char c = 'a';", 'char *c = "a";'),
        ("C++", 'auto s = u"a";', 'auto s = U"a";'),
        ("C++", "auto x = a && b || c;", "auto x = a && (b || c);"),
        ("Rust", "fn f() { (a,) }", "fn f() { (a) }"),
        ("Rust", "fn f() { a }", "fn f() { a; }"),
        ("Go", "package p\nvar x = `a`", 'package p\nvar x = "a"'),
        ("JavaScript", "x = [1, , 2];", "x = [1, 2];"),
        ("JavaScript", "x = `a`;", "x = 'a';"),
        ("TypeScript", "let x: A | B;", "let x: B | A;"),
    ],
)
def test_two_things_that_differ_are_not_the_same(name: str, one: str, other: str) -> None:
    forest = Forest()
    assert read(one + "\n", name, forest).root.same != read(other + "\n", name, forest).root.same


@pytest.mark.parametrize(
    ("name", "text", "anchor", "found"),
    [
        ("C++", "namespace a::b {\nint f(int x) { return x; }\n}\n", "f", "int f(int x) { return x; }"),
        ("C++", "int T::f() { return 1; }\nint U::f() { return 2; }\n", "U::f", "int U::f() { return 2; }"),
        ("CUDA", "#ifndef A_H\n#define A_H\nint x = 1;\n#endif\n", "x", "int x = 1;"),
        ("CUDA", "#ifdef A\nint x = 1;\n#else\nint x = 2;\n#endif\n", "[#ifdef A][#else].x", "int x = 2;"),
        ("C", "struct s t = {\n  .a = 1,\n  .b = 2,\n};\n", "t[.b]", ".b = 2"),
        ("C", "enum e {\n  A,\n  B,\n};\n", "e.B", "B"),
        ("Rust", "impl A for B {\n    fn f() {}\n}\nimpl B {\n    fn f() {}\n}\n", "A for B.f", "fn f() {}"),
        ("Go", "package p\n\nfunc (q *Q) F() {}\n\nfunc (r R) F() {}\n", "R::F", "func (r R) F() {}"),
        ("JavaScript", "class A {\n  m() {}\n  n() {}\n}\n", "A.n", "n() {}"),
        ("TypeScript", "export const o = {\n  a: 1,\n  'b': 2,\n};\n", "o[b]", "'b': 2"),
    ],
)
def test_an_address_leads_to_its_member(name: str, text: str, anchor: str, found: str) -> None:
    tree = read(text, name)
    steps = parse_anchor(f"path::{anchor}", where=Where(file="test")).steps
    assert [node.word for node in resolve(tree.root, steps, tree.facts)] == [found]


@pytest.mark.parametrize("language", BRACED, ids=lambda language: language.facts.name)
def test_every_suffix_leads_to_its_language_and_its_package_comes_with_patchq(language: Language) -> None:
    for suffix in language.facts.suffixes:
        assert language_of(b"a/b" + suffix) is language
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    assert any(line.startswith(f"{language.package}>=") for line in project["dependencies"])


@pytest.mark.parametrize("language", BRACED, ids=lambda language: language.facts.name)
def test_a_missing_grammar_is_a_reason_with_a_hint(language: Language) -> None:
    missing = Language(language.facts, "tree-sitter-no-such-language")
    reason = f"no grammar for {language.facts.name}: pip install tree-sitter-no-such-language"
    assert Forest().tree(b"x", missing) == Unread(reason)


@pytest.mark.parametrize("language", BRACED, ids=lambda language: language.facts.name)
def test_what_is_nested_too_deep_is_not_read(language: Language) -> None:
    deep = b"{" * 5_000 + b"}" * 5_000
    assert isinstance(Forest().tree(deep, language), Unread | Tree)
    assert isinstance(Forest().tree(b"x = " + b"(" * 5_000 + b"a" + b")" * 5_000 + b";", language), Unread | Tree)


def test_comments_and_attributes_go_with_the_definition_below_them() -> None:
    tree = read("use a;\n\n// Apart.\n\n/// Doc.\n#[inline]\nfn f() {}\n", "Rust")
    assert [(child.kind, child.word) for child in tree.root.children] == [
        (ITEM, "use a;"),
        ("line_comment", "// Apart."),
        (ITEM, "/// Doc.\n#[inline]\nfn f() {}"),
    ]
