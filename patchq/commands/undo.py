"""`patchq undo`: the last publishing command taken back, branch and series together."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from patchq.commands.following import Files, along
from patchq.commands.locating import series_root
from patchq.commands.standing import standing_of, where_undone
from patchq.commands.workspace import Workspace, short_path, tidy
from patchq.errors import GitError, PublishError
from patchq.gitstore.checkout import changed_paths, take_into_index
from patchq.gitstore.lock import lock
from patchq.gitstore.operations import OPERATIONS_REF, Side, last_operation, series_files, undo_updates
from patchq.gitstore.refs import update_refs
from patchq.gitstore.repository import Repository
from patchq.report.document import BuiltBranch
from patchq.report.inventory import Undone, undo_document
from patchq.seriesstore.journal import BranchMove
from patchq.seriesstore.publish import discard, finish
from patchq.seriesstore.snapshot import snapshot_files, stage_restore
from patchq.seriesstore.store import SeriesStore

if TYPE_CHECKING:
    from patchq.commands.session import Session
    from patchq.commands.standing import Standing
    from patchq.gitstore.operations import Recorded, RefMove

_BRANCHES = "refs/heads/"
_KEEPING = frozenset({"refresh", "new"})  # these took from the work tree what stands there still


@click.command()
@click.pass_obj
def command(session: Session) -> None:
    r"""Take back the last command that published: the branch and the series folder are as before it.

    A checkout that stands on the branch goes along; what refresh or new took from it is a change there again.
    Only what patchq did is undone. When the branch has moved or the series was edited since, nothing is touched.

    \b
    Example:
      patchq undo
    """
    repo = Repository.discover(session.repo_option)
    workspace = Workspace(repo, SeriesStore(series_root(session, repo)))
    with lock(repo, "undo"):
        tidy(session, workspace)
        recorded = last_operation(repo)
        if recorded is None:
            raise GitError("there is nothing to undo", hint="patchq status shows what is recorded")
        _take_back(workspace, recorded)
    move = next(iter(recorded.moves), None)
    branch = None if move is None or move.old is None else BuiltBranch(_short(move), move.old)
    current = workspace.manifest.current if workspace.store.exists() else None
    session.say(f"undone: {recorded.verb}")
    if move is not None:
        where = "is gone, as before" if move.old is None else f"is at {move.old[:12]} again"
        session.say(f"branch {_short(move)} {where}")
    if current is not None:
        session.say(f"the series is at {current}: {short_path(workspace.store.root)}")
    session.document(undo_document(Undone(operation=recorded.verb, ref=current, branch=branch)))


def _take_back(workspace: Workspace, recorded: Recorded) -> None:
    repo, root = workspace.repo, workspace.store.root
    if snapshot_files(root) != series_files(repo, recorded, Side.AFTER):
        raise PublishError(
            f"the series in {short_path(root)} was changed after the last {recorded.verb}; undo would lose that",
            hint=f"put your changes aside (git diff {short_path(root)}), then patchq undo",
        )
    log = BranchMove(OPERATIONS_REF, recorded.commit, recorded.previous)
    standing, there = _follow(workspace, recorded)
    files = Files.STAY if recorded.verb in _KEEPING else Files.FOLLOW
    with along(repo, standing, there, files):
        staged = stage_restore(root, series_files(repo, recorded, Side.BEFORE), move=log)
        try:
            update_refs(repo, undo_updates(repo, recorded), message=f"patchq undo {recorded.verb}")
        except BaseException:
            discard(staged)
            raise
    finish(staged)
    if standing is not None and files is Files.STAY:
        take_into_index(repo, changed_paths(repo, standing.head, there))


def _follow(workspace: Workspace, recorded: Recorded) -> tuple[Standing | None, str]:
    """Find where the checkout goes when the branch goes back, if it stands on it."""
    current = workspace.manifest.current if workspace.store.exists() else None
    move = next(iter(recorded.moves), None)
    if current is None or move is None:
        return None, ""
    standing = standing_of(workspace, workspace.store.record(current))
    there = where_undone(workspace.repo, standing, _short(move), move.old)
    return (None, "") if there is None else (standing, there)


def _short(move: RefMove) -> str:
    return move.ref.removeprefix(_BRANCHES)
