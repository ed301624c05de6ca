"""What is wrong between patches: the same change twice, an order that does not hold, or holds only by context."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from patchq.errors import PatchqError, Where
from patchq.model.change import ChangeKind, LineKind, TextBody
from patchq.model.finding import Finding, Rule
from patchq.queue.overlay import Overlay
from patchq.queue.sides import Misfit, sides_of, writes_of
from patchq.queue.unfit import does_the_same, fits, pinpoint
from patchq.reapply.apply import apply_change
from patchq.reapply.drift import Placed, locate_hunks
from patchq.reapply.hunks import first_row
from patchq.text.lines import split_lines

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from patchq.model.change import Hunk
    from patchq.model.patch import Patch
    from patchq.model.tree import FileState, TreeReader
    from patchq.queue.sides import Sides

    Place = Callable[[Patch], Where]

_TELLING = 12  # bytes of an edit, blanks not counted: a lone `}` or `return` stands in many patches
_MOST_TRIED = 50  # patches behind one that does not apply, looked through for the one that it needs


def same_changes(patches: Sequence[Patch], where: Place) -> Iterator[Finding]:
    """Find edits that two patches make alike in the same file, each told once, at the later patch."""
    seen: dict[tuple[bytes, tuple[object, ...]], Patch] = {}
    for patch in patches:
        twins: dict[str, list[bytes]] = defaultdict(list)
        own: dict[tuple[bytes, tuple[object, ...]], Patch] = {}
        for path, number, hunk in _hunks(patch):
            edit = tuple((line.kind, line.text) for line in hunk.lines if line.kind is not LineKind.CONTEXT)
            if sum(len(b"".join(text.split())) for _, text in edit) < _TELLING:
                continue
            own.setdefault((path, edit), patch)
            twin = seen.get((path, edit))
            if twin is not None:
                twins[str(twin.name)].append(b"%s: hunk %d" % (path, number))
        for name, places in twins.items():
            other = next(one for one in patches if str(one.name) == name)
            whole = does_the_same(other, patch)
            what = "it does the same as" if whole else f"{_listed(places)} makes an edit of"
            hint = f"patchq show {name}; one of the two is enough, or the edit stands there twice"
            yield Finding(rule=Rule.SAME_CHANGE, message=f"{what} {name}", hint=hint, where=where(patch))
        seen = {**own, **seen}


def order_findings(patches: Sequence[Patch], tree: TreeReader, where: Place) -> Iterator[Finding]:
    """Apply `patches` in order on `tree`, their base, and tell what does not hold, and what holds by context alone.

    A patch that does not apply is left out for those behind it.
    """
    stack = Overlay(tree)
    owners = _Owners()
    for at, patch in enumerate(patches):
        sides = sides_of(patch, stack)
        if isinstance(sides, Misfit):
            yield _misfit(patches, at, stack, sides, where)
            continue
        yield from _leanings(patches, at, sides, owners, where)
        owners.take(sides, at)
        stack = stack.written(writes_of(sides))


@dataclass(slots=True)
class _Owners:
    """For each file that patches have changed, whose each line is: a patch's index, or None for upstream's."""

    lines: dict[bytes, list[int | None]] = field(default_factory=dict)

    def of(self, side: Sides) -> list[int | None]:
        """Give the owners of the lines before the change."""
        path = side.change.old_path
        if path is None or side.base is None:
            return []
        return self.lines.get(path) or [None] * len(split_lines(side.base.data))

    def take(self, sides: Sequence[Sides], at: int) -> None:
        """Note that the patch with index `at` was applied."""
        fresh: dict[bytes, list[int | None]] = {}
        for side in sides:
            if side.theirs is None:
                continue
            owned, hunks = self.of(side), _placed(side)
            if hunks is None:
                fresh[side.change.path] = [at] * len(split_lines(side.theirs.data))
                continue
            out: list[int | None] = []
            row = 0
            for hunk in hunks:
                out += owned[row : first_row(hunk)]
                row = first_row(hunk)
                for line in hunk.lines:
                    if line.kind is LineKind.ADDED:
                        out.append(at)
                        continue
                    if line.kind is LineKind.CONTEXT:
                        out.append(owned[row])
                    row += 1
            fresh[side.change.path] = out + owned[row:]
        for side in sides:
            if side.change.kind in {ChangeKind.RENAME, ChangeKind.DELETE} and side.change.old_path is not None:
                self.lines.pop(side.change.old_path, None)
        self.lines.update(fresh)


def _leanings(
    patches: Sequence[Patch], at: int, sides: Sequence[Sides], owners: _Owners, where: Place
) -> Iterator[Finding]:
    """Tell of whose lines a patch changes, and whose it only needs to be there."""
    changed: set[int] = set()
    needed: set[int] = set()
    for side in sides:
        owned = owners.of(side)
        for hunk in _placed(side) or ():
            row = first_row(hunk)
            for line in hunk.lines:
                if line.kind is LineKind.ADDED:
                    continue
                owner = owned[row]
                if owner is not None:
                    (changed if line.kind is LineKind.REMOVED else needed).add(owner)
                row += 1
    patch = patches[at]
    for owner in sorted(changed):
        if at - owner > 1:
            name = patches[owner].name
            between = "1 patch" if at - owner == 2 else f"{at - owner - 1} patches"  # noqa: PLR2004 - neighbours but one
            yield Finding(
                rule=Rule.APART,
                message=f"it changes lines of {name}, with {between} between them",
                hint=f"put it directly behind {name}, or make one patch of the two",
                where=where(patch),
            )
    for owner in sorted(needed - changed):
        name = patches[owner].name
        yield Finding(
            rule=Rule.LEANS_ON,
            message=f"it applies only behind {name}, whose lines it has as context and does not change",
            hint=f"if {name} goes, or moves behind it, this patch has to be refreshed",
            where=where(patch),
        )


def _misfit(patches: Sequence[Patch], at: int, stack: Overlay, misfit: Misfit, where: Place) -> Finding:
    patch = patches[at]
    damage = _damaged(patch, stack)
    error = pinpoint(patch, stack, misfit.error)
    place = where(patch)
    place = Where(file=place.file, patch=place.patch, hunk=error.where.hunk, line=place.line)
    what = f"{error.where.file}: {error.message}" if error.where.file else error.message
    if damage is not None:
        hint = "white space at line ends was changed: ask for the patch again as an attachment, or correct those lines"
        return Finding(rule=Rule.DAMAGED_CONTEXT, message=damage, hint=hint, where=place)
    later = _needed_later(patches, at, stack)
    if later is not None:
        message = f"it applies only behind {later.name}, which stands behind it"
        hint = f"put its line in the series file behind that of {later.name}"
        return Finding(rule=Rule.WRONG_ORDER, message=message, hint=hint, where=place)
    hint = error.hint or "patchq rebase --dry-run tells what is open"
    return Finding(rule=Rule.DOES_NOT_APPLY, message=what, hint=hint, where=place)


def _needed_later(patches: Sequence[Patch], at: int, stack: Overlay) -> Patch | None:
    for later in patches[at + 1 : at + 1 + _MOST_TRIED]:
        sides = sides_of(later, stack)
        if isinstance(sides, Misfit):
            continue
        stack = stack.written(writes_of(sides))
        if fits(patches[at], stack):
            return later
    return None


def _damaged(patch: Patch, stack: TreeReader) -> str | None:
    """Say which line differs from the file's by nothing but white space at its end, where all others are as stated."""
    for change in patch.changes:
        state: FileState | None = None if change.old_path is None else stack.read(change.old_path)
        if state is None or not isinstance(change.body, TextBody):
            continue
        lines = split_lines(state.data)
        first: int | None = None
        for hunk in change.body.hunks:
            row = first_row(hunk)
            there = lines[row : row + len(hunk.old_lines)]
            if [one.rstrip() for one in there] != [one.rstrip() for one in hunk.old_lines]:
                return None
            differs = (row + index for index, (a, b) in enumerate(zip(there, hunk.old_lines, strict=True)) if a != b)
            first = next(differs, None) if first is None else first
        if first is not None:
            path = change.path.decode("utf-8", "backslashreplace")
            return f"{path}: line {first + 1} is the patch's but for white space at its end"
    return None


def _placed(side: Sides) -> Sequence[Hunk] | None:
    """Give the hunks of one file at the rows where they are applied; None where the file has none."""
    body = side.change.body
    if side.base is None or not isinstance(body, TextBody) or len(side.changes) > 1:
        return None
    try:
        if apply_change(side.change, side.base, where=Where()) == side.theirs:
            return body.hunks
    except PatchqError:
        pass  # its lines have drifted
    placement = locate_hunks(body.hunks, side.base.data)
    return placement.hunks if isinstance(placement, Placed) else None


def _hunks(patch: Patch) -> Iterator[tuple[bytes, int, Hunk]]:
    for change in patch.changes:
        for number, hunk in enumerate(change.body.hunks if isinstance(change.body, TextBody) else (), 1):
            yield change.path, number, hunk


def _listed(places: Sequence[bytes]) -> str:
    more = f" and {len(places) - 1} more" if len(places) > 1 else ""
    return places[0].decode("utf-8", "backslashreplace") + more
