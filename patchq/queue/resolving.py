"""A person's decision about an open patch: checked, kept as a diff, and used again where the same is in question."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from enum import Enum
from typing import TYPE_CHECKING

from patchq.errors import PatchqError, Where
from patchq.model.anchor import Expect
from patchq.model.outcome import FileOutcome
from patchq.model.resolution import Decision, Resolution
from patchq.model.verdict import Verdict
from patchq.patchfile.parse import parse_changes
from patchq.patchfile.render import render_changes
from patchq.queue.carrying import facts_of
from patchq.queue.opened import in_question
from patchq.queue.refresh import Turn, describe, refreshed
from patchq.reapply.apply import apply_change
from patchq.reapply.describe import blob_id, diff_states, hash_of
from patchq.reapply.facts import anchor_stands
from patchq.reapply.spots import decoded
from patchq.reapply.texts import plain_text
from patchq.syntax.judge import Accepted, Rejected
from patchq.syntax.languages import language_of
from patchq.syntax.node import Unread
from patchq.syntax.parse import Forest

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping, Sequence

    from patchq.model.change import FileChange
    from patchq.model.outcome import PatchOutcome
    from patchq.model.tree import FileState
    from patchq.queue.opened import Opened
    from patchq.reapply.describe import HashAlgorithm
    from patchq.syntax.languages import Language

Writes = dict[bytes, "FileState | None"]

# The outer markers alone: a row of `=` is a heading in many a text.
_MARKER = re.compile(rb"^(?:<{7,}|>{7,})(?: .*)?\r?$", re.MULTILINE)


class FlawKind(Enum):
    """What speaks against a resolution."""

    MARKERS = "markers"
    UNPARSED = "unparsed"
    BLEED = "bleed"
    UNMET = "unmet"
    EMPTY = "empty"
    OTHER_FILE = "other-file"  # the diff is of another text than the one that is there


@dataclass(frozen=True, slots=True)
class Flaw:
    """One thing that speaks against a resolution; `path` is empty where it is about all of it."""

    kind: FlawKind
    path: bytes
    reason: str


def resolution_of(
    opened: Opened, writes: Mapping[bytes, FileState | None], *, ref: str, accepted: Collection[FlawKind]
) -> Resolution:
    """Write down what a person has made of `opened`: `writes` is all that differs from its stack.

    Flaws of the kinds `accepted` are accepted for exactly the files that have them now. ApplyError for submodules.
    """
    carried = opened.writes
    changes = [
        change
        for path, state in sorted(writes.items())
        if path not in carried or carried[path] != state
        for change in diff_states(path, opened.stack.read(path), path, state)
    ]
    flaws = flaws_of(opened, writes)
    return Resolution(
        key=opened.key,
        name=opened.patch.name,
        ref=ref,
        kept=_texts(
            path for path in sorted(carried) if path not in writes and carried[path] != opened.stack.read(path)
        ),
        also=_accepted(flaws, FlawKind.BLEED, accepted),
        unparsed=_accepted(flaws, FlawKind.UNPARSED, accepted),
        diff=render_changes(changes),
    )


def writes_of(opened: Opened, resolution: Resolution) -> Writes | Flaw:
    """Return all that `resolution` writes on the stack of `opened`, or why it is not for that."""
    writes: Writes = opened.writes
    for kept in resolution.kept:
        writes.pop(_path(kept), None)
    try:
        changes = parse_changes(resolution.diff, file="resolutions.yaml") if resolution.diff else ()
        made: Writes = {}
        for change in changes:
            path = change.old_path or change.path
            before = made[path] if path in made else opened.stack.read(path)
            if not _is_for(change, before):
                return Flaw(FlawKind.OTHER_FILE, path, "the file is another one now")
            made[change.path] = apply_change(change, before, where=Where(file=decoded(path)))
    except PatchqError as error:
        return Flaw(FlawKind.OTHER_FILE, b"", str(error))
    return {**writes, **made}


def flaws_of(
    opened: Opened, writes: Mapping[bytes, FileState | None], resolution: Resolution | None = None
) -> tuple[Flaw, ...]:
    """Name what speaks against `writes`: markers, new parse errors, files of others, `Expect:` not met, no change.

    What `resolution` says was accepted is none.
    """
    also = frozenset(map(_path, resolution.also)) if resolution is not None else frozenset()
    unparsed = frozenset(map(_path, resolution.unparsed)) if resolution is not None else frozenset()
    changed = {path: state for path, state in writes.items() if opened.stack.read(path) != state}
    if not changed:
        return (Flaw(FlawKind.EMPTY, b"", "nothing is left that the patch changes"),)
    flaws: list[Flaw] = []
    for path, state in sorted(changed.items()):
        flaws += _markers(opened, path, state)
        if path not in unparsed:
            flaws += _parse(opened, path, state)
        if path not in opened.own_paths | also:
            flaws.append(Flaw(FlawKind.BLEED, path, f"{decoded(path)} is no file of {opened.patch.name}"))
    return (*flaws, *_unmet(opened, writes))


def resolved(outcome: PatchOutcome, opened: Opened, resolution: Resolution, algorithm: HashAlgorithm) -> PatchOutcome:
    """Return the outcome of an open patch by a resolution; open with a note where that does not prove itself."""
    if resolution.decision is Decision.ABSORBED:
        return _absorbed(outcome, resolution)
    writes = writes_of(opened, resolution)
    flaws = (writes,) if isinstance(writes, Flaw) else flaws_of(opened, writes, resolution)
    if isinstance(writes, Flaw) or flaws:
        note = f"the remembered resolution {resolution.identity} was not used: {flaws[0].reason}"
        return replace(outcome, notes=(*outcome.notes, note))
    others = tuple(file for file in outcome.files if not in_question(file)) if opened.carried else ()
    known = {file.path for file in others}
    turns = _turns(opened, writes)
    made = tuple(_file(turn, resolution) for turn in turns if turn.new_path not in known)
    changes = [change for turn in turns for change in describe(turn, algorithm)]
    return replace(
        outcome,
        after=refreshed(outcome.before, changes, opened.renames),
        verdict=Verdict.ADAPTED,
        rung=None,
        review=None,
        files=(*others, *made),
        notes=(f"resolved by hand (resolution {resolution.identity}, made for {resolution.ref})",),
        writes=writes,
        absorbed_how=None,
        blocked_by=(),
        held=False,
        landed_in=(),
        landed=None,
    )


def _absorbed(outcome: PatchOutcome, resolution: Resolution) -> PatchOutcome:
    said = f"a person said that upstream has it (resolution {resolution.identity}, made for {resolution.ref})"
    files = tuple(
        replace(file, verdict=Verdict.ABSORBED, rung=None, review=None, evidence=said, conflicts=(), facts=())
        for file in outcome.files
    )
    return replace(
        outcome, after=None, verdict=Verdict.ABSORBED, rung=None, review=None, files=files, notes=(said,), writes={},
        blocked_by=(), held=False,
    )  # fmt: skip


def _turns(opened: Opened, writes: Mapping[bytes, FileState | None]) -> list[Turn]:
    """Describe what is written; a file that patchq carries, and nobody changed, as it is carried, renames included."""
    turns = []
    left = dict(writes)
    for turn in opened.carried:
        paths = {turn.new_path: turn.new} | ({turn.old_path: None} if turn.old_path != turn.new_path else {})
        if all(path in left and left[path] == state for path, state in paths.items()):
            turns.append(turn)
            for path in paths:
                del left[path]
    return [
        *turns,
        *(Turn(old_path=path, old=opened.stack.read(path), new_path=path, new=it) for path, it in sorted(left.items())),
    ]


def _file(turn: Turn, resolution: Resolution) -> FileOutcome:
    return FileOutcome(
        path=turn.new_path,
        old_path=None,
        verdict=Verdict.ADAPTED,
        rung=None,
        review=None,
        evidence=f"resolved by hand (resolution {resolution.identity})",
        facts=facts_of(turn),
    )


def _is_for(change: FileChange, before: FileState | None) -> bool:
    algorithm = None if change.old_id is None else hash_of(change.old_id)
    if change.old_id is None or algorithm is None or before is None:
        return True
    return blob_id(before.data, algorithm) == change.old_id


def _sides(opened: Opened, path: bytes) -> tuple[FileState | None, FileState | None, FileState | None]:
    """Return base, theirs and ours of a file, as far as the patch has it."""
    for file in opened.files:
        if path in {file.here, file.sides.change.new_path}:
            return file.sides.base, file.sides.theirs, file.ours
    return None, None, opened.stack.read(path)


def _markers(opened: Opened, path: bytes, state: FileState | None) -> list[Flaw]:
    if state is None:
        return []
    found = _MARKER.findall(state.data)
    known = max((len(_MARKER.findall(it.data)) for it in _sides(opened, path) if it is not None), default=0)
    if len(found) <= known:
        return []
    line = state.data[: state.data.index(found[0])].count(b"\n") + 1
    return [Flaw(FlawKind.MARKERS, path, f"{decoded(path)}:{line}: a conflict marker is left")]


def _parse(opened: Opened, path: bytes, state: FileState | None) -> list[Flaw]:
    language = language_of(path)
    if state is None or language is None:
        return []
    forest = Forest()
    result = forest.tree(plain_text(state.data) or state.data, language)
    if isinstance(result, Unread):
        return []
    base, theirs, ours = _sides(opened, path)
    base_errors, theirs_errors, ours_errors = (_errors(forest, it, language) for it in (base, theirs, ours))
    if result.root.errors > ours_errors + max(0, theirs_errors - base_errors):
        return [Flaw(FlawKind.UNPARSED, path, f"{decoded(path)} does not parse")]
    if language.judge is None:
        return []
    verdict = language.judge(state.data)
    inputs = [language.judge(it.data) for it in (theirs, ours) if it is not None]
    if isinstance(verdict, Rejected) and all(isinstance(it, Accepted) for it in inputs):
        return [Flaw(FlawKind.UNPARSED, path, f"{decoded(path)} does not parse: {verdict.reason}")]
    return []


def _errors(forest: Forest, state: FileState | None, language: Language) -> int:
    tree = None if state is None else forest.tree(plain_text(state.data) or state.data, language)
    return 0 if tree is None or isinstance(tree, Unread) else tree.root.errors


def _unmet(opened: Opened, writes: Mapping[bytes, FileState | None]) -> list[Flaw]:
    after = opened.stack.written(writes)
    for intent in opened.patch.intents:
        if isinstance(intent, Expect):
            path = _path(intent.anchor.path)
            path = opened.renames.get(path, path)
            state = after.read(path)
            if state is None or not anchor_stands(intent.anchor, state.data):
                return [Flaw(FlawKind.UNMET, path, f"the patch says `Expect: {intent.anchor}`, which is not there")]
    return []


def _accepted(flaws: Sequence[Flaw], kind: FlawKind, accepted: Collection[FlawKind]) -> tuple[str, ...]:
    return _texts(flaw.path for flaw in flaws if flaw.kind is kind and kind in accepted)


def _texts(paths: Iterable[bytes]) -> tuple[str, ...]:
    return tuple(path.decode("utf-8", "surrogateescape") for path in paths)


def _path(text: str) -> bytes:
    return text.encode("utf-8", "surrogateescape")
