from __future__ import annotations

from typing import TYPE_CHECKING

from hypothesis import given, settings
from hypothesis import strategies as st

from patchq.model.names import PatchName
from patchq.model.patch import GitDate, Message, Patch, Person
from patchq.model.series import Entry, RefPoint
from patchq.model.tree import FileState, Mode
from patchq.patchfile.read import canonical
from patchq.queue.adopt import Ground
from patchq.queue.compose import after, before, rewritten
from patchq.queue.edited import carried_layers
from patchq.queue.folding import folded, joined
from patchq.queue.layers import differing, layers_of, restack, top_of
from patchq.queue.order import Beside, End, Side, gathered, moved
from patchq.queue.sides import sides_of, writes_of
from patchq.queue.splitting import NewPart, Selection, split
from patchq.reapply.describe import diff_states

if TYPE_CHECKING:
    from collections.abc import Sequence

    from patchq.model.change import FileChange
    from patchq.queue.layers import Layer

BASE = b"".join(b"line %d\n" % number for number in range(12))
PATHS = (b"a.txt", b"b.txt")
PERSON, DATE = Person(b"Ada", b"ada@example.org"), GitDate(1_700_000_000, "+0000")


class Tree:
    """A tree of files in memory."""

    def __init__(self, files: dict[bytes, bytes]) -> None:
        """Keep the files by their paths."""
        self.files = files

    def read(self, path: bytes) -> FileState | None:
        data = self.files.get(path)
        return None if data is None else FileState(Mode.REGULAR, data)


GROUND = Ground(base=RefPoint("v1", "1" * 40, "2" * 40), tree=Tree(dict.fromkeys(PATHS, BASE)))


def message(subject: str) -> Message:
    return Message(author=PERSON, date=DATE, subject=subject.encode())


def patches(edits: Sequence[dict[bytes, list[int]]]) -> tuple[Patch, ...]:
    """Make a patch of each edit: in each file the numbered lines (of those left) are changed, or one is removed."""
    made: list[Patch] = []
    files = dict.fromkeys(PATHS, BASE)
    for number, edit in enumerate(edits):
        changes: list[FileChange] = []
        for path, rows in edit.items():
            lines = files[path].splitlines(keepends=True)
            for row in rows:
                at = row % len(lines)
                lines[at : at + 1] = [] if row > 20 and len(lines) > 4 else [b"%d by %d\n" % (row, number)]
            old, files[path] = files[path], b"".join(lines)
            changes += diff_states(path, FileState(Mode.REGULAR, old), path, FileState(Mode.REGULAR, files[path]))
        if changes:
            name = PatchName(f"p{number}")
            made.append(canonical(Patch(name=name, message=message(f"patch {number}"), changes=tuple(changes))))
    return tuple(made)


EDIT = st.dictionaries(
    st.sampled_from(PATHS), st.lists(st.integers(0, 30), min_size=1, max_size=3), min_size=1, max_size=2
)
SERIES = st.lists(EDIT, min_size=2, max_size=4).map(patches).filter(lambda made: len(made) > 1)


def stacked(layers: Sequence[Layer]) -> bool:
    """Whether each text makes, on the tree of those before it, what its layer says, read by the texts alone."""
    again = layers_of([layer.patch for layer in layers], GROUND)
    return all(not differing(one.after, two.after) for one, two in zip(again, layers, strict=True))


@settings(max_examples=25)
@given(SERIES, st.data())
def test_in_another_order_every_text_fits_or_the_patch_is_told(series: tuple[Patch, ...], data: st.DataObject) -> None:
    layers = layers_of(series, GROUND)
    order = data.draw(st.permutations(layers))
    stack = restack(order, GROUND)
    assert {layer.patch.name for layer in stack.layers} | {it.name for it in stack.failures} == {
        layer.patch.name for layer in layers
    }
    assert stacked(stack.layers)
    if order == list(layers):
        assert [layer.patch for layer in stack.layers] == [layer.patch for layer in layers]


