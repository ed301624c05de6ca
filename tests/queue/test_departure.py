from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from patchq.errors import PatchqError, SeriesError
from patchq.model.names import PatchName
from patchq.model.patch import GitDate, Message, Patch, Person
from patchq.model.series import Entry, RefPoint, Series, Standing
from patchq.model.tree import FileState, Mode
from patchq.patchfile.parse import parse_changes
from patchq.patchfile.read import canonical, read_patch
from patchq.patchfile.render import render_changes
from patchq.queue.adopt import Adopted, Ground, Mirrors, adopt
from patchq.queue.arrival import Arrival, Wording
from patchq.queue.departure import choose, combined
from patchq.queue.overlay import Overlay
from patchq.queue.sides import Misfit, sides_of, writes_of
from patchq.reapply.describe import HashAlgorithm, diff_states
from tests.queue.series import DictTree, patch

MESSAGE = Message(author=Person(b"A", b"a@b"), date=GitDate(0, "+0000"), subject=b"x")
SHA1 = HashAlgorithm.SHA1
TEXT = "".join(f"line {number} of the file\n" for number in range(12))

Tree = dict[bytes, FileState]


def state(text: str) -> FileState:
    return FileState(Mode.REGULAR, text.encode())


@st.composite
def histories(draw: st.DrawFn) -> tuple[Tree, list[Patch]]:
    """A tree, and patches that edit, make, delete and move its files one after the other."""
    first: Tree = {name.encode(): state(f"{name}\n{TEXT}") for name in "abc"}
    tree, patches = dict(first), []
    for number in range(draw(st.integers(1, 5))):
        old = draw(st.sampled_from([*sorted(tree), b"new"]))
        new = draw(st.sampled_from([old, old, b"x", b"y", b"a"]))
        made = state(f"{draw(st.sampled_from(['1', '2']))}\n{TEXT}")
        before = tree.get(old)
        after: FileState | None = made
        if before is None:
            old = b"new"
            new = old
        elif new != old and new in tree:
            continue
        else:
            after = draw(st.sampled_from([made, before] if new != old else [made, None]))
        changes = diff_states(old, before, new, after, algorithm=SHA1)
        if not changes:
            continue
        patches.append(canonical(Patch(name=PatchName(f"p{number}"), message=MESSAGE, changes=changes)))
        tree.pop(old, None)
        if after is not None:
            tree[new] = after
    return first, patches


def applied(tree: Overlay, patches: list[Patch]) -> Overlay:
    for one in patches:
        sides = sides_of(one, tree)
        assert not isinstance(sides, Misfit), sides.error
        tree = tree.written(writes_of(sides))
    return tree


@settings(max_examples=100)
@given(histories(), st.integers(0, 4))
def test_one_diff_makes_what_the_patches_make(history: tuple[Tree, list[Patch]], start: int) -> None:
    first, patches = history
    before, chosen = patches[:start], patches[start:]
    ground = Overlay(DictTree(first))
    changes = combined(before, chosen, ground, SHA1)
    expected = applied(ground, patches)
    got = applied(ground, before)
    if changes:
        assert parse_changes(render_changes(changes), file="all.diff") == changes
        got = applied(got, [Patch(name=PatchName("all"), message=MESSAGE, changes=changes)])
    paths = {*first, *expected.changes, *got.changes}
    assert {path: got.read(path) for path in paths} == {path: expected.read(path) for path in paths}


def test_a_file_that_moved_twice_moved_once() -> None:
    base = {b"a": state(TEXT)}
    steps = [
        diff_states(b"a", state(TEXT), b"b", state(TEXT), algorithm=SHA1),
        diff_states(b"b", state(TEXT), b"c", state(TEXT + "more\n"), algorithm=SHA1),
    ]
    patches = [Patch(name=PatchName(f"p{at}"), message=MESSAGE, changes=step) for at, step in enumerate(steps)]
    (change,) = combined([], patches, DictTree(base), SHA1)
    assert (change.kind.value, change.old_path, change.new_path) == ("rename", b"a", b"c")


HEADS = (
    "Subject: x\nFrom: A <a@b>\nDate: 2023-11-14\n\n",
    "Description: x\n y\nAuthor: A <a@b>\nLast-Update: 2023-11-14\nBug: 7\n",
)


@settings(max_examples=20)
@given(
    st.sampled_from(HEADS),
    st.sampled_from(["", " f | 2 +-\n", "a note\n\n"]),
    st.sampled_from(["", "-- \n2.39\n", "\n"]),
)
def test_a_patch_that_fits_as_it_stands_keeps_every_byte_around_its_diff(head: str, note: str, tail: str) -> None:
    made = patch("x", {"f": TEXT}, {"f": TEXT.replace("line 5", "line five")})
    raw = f"{head}\nWhy.\n---\n{note}".encode() + render_changes(made.changes) + tail.encode()
    kept = read_patch(PatchName("x"), raw, file="x")
    ground = Ground(base=RefPoint("v1", "1" * 40, "2" * 40), tree=DictTree.of({"f": TEXT}))
    for wording, same in ((Wording.KEPT, True), (Wording.WRITTEN_ANEW, False)):
        arrival = Arrival(patch=kept, origin="test", wording=wording)
        adopted = adopt(Series(ref="v1", entries=()), [arrival], ground, Mirrors.IGNORED)
        assert isinstance(adopted, Adopted)
        assert (adopted.patches[0].raw == raw) is same
    moved = replace(ground, tree=DictTree.of({"f": "above\n" + TEXT}))
    arrival = Arrival(patch=kept, origin="t", wording=Wording.KEPT)
    adopted = adopt(Series(ref="v1", entries=()), [arrival], moved, Mirrors.IGNORED)
    assert isinstance(adopted, Adopted)
    assert adopted.patches[0].raw.startswith(f"{head}\nWhy.\n---\n{note}".encode())
    assert adopted.patches[0].raw != raw


def test_ranges_hold_both_ends_and_only_what_is_carried() -> None:
    entries = [Entry(patch=patch(name, {"f": "1\n"}, {"f": "2\n"})) for name in "abcd"]
    entries[2] = replace(entries[2], standing=Standing.NOT_CARRIED)
    series = Series(ref="v1", entries=tuple(entries))

    def names(*texts: str) -> str:
        return "".join(str(entry.patch.name) for entry in choose(series, texts).entries)

    assert (names(), names("b.."), names("..b"), names("..")) == ("abd", "bd", "ab", "abd")
    assert (names("d", "a", "c"), names("b..d", "a")) == ("acd", "abd")
    assert [str(entry.patch.name) for entry in choose(series, ()).left_out] == ["c"]
    for text in ("d..a", "c..c"):
        with pytest.raises(SeriesError):
            names(text)
    with pytest.raises(PatchqError):
        names("z")
