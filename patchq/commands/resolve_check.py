"""Why a resolution is not taken: what is left to do in its files, each refusal with the command to type next."""

from __future__ import annotations

import shlex
from typing import TYPE_CHECKING, assert_never

from patchq.commands.work import listed
from patchq.errors import SeriesError
from patchq.queue.resolving import Flaw, FlawKind, flaws_of, writes_of
from patchq.reapply.spots import decoded

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping

    from patchq.commands.sitting import Current
    from patchq.model.resolution import Resolution
    from patchq.model.tree import FileState
    from patchq.queue.opened import Opened


def refuse_flaws(opened: Opened, writes: Mapping[bytes, FileState | None], resolution: Resolution, place: str) -> None:
    """Refuse what does not prove itself, and what would not be the same when it is used again (SeriesError)."""
    flaws = flaws_of(opened, writes, resolution)
    if flaws:
        kind = flaws[0].kind
        same = [flaw for flaw in flaws if flaw.kind is kind]
        more = f"; {len(same) - 1} more files likewise" if len(same) > 1 else ""
        raise SeriesError(f"{opened.patch.name}: {same[0].reason}{more}", hint=_hint(kind, same, place))
    again = writes_of(opened, resolution)
    changed = {path: state for path, state in writes.items() if opened.stack.read(path) != state}
    if isinstance(again, Flaw) or {p: s for p, s in again.items() if opened.stack.read(p) != s} != changed:
        raise SeriesError(
            f"{opened.patch.name}: its files cannot be written down as a diff and read back the same",
            hint=f"patchq skip; then edit the patch file itself; your files are in {place}",
        )


def refuse_undecided(current: Current, unmerged: Collection[bytes], ids: Mapping[bytes, str], place: str) -> None:
    """Refuse while git has a file as unmerged and it is as it was laid out: nobody has said that it is right."""
    shown = {path.encode("utf-8", "surrogateescape"): it for path, it in (current.shown or {}).items()}
    left = [path for path in sorted(unmerged) if path in shown and ids.get(path, shown[path]) == shown[path]]
    if left:
        named = shlex.join(decoded(path) for path in left)
        raise SeriesError(
            f"{current.name}: {listed(left)} is as it was laid out, and git has it as unmerged",
            hint=f"if it is right: git -C {place} add {named}; or take it away: git -C {place} rm {named}",
        )


def refuse_losing(
    opened: Opened, current: Current, writes: Mapping[bytes, FileState | None], ids: Mapping[bytes, str], place: str
) -> None:
    """Refuse to retire a patch while its work tree has edits, which would be lost with it."""
    shown = {path.encode("utf-8", "surrogateescape"): it for path, it in (current.shown or {}).items()}
    carried = opened.writes
    edited = [
        path
        for path, state in sorted(writes.items())
        if not (path in shown and ids.get(path) == shown[path]) and not (path in carried and carried[path] == state)
    ]
    if edited:
        raise SeriesError(
            f"{listed(edited)} in {place} is changed, and --absorbed would drop that",
            hint=f"keep the patch: patchq continue; or take the edits back: git -C {place} checkout HEAD -- .",
        )


def _hint(kind: FlawKind, flaws: Collection[Flaw], place: str) -> str:
    paths = [decoded(flaw.path) for flaw in flaws]
    match kind:
        case FlawKind.MARKERS:
            return f"make the file right, then patchq continue: {place}/{paths[0]}"
        case FlawKind.UNPARSED:
            return f"mend {place}/{paths[0]}; or, if it is right all the same: patchq continue --accept unparsed"
        case FlawKind.BLEED:
            also = shlex.join(word for path in paths for word in ("--also", path))
            back = f"git -C {place} checkout HEAD -- FILE"
            return f"take it back ({back}), or make it a part of the patch: patchq continue {also}"
        case FlawKind.UNMET:
            return "make the file as it says; or patchq skip, then edit the trailer: patchq edit"
        case FlawKind.EMPTY:
            return (
                "upstream has what it does: patchq continue --absorbed; leave it as not carried: patchq skip "
                "(and then, if nobody needs it: patchq drop NAME --reason TEXT)"
            )
        case FlawKind.OTHER_FILE:
            return "patchq abort, then patchq resolve again"
        case _:
            assert_never(kind)
