"""Which files differ between two trees: the `--raw -z` output of git-diff-tree, read as values."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from patchq.gitstore.objects import TreeEntry
from patchq.model.tree import Mode

if TYPE_CHECKING:
    from collections.abc import Iterator

_NOTHING = b"000000"
_TWO_PATHS = (b"R", b"C")


@dataclass(frozen=True, slots=True, kw_only=True)
class RawChange:
    """One line of a raw diff.

    `status` is the letter of git-diff-tree(1); a side that does not exist has no mode and an id of zeros; the paths
    differ for a rename or copy only. `commit` is the commit whose diff this is, where git was asked for several.
    """

    status: str
    old: TreeEntry
    new: TreeEntry
    old_path: bytes
    new_path: bytes
    commit: str | None


def parse_raw(output: bytes) -> Iterator[RawChange]:
    """Read `:<modes> <ids> <status>`, a path, two for a rename or copy; each field ends with NUL.

    With `--stdin` git writes a commit id before the changes of each commit.
    """
    fields = iter(output.split(b"\0")[:-1])
    commit = None
    for head in fields:
        if not head.startswith(b":"):
            commit = head.decode("ascii")
            continue
        old_mode, new_mode, old_id, new_id, status = head[1:].split(b" ")
        old_path = next(fields)
        new_path = next(fields) if status[:1] in _TWO_PATHS else old_path
        yield RawChange(
            status=status[:1].decode("ascii"),
            old=_entry(old_mode, old_id),
            new=_entry(new_mode, new_id),
            old_path=old_path,
            new_path=new_path,
            commit=commit,
        )


def _entry(mode: bytes, object_id: bytes) -> TreeEntry:
    return TreeEntry(None if mode == _NOTHING else Mode(mode.decode("ascii")), object_id.decode("ascii"))
