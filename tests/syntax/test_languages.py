"""Every language of the table: its trees cover their texts, and two ways to write one thing are the same."""

from __future__ import annotations

from dataclasses import replace

import pytest

from patchq.syntax.anchors import resolve
from patchq.syntax.edits import edits
from patchq.syntax.languages import LANGUAGES, language_of
from patchq.syntax.node import Node, Tree, Unread
from patchq.syntax.parse import MAX_DEPTH, Forest
from patchq.syntax.strip import strip_of
from tests.reapply.goldens import Golden, goldens

GOLDENS = [
    golden
    for golden in goldens()
    if (language := language_of(golden.case.path)) is not None and language.facts.name != "Python"
]


def _roots(path: bytes, *texts: bytes) -> list[Node]:
    language = language_of(path)
    assert language is not None
    forest = Forest()
    trees = [forest.tree(text, language) for text in texts]
    return [tree.root for tree in trees if isinstance(tree, Tree)]


@pytest.mark.parametrize("golden", GOLDENS, ids=lambda golden: golden.name)
def test_every_strip_of_every_language_can_be_written_again(golden: Golden) -> None:
    case = golden.case
    language = language_of(case.path)
    assert language is not None
    for root in _roots(case.path, case.base, case.theirs, case.ours):
        assert root.text == root.source
        assert not root.errors or language.facts.name == "CUDA"  # its grammar cannot read every kernel
        for node in root.walk():
            at = node.start
            for child in node.children:
                assert at <= child.start <= child.end <= node.end
                at = child.end
            if node.children:
                strip = strip_of(node, language.facts)
                written = strip.opening + b"".join(segment.data for segment in strip.segments) + strip.closing
                assert written == node.text


@pytest.mark.parametrize("golden", GOLDENS, ids=lambda golden: golden.name)
def test_what_an_edit_names_is_found_again_at_its_address(golden: Golden) -> None:
    language = language_of(golden.case.path)
    assert language is not None
    base, theirs = _roots(golden.case.path, golden.case.base, golden.case.theirs)
    for edit in edits(base, theirs, language.facts):
        if edit.named and edit.new is not None:
            assert edit.new in resolve(theirs, edit.address.steps, language.facts)


@pytest.mark.parametrize(
    ("path", "name"),
    [
        (b"a/pyproject.toml", "TOML"),
        (b"uv.lock", "TOML"),
        (b".github/workflows/x.yml", "YAML"),
        (b"a.json", "JSON"),
        (b"run.sh", "Bash"),
        (b"home/.bashrc", "Bash"),
        (b"docker/Dockerfile", "Dockerfile"),
        (b"docker/Dockerfile.rocm", "Dockerfile"),
        (b"docker/rocm.Dockerfile", "Dockerfile"),
        (b"CMakeLists.txt", "CMake"),
        (b"cmake/utils.cmake", "CMake"),
        (b"README.md", None),
        (b"notes.txt", None),
        (b"a.jsonc", None),
        (b"Makefile", None),
    ],
)
def test_a_language_is_known_by_the_name_of_the_file(path: bytes, name: str | None) -> None:
    language = language_of(path)
    assert (None if language is None else language.facts.name) == name


@pytest.mark.parametrize(
    ("path", "one", "other"),
    [
        (b"a.toml", b"a = ['x', \"y\"]\n", b'a = [\n  "x",\n  "y",\n]\n'),
        (b"a.toml", b"[a . b]\nc = 1\n", b'["a".b]\n\n"c" = 1\n'),
        (b"a.yaml", b"a: {b: 'c', d: [1, 2]}\n", b'a:\n  b: "c"\n  d:\n  - 1\n  - 2\n'),
        (b"a.yaml", b"a: |\n  x\n    y\n", b"a: |\n      x\n        y\n"),
        (b"a.json", b'{"a": [1, 2]}', b'{\n  "a": [\n    1,\n    2\n  ]\n}\n'),
        (b"a.sh", b"if a; then b; fi\n", b"if a\nthen\n  b\nfi\n"),
        (b"a.sh", b"a -b c\n", b"a \\\n  -b \\\n  c\n"),
        (b"Dockerfile", b"RUN a b && c\n", b"RUN a \\\n    b \\\n  && c\n"),
        (b"a.cmake", b"SET(A b c)\n", b"set(\n  A\n  b c\n)\n"),
    ],
)
def test_two_ways_to_write_one_thing_are_the_same(path: bytes, one: bytes, other: bytes) -> None:
    left, right = _roots(path, one, other)
    assert left.same == right.same


