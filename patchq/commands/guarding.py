"""What publishing must not write over: the series of another ref, edits in it, and a person's branch."""

from __future__ import annotations

from typing import TYPE_CHECKING

from patchq.errors import PublishError, SeriesError
from patchq.gitstore.branches import branch_commit, is_ancestor, ref_commit
from patchq.gitstore.history import commits
from patchq.gitstore.operations import operations
from patchq.patchfile.read import patch_digest
from patchq.report.words import counted

if TYPE_CHECKING:
    from collections.abc import Sequence

    from patchq.commands.replaying import Trip
    from patchq.commands.workspace import Workspace
    from patchq.gitstore.repository import Repository
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
    """Return where `branch` is now; refuse one that is not where patchq left it: it has a person's commits.

    The records tell where that is, and for a series that came from another clone the log of this one.
    """
    repo = workspace.repo
    now = branch_commit(repo, branch)
    records = [workspace.store.record(ref) for ref in workspace.store.refs()]
    built = [record.branch_commit for record in records if record is not None and record.branch == branch]
    if now is None or now == tip or any(is_ancestor(repo, now, commit) for commit in built if commit):
        return now
    ref = f"refs/heads/{branch}"
    moves = [move for recorded in operations(repo) for move in recorded.moves if move.ref == ref]
    if any(move.new == now for move in moves):
        return now
    raise stray_branch(repo, branch, [*filter(None, built), *(move.new for move in moves if move.new is not None)])


def refuse_stray(repo: Repository, ref: str, left: str | None) -> None:
    """Refuse with PublishError a branch (full name) that has gone on from where patchq `left` it."""
    now = ref_commit(repo, ref)
    if now is not None and left is not None and now != left:
        raise stray_branch(repo, ref.removeprefix("refs/heads/"), [left])


def stray_branch(repo: Repository, branch: str, left: Sequence[str]) -> PublishError:
    """Say what is on `branch` that patchq did not build, and how to keep it; `left` is where patchq left it."""
    now = branch_commit(repo, branch) or ""
    under = next((commit for commit in left if is_ancestor(repo, commit, now)), None)
    aside = f"git branch -m {branch} NAME"
    if under is None:
        return PublishError(
            f"branch {branch} is at {now[:12]}, which patchq did not build; publishing would drop what is on it",
            hint=f"move it out of the way: {aside}; then patchq build",
        )
    made = commits(repo, f"{under}..{now}")
    title = made[-1].message.partition(b"\n")[0].decode("utf-8", "replace")
    what = f"{counted(len(made), 'commit')} on top of what patchq built, the last one: {title}"
    if repo.current_branch == branch:
        hint = (
            f"make a change of the work tree of it: git reset --soft {under[:12]}; then patchq new NAME, or patchq "
            "refresh"
        )
    else:
        hint = f"{aside}; patchq build; patchq import {branch}..NAME"
    return PublishError(f"branch {branch} has {what}", hint=hint)
