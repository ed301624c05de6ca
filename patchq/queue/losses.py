"""Which promised facts a commit loses: those that HEAD keeps and the staged tree does not, wherever a file moved."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import groupby
from typing import TYPE_CHECKING

from patchq.errors import Where
from patchq.model.anchor import Fact, StepKind
from patchq.model.tree import Mode
from patchq.patchfile.intents import parse_anchor
from patchq.reapply.facts import FactState, check_fact
from patchq.syntax.parse import Forest

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from patchq.model.tree import TreeReader
    from patchq.queue.guard import Promise

# A commit that removes a patched file and adds more files than this to look through is taken to lose what was in it.
_MOST_PLACES = 100
_TEXT = (Mode.REGULAR, Mode.EXECUTABLE)


@dataclass(frozen=True, slots=True, kw_only=True)
class Loss:
    """A promise that the commit breaks: what the staged tree says, the texts `gone`, and those `back` unwanted."""

    promise: Promise
    state: FactState
    gone: tuple[str, ...]
    back: tuple[str, ...]


def losses(
    promised: Iterable[Promise], head: TreeReader, staged: TreeReader, elsewhere: Sequence[bytes]
) -> tuple[Loss, ...]:
    """Return the promises that `head` keeps and `staged` breaks, grouped by file.

    A promise that `head` does not keep is not this commit's to lose. Nor is one lost that another file gains with the
    commit: `elsewhere` are the paths that it adds or changes. Errors of reading trees pass through.
    """
    found: list[Loss] = []
    ordered = sorted(promised, key=lambda promise: promise.path)
    for path, group in groupby(ordered, key=lambda promise: promise.path):
        forest = Forest()
        known: set[tuple[str, Fact]] = set()  # several folders of a series record the same patch
        for promise in group:
            key = (str(promise.patch), promise.fact)
            if key in known:
                continue
            known.add(key)
            if not promise.fact.holds and staged.read(path) is None:
                continue  # the patch only took something out, and with the file removed it stays out
            state = _state(promise.fact, path, staged, forest)
            if state is FactState.PRESENT or _state(promise.fact, path, head, forest) is not FactState.PRESENT:
                continue
            if not _moved(promise, head, staged, elsewhere):
                found.append(_loss(promise, state, staged, forest))
    return tuple(found)


def kept(promised: Sequence[Promise], tree: TreeReader) -> bool:
    """Whether `tree` keeps all of `promised`, of which there must be one at least."""
    forest = Forest()
    states = (_state(promise.fact, promise.path, tree, forest) for promise in promised)
    return bool(promised) and all(state is FactState.PRESENT for state in states)


def _state(fact: Fact, path: bytes, tree: TreeReader, forest: Forest) -> FactState:
    file = tree.read(path)
    if file is None or file.mode not in _TEXT:
        return FactState.TARGET_GONE
    return check_fact(fact, path, file.data, forest)


def _loss(promise: Promise, state: FactState, staged: TreeReader, forest: Forest) -> Loss:
    """Say which texts of the fact are concerned."""
    fact = promise.fact

    def broken(part: Fact) -> bool:
        return _state(part, promise.path, staged, forest) is not FactState.PRESENT

    if state is FactState.TARGET_GONE:
        return Loss(promise=promise, state=state, gone=fact.holds, back=())
    return Loss(
        promise=promise,
        state=state,
        gone=tuple(text for text in fact.holds if broken(Fact(anchor=fact.anchor, holds=(text,)))),
        back=tuple(text for text in fact.lacks if broken(Fact(anchor=fact.anchor, lacks=(text,)))),
    )


def _moved(promise: Promise, head: TreeReader, staged: TreeReader, elsewhere: Sequence[bytes]) -> bool:
    """Whether another file of the same kind gains the fact with this commit.

    That it has it is not enough: a twin that had it before would hide the loss.
    """
    fact = promise.fact
    if not fact.holds:
        return False
    kind = _kind(promise.path)
    places = [path for path in elsewhere if path != promise.path and _kind(path) == kind]
    name = promise.path.rsplit(b"/", 1)[-1]
    places.sort(key=lambda path: path.rsplit(b"/", 1)[-1] != name)
    steps = parse_anchor(fact.anchor, where=Where(field=fact.anchor)).steps
    names = [step.text.encode() for step in steps if step.kind is StepKind.NAME]
    for path in places[:_MOST_PLACES]:
        file = staged.read(path)
        # Parsing takes 50 ms a file, so files without the names are passed over.
        if file is None or not all(name in file.data for name in names):
            continue
        forest = Forest()
        if (
            _state(fact, path, staged, forest) is FactState.PRESENT
            and _state(fact, path, head, forest) is not FactState.PRESENT
        ):
            return True
    return False


def _kind(path: bytes) -> bytes:
    return path.rsplit(b"/", 1)[-1].rpartition(b".")[2]
