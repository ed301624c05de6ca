"""Where the answer to a question about files changes along upstream's history: the commit, and the merges above it."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Generic, Protocol, TypeVar

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from patchq.model.upstream import History, Step, Version

Answer_co = TypeVar("Answer_co", bound=Hashable, covariant=True)

MOST_DEPTH = 24  # merges in merges; beyond that the merge itself is named
MOST_NAMES = 12  # of the files of one question on their way


class Question(Protocol[Answer_co]):
    """What is asked of the versions of a few files; both methods get the version of each path (None: no file).

    `ask` is exact and may be slow; it is asked the same again and should remember. `sign` is quick: where it gives the
    same for versions that follow each other, the answers are taken to be the same, until those at both ends of such a
    run are seen to differ.
    """

    def ask(self, state: Mapping[bytes, Version | None]) -> Answer_co:
        """Answer for one state of the files."""
        ...

    def sign(self, state: Mapping[bytes, Version | None]) -> Hashable:
        """Return what the answer most likely depends on."""
        ...


@dataclass(frozen=True, slots=True)
class Turn(Generic[Answer_co]):
    """A commit with another answer (`after`) than its first parent has, both asked.

    `before` is the answer before it or, where it came with a merge, before that; `old` and `new` are the versions of
    the files around the commit itself. `merges` are those that brought it to the line that was followed from the tip,
    the one on that line first. The commit may itself be a merge, where none of the lines that it joins has made the
    difference alone.
    """

    step: Step
    before: Answer_co
    after: Answer_co
    old: Mapping[bytes, Version | None]
    new: Mapping[bytes, Version | None]
    merges: tuple[Step, ...] = ()


def turns(history: History, question: Question[Answer_co], paths: frozenset[bytes]) -> Iterator[Turn[Answer_co]]:
    """Yield the turns between tip and base, newest first, looking back as far as somebody asks.

    `paths` are all names that the files are known to have had; further ones are found where git sees a rename.
    Errors of reading the history pass through.
    """
    if history.holds(history.tip):
        walk = _Walk(history, question, paths, len(paths))
        for turn in walk.line(history.tip):
            yield walk.inward(turn, MOST_DEPTH)


@dataclass(frozen=True, slots=True)
class _Point:
    """The files before `step`; at the start of a line (None), the files there."""

    state: Mapping[bytes, Version | None]
    step: Step | None


@dataclass(slots=True)
class _Walk(Generic[Answer_co]):
    """A question on its way back; `paths` grows with each rename that is met."""

    history: History
    question: Question[Answer_co]
    paths: frozenset[bytes]
    given: int

    def line(self, start: str) -> Iterator[Turn[Answer_co]]:
        """Yield the turns of one line of first parents, newest first."""
        run: list[_Point] = []
        sign: Hashable = None
        for point in self._points(start):
            signed = self.question.sign(point.state)
            if run and signed != sign:
                yield from self._between([*run, point])
                run = []
            sign = signed
            run.append(point)
        yield from self._between(run)

    def inward(self, turn: Turn[Answer_co], depth: int) -> Turn[Answer_co]:
        """Follow a turn at a merge into the line that brought it; it stays at the merge where none did alone."""
        for parent in turn.step.parents[1:]:
            if depth == 0 or not self.history.holds(parent):
                continue
            if self.question.ask(self.history.versions(parent, self.paths)) != turn.after:
                continue
            inner = next(self.line(parent), None)
            if inner is not None:
                found = replace(inner, before=turn.before, merges=(*turn.merges, turn.step))
                return self.inward(found, depth - 1)
        return turn

    def _between(self, run: Sequence[_Point]) -> Iterator[Turn[Answer_co]]:
        """Find the turns between the ends of a run of points; the one most likely is at its older end."""
        if len(run) < 2:  # noqa: PLR2004 - two ends
            return
        ask = self.question.ask
        newer, oldest = 0, ask(run[-1].state)
        while (answer := ask(run[newer].state)) != oldest:
            older, at = len(run) - 1, len(run) - 2
            while older - newer > 1:
                if ask(run[at].state) == answer:
                    newer = at
                else:
                    older = at
                at = (newer + older) // 2
            step = run[older].step
            if step is not None:
                old, new = run[older].state, run[newer].state
                yield Turn(step, ask(old), answer, old, {**new, **_after(step)})
            newer = older

    def _points(self, start: str) -> Iterator[_Point]:
        """Yield the files at the start of a line, and before each commit that changes one of them.

        Where a commit has moved a file from another name, that name is looked at as well from there on.
        """
        state = dict(self.history.versions(start, self.paths))
        yield _Point(dict(state), None)
        line = self.history.steps(start, self.paths)
        while (step := next(line, None)) is not None:
            state.update({path: turned.before for path, turned in step.changes.items()})
            former = self._former(step)
            if former:
                state.update(former)
                self.paths |= former.keys()
                line = self.history.steps(step.parents[0], self.paths)
            yield _Point(dict(state), step)

    def _former(self, step: Step) -> dict[bytes, Version | None]:
        """Find what a file that came with `step` was called before, where no path looked at has gone with it."""
        gone = any(turned.after is None for turned in step.changes.values())
        if gone or len(self.paths) >= MOST_NAMES + self.given:
            return {}
        came = [path for path, turned in step.changes.items() if turned.before is None]
        found = (self.history.came_from(step, path) for path in came)
        return dict(pair for pair in found if pair is not None and pair[0] not in self.paths)


def _after(step: Step) -> dict[bytes, Version | None]:
    return {path: turned.after for path, turned in step.changes.items()}
