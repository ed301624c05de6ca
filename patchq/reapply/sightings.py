"""Facts of a patch looked for in a text, and told apart: as the patch left it, as it was before, or another value."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING

from patchq.errors import Where
from patchq.model.anchor import Expect, Fact, Mirror, StepKind
from patchq.model.verification import AnchorSight, State
from patchq.patchfile.intents import parse_anchor
from patchq.reapply.facts import FactState, anchor_stands, check_fact
from patchq.reapply.mirror import is_copy

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from patchq.model.anchor import Intent
    from patchq.syntax.parse import Forest


_WORD = re.compile(r"[^\W\d]\w{2,}")


def sightings(
    facts: Sequence[Fact], intents: Sequence[Intent], path: bytes, data: bytes, forest: Forest
) -> tuple[AnchorSight, ...]:
    """Look for `facts` and `intents`, all of one file, in its text `data`, of which `forest` keeps the tree.

    Where a `Mirror:` says that an entry copies its sibling, that is what counts, and not the value that the fact has.
    """
    mirrors = {str(intent.anchor): intent for intent in intents if isinstance(intent, Mirror)}
    found = {fact.anchor: _sighted(fact, mirrors.get(fact.anchor), path, data, forest) for fact in facts}
    for intent in intents:
        anchor = str(intent.anchor)
        if isinstance(intent, Expect) and anchor not in found:
            there = anchor_stands(replace(intent.anchor, path=path.decode("utf-8", "surrogateescape")), data, forest)
            found[anchor] = State.PRESENT if there else State.ABSENT
    return tuple(AnchorSight(anchor, state) for anchor, state in found.items())


def overtaken(facts: Sequence[Fact], later: Iterable[Fact]) -> tuple[Fact, ...]:
    """Return `facts` without what a later patch of the series takes away again, or puts back."""
    gone: dict[str, set[str]] = {}
    back: dict[str, set[str]] = {}
    for fact in later:
        gone.setdefault(fact.anchor, set()).update(fact.lacks)
        back.setdefault(fact.anchor, set()).update(fact.holds)
    left = (
        replace(
            fact,
            holds=tuple(text for text in fact.holds if text not in gone.get(fact.anchor, ())),
            lacks=tuple(text for text in fact.lacks if text not in back.get(fact.anchor, ())),
        )
        for fact in facts
    )
    return tuple(fact for fact in left if fact.holds or fact.lacks)


def is_telling(fact: Fact, before: bytes) -> bool:
    """Say whether a text that is somewhere below the anchor of `fact` can be there through the patch only.

    `before` are the lines that the patch found, as far as they are known. A statement of words that are all in there
    may have stood in the same function before; a keyed entry, or what came for something else, may not.
    """
    anchor = parse_anchor(fact.anchor, where=Where(field=fact.anchor))
    if fact.lacks or not anchor.steps or anchor.steps[-1].kind is not StepKind.NAME:
        return True
    known = set(_WORD.findall(before.decode("utf-8", "replace")))
    return any(not known.issuperset(_WORD.findall(text)) for text in fact.holds)


def true_of(facts: Sequence[Fact], path: bytes, data: bytes, forest: Forest) -> tuple[Fact, ...]:
    """Return the facts that hold in a text, of which `forest` keeps the tree."""
    return tuple(fact for fact in facts if check_fact(fact, path, data, forest) is FactState.PRESENT)


def _sighted(fact: Fact, mirror: Mirror | None, path: bytes, data: bytes, forest: Forest) -> State:
    def stands(part: Fact) -> bool:
        return check_fact(part, path, data, forest) is FactState.PRESENT

    copied = None if mirror is None else is_copy(mirror, path, data, forest)
    if copied is not None:
        return State.PRESENT if copied else State.DIVERGED
    if stands(fact):
        return State.PRESENT
    anchor = parse_anchor(fact.anchor, where=Where(field=fact.anchor))
    here = anchor_stands(replace(anchor, path=path.decode("utf-8", "surrogateescape")), data, forest)
    own = bool(anchor.steps) and (anchor.steps[-1].kind is not StepKind.NAME or _is_of(fact, anchor.steps[-1].text))
    changed = fact.holds and (fact.lacks or not own)
    if check_fact(fact, path, data, forest) is FactState.TARGET_GONE or (changed and not here):
        return State.TARGET_GONE
    held = [stands(Fact(anchor=fact.anchor, holds=(text,))) for text in fact.holds]
    back = [not stands(Fact(anchor=fact.anchor, lacks=(text,))) for text in fact.lacks]
    if any(held):
        return State.PARTIAL
    if not here or not fact.holds:
        return State.ABSENT if all(back) else State.PARTIAL
    if all(back) and back:
        return State.ABSENT
    if any(back):
        return State.PARTIAL
    return State.DIVERGED if fact.lacks or own else State.ABSENT


def _is_of(fact: Fact, name: str) -> bool:
    """Say whether what the fact holds is the very thing that its anchor names, and not something inside of it.

    Of a text that is told by its digest this is not known: a whole function that was added has one.
    """
    begin = re.compile(rf"(?:\w+\s+)*{re.escape(name)}\b")
    return len(fact.holds) == 1 and (begin.match(fact.holds[0]) is not None or fact.holds[0].startswith("sha256:"))
