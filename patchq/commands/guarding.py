"""What publishing must not write over: the series of another ref, edits in it, and a person's branch."""

from __future__ import annotations

from typing import TYPE_CHECKING

from patchq.errors import PublishError, SeriesError
from patchq.gitstore.branches import branch_commit, is_ancestor
from patchq.patchfile.read import patch_digest

if TYPE_CHECKING:
    from patchq.commands.replaying import Trip
    from patchq.commands.workspace import Workspace
    from patchq.model.series import Series


def refuse_overwriting(workspace: Workspace, trip: Trip, source: str | None) -> None:
    """Refuse to replace the series that another ref's folder holds, unless `source` says that this is meant."""
    if trip.ref == trip.series.ref or trip.ref not in workspace.store.refs():
        return
    if source is None:
        raise SeriesError(
            f"there is a series for {trip.ref} already, and this would put the one of {trip.series.ref} in its place",
            hint=f"go on with it: patchq rebase {trip.ref} --from {trip.ref}; or replace it: --from {trip.series.ref}",
        )
    edited = _edited(workspace.store.load(trip.ref))
    if edited:
        raise SeriesError(
            f"{edited[0]} of the series for {trip.ref} was edited since it was carried, and this would replace it",
            hint=f"carry on with it: patchq rebase {trip.ref} --from {trip.ref}",
        )


def _edited(series: Series) -> list[str]:
    """Name the patches whose text is not the recorded one."""
    known = {} if series.record is None else {patch.name: patch.digest for patch in series.record.patches}
    patches = [entry.patch for entry in series.entries]
    return [str(patch.name) for patch in patches if known.get(patch.name) != patch_digest(patch.raw)]


def own_branch(workspace: Workspace, branch: str, tip: str) -> str | None:
    """Return where `branch` is now; refuse one that is not where patchq left it: it has a person's commits."""
    now = branch_commit(workspace.repo, branch)
    records = [workspace.store.record(ref) for ref in workspace.store.refs()]
    built = [record.branch_commit for record in records if record is not None and record.branch == branch]
    if now is None or now == tip or any(is_ancestor(workspace.repo, now, commit) for commit in built if commit):
        return now
    raise PublishError(
        f"branch {branch} is at {now[:12]}, which patchq did not build; publishing would drop what is on it",
        hint=f"build another one with --branch NAME, or move it out of the way: git branch -m {branch} NAME",
    )
