"""An operation of the log taken back or done again: branch, series folder, and the checkout that stands on both."""

from __future__ import annotations

from enum import Enum
from typing import TYPE_CHECKING, assert_never

from patchq.commands.deciding import decide
from patchq.commands.following import along
from patchq.commands.guarding import refuse_stray
from patchq.commands.locating import series_root
from patchq.commands.standing import standing_of, steps_of, where_undone
from patchq.commands.workspace import Workspace, short_path
from patchq.errors import GitError, PublishError
from patchq.gitstore.checkout import changed_paths, is_untouched
from patchq.gitstore.moving import Files
from patchq.gitstore.operations import OPERATIONS_REF, Side, redo_updates, series_files, undo_updates
from patchq.gitstore.repository import Repository
from patchq.report.document import BuiltBranch
from patchq.report.inventory import Undone, undo_document
from patchq.seriesstore.journal import BranchMove
from patchq.seriesstore.snapshot import snapshot_files, stage_restore
from patchq.seriesstore.store import SeriesStore

if TYPE_CHECKING:
    from pathlib import Path

    from patchq.commands.session import Session
    from patchq.commands.standing import Standing
    from patchq.gitstore.operations import Recorded, RefMove

_BRANCHES = "refs/heads/"
_KEEPING = frozenset({"refresh", "new"})  # these took from the work tree what stands there still


class Way(Enum):
    """Which way along the log; the values are the verbs."""

    BACK = "undo"
    FORTH = "redo"


def workspace_of(session: Session) -> Workspace:
    """Find the repository and where its series is, even if there is none yet or any more."""
    repo = Repository.discover(session.repo_option)
    return Workspace(repo, SeriesStore(series_root(session, repo)))


def retrace(workspace: Workspace, recorded: Recorded, way: Way) -> None:
    """Go over one operation as one publish; needs the lock.

    PublishError where the series is not as the operation left it (found it, for FORTH), GitError where local changes of
    the checkout would be lost; nothing has moved then.
    """
    repo, root = workspace.repo, workspace.store.root
    match way:
        case Way.BACK:
            leave, reach = Side.AFTER, Side.BEFORE
            updates, log = undo_updates(repo, recorded), BranchMove(OPERATIONS_REF, recorded.commit, recorded.previous)
        case Way.FORTH:
            leave, reach = Side.BEFORE, Side.AFTER
            updates, log = redo_updates(recorded), BranchMove(OPERATIONS_REF, recorded.previous, recorded.commit)
        case _:
            assert_never(way)
    if snapshot_files(root) != series_files(repo, recorded, leave):
        _refuse_other_series(repo, recorded, root, way)
        since = f"after the last {recorded.verb}" if way is Way.BACK else "since it was undone"
        raise PublishError(
            f"the series in {short_path(root)} was changed {since}; {way.value} would lose that",
            hint=f"put your changes aside (git diff {short_path(root)}), then patchq {way.value}",
        )
    for move in recorded.moves:
        refuse_stray(repo, move.ref, move.new if way is Way.BACK else move.old)
    standing, there = _follow(workspace, recorded, way)
    files = Files.STAY if recorded.verb in _KEEPING else Files.FOLLOW
    if files is Files.STAY and way is Way.BACK:
        _refuse_losing_work(repo, recorded, standing)
    elif files is Files.STAY and standing is not None and is_untouched(repo, changed_paths(repo, standing.head, there)):
        files = Files.FOLLOW  # the work that was a change again has been thrown away: it comes back from the patch
    staged = stage_restore(root, series_files(repo, recorded, reach), move=log)
    checkout = along(repo, standing, there, files)
    decide(repo, staged, updates, message=f"patchq {way.value} {recorded.verb}", checkout=checkout)


def _refuse_other_series(repo: Repository, recorded: Recorded, root: Path, way: Way) -> None:
    """Name the series that an operation was about, where it is another one of the same repository."""
    if recorded.series is None or (other := (repo.common_dir / recorded.series).resolve()) == root.resolve():
        return
    raise PublishError(
        f"the last command, {recorded.verb}, was about another series: {short_path(other)}",
        hint=f"patchq --series {short_path(other)} {way.value}",
    )


def _refuse_losing_work(repo: Repository, recorded: Recorded, standing: Standing | None) -> None:
    """Refuse where the work that a patch was made of, and would be again, is not in this work tree.

    It lives on in the patch alone once the patch is popped or another branch is checked out.
    """
    for move in recorded.moves:
        made = steps_of(repo, move.old, move.new) if move.old is not None and move.new is not None else None
        if made and (standing is None or made[0].name not in standing.names):
            name = made[0].name
            raise GitError(
                f"the work that {recorded.verb} took into {name} stands in that patch alone: it is not applied here",
                hint=f"patchq goto {name}, then patchq undo: the work becomes a change of the work tree again",
            )


def tell_retraced(session: Session, workspace: Workspace, done: tuple[Recorded, ...], way: Way) -> None:
    """Say what was taken back or done again, in that order, and where branches and series are now."""
    word = "undone" if way is Way.BACK else "redone"
    for recorded in done:
        session.say(f"{word}: {recorded.verb}")
    # Of a branch that moved several times the last move is where it is.
    ends = {move.ref: _end(move, way) for recorded in done for move in recorded.moves}
    for ref, commit in ends.items():
        where = "is gone, as before" if commit is None else f"is at {commit[:12]} again"
        session.say(f"branch {ref.removeprefix(_BRANCHES)} {where}")
    current = workspace.manifest.current if workspace.store.exists() else None
    if current is not None:
        session.say(f"the series is at {current}: {short_path(workspace.store.root)}")
    last = next(((ref, commit) for ref, commit in reversed(ends.items()) if commit is not None), None)
    branch = None if last is None else BuiltBranch(last[0].removeprefix(_BRANCHES), last[1])
    told = Undone(operation=done[-1].verb, ref=current, branch=branch)
    session.document(undo_document(told, command=way.value, count=len(done)))


def _end(move: RefMove, way: Way) -> str | None:
    return move.old if way is Way.BACK else move.new


def _follow(workspace: Workspace, recorded: Recorded, way: Way) -> tuple[Standing | None, str]:
    """Find where the checkout goes with the branch, if it stands on it."""
    current = workspace.manifest.current if workspace.store.exists() else None
    move = next(iter(recorded.moves), None)
    if current is None or move is None:
        return None, ""
    standing = standing_of(workspace, workspace.store.record(current))
    there = where_undone(workspace.repo, standing, move.ref.removeprefix(_BRANCHES), _end(move, way))
    return (None, "") if there is None else (standing, there)