@pytest.mark.parametrize(
    ("path", "one", "other"),
    [
        (b"a.toml", b'a = "1"\n', b"a = 1\n"),
        (b"a.yaml", b"a: 'no'\n", b"a: no\n"),
        (b"a.yaml", b"a: '1_000'\n", b"a: 1_000\n"),
        (b"a.yaml", b"a: |\n  x\n", b"a: |-\n  x\n"),
        (b"a.yaml", b"a: |\n  x\n  y\n", b"a: |\n  x\n    y\n"),
        (b"a.yaml", b"- a\n- b\n", b"- b\n- a\n"),
        (b"a.json", b"[1, 2]", b"[2, 1]"),
        (b"a.sh", b"a 'b c'\n", b"a b c\n"),
        (b"a.sh", b"a && b\n", b"a || b\n"),
        (b"a.cmake", b'set(A "b;c")\n', b"set(A b c)\n"),
    ],
)
def test_two_things_are_not_the_same(path: bytes, one: bytes, other: bytes) -> None:
    left, right = _roots(path, one, other)
    assert left.same != right.same


def test_a_comment_of_yaml_belongs_to_the_block_of_its_column() -> None:
    text = b"a:\n  b:\n    - 1\n    # of the list\n  # of a\n  c: 2  # beside\n# above d\nd: 3\n"
    (root,) = _roots(b"a.yaml", text)
    homes = {
        child.word: (node.kind, node.start)
        for node in root.walk()
        for child in node.children
        if child.kind == "comment"
    }
    assert homes == {
        "# of the list": ("block_sequence", text.index(b"- 1")),
        "# of a": ("block_mapping", text.index(b"b:")),
        "# beside": ("block_mapping", text.index(b"b:")),
        "# above d": ("block_mapping", 0),
    }


def test_lines_that_the_grammar_of_bash_swallows_are_an_error() -> None:
    text = b'f() {\n  echo "$y" | grep foo \\\n    | sort\n}\nfunction g {\n  f && h || exit 1\n}\n'
    (root,) = _roots(b"a.sh", text)
    assert root.errors


@pytest.mark.parametrize("text", [b"set(A", b"if(A)\nset(B)\n", b"set(A))\n", b"= 1\n", b'set("A\n'])
def test_what_is_no_cmake_is_an_error(text: bytes) -> None:
    (root,) = _roots(b"a.cmake", text)
    assert root.errors


@pytest.mark.parametrize("path", [b"a.json", b"a.yaml", b"a.toml", b"a.sh", b"a.cmake", b"Dockerfile"])
def test_hostile_nesting_ends_in_a_clear_answer(path: bytes) -> None:
    language = language_of(path)
    assert language is not None
    for opening, closing in ((b"[", b"]"), (b"(", b")"), (b"{", b"}"), (b"if(A)\n", b"")):
        text = b"a = " + opening * (MAX_DEPTH * 20) + closing * (MAX_DEPTH * 20) + b"\n"
        assert isinstance(Forest().tree(text, language), Tree | Unread)


def test_every_missing_grammar_is_a_reason_that_names_its_package() -> None:
    for language in LANGUAGES:
        if language.reader is None:
            answer = Forest().tree(b"", replace(language, package=f"{language.package}-missing"))
            assert answer == Unread(f"no grammar for {language.facts.name}: pip install {language.package}-missing")
