from __future__ import annotations

import time
from itertools import pairwise
from typing import TYPE_CHECKING

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from patchq.model.change import LineKind, TextBody
from patchq.patchfile.parse import parse_changes
from patchq.text import myers
from patchq.text.diff import Region, diff, hunks
from patchq.text.lines import split_lines
from patchq.text.slide import Slide
from tests.text.texts import edited, random_text, randomly_edited, seeded, texts

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tests.gitrepo import GitRepo

_LAWS = settings(max_examples=100, deadline=None)


def patched(old: Sequence[bytes], new: Sequence[bytes], regions: Sequence[Region]) -> list[bytes]:
    out: list[bytes] = []
    done = 0
    for region in regions:
        out += old[done : region.old_start]
        out += new[region.new_start : region.new_end]
        done = region.old_end
    return [*out, *old[done:]]


def assert_is_a_difference(old: Sequence[bytes], new: Sequence[bytes], regions: Sequence[Region]) -> None:
    assert patched(old, new, regions) == list(new)
    for region in regions:
        assert region.old_end - region.old_start + region.new_end - region.new_start > 0
    for one, two in pairwise(regions):
        assert one.old_end < two.old_start
        assert two.old_start - one.old_end == two.new_start - one.new_end


@_LAWS
@given(texts(), texts(), st.sampled_from(Slide))
def test_regions_make_the_new_text_and_never_touch(old: bytes, new: bytes, how: Slide) -> None:
    before, after = split_lines(old), split_lines(new)
    assert_is_a_difference(before, after, diff(before, after, how=how))


@_LAWS
@given(texts(), texts())
def test_the_law_holds_when_the_search_is_cut_short(old: bytes, new: bytes) -> None:
    before, after = split_lines(old), split_lines(new)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(myers, "_STEPS", 10)
        assert_is_a_difference(before, after, diff(before, after))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(myers, "_EXACT_EDITS", 2)
        assert_is_a_difference(before, after, diff(before, after))


@_LAWS
@given(texts())
def test_equal_texts_have_no_difference(text: bytes) -> None:
    assert diff(split_lines(text), split_lines(text)) == ()
    assert hunks(text, text) == ()


@_LAWS
@given(st.data(), st.integers(0, 4))
def test_hunks_hold_both_sides_with_their_line_numbers(data: st.DataObject, context: int) -> None:
    old = data.draw(texts())
    new = data.draw(edited(old))
    before, after = split_lines(old), split_lines(new)
    for hunk in hunks(old, new, context=context):
        old_row = hunk.old_start - bool(hunk.old_lines)
        new_row = hunk.new_start - bool(hunk.new_lines)
        assert before[old_row : old_row + len(hunk.old_lines)] == hunk.old_lines
        assert after[new_row : new_row + len(hunk.new_lines)] == hunk.new_lines
        assert any(line.kind is not LineKind.CONTEXT for line in hunk.lines)


def test_hunks_equal_those_of_git(repo: GitRepo) -> None:
    rng = seeded(20)
    pairs: dict[str, tuple[bytes, bytes]] = {}
    for number in range(250):
        old = random_text(rng, rng.choice([1, 3, 10, 40, 150]), rng.choice([2, 3, 5, 8, 30, 200]))
        new = randomly_edited(rng, old, 8)
        if number % 5 == 0:
            new = random_text(rng, rng.choice([0, 2, 10, 100]), rng.choice([2, 5, 30]))
        pairs[f"{number:03}"] = (old, new)
    pairs["latin"] = (b"d\xe9f f():\n" + b"x\n" * 9, b"d\xe9f f():\n" + b"x\n" * 8 + b"y\n")
    pairs["long"] = (b"w" * 78 + "é\n".encode() + b"x\n" * 9, b"w" * 78 + "é\n".encode() + b"x\n" * 8 + b"y\n")
    pairs["form-feed"] = (b"a\n\x0c\n\x0c\nb\n" * 4, b"a\n\x0c\n\x0c\nb\n" * 5)
    repo.commit("old", {name: old for name, (old, _) in pairs.items()})
    repo.write({name: new for name, (_, new) in pairs.items()})
    shown = repo.git("diff", "--no-renames", "--no-color")
    ours = {name.encode(): hunks(old, new) for name, (old, new) in pairs.items() if old != new}
    theirs = {
        change.path: change.body.hunks
        for change in parse_changes(shown, file="git")
        if isinstance(change.body, TextBody)
    }
    assert ours == theirs


def test_a_section_heading_is_cut_to_whole_characters_and_stays_until_the_next_one() -> None:
    filler = b"    x\n" * 20
    old = b"  no\n" + b"w" * 79 + "é\n".encode() + filler + b"a\n" + filler + b"b\n"
    found = hunks(old, old.replace(b"a\n", b"A\n").replace(b"b\n", b"B\n"))
    assert [hunk.section for hunk in found] == [b"w" * 79, b"a"]


def test_starts_name_the_line_before_when_a_side_is_empty() -> None:
    (created,) = hunks(b"", b"a\nb\n")
    assert (created.old_start, created.new_start) == (0, 1)
    (emptied,) = hunks(b"a\nb\n", b"")
    assert (emptied.old_start, emptied.new_start) == (1, 0)
    (inserted,) = hunks(b"a\nb\n", b"a\nx\nb\n", context=0)
    assert (inserted.old_start, inserted.new_start) == (1, 2)


def test_a_changed_end_of_the_last_line_is_a_change() -> None:
    assert diff((b"a\n", b"b\n"), (b"a\n", b"b")) == (Region(1, 2, 1, 2),)


def _numbered(count: int, word: bytes = b"line") -> list[bytes]:
    return [b"%s %d\n" % (word, number) for number in range(count)]


def _shuffled(lines: list[bytes]) -> list[bytes]:
    return seeded(3).sample(lines, len(lines))


def _coins(count: int, seed: int) -> list[bytes]:
    return seeded(seed).choices([b"a\n", b"b\n"], k=count)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        pytest.param(_numbered(10_000), _numbered(10_000, b"other"), id="nothing in common"),
        pytest.param(_numbered(30_000), _shuffled(_numbered(30_000)), id="shuffled"),
        pytest.param([b"a\n", b"b\n"] * 50_000, [b"a\n", b"b\n"] * 45_000, id="repeats"),
        pytest.param(_coins(30_000, 1), _coins(30_000, 2), id="two lines at random"),
        pytest.param([b"a\n"] * 50_000, [b"a\n", b"b\n"] * 25_000, id="every second line"),
    ],
)
def test_hostile_texts_end_in_bounded_time(old: list[bytes], new: list[bytes]) -> None:
    start = time.process_time()
    regions = diff(old, new)
    assert time.process_time() - start < 5  # about 1 at most on a machine of 2020
    assert patched(old, new, regions) == new
