from __future__ import annotations

from collections import Counter

import pytest

from patchq.syntax.languages import language_of
from patchq.syntax.node import Unread
from patchq.syntax.reparse import Parses
from patchq.syntax.residue import residue
from tests.reapply.goldens import Golden, goldens
from tests.syntax.trees import roots_of

GOLDENS = goldens()


@pytest.mark.parametrize("golden", GOLDENS[::4], ids=lambda golden: golden.name)
def test_a_text_parsed_from_the_tree_of_another_has_the_tree_that_it_has_alone(golden: Golden) -> None:
    language = language_of(golden.case.path)
    if language is None or language.reader is not None:
        pytest.skip("no grammar")
    together = Parses()
    for text in (golden.case.base, golden.case.theirs, golden.case.ours):
        grown, alone = together.parse(text, language), Parses().parse(text, language)
        assert not isinstance(grown, Unread)
        assert not isinstance(alone, Unread)
        assert str(grown.root_node) == str(alone.root_node)


def test_a_construct_that_was_numbered_unread_is_the_one_that_is_written_differently() -> None:
    left, right = roots_of("f(a, 'b')\ng(1)\n", 'f(\n    a,\n    "b",\n)\ng(1)\n')
    assert left.same == right.same
    assert [one.same for one in left.children] == [one.same for one in right.children]


def test_a_comment_inside_does_not_hide_that_two_constructs_are_the_same() -> None:
    left, right = roots_of("def f():\n    return 1\n", "def f():\n    # why\n    return 1\n")
    assert left.same == right.same
    assert left.exact != right.exact


def test_what_two_trees_do_not_share_counts_like_the_whole_trees() -> None:
    texts = "def f():\n    a = 1\n    b = g(2)\n\n\nx = 3\n", "def f():\n    a = 1\n    b = g(4)\n\n\nx = 3\n"
    left, right = roots_of(*texts)
    some = [Counter(node.same for node in side) for side in residue(left, right)]
    everything = [Counter(node.same for node in root.walk()) for root in (left, right)]
    assert some[0] - some[1] == everything[0] - everything[1]
    assert some[1] - some[0] == everything[1] - everything[0]
    assert some[0].total() < everything[0].total()


def test_a_node_is_asked_for_its_size_no_further_than_needed() -> None:
    (root,) = roots_of("a = f(b, c)\n")
    for node in root.walk():
        assert [node.has_size(least) for least in (1, 4, 9)] == [node.size >= least for least in (1, 4, 9)]
