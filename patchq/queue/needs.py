"""Which patch needs which: it changes a file or lines that the other one made, or uses a name that it defines."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from patchq.model.anchor import StepKind
from patchq.model.need import Need, NeedKind
from patchq.model.tree import Mode
from patchq.queue.compose import after, before, turns_between
from patchq.syntax.definitions import definitions
from patchq.syntax.languages import language_of
from patchq.syntax.node import Unread
from patchq.syntax.parse import Forest
from patchq.text.diff import diff
from patchq.text.lines import is_binary, split_lines

if TYPE_CHECKING:
    from collections.abc import Sequence

    from patchq.model.names import PatchName
    from patchq.model.tree import FileState
    from patchq.queue.layers import Layer
    from patchq.queue.refresh import Turn

_WORD = re.compile(rb"[A-Za-z_]\w{2,}")  # `i`, `os` and the like say nothing


@dataclass(slots=True)
class _Owned:
    """Who wrote each line of a file (None: upstream), and who last removed lines at each gap around them."""

    lines: list[PatchName | None]
    gaps: list[PatchName | None]


@dataclass(slots=True)
class _Seen:
    """What the patches so far have made."""

    files: dict[bytes, PatchName] = field(default_factory=dict)
    owned: dict[bytes, _Owned] = field(default_factory=dict)
    names: dict[bytes, PatchName] = field(default_factory=dict)


def needs(layers: Sequence[Layer]) -> tuple[Need, ...]:
    """Say for each patch which earlier ones it needs, each reason once, in series order.

    It is read off the texts and can say too much (a word that only looks like a name, lines that could as well stand
    elsewhere) and too little (a call through a table); what really cannot follow is found by `restack`.
    """
    seen, forest = _Seen(), Forest()
    found: dict[Need, None] = {}
    for layer in layers:
        turns = turns_between(before(layer), after(layer))
        reasons = [reason for turn in turns for reason in _of_file(turn, layer.patch.name, seen)]
        words = {word for turn in turns for word in _new_words(turn)}
        reasons += [(seen.names[word], NeedKind.NAME, word) for word in sorted(words & seen.names.keys())]
        for on, kind, what in reasons:
            if on != layer.patch.name:
                found[Need(patch=layer.patch.name, on=on, kind=kind, what=what.decode("utf-8", "replace"))] = None
        for turn in turns:
            seen.names.update(dict.fromkeys(_new_names(turn, forest), layer.patch.name))
    return tuple(found)


def broken_by(found: Sequence[Need], order: Sequence[PatchName]) -> tuple[Need, ...]:
    """Return the needs that are not met in `order`: the other patch is not in it, or stands behind."""
    places = {name: place for place, name in enumerate(order)}
    return tuple(
        need for need in found if need.patch in places and places.get(need.on, len(order)) > places[need.patch]
    )


def _of_file(turn: Turn, name: PatchName, seen: _Seen) -> list[tuple[PatchName, NeedKind, bytes]]:
    """Tell the reasons in one file, and note what the patch makes of it."""
    reasons: list[tuple[PatchName, NeedKind, bytes]] = []
    maker = seen.files.get(turn.old_path)
    if maker is not None and turn.old is not None:
        reasons.append((maker, NeedKind.FILE, turn.old_path))
    owned = seen.owned.pop(turn.old_path, None)
    if turn.new is None or turn.old is None or turn.old_path != turn.new_path:
        seen.files.pop(turn.old_path, None)
        if turn.new is not None:
            seen.files[turn.new_path] = name
    old, new = _lines(turn.old), _lines(turn.new)
    if turn.old is None or turn.new is None or old is None or new is None:
        return reasons
    owned = owned or _Owned([None] * len(old), [None] * (len(old) + 1))
    now = _Owned([], [])
    done = 0
    for region in diff(old, new):
        gone = {it for it in owned.lines[region.old_start : region.old_end] if it is not None}
        touching = owned.gaps[region.old_start : region.old_end + 1]
        touching += owned.lines[max(region.old_start - 1, 0) : region.old_end + 1]
        beside = {it for it in touching if it is not None} - gone
        reasons += [(it, NeedKind.LINES, turn.old_path) for it in sorted(gone)]
        reasons += [(it, NeedKind.BESIDE, turn.old_path) for it in sorted(beside)]
        now.lines += [*owned.lines[done : region.old_start], *([name] * (region.new_end - region.new_start))]
        now.gaps += [*owned.gaps[done : region.old_start], *([name] * (region.new_end - region.new_start))]
        done = region.old_end
        # What stands behind the region now touches lines that are gone.
        owned.gaps[done] = name
    now.lines += owned.lines[done:]
    now.gaps += owned.gaps[done:]
    seen.owned[turn.new_path] = now
    return reasons


def _lines(state: FileState | None) -> list[bytes] | None:
    if state is None or state.mode in {Mode.SYMLINK, Mode.GITLINK} or is_binary(state.data):
        return None
    return list(split_lines(state.data))


def _new_words(turn: Turn) -> set[bytes]:
    """Return the words that the patch brings into a file that had none of them."""
    old, new = _lines(turn.old) or [], _lines(turn.new) or []
    known = {word for line in old for word in _WORD.findall(line)}
    return {word for line in set(new) - set(old) for word in _WORD.findall(line)} - known


def _new_names(turn: Turn, forest: Forest) -> set[bytes]:
    """Return the names that the patch defines in a file where no such word stood before."""
    words = _new_words(turn)
    language = language_of(turn.new_path)
    if language is None or turn.new is None or not words or _lines(turn.new) is None:
        return set()
    tree = forest.tree(turn.new.data, language)
    if isinstance(tree, Unread):
        return set()
    steps = (definition.name for definition in definitions(tree.root, language.facts))
    return words & {step.text.encode("utf-8", "surrogateescape") for step in steps if step.kind is StepKind.NAME}
