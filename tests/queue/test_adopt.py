from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from patchq.errors import PatchqError, SeriesError
from patchq.model.names import PatchName
from patchq.model.series import RefPoint, Series
from patchq.queue.adopt import Adopted, Ground, Mirrors, Unfit, adopt
from patchq.queue.arrival import Arrival, Naming
from patchq.queue.overlay import Overlay
from patchq.queue.prefixes import Relocation, relocation, with_prefix
from patchq.queue.sides import Misfit, sides_of
from patchq.queue.unfit import does_the_same, is_there, missing_files, same_diff
from tests.queue.series import DictTree, Texts, patch

BASE = RefPoint("v1", "1" * 40, "2" * 40)
EMPTY = Series(ref="v1", entries=())
texts = st.lists(st.sampled_from("abc\n"), max_size=12).map("".join)


def join(base: Texts, *arrivals: Arrival, series: Series = EMPTY) -> Adopted | Unfit:
    return adopt(series, arrivals, Ground(base=BASE, tree=DictTree.of(base)), Mirrors.PROPOSED)


def arriving(name: str, before: Texts, after: Texts, naming: Naming = Naming.DERIVED) -> Arrival:
    return Arrival(patch=patch(name, before, after), origin="test", naming=naming)


@settings(max_examples=60)
@given(texts, texts, texts)
def test_patches_that_were_adopted_make_what_they_made_before(one: str, two: str, three: str) -> None:
    states: list[Texts] = [{"f": one, "keep": "k\n"}, {"f": two}, {"f": three}]
    steps = [
        (name, before, after)
        for name, before, after in zip("ab", states, states[1:], strict=False)
        if before["f"] != after["f"]
    ]
    if not steps:
        return
    adopted = join(states[0], *(arriving(*step) for step in steps))
    assert isinstance(adopted, Adopted)
    tree = Overlay(DictTree.of(states[0]))
    for kept, (_, _, after) in zip(adopted.patches, steps, strict=True):
        sides = sides_of(kept, tree)
        assert not isinstance(sides, Misfit)
        tree = tree.written({side.change.path: side.theirs for side in sides})
        found = tree.read(b"f")
        assert found is not None
        assert found.data == str(after["f"]).encode()


def test_a_patch_in_canonical_form_keeps_every_byte() -> None:
    arrival = arriving("a", {"f": "1\n"}, {"f": "2\n"})
    adopted = join({"f": "1\n"}, arrival)
    assert isinstance(adopted, Adopted)
    assert adopted.patches == (arrival.patch,)


def test_the_second_patch_is_tried_on_top_of_the_first() -> None:
    first, second = arriving("a", {"f": "1\n"}, {"f": "2\n"}), arriving("b", {"f": "2\n"}, {"f": "3\n"})
    assert isinstance(join({"f": "1\n"}, first, second), Adopted)
    unfit = join({"f": "1\n"}, second, first)
    assert isinstance(unfit, Unfit)
    assert unfit.patch == second.patch


def test_a_series_that_is_broken_is_named_before_anything_joins_it() -> None:
    adopted = join({"f": "1\n"}, arriving("a", {"f": "1\n"}, {"f": "2\n"}))
    assert isinstance(adopted, Adopted)
    with pytest.raises(SeriesError, match="the series does not apply to its own base, v1: f: patch a: hunk 1"):
        join({"f": "7\n", "g": "1\n"}, arriving("b", {"g": "1\n"}, {"g": "2\n"}), series=adopted.series)


def test_a_stray_file_takes_a_name_too() -> None:
    series = replace(EMPTY, strays=("a.patch",))
    adopted = join({"f": "1\n"}, arriving("a", {"f": "1\n"}, {"f": "2\n"}), series=series)
    assert isinstance(adopted, Adopted)
    assert [str(one.name) for one in adopted.patches] == ["a-2"]
    with pytest.raises(SeriesError, match="there is a patch a already"):
        join({"f": "1\n"}, arriving("a", {"f": "1\n"}, {"f": "2\n"}, Naming.GIVEN), series=series)


def test_adding_a_line_twice_in_different_places_is_no_twin_but_the_same_change() -> None:
    before = "a\nb\nc\nd\ne\nf\ng\nh\n"
    up, down = patch("up", {"f": before}, {"f": "x\n" + before}), patch("down", {"f": before}, {"f": before + "x\n"})
    assert not same_diff(up, down)
    assert does_the_same(up, down)


def test_what_is_there_is_seen_by_taking_it_back_in_mind_only() -> None:
    one = patch("a", {"f": "1\n", "g": "1\n"}, {"f": "2\n", "g": "2\n"})
    assert is_there(one, DictTree.of({"f": "2\n", "g": "2\n"}))
    assert not is_there(one, DictTree.of({"f": "2\n", "g": "1\n"}))
    assert missing_files(one, DictTree.of({"f": "2\n"})) == (b"g",)


@pytest.mark.parametrize(
    ("paths", "way"),
    [
        ([b"x/a.py"], Relocation(prefix=b"python/")),
        ([b"x/a.py", b"x/b.py"], Relocation(prefix=b"python/")),
        ([b"x/a.py", b"x/c.py"], None),
        ([b"src/python/x/a.py"], Relocation(strip=1)),
        ([b"b.py"], None),  # in two folders
    ],
)
def test_a_relocation_is_given_only_if_it_is_the_one_that_finds_all(paths: list[bytes], way: Relocation | None) -> None:
    files = [b"python/x/a.py", b"python/x/b.py", b"other/b.py"]
    assert relocation(paths, frozenset(files)) == way


def test_a_prefix_cannot_lead_out_of_the_tree() -> None:
    with pytest.raises(PatchqError, match="leaves the tree"):
        with_prefix(patch("a", {"f": "1\n"}, {"f": "2\n"}), b"../")


def test_names_differ_by_more_than_case() -> None:
    first, second = arriving("Fix", {"f": "1\n"}, {"f": "2\n"}), arriving("fix", {"f": "2\n"}, {"f": "3\n"})
    adopted = join({"f": "1\n"}, first, second)
    assert isinstance(adopted, Adopted)
    assert [one.name for one in adopted.patches] == [PatchName("Fix"), PatchName("fix-2")]