@settings(max_examples=25)
@given(SERIES, st.data())
def test_folded_patches_make_what_they_made_one_after_the_other(series: tuple[Patch, ...], data: st.DataObject) -> None:
    layers = layers_of(series, GROUND)
    entries = tuple(Entry(patch=patch) for patch in series)
    at = data.draw(st.integers(1, len(series) - 1))
    into, name = series[at - 1].name, series[at].name
    order = gathered(entries, {name}, into)
    if not differing(layers[at - 1].before, layers[at].after):
        return
    edited = folded(order, layers, {name}, into, joined(series[at - 1], [series[at]]), GROUND)
    assert not differing(top_of(edited.layers, GROUND), top_of(layers, GROUND))
    assert stacked(edited.layers)


@settings(max_examples=25)
@given(EDIT, st.data())
def test_the_parts_of_a_split_make_the_whole_and_fold_back_to_it(
    edit: dict[bytes, list[int]], data: st.DataObject
) -> None:
    made = patches([edit])
    if not made:
        return
    (layer,) = layers_of(made, GROUND)
    counts = {change.path: len(change.body.hunks) for change in made[0].changes}  # type: ignore[union-attr] # text
    every = [(path, number) for path, count in counts.items() for number in range(1, count + 1)]
    chosen = data.draw(st.lists(st.sampled_from(every), unique=True, max_size=len(every)))
    if len(chosen) in {0, len(every)}:
        return
    hunks = {path: frozenset(number for it, number in chosen if it == path) for path, _ in chosen}
    whole = frozenset(path for path, numbers in hunks.items() if len(numbers) == counts[path])
    rest = {path: numbers for path, numbers in hunks.items() if path not in whole}
    part = NewPart(name=PatchName("part"), message=message("part"), side=data.draw(st.sampled_from(Side)))
    below, above = split(layer, Selection(whole, rest), part, GROUND)
    assert stacked([below, above])
    assert not differing(above.after, layer.after)
    assert rewritten(made[0], before(below), after(above), GROUND).patch.raw == made[0].raw


def test_a_file_is_followed_through_renames_that_move() -> None:
    data = FileState(Mode.REGULAR, BASE)
    other = FileState(Mode.REGULAR, BASE.replace(b"line 3\n", b"line three\n"))
    rename, edit = diff_states(b"a.txt", data, b"c.txt", data), diff_states(b"c.txt", data, b"c.txt", other)
    series = [
        canonical(Patch(name=PatchName(name), message=message(name), changes=changes))
        for name, changes in (("rename", rename), ("edit", edit))
    ]
    layers = layers_of(series, GROUND)
    stack = restack(layers[::-1], GROUND)
    assert [layer.patch.changes[0].path for layer in stack.layers] == [b"a.txt", b"c.txt"]
    assert not differing(top_of(stack.layers, GROUND), top_of(layers, GROUND))
    sides = sides_of(stack.layers[1].patch, stack.layers[1].before)
    assert isinstance(sides, tuple)
    assert writes_of(sides) == {b"a.txt": None, b"c.txt": other}


def test_places_are_those_that_are_asked_for() -> None:
    entries = tuple(Entry(patch=patch) for patch in patches([{b"a.txt": [number]} for number in range(4)]))
    a, b, c, d = (entry.patch.name for entry in entries)

    def names(order: Sequence[Entry]) -> list[PatchName]:
        return [entry.patch.name for entry in order]

    assert names(moved(entries, c, End.FIRST)) == [c, a, b, d]
    assert names(moved(entries, a, End.LAST)) == [b, c, d, a]
    assert names(moved(entries, a, Beside(Side.AFTER, c))) == [b, c, a, d]
    assert names(moved(entries, d, Beside(Side.BEFORE, b))) == [a, d, b, c]
    assert names(gathered(entries, {a, d}, c)) == [b, a, c, d]
    assert carried_layers(entries, layers_of((entry.patch for entry in entries), GROUND))[2].patch.name == c
