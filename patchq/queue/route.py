"""A file of a patch on its way: where upstream has it, where the patch leaves it, and what is beside its contents."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from patchq.model.change import ChangeKind

if TYPE_CHECKING:
    from patchq.model.tree import FileState, Mode
    from patchq.queue.sides import Sides


@dataclass(frozen=True, slots=True)
class Route:
    """A file on its way: upstream has it at `here` as `ours`, the patch leaves it at `target`."""

    sides: Sides
    here: bytes
    target: bytes
    ours: FileState | None

    @property
    def moves(self) -> bool:
        """Whether the patch still has to move the file."""
        return self.here != self.target

    @property
    def old_path(self) -> bytes | None:
        """Where the patch has the file, if upstream has it elsewhere."""
        path = self.sides.change.path
        return None if path == self.target else path


def beside_contents(route: Route, mode: Mode) -> str:
    """Name what the patch still has to do to a file whose contents are merged to `mode`; nothing: an empty text."""
    changed = route.ours is not None and mode is not route.ours.mode
    parts = {"the new name": route.moves, "the mode": changed}
    return " and ".join(part for part, left in parts.items() if left)


def landed_beside(route: Route, made: FileState | None) -> bool:
    """Whether upstream has the name, the mode or all contents that a patch gives a file, and `made` is the rest."""
    base, theirs, ours = route.sides.base, route.sides.theirs, route.ours
    if base is None or theirs is None or ours is None or made is None:
        return False
    change = route.sides.change
    renamed = change.kind is ChangeKind.RENAME and route.here == change.path != change.old_path
    mode = base.mode is not theirs.mode is ours.mode
    contents = base.data != theirs.data == ours.data
    return (renamed or mode or contents) and (made != ours or route.moves)
