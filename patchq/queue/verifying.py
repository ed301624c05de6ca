"""Whether the effect of a series is in a tree: by object ids, anchors and hunks; the base helps, but may be away."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from patchq.model.change import BinaryBody, ChangeKind, LineKind, TextBody
from patchq.model.tree import PLAIN
from patchq.model.verification import AnchorSight, Demand, FileSight, PatchSight, State
from patchq.queue.carrying import facts_of
from patchq.queue.groundwork import Footing, Ground, footing, in_place
from patchq.queue.overlay import Overlay
from patchq.queue.sides import stacked_sides, turn_of, writes_of
from patchq.queue.weighing import file_state, summed_states
from patchq.reapply.describe import blob_id, hash_of
from patchq.reapply.fragments import HunkState, hunk_state
from patchq.reapply.sightings import is_telling, overtaken, sightings, true_of
from patchq.syntax.parse import Forest
from patchq.text.lines import is_binary

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Mapping, Sequence

    from patchq.model.anchor import Fact, Intent
    from patchq.model.change import FileChange, HunkLine
    from patchq.model.patch import Patch
    from patchq.model.tree import FileState, TreeReader
    from patchq.queue.prefixes import Placed

_SURE = frozenset({HunkState.THERE, HunkState.LIKELY})
_NEW = frozenset({ChangeKind.CREATE, ChangeKind.COPY})


@dataclass(frozen=True, slots=True, kw_only=True)
class Ask:
    """A patch to look for. `facts` is what its record says that it leaves, by path; empty where none fits it."""

    patch: Patch
    demand: Demand
    facts: Mapping[bytes, tuple[Fact, ...]] = field(default_factory=dict)


def verify(asks: Sequence[Ask], tree: Placed, base: TreeReader | None = None) -> tuple[PatchSight, ...]:
    """Say of each patch what `tree` has of it; what a later patch of the series changes again is asked of that one.

    `base` is the tree that the series was made for: with it there are facts of patches edited by hand, too, and none is
    believed that was true before. Errors of reading trees pass through.
    """
    known: dict[bytes, Footing] = {}
    for path, changes in in_place([ask.patch for ask in asks]).items():
        state = tree.read(path)
        if state is not None and (foot := footing(changes, state)).ground is Ground.KNOWN:
            known[path] = foot
    if base is not None:
        asks = _with_base(asks, base, known)
    looking = _Looking(asks, tree, known)
    return tuple(looking.patch(index) for index in range(len(asks)))


def _with_base(asks: Sequence[Ask], base: TreeReader, known: Collection[bytes]) -> tuple[Ask, ...]:
    """Keep of the facts what tells: it is not true of `base`, and is true of the end of the series.

    They are derived where none are on record: for a file of 6,000 lines that takes half a second. Files that are
    `known` without are left out.
    """
    sides = stacked_sides([ask.patch for ask in asks], base)
    final = Overlay(base)
    for made in sides.values():
        final = final.written(writes_of(made))
    forests: defaultdict[bytes, Forest] = defaultdict(Forest)
    found = []
    for ask in asks:
        facts = dict(ask.facts)
        for side in sides.get(ask.patch.name, ()):
            path = side.change.path
            if path not in known:
                told = facts.get(path) or facts_of(turn_of(side))
                start, end = base.read(path), final.read(path)
                before = () if start is None else true_of(told, path, start.data, forests[path])
                told = tuple(fact for fact in told if fact not in before)
                facts[path] = told if end is None else true_of(told, path, end.data, forests[path])
        found.append(Ask(patch=ask.patch, demand=ask.demand, facts=facts))
    return tuple(found)


@dataclass(frozen=True, slots=True)
class _Looking:
    asks: Sequence[Ask]
    tree: Placed
    known: Mapping[bytes, Footing]
    forests: defaultdict[bytes, Forest] = field(default_factory=lambda: defaultdict(Forest))

    def patch(self, index: int) -> PatchSight:
        ask = self.asks[index]
        files = tuple(self._files(index))
        states = [file.state for file in files if file.state is not None]
        state = summed_states(states) if states else State.TARGET_GONE
        return PatchSight(name=ask.patch.name, state=state, demand=ask.demand, files=files)

    def _files(self, index: int) -> Iterator[FileSight]:
        changes = self.asks[index].patch.changes
        made = {change.new_path for change in changes if change.kind is ChangeKind.CREATE}
        for change in changes:
            # A file that becomes a symlink (or the other way round) is written as a deletion and a creation.
            if change.kind is not ChangeKind.DELETE or change.old_path not in made:
                yield self._file(index, change)

    def _file(self, index: int, change: FileChange) -> FileSight:
        path, reason = self._place(index, change)
        if path is None:
            return FileSight(path=change.path, state=None, reason=reason)
        if not self.tree.way.holds(path):
            return FileSight(path=path, state=None, reason="a tree of this kind does not hold it")
        state = self.tree.read(path)
        if change.kind is ChangeKind.DELETE:
            gone = state is None
            said = "the file is gone, as the patch wants it" if gone else "the file is there"
            return FileSight(path=path, state=State.PRESENT if gone else State.ABSENT, reason=said)
        if state is None:
            return self._nothing(path, change)
        found = self._contents(index, change, path, state)
        if change.kind is ChangeKind.RENAME and change.old_path and self.tree.read(change.old_path) is not None:
            said = "the file is there, but also under its old name"
            return FileSight(path=path, state=State.PARTIAL, reason=said, anchors=found.anchors)
        return found

    def _place(self, index: int, change: FileChange) -> tuple[bytes | None, str]:
        """Follow the file through later patches; None with the reason where one of them deletes it."""
        path = change.path
        for ask in self.asks[index + 1 :]:
            for other in ask.patch.changes:
                if other.old_path == path and other.kind is ChangeKind.RENAME and other.new_path is not None:
                    path = other.new_path
                elif other.old_path == path and other.kind is ChangeKind.DELETE:
                    return None, f"{ask.patch.name} deletes it"
        return path, ""

    def _nothing(self, path: bytes, change: FileChange) -> FileSight:
        if change.kind in _NEW:
            return FileSight(path=path, state=State.ABSENT, reason="there is no such file")
        if change.kind is ChangeKind.RENAME and change.old_path and self.tree.read(change.old_path) is not None:
            return FileSight(path=path, state=State.ABSENT, reason="the file has not moved there")
        return FileSight(path=path, state=State.TARGET_GONE, reason="there is no such file")

    def _contents(self, index: int, change: FileChange, path: bytes, state: FileState) -> FileSight:
        mode = _mode_state(change, state)
        if isinstance(change.body, BinaryBody) or state.mode not in PLAIN or is_binary(state.data):
            found = _by_id(change, path, state)
        elif change.path in self.known and _has_contents(change):
            found = self._known(index, change)
        else:
            found = self._text(index, change, path, state)
        if mode is None or found.state is None:
            return found
        if not _has_contents(change):
            said = f"its mode is {state.mode.value}"
            return FileSight(path=path, state=mode, reason=said)
        if mode is State.PRESENT:
            return found
        both = summed_states((found.state, mode))
        return FileSight(path=path, state=both, reason=f"{found.reason}; its mode is {state.mode.value}")

    def _known(self, index: int, change: FileChange) -> FileSight:
        """Judge a file that object ids know."""
        earlier = sum(1 for ask in self.asks[:index] for other in ask.patch.changes if other.path == change.path)
        if earlier in self.known[change.path].done:
            return FileSight(path=change.path, state=State.PRESENT, reason="it is the patched file, byte for byte")
        said = "it is the file from before the patch, byte for byte"
        return FileSight(path=change.path, state=State.ABSENT, reason=said)

    def _text(self, index: int, change: FileChange, path: bytes, state: FileState) -> FileSight:
        if change.kind is ChangeKind.CREATE and isinstance(change.body, TextBody):
            made = b"".join(line for hunk in change.body.hunks for line in hunk.new_lines)
            if state.data == made:
                return FileSight(path=path, state=State.PRESENT, reason="the same file is there")
            if not made:
                return FileSight(path=path, state=State.DIVERGED, reason="another file of that name is there")
        ask = self.asks[index]
        later = [fact for other in self.asks[index + 1 :] for fact in other.facts.get(change.path, ())]
        facts = overtaken(ask.facts.get(change.path, ()), later)
        anchors = sightings(facts, _intents(ask.patch, change), path, state.data, self.forests[path])
        hunks = change.body.hunks if isinstance(change.body, TextBody) else ()
        rewritten = {text for line in self._rewritten(index, change) if (text := line.text.strip())}
        seen = [
            hunk_state(hunk, state.data)
            for hunk in hunks
            if not any(line.kind is LineKind.ADDED and line.text.strip() in rewritten for line in hunk.lines)
        ]
        if not anchors and not seen:
            # All of it is changed again further up: if that is there, so was this.
            above = self._file_of_later(index, change)
            if above is not None:
                return above
            seen = [hunk_state(hunk, state.data) for hunk in hunks]
        if any(hunk not in _SURE for hunk in seen):
            before = b"".join(text for hunk in hunks for text in hunk.old_lines)
            weak = {fact.anchor for fact in facts if not is_telling(fact, before)}
            anchors = tuple(_doubted(sight) if sight.anchor in weak else sight for sight in anchors)
        word, reason = file_state(anchors, seen)
        return FileSight(path=path, state=word, reason=reason, anchors=anchors)

    def _rewritten(self, index: int, change: FileChange) -> Iterator[HunkLine]:
        """Yield the lines of the file that later patches take away."""
        for ask in self.asks[index + 1 :]:
            for other in ask.patch.changes:
                if other.old_path == change.path and isinstance(other.body, TextBody):
                    yield from (
                        line for hunk in other.body.hunks for line in hunk.lines if line.kind is LineKind.REMOVED
                    )

    def _file_of_later(self, index: int, change: FileChange) -> FileSight | None:
        for later in range(index + 1, len(self.asks)):
            for other in self.asks[later].patch.changes:
                if other.old_path == change.path and other.kind is ChangeKind.MODIFY:
                    return self._file(later, other)
        return None


def _doubted(sight: AnchorSight) -> AnchorSight:
    return AnchorSight(sight.anchor, State.DIVERGED) if sight.state is State.PRESENT else sight


def _intents(patch: Patch, change: FileChange) -> tuple[Intent, ...]:
    name = change.path.decode("utf-8", "surrogateescape")
    return tuple(intent for intent in patch.intents if intent.anchor.path == name)


def _has_contents(change: FileChange) -> bool:
    return not isinstance(change.body, TextBody) or bool(change.body.hunks) or change.kind is not ChangeKind.MODIFY


def _mode_state(change: FileChange, state: FileState) -> State | None:
    """Judge a change of the mode; None where the patch makes none."""
    old, new = change.old_mode, change.new_mode
    if change.kind in _NEW or new is None or old is None or new is old:
        return None
    return State.PRESENT if state.mode is new else State.ABSENT if state.mode is old else State.DIVERGED


def _by_id(change: FileChange, path: bytes, state: FileState) -> FileSight:
    if change.new_id is not None and _has_id(state, change.new_id):
        return FileSight(path=path, state=State.PRESENT, reason="it has the bytes that the patch makes")
    if change.old_id is not None and _has_id(state, change.old_id):
        return FileSight(path=path, state=State.ABSENT, reason="it has the bytes from before the patch")
    return FileSight(path=path, state=State.DIVERGED, reason="it has other bytes than both sides of the patch")


def _has_id(state: FileState, stated: str) -> bool:
    algorithm = hash_of(stated)
    return algorithm is not None and blob_id(state.data, algorithm) == stated
