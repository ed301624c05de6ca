"""Our change beside upstream's: the retired patch, and what upstream did to the same files."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from patchq.commands.recalling import text_of
from patchq.errors import GitError
from patchq.gitstore.history import first_parent_diff, tree_diff
from patchq.patchfile.parse import parse_changes
from patchq.patchfile.render import render_changes
from patchq.queue.resemble import related

if TYPE_CHECKING:
    from collections.abc import Sequence

    from patchq.commands.workspace import Workspace
    from patchq.model.change import FileChange
    from patchq.model.series import LedgerEntry

_SHORT = 12
_IDS = re.compile(rb"^index [0-9a-f.]+( \d+)?\n", re.MULTILINE)  # no line of a hunk starts so


@dataclass(frozen=True, slots=True)
class Beside:
    """Two diffs and what they are, for the lines above them."""

    ours: bytes
    ours_is: str
    upstream: bytes
    upstream_is: str


def beside(workspace: Workspace, entry: LedgerEntry) -> Beside:
    """Lay the patch's diff beside the commit's that brought it, in its files; else beside upstream's since its base.

    GitError where neither is here.
    """
    patch = text_of(entry)
    made_for = entry.made_for
    ours_is = f"ours: {entry.name}" + ("" if made_for is None else f", made for {made_for.ref}")
    paths = {path for change in patch.changes for path in (change.old_path, change.new_path) if path is not None}
    paths |= {path.encode("utf-8", "surrogateescape") for path in entry.found_in}
    upstream, upstream_is = _upstream(workspace, entry, sorted(paths))
    changes = related(parse_changes(upstream, file="upstream's diff"), patch.changes) if upstream else ()
    return Beside(_rendered(patch.changes), ours_is, _rendered(changes), upstream_is)


def _rendered(changes: Sequence[FileChange]) -> bytes:
    """Write a diff without its object ids: two full ones are wider than a screen, and tell a reader nothing."""
    return _IDS.sub(b"", render_changes(changes))


def _upstream(workspace: Workspace, entry: LedgerEntry, paths: list[bytes]) -> tuple[bytes, str]:
    if entry.commit is not None:
        subject = "" if entry.subject is None else f" {entry.subject}"
        return first_parent_diff(workspace.repo, entry.commit, paths), f"upstream's: {entry.commit[:_SHORT]}{subject}"
    made_for, seen_at = entry.made_for, workspace.find(entry.seen_at)
    base = None if made_for is None else workspace.find(made_for)
    if base is None or seen_at is None:
        missing = made_for if base is None else entry.seen_at
        raise GitError(
            f"what upstream made of {entry.name} cannot be shown: "
            + ("its base is not known" if missing is None else f"{missing.ref} is not here"),
            hint="git fetch --tags",
        )
    told = f"upstream's: from {base.ref} to {seen_at.ref}, what shares a line with it"
    return tree_diff(workspace.repo, base.tree, seen_at.tree, paths), told
