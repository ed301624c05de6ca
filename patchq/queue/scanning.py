"""Other places that lack what a series adds: lessons of its own edits, looked for in a whole tree and ranked."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from fnmatch import fnmatchcase
from typing import TYPE_CHECKING

from patchq.model.change import ChangeKind
from patchq.model.scan import Age, Lacking, Likeness
from patchq.queue.overlay import Overlay
from patchq.queue.sides import Misfit, sides_of, writes_of
from patchq.reapply.lacking import Sieve, is_telling, places
from patchq.reapply.siblings import lessons
from patchq.text.lines import is_binary

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from patchq.model.names import PatchName
    from patchq.model.patch import Patch
    from patchq.model.tree import TreeReader
    from patchq.reapply.lacking import Place
    from patchq.reapply.siblings import Lesson

# The largest source file of SGLang 0.5.9 has 0.3 MB; more than this is generated.
MAX_BYTES = 1024 * 1024
_CLOSE = 3.0
_HALF = 0.5
_MOST_KIN = 3
_SUBWORD = re.compile(r"[A-Z]{3,}(?![a-z])|[A-Za-z][a-z]{3,}|[a-z]+\d+")


@dataclass(frozen=True, slots=True, kw_only=True)
class Learned:
    """A lesson, the patch that teaches it, and the words with which that patch speaks of it."""

    lesson: Lesson
    patch: PatchName
    words: frozenset[str]


@dataclass(frozen=True, slots=True, kw_only=True)
class Lore:
    """What a series teaches, and its patches that fit the tree in neither state, so that they teach nothing."""

    learned: tuple[Learned, ...]
    unread: tuple[PatchName, ...]


def learn(patches: Sequence[Patch], base: TreeReader) -> Lore:
    """Learn from patches as they apply to `base`, one on the other."""
    learned: list[Learned] = []
    unread: list[PatchName] = []
    stack = Overlay(base)
    for patch in patches:
        sides = sides_of(patch, stack)
        if isinstance(sides, Misfit):
            unread.append(patch.name)
            continue
        stack = stack.written(writes_of(sides))
        said = f"{patch.message.subject.decode('utf-8', 'replace')} {patch.message.body.decode('utf-8', 'replace')}"
        for side in sides:
            if side.change.kind is ChangeKind.MODIFY and side.base and side.theirs:
                for lesson in lessons(side.change.path, side.base.data, side.theirs.data):
                    words = _subwords(" ".join((said, *lesson.steps)))
                    learned.append(Learned(lesson=lesson, patch=patch.name, words=words))
    return Lore(learned=tuple(learned), unread=tuple(unread))


def scan(lore: Lore, files: Iterable[bytes], tree: TreeReader, homes: Mapping[bytes, bytes]) -> tuple[Lacking, ...]:
    """Find the places in `files`, the best first.

    `homes` maps paths of the series to those of the tree: a place that a patch itself changes is none.
    """
    by_lesson: dict[Lesson, list[Learned]] = {}
    for one in lore.learned:
        by_lesson.setdefault(one.lesson, []).append(one)
    sieve = Sieve(tuple(by_lesson))
    found: dict[tuple[bytes, int, str], Lacking] = {}
    for path in files:
        state = tree.read(path)
        if state is None or len(state.data) > MAX_BYTES or is_binary(state.data):
            continue
        for place in places(path, state.data, sieve.passing(state.data)):
            lesson = place.lesson
            if any(_is_home(place, path, one.lesson, homes) for one in lore.learned):
                continue
            teachers = by_lesson[lesson]
            score = _score(place, teachers, near=homes.get(lesson.path, lesson.path) == path)
            if score is None:
                continue
            lacking = _lacking(path, place, [one.patch for one in teachers], score)
            key = (path, place.line, lacking.missing)
            known = found.get(key)
            if known is not None:
                both = tuple(dict.fromkeys((*known.patches, *lacking.patches)))
                lacking = replace(max(known, lacking, key=lambda each: each.score), patches=both)
            found[key] = lacking
    return tuple(sorted(found.values(), key=lambda one: (-one.score, one.path, one.line)))


def aged(found: Sequence[Lacking], before: Iterable[Lacking] | None) -> tuple[Lacking, ...]:
    """Say of each place whether it is among those found `before` (None: not looked), and put the new ones first."""
    if before is None:
        return tuple(found)
    known = {one.key for one in before}
    told = [replace(one, age=Age.OLD if one.key in known else Age.NEW) for one in found]
    return tuple(sorted(told, key=lambda one: one.age is not Age.NEW))


def passed_over(found: Sequence[Lacking], fine: Sequence[str]) -> tuple[tuple[Lacking, ...], int]:
    """Leave out the places that a person has called fine, by path or address (`*` is a wildcard); say how many."""
    kept = tuple(one for one in found if not any(_matches(one, pattern) for pattern in fine))
    return kept, len(found) - len(kept)


def _matches(place: Lacking, pattern: str) -> bool:
    path = place.path.decode("utf-8", "surrogateescape")
    return any(name == pattern or fnmatchcase(name, pattern) for name in (path, place.address))


def _is_home(place: Place, path: bytes, lesson: Lesson, homes: Mapping[bytes, bytes]) -> bool:
    """Whether a patch adds the same thing at this very place."""
    same = homes.get(lesson.path, lesson.path) == path and bool(set(lesson.added) & set(place.gained))
    steps = lesson.steps[: len(place.steps)]
    return same and place.kind == lesson.kind and steps == place.steps


def _score(place: Place, teachers: Sequence[Learned], *, near: bool) -> float | None:
    """Weigh a place; None for one that only happens to hold the same numbers."""
    lesson = place.lesson
    share = len(place.found) / place.count
    shared = len(place.found) / len(lesson.rows)
    like = place.frame == lesson.frame and place.kind == lesson.kind
    words = _subwords(" ".join((*place.steps, place.statement)))
    kin = max(len(words & one.words) for one in teachers)
    telling = all(is_telling(row) for row in place.found)
    if not telling and share < _HALF:
        return None
    return 1.5 * telling + share + shared + like + 0.25 * min(kin, _MOST_KIN) + 0.25 * near


def _lacking(path: bytes, place: Place, patches: Sequence[PatchName], score: float) -> Lacking:
    name = path.decode("utf-8", "surrogateescape")
    steps = "".join(step if step[0] in "[(" else f".{step}" for step in place.steps).lstrip(".")
    return Lacking(
        path=path,
        line=place.line,
        address=f"{name}::{steps}" if steps else name,
        text=place.text,
        missing=place.missing,
        patches=tuple(dict.fromkeys(patches)),
        likeness=Likeness.CLOSE if score >= _CLOSE else Likeness.LOOSE,
        score=score,
    )


def _subwords(text: str) -> frozenset[str]:
    return frozenset(word.lower() for word in _SUBWORD.findall(text))
