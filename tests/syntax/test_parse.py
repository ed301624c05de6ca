from __future__ import annotations

import pytest

from patchq.syntax.languages import LANGUAGES, Language, language_of
from patchq.syntax.node import Tree, Unread, indentation, starts_line
from patchq.syntax.parse import MAX_BYTES, MAX_DEPTH, MAX_MEMBERS, Forest
from patchq.syntax.strip import strip_of
from tests.reapply.goldens import Golden, goldens
from tests.syntax.trees import PYTHON, roots_of, tree_of

GOLDENS = [golden for golden in goldens() if golden.case.path.endswith(b".py")]


@pytest.mark.parametrize("golden", GOLDENS, ids=lambda golden: golden.name)
def test_a_tree_covers_its_text_and_every_strip_can_be_written_again(golden: Golden) -> None:
    for text in (golden.case.base, golden.case.theirs, golden.case.ours):
        tree = tree_of(text)
        assert tree.root.text == text
        for node in tree.root.walk():
            for child in node.children:
                assert node.start <= child.start <= child.end <= node.end
            strip = strip_of(node, tree.facts)
            written = strip.opening + b"".join(segment.data for segment in strip.segments) + strip.closing
            if node.children:
                assert written == node.text


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("x = {1: 'a', 2: \"b\"}", 'x = {\n    1: "a",\n    2: "b",\n}'),
        ("f(a, b)", "f(\n    a,\n    b,\n)"),
        ("x = (a)", "x = a"),
        ("if a and b and c:\n    pass", "if (\n    a\n    and b\n    and c\n):\n    pass"),
        ("if a \\\n    and b:\n    pass", "if a and b:\n    pass"),
        ("from m import a, b", "from m import (\n    a,\n    b,\n)"),
        ("x = a, b", "x = (a, b)"),
        ("for a, b in c:\n    pass", "for (a, b) in c:\n    pass"),
        ("def f():\n    pass", "def f():  # why\n    # how\n    pass"),
        ("a = 1; b = 2", "a = 1\nb = 2"),
    ],
)
def test_two_ways_to_write_one_thing_are_the_same(one: str, other: str) -> None:
    left, right = roots_of(one + "\n", other + "\n")
    if ";" in one:
        assert [leaf.same for leaf in left.leaves() if leaf.word != ";"] == [leaf.same for leaf in right.leaves()]
    else:
        assert left.same == right.same


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("x = (a,)", "x = (a)"),
        ("x[1,]", "x[1]"),
        ("x = a and b", "x = a or b"),
        ("x = a and (b or c)", "x = a and b or c"),
        ("x = 'a'", "x = b'a'"),
        ("x = 'a\\n'", 'x = "a\\\\n"'),
        ("f(a, b)", "f(b, a)"),
        ("x = [1]", "x = (1,)"),
        ('x = f"{a}"', 'x = f"{b}"'),
        ("x = a - b", "x = a + b"),
        ("def f(): pass", "async def f(): pass"),
        ("def f(a): pass", "def f(a, /): pass"),
        ('x = """a\nb"""', 'x = """a\n    b"""'),
    ],
)
def test_two_things_are_not_the_same(one: str, other: str) -> None:
    left, right = roots_of(one + "\n", other + "\n")
    assert left.same != right.same


def test_comments_count_for_the_exact_identity_only() -> None:
    left, right = roots_of("x = 1  # one\n", "x = 1  # two\n")
    assert left.same == right.same
    assert left.exact != right.exact


def test_a_comment_belongs_to_the_block_in_which_it_is_written() -> None:
    text = "def f():\n    # head\n    a()\n    # tail\n\n\n# of the module\nb()\n"
    root = tree_of(text).root
    block = next(node for node in root.walk() if node.kind == "block")
    assert [child.word for child in block.children if child.kind == "comment"] == ["# head", "# tail"]
    assert [child.word for child in root.children if child.kind == "comment"] == ["# of the module"]


def test_every_definition_is_wrapped_whether_decorated_or_not() -> None:
    root = tree_of("@d\ndef f():\n    pass\n\n\nclass C:\n    pass\n").root
    assert [child.kind for child in root.children] == ["decorated_definition", "decorated_definition"]


def test_errors_are_counted_where_they_are() -> None:
    root = tree_of("x = 1\nprint 'old' 'a' =\n\n\ndef f():\n    return 1\n").root
    assert root.errors > 0
    assert root.children[0].errors == 0
    assert root.children[-1].errors == 0


def test_what_is_too_deep_or_too_large_is_not_read() -> None:
    deep = b"x = " + b"[" * (MAX_DEPTH + 1) + b"]" * (MAX_DEPTH + 1) + b"\n"
    answer = Forest().tree(deep, PYTHON)
    assert isinstance(answer, Unread)
    assert "levels deep" in answer.reason
    answer = Forest().tree(b"#" * (MAX_BYTES + 1), PYTHON)
    assert isinstance(answer, Unread)
    assert "too many" in answer.reason


def test_ten_thousand_brackets_end_in_a_clear_answer() -> None:
    assert isinstance(Forest().tree(b"x = " + b"[" * 10_000 + b"]" * 10_000, PYTHON), Unread)
    unclosed = Forest().tree(b"(" * 10_000, PYTHON)
    assert isinstance(unclosed, Tree)
    assert unclosed.root.errors > 0


def test_a_missing_grammar_is_a_reason_that_names_the_package() -> None:
    answer = Forest().tree(b"x = 1\n", Language(PYTHON.facts, "tree-sitter-no-such-language"))
    assert answer == Unread("no grammar for Python: pip install tree-sitter-no-such-language")


def test_a_forest_parses_a_text_once() -> None:
    forest = Forest()
    assert forest.tree(b"x = 1\n", PYTHON) is forest.tree(b"x = 1\n", PYTHON)


def test_the_language_is_chosen_by_the_suffix() -> None:
    assert language_of(b"a/b.py") is LANGUAGES[0]
    assert language_of(b"a/b.pyi") is LANGUAGES[0]
    assert language_of(b"a/py") is None


def test_the_indentation_of_a_line_is_its_white_space() -> None:
    source = b"if x:\n\t a = 1\n"
    at = source.index(b"a =")
    assert indentation(source, at) == b"\t "
    assert starts_line(source, at)
    assert not starts_line(source, at + 2)


def test_a_construct_with_too_many_members_is_not_read() -> None:
    many = b"x = [" + b"1, " * (MAX_MEMBERS + 1) + b"]\n"
    answer = Forest().tree(many, LANGUAGES[0])
    assert isinstance(answer, Unread)
    assert "members" in answer.reason
    assert isinstance(Forest().tree(b"x = [" + b"1, " * 1000 + b"]\n", LANGUAGES[0]), Tree)
