"""Whether one patch, made at base, is still needed on a tree: asked of every edit, file by file, then of the whole."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from patchq.model.attempt import Case
from patchq.model.change import ChangeKind
from patchq.model.judgement import EditFinding, Judgement, Need
from patchq.model.tree import PLAIN
from patchq.model.verdict import AbsorbedHow
from patchq.queue.sides import Misfit, sides_of
from patchq.queue.whereabouts import Homes
from patchq.reapply.addresses import addresses
from patchq.reapply.pieces import Look, look_for, pieces
from patchq.reapply.spots import decoded
from patchq.reapply.standing import Standing
from patchq.reapply.summing import summed
from patchq.text.lines import is_binary

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    from patchq.model.patch import Patch
    from patchq.model.tree import FileState, TreeReader
    from patchq.queue.sides import Sides
    from patchq.reapply.pieces import Pieces

# What a change of a whole file (its being there, its mode, its bytes) weighs beside edits, in words.
_WHOLE = 4.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    """Two trees: `base` is the one that the patch was made for.

    `renames` maps paths of base to where the tree has those files. `changed` names the files of the tree that may
    differ from those of base; it is asked only when something is missing.
    """

    base: TreeReader
    tree: TreeReader
    renames: Mapping[bytes, bytes] = field(default_factory=dict)
    changed: Callable[[], Sequence[bytes]] = tuple


def judge(patch: Patch, question: Question) -> Judgement:
    """Say whether `patch` is still needed on `question.tree`.

    ApplyError or PatchFormatError where it does not apply to its own base. Errors of reading trees pass through.
    """
    sides = sides_of(patch, question.base)
    if isinstance(sides, Misfit):
        raise sides.error
    asked = _Asked(question, Homes(question.base, question.tree, question.changed))
    looks = [look for side in sides for look in asked.looks(side)]
    return Judgement(summed([look.standing for look in looks]), tuple(look.finding for look in looks))


@dataclass(frozen=True, slots=True)
class _Asked:
    question: Question
    homes: Homes

    def looks(self, side: Sides) -> Iterator[Look]:
        """Judge the change of one file: its name, its mode, its contents."""
        change, base, theirs = side.change, side.base, side.theirs
        source = change.path if base is None or change.old_path is None else change.old_path
        here = self.question.renames.get(source, source)
        ours = self.question.tree.read(here)
        if theirs is None:
            yield _deleted(here, base, ours)
            return
        if change.kind is ChangeKind.RENAME and change.path != here:
            target = self.question.tree.read(change.path)
            yield _renamed(change.path, here, target, ours)
            here, ours = (here, ours) if target is None else (change.path, target)
        if base is None:
            yield from self._created(change.path, theirs, ours)
        elif ours is None:
            yield from self._gone(here, base, theirs)
        else:
            yield from self._changed(here, base, theirs, ours)

    def _created(self, path: bytes, theirs: FileState, ours: FileState | None) -> Iterator[Look]:
        if ours is None:
            found = self.homes.of_file(path, theirs.data)
            if found is None:
                yield _whole(path, Need.NEEDED, "there is no such file")
                return
            path, ours = found
        if ours.data == theirs.data:
            yield _whole(path, Need.ABSORBED, "the same file is there", AbsorbedHow.TREE)
        elif _opaque(theirs, ours):
            yield _whole(path, Need.SUPERSEDED, "another file of that name is there")
        else:
            case = Case(path=path, ours_path=path, base=b"", theirs=theirs.data, ours=ours.data)
            for look in look_for(pieces(case), ours.data):
                if look.finding.need is Need.ABSORBED:
                    yield look
                else:
                    yield _whole(path, Need.SUPERSEDED, f"another file of that name is there: {look.finding.reason}")
        yield from _mode(path, None, theirs, ours)

    def _gone(self, path: bytes, base: FileState, theirs: FileState) -> Iterator[Look]:
        if base == theirs:
            return
        found = None if base.mode not in PLAIN else self.homes.of_file(path, base.data)
        if found is not None:
            yield from self._changed(found[0], base, theirs, found[1])
        elif _opaque(base, theirs):
            yield _whole(path, Need.ORPHANED, "the file is gone")
        else:
            case = Case(path=path, ours_path=path, base=base.data, theirs=theirs.data, ours=b"")
            cut = pieces(case)
            orphaned = Standing(need=Need.ORPHANED, reason="the file is gone", literal=True)
            lost = (cut.look(piece, path, replace(orphaned, weight=cut.weight(piece))) for piece in cut.edits)
            looks = (self.homes.of_edit(cut, piece, look) for piece, look in zip(cut.edits, lost, strict=True))
            yield from _addressed(cut, looks)

    def _changed(self, path: bytes, base: FileState, theirs: FileState, ours: FileState) -> Iterator[Look]:
        yield from _mode(path, base, theirs, ours)
        if base.data == theirs.data:
            return
        if _opaque(base, theirs, ours):
            yield _bytes(path, base, theirs, ours)
            return
        case = Case(path=path, ours_path=path, base=base.data, theirs=theirs.data, ours=ours.data)
        cut = pieces(case)
        yield from _addressed(cut, self._found(cut, ours.data))

    def _found(self, cut: Pieces, ours: bytes) -> Iterator[Look]:
        for piece, look in zip(cut.edits, look_for(cut, ours), strict=True):
            settled = look.standing.literal or look.finding.need in {Need.ABSORBED, Need.NEEDED}
            yield look if settled else self.homes.of_edit(cut, piece, look)


def _addressed(cut: Pieces, looks: Iterable[Look]) -> Iterator[Look]:
    """Give each finding the address of what it changes, where there is one."""
    for look, address in zip(looks, addresses(cut), strict=True):
        if address is None:
            yield look
        else:
            anchor = f"{decoded(look.finding.path)}::{address}"
            yield replace(look, finding=replace(look.finding, anchor=anchor))


def _opaque(*states: FileState) -> bool:
    """Whether these are no texts that can be compared by their lines."""
    return any(state.mode not in PLAIN or is_binary(state.data) for state in states)


def _deleted(path: bytes, base: FileState | None, ours: FileState | None) -> Look:
    if ours is None:
        return _whole(path, Need.ABSORBED, "the file is gone, as the patch wants it", AbsorbedHow.TREE)
    if base is not None and ours.data == base.data:
        return _whole(path, Need.NEEDED, "the file is there as it was")
    return _whole(path, Need.NEEDED, "the file is there, changed by upstream")


def _renamed(target: bytes, here: bytes, there: FileState | None, ours: FileState | None) -> Look:
    if there is not None and ours is None:
        return _whole(target, Need.ABSORBED, f"upstream has moved {decoded(here)} there, too", AbsorbedHow.TREE)
    if there is not None:
        return _whole(target, Need.SUPERSEDED, "upstream has another file where the patch moves this one")
    if ours is None:
        return _whole(here, Need.ORPHANED, "the file that the patch moves is gone")
    return _whole(here, Need.NEEDED, f"the file has not moved to {decoded(target)}")


def _mode(path: bytes, base: FileState | None, theirs: FileState, ours: FileState) -> Iterator[Look]:
    """Judge a change of the mode; contents of other kinds (links) are judged by their bytes."""
    if base is not None and base.mode is theirs.mode:
        return
    if ours.mode is theirs.mode:
        if base is not None:
            yield _whole(path, Need.ABSORBED, f"its mode is {theirs.mode.value}", AbsorbedHow.TREE)
    elif base is None or ours.mode is base.mode:
        yield _whole(path, Need.NEEDED, f"its mode is {ours.mode.value}, not {theirs.mode.value}")
    else:
        yield _whole(path, Need.SUPERSEDED, f"its mode is {ours.mode.value}, not {theirs.mode.value}")


def _bytes(path: bytes, base: FileState, theirs: FileState, ours: FileState) -> Look:
    if {theirs.mode, ours.mode} - PLAIN and theirs.mode is not ours.mode:
        return _whole(path, Need.SUPERSEDED, "upstream has another kind of file there")
    if ours.data == theirs.data:
        return _whole(path, Need.ABSORBED, "it has the same bytes", AbsorbedHow.TREE)
    if ours.data == base.data:
        return _whole(path, Need.NEEDED, "it has the bytes from before the patch")
    return _whole(path, Need.SUPERSEDED, "it has other bytes than both sides of the patch")


def _whole(path: bytes, need: Need, reason: str, how: AbsorbedHow | None = None) -> Look:
    """Make a finding about a file as a whole."""
    finding = EditFinding(path=path, anchor=f"{decoded(path)}::", line=None, need=need, how=how, reason=reason)
    literal = need is not Need.SUPERSEDED
    return Look(finding, Standing(need=need, reason=reason, how=how, literal=literal, weight=_WHOLE))
