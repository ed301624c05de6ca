"""An operation of the log taken back or done again: branch, series folder, and the checkout that stands on both."""

from __future__ import annotations

from enum import Enum
from typing import TYPE_CHECKING, assert_never

from patchq.commands.following import Files, along
from patchq.commands.locating import series_root
from patchq.commands.standing import standing_of, where_undone
from patchq.commands.workspace import Workspace, short_path
from patchq.errors import PublishError
from patchq.gitstore.checkout import changed_paths, take_into_index
from patchq.gitstore.operations import OPERATIONS_REF, Side, redo_updates, series_files, undo_updates
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
        since = f"after the last {recorded.verb}" if way is Way.BACK else "since it was undone"
        raise PublishError(
            f"the series in {short_path(root)} was changed {since}; {way.value} would lose that",
            hint=f"put your changes aside (git diff {short_path(root)}), then patchq {way.value}",
        )
    standing, there = _follow(workspace, recorded, way)
    files = Files.STAY if recorded.verb in _KEEPING else Files.FOLLOW
    with along(repo, standing, there, files):
        staged = stage_restore(root, series_files(repo, recorded, reach), move=log)
        try:
            update_refs(repo, updates, message=f"patchq {way.value} {recorded.verb}")
        except BaseException:
            discard(staged)
            raise
    finish(staged)
    if standing is not None and files is Files.STAY:
        take_into_index(repo, changed_paths(repo, standing.head, there))


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
