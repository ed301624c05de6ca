"""What becomes of patches on the way to a new upstream: their verdicts, commit by commit, where they change."""

from __future__ import annotations

from dataclasses import dataclass, field
from itertools import islice
from typing import TYPE_CHECKING

from patchq.model.anchor import Expect
from patchq.model.change import TextBody
from patchq.model.verdict import Accept, Verdict
from patchq.queue.needles import counts, hunk_needles
from patchq.queue.replay import Journey, Task, replay
from patchq.queue.turns import Turn, turns

if TYPE_CHECKING:
    from collections.abc import Collection, Hashable, Mapping, Sequence

    from patchq.model.names import PatchName
    from patchq.model.patch import Patch
    from patchq.model.tree import FileState, TreeReader
    from patchq.model.upstream import History, Version


_TURNS_LOOKED_AT = 4  # a patch may be open in one way and then in another; each look further back costs replays


@dataclass(frozen=True, slots=True)
class Outlook:
    """One patch on its way: the verdict at the start, and each commit that gives it another one, oldest first."""

    name: PatchName
    start: Verdict
    changes: tuple[Turn[Verdict], ...]


def forecast(
    history: History, patches: Sequence[Patch], base: TreeReader, places: Mapping[bytes, bytes]
) -> tuple[Outlook, ...]:
    """Follow `patches`, which fit `base` one after the other, through `history`; `places` says where files have gone.

    Patches that share files are replayed together, all others alone: the answer for a commit depends on the files that
    they touch, and on nothing else of its tree. What leaves a file for another one that no patch touches is gone here;
    a rebase may still follow it.
    """
    found: dict[PatchName, Outlook] = {}
    for group in _groups(patches):
        asked = _Group(history, group, base, places)
        for index, patch in enumerate(group):
            one = _One(asked, index)
            changes = tuple(reversed(tuple(turns(history, one, asked.paths))))
            start = changes[0].before if changes else one.ask(history.versions(history.tip, asked.paths))
            found[patch.name] = Outlook(patch.name, start, changes)
    return tuple(found[patch.name] for patch in patches)


def breaking(
    history: History,
    patches: Sequence[Patch],
    base: TreeReader,
    places: Mapping[bytes, bytes],
    names: Collection[PatchName],
) -> dict[PatchName, Turn[Verdict]]:
    """Find for each of `names`, which are open at the end, the last commit that opened it; else as `forecast`."""
    found: dict[PatchName, Turn[Verdict]] = {}
    for group in _groups(patches):
        if not any(patch.name in names for patch in group):
            continue
        asked = _Group(history, group, base, places)
        for index, patch in enumerate(group):
            if patch.name in names:
                last = list(islice(turns(history, _One(asked, index), asked.paths), _TURNS_LOOKED_AT))
                opening = (turn for turn in last if turn.after.needs_person and not turn.before.needs_person)
                turn = next(opening, None)
                if turn is not None:
                    found[patch.name] = turn
    return found


def touched(patch: Patch, places: Mapping[bytes, bytes]) -> frozenset[bytes]:
    """Name the paths on which the verdict of a patch depends, by their old and new names."""
    paths = {path for change in patch.changes for path in (change.old_path, change.new_path) if path is not None}
    expected = {it.anchor.path.encode("utf-8", "surrogateescape") for it in patch.intents if isinstance(it, Expect)}
    return frozenset({there for path in paths | expected for there in (path, places.get(path, path))})


def _groups(patches: Sequence[Patch]) -> list[list[Patch]]:
    """Put patches together that share a file, or one with a third; in the order of the series within a group."""
    groups: list[tuple[set[bytes], list[int]]] = []
    for index, patch in enumerate(patches):
        paths, members = set(touched(patch, {})), [index]
        rest = []
        for other, theirs in groups:
            if other & paths:
                paths |= other
                members = [*theirs, *members]
            else:
                rest.append((other, theirs))
        groups = [*rest, (paths, members)]
    return [[patches[index] for index in sorted(members)] for _, members in groups]


@dataclass(frozen=True, slots=True)
class _Files:
    """A commit's tree as far as its files are known."""

    history: History
    state: Mapping[bytes, Version | None]

    def read(self, path: bytes) -> FileState | None:
        """Return the file at one of the known paths."""
        version = self.state.get(path)
        return None if version is None else self.history.read(version)


@dataclass(slots=True)
class _Group:
    """Patches that share files, and their verdicts in the states asked for so far."""

    history: History
    patches: Sequence[Patch]
    base: TreeReader
    places: Mapping[bytes, bytes]
    paths: frozenset[bytes] = field(init=False)
    _sought: tuple[bytes, ...] = field(init=False)
    _verdicts: dict[Hashable, tuple[Verdict, ...]] = field(init=False, default_factory=dict)
    _signs: dict[Version, Hashable] = field(init=False, default_factory=dict)

    def __post_init__(self) -> None:
        """Collect the files, and what to count in them."""
        self.paths = frozenset[bytes]().union(*(touched(patch, self.places) for patch in self.patches))
        bodies = [change.body for patch in self.patches for change in patch.changes]
        self._sought = hunk_needles([hunk for body in bodies if isinstance(body, TextBody) for hunk in body.hunks])

    def verdicts(self, state: Mapping[bytes, Version | None]) -> tuple[Verdict, ...]:
        """Replay the patches onto the files of `state`."""
        key = tuple(sorted(state.items(), key=lambda item: item[0]))
        if key not in self._verdicts:
            journey = Journey(
                base=self.base,
                onto=_Files(self.history, state),
                renames=self._renames(state),
                accept=Accept.REVIEW,
            )
            outcomes = replay([Task(patch) for patch in self.patches], journey).outcomes
            self._verdicts[key] = tuple(outcome.verdict for outcome in outcomes)
        return self._verdicts[key]

    def sign(self, state: Mapping[bytes, Version | None]) -> Hashable:
        """Count the hunks and their lines in every file."""
        there = sorted((path, version) for path, version in state.items() if version is not None)
        return tuple((path, self._signed(version)) for path, version in there)

    def _signed(self, version: Version) -> Hashable:
        if not self._sought:
            return version
        if version not in self._signs:
            self._signs[version] = (version.mode, counts(self.history.read(version).data, self._sought))
        return self._signs[version]

    def _renames(self, state: Mapping[bytes, Version | None]) -> dict[bytes, bytes]:
        """Say where each file is that is not at its old path: at its last one, or at one that it had on the way."""
        between = [path for path, version in state.items() if version is not None and path not in self.paths]
        moved: dict[bytes, bytes] = {}
        for patch in self.patches:
            for change in patch.changes:
                old = change.old_path
                if old is None or state.get(old) is not None:
                    continue
                last = self.places.get(old)
                if last is not None and state.get(last) is not None:
                    moved[old] = last
                elif len(between) == 1:
                    moved[old] = between[0]
        return moved


@dataclass(frozen=True, slots=True)
class _One:
    """One patch of a group as a question for `turns`."""

    group: _Group
    index: int

    def ask(self, state: Mapping[bytes, Version | None]) -> Verdict:
        """Its verdict."""
        return self.group.verdicts(state)[self.index]

    def sign(self, state: Mapping[bytes, Version | None]) -> Hashable:
        """Count as for the whole group."""
        return self.group.sign(state)
