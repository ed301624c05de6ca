"""A change whose definitions upstream has moved to other files, cut into one case for each of these and the rest."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from patchq.model.attempt import Case, EditFate
from patchq.model.verdict import ReviewClass
from patchq.reapply.anchored import sides
from patchq.reapply.moves import Lost, Move, Whereabouts
from patchq.reapply.relocating import patched, unpatched
from patchq.reapply.texts import plain_text
from patchq.syntax.definitions import definitions
from patchq.syntax.edits import edits
from patchq.syntax.judge import Accepted
from patchq.syntax.languages import language_of
from patchq.syntax.node import Tree

if TYPE_CHECKING:
    from collections.abc import Sequence

    from patchq.model.attempt import Carried
    from patchq.syntax.definitions import Definition
    from patchq.syntax.languages import Language
    from patchq.syntax.parse import Forest


@dataclass(frozen=True, slots=True)
class Place:
    """Another file of the new upstream, with its text there and in base (None: it is new)."""

    path: bytes
    before: bytes | None
    now: bytes


@dataclass(frozen=True, slots=True)
class Part:
    """The edits of the definitions that went to one file: `case` has that file as ours, and no other edit.

    `whole` is the patched text of the file that they come from.
    """

    case: Case
    moves: tuple[Move, ...]
    whole: bytes

    @property
    def reviews(self) -> tuple[ReviewClass, ...]:
        """The class that each move asks for."""
        return tuple(ReviewClass.E if move.renamed else ReviewClass.D for move in self.moves)

    @property
    def notes(self) -> tuple[str, ...]:
        """What to tell people: which definition went where."""
        path = self.case.ours_path.decode("utf-8", "surrogateescape")
        return tuple(
            f"`{move.base}` moved to {path}{f' as `{move.ours}`' if move.base.steps != move.ours.steps else ''}"
            for move in self.moves
        )

    def unbound(self, carried: Carried) -> tuple[str, ...]:
        """Name what the carried edits use and what was bound where they come from, maybe by the patch itself."""
        language = language_of(self.case.path)
        if language is None or language.judge is None:
            return ()
        there, here, result = (
            (isinstance(judged := language.judge(text), Accepted) and judged.unbound) or frozenset[str]()
            for text in (self.whole, self.case.ours, carried.data)
        )
        return tuple(sorted(result - here - there))

    def landed(self, carried: Carried, forest: Forest) -> bool:
        """Whether the part was carried into, or found in, the definitions that it was cut out for, and nowhere else."""
        read = sides(replace(self.case, theirs=carried.data), forest)
        if not isinstance(read, tuple):
            return False
        language, (_, result, ours) = read
        targets = [move.ours.steps for move in self.moves]
        for edit in edits(ours.root, result.root, language.facts):
            if not any(edit.address.steps[: len(target)] == target for target in targets):
                return False
        names = [str(move.ours) for move in self.moves]
        absorbed = [edit.anchor for edit in carried.evidence.edits if edit.fate is EditFate.ABSORBED]
        return all(any(_within(anchor.partition("::")[2], name) for name in names) for anchor in absorbed)


@dataclass(frozen=True, slots=True)
class Scattered:
    """The cut: `parts` go to other files; `rest` is what stays, None where nothing does."""

    parts: tuple[Part, ...]
    rest: Case | None


@dataclass(frozen=True, slots=True)
class Unfollowed:
    """Why what is gone from the file was not found in another."""

    reason: str


def sought(case: Case, forest: Forest) -> tuple[Definition, ...]:
    """List the definitions of base that the patch changes and that have no place in ours any more."""
    read = sides(case, forest)
    if not isinstance(read, tuple):
        return ()
    language, trees = read
    base, theirs, ours = (definitions(tree.root, language.facts) for tree in trees)
    return tuple(fate.base for fate in Whereabouts(base, theirs, ours).fates() if isinstance(fate, Lost))


def scatter(case: Case, places: Sequence[Place], forest: Forest) -> Scattered | Unfollowed:
    """Find the definitions that the patch changes and that are gone from ours (empty: the file is gone) in `places`.

    Each has to be in one place only, new there, and no twin of another definition that base had in any of the files.
    """
    read = sides(case, forest)
    if not isinstance(read, tuple):
        return Unfollowed(read.reason)
    language, (base, theirs, ours) = read
    home: dict[int, Place] = {}
    elsewhere: list[Definition] = []
    before: list[Definition] = []
    for place in places:
        old = () if place.before is None else _definitions(place.before, language, forest)
        known = {one.key for one in old}
        for one in _definitions(place.now, language, forest):
            if one.key not in known:
                home[id(one)] = place
                elsewhere.append(one)
        before.extend(old)
    of_base, of_theirs, of_ours = (definitions(tree.root, language.facts) for tree in (base, theirs, ours))
    files = {key: place.path.decode("utf-8", "replace") for key, place in home.items()}
    places_of = Whereabouts(of_base, of_theirs, of_ours, tuple(elsewhere), tuple(before), files)
    fates = tuple(places_of.fates())
    lost = [fate for fate in fates if isinstance(fate, Lost)]
    away = [fate for fate in fates if isinstance(fate, Move) and id(fate.ours) in home]
    if lost or not away:
        return Unfollowed(lost[0].reason if lost else "nothing of it is in another file")
    rest = unpatched(theirs, away)
    cut = forest.tree(rest, language)
    stays = not isinstance(cut, Tree) or cut.root.exact != base.root.exact
    parts: list[Part] = []
    for place in dict.fromkeys(home[id(move.ours)] for move in away):
        moves = tuple(move for move in away if home[id(move.ours)] is place)
        text = patched(base, moves)
        there = Case(path=case.path, ours_path=place.path, base=base.source, theirs=text, ours=place.now)
        parts.append(Part(there, moves, case.theirs))
    return Scattered(tuple(parts), replace(case, base=base.source, theirs=rest) if stays else None)


def _definitions(text: bytes, language: Language, forest: Forest) -> tuple[Definition, ...]:
    tree = forest.tree(plain_text(text) or text, language)
    return definitions(tree.root, language.facts) if isinstance(tree, Tree) else ()


def _within(place: str, name: str) -> bool:
    return place == name or place.startswith((f"{name}.", f"{name}[", f"{name}("))
