from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from patchq.syntax.facts import Signature, Strength
from patchq.syntax.match import Grade, Peg, match
from patchq.syntax.members import pegs
from patchq.syntax.strip import strip_of
from tests.syntax.trees import PYTHON, roots_of

WORDS = st.lists(st.sampled_from("abcdef"), max_size=12)


def _peg(word: str, *, movable: bool = False, named: bool = False) -> Peg:
    signature = Signature(Strength.STRONG, (word,)) if named else None
    return Peg(exact=word, same=word.lower(), kind="word", signature=signature, movable=movable)


def _statements(one: str, other: str) -> dict[int, tuple[int, Grade]]:
    left, right = roots_of(one, other)
    facts = PYTHON.facts
    found = match(*(pegs(strip_of(root, facts), None, facts) for root in (left, right)))
    return {pair.left: (pair.right, pair.grade) for pair in found}


@given(left=WORDS, right=WORDS)
def test_ordered_members_are_paired_in_order_and_once(left: list[str], right: list[str]) -> None:
    pairs = match([_peg(word) for word in left], [_peg(word) for word in right])
    assert [pair.left for pair in pairs] == sorted({pair.left for pair in pairs})
    assert [pair.right for pair in pairs] == sorted({pair.right for pair in pairs})


@given(words=WORDS)
def test_a_list_is_paired_with_itself_member_by_member(words: list[str]) -> None:
    pairs = match([_peg(word) for word in words], [_peg(word) for word in words])
    assert [(pair.left, pair.right) for pair in pairs] == [(i, i) for i in range(len(words))]


@given(words=st.permutations("abcdefgh"))
def test_named_members_that_may_move_are_found_in_any_order(words: list[str]) -> None:
    left = [_peg(word, movable=True, named=True) for word in "abcdefgh"]
    right = [_peg(word, movable=True, named=True) for word in words]
    pairs = match(left, right)
    assert [words[pair.right] for pair in pairs] == list("abcdefgh")


def test_of_crossing_arguments_the_fewer_are_given_up() -> None:
    pairs = match([_peg(word) for word in "abcd"], [_peg(word) for word in "bcda"])
    assert [(pair.left, pair.right) for pair in pairs] == [(1, 0), (2, 1), (3, 2)]


def test_comments_do_not_keep_members_apart() -> None:
    (pair,) = match([_peg("A")], [_peg("a")])
    assert pair.grade is Grade.SAME


def test_a_changed_statement_is_paired_by_its_name_or_its_neighbours() -> None:
    found = _statements("a = 1\nf(x)\nb = 2\n", "a = 1\nf(y)\nb = 3\n")
    assert found == {0: (0, Grade.NAMED), 1: (1, Grade.NEIGHBOURS), 2: (2, Grade.NAMED)}


def test_a_definition_is_not_paired_with_another_one_however_lonely_they_are() -> None:
    assert _statements("def f():\n    return 1\n", "def g():\n    return 1\n") == {}


def test_an_equal_twin_is_paired_by_its_place() -> None:
    found = _statements("f()\nx = 1\nf()\n", "x = 1\nf()\n")
    assert found == {1: (0, Grade.NAMED), 2: (1, Grade.EXACT)}
