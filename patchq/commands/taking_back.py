"""Who took back what upstream had absorbed: after a replay, the commits that a returned patch is owed to."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from patchq.commands.crediting import upstream_commits
from patchq.commands.recalling import ground_of, lineage_of
from patchq.errors import GitError
from patchq.gitstore.branches import is_ancestor
from patchq.gitstore.objects import CommitTree, ObjectReader
from patchq.gitstore.renames import renames
from patchq.gitstore.upstream_log import UpstreamLog
from patchq.model.outcome import Answer
from patchq.queue.naming import paths_of, reverts
from patchq.queue.recall import Lineage, taken_back
from patchq.queue.sides import Misfit, sides_of

if TYPE_CHECKING:
    from patchq.commands.replaying import Trip
    from patchq.commands.workspace import Workspace
    from patchq.model.judgement import UpstreamCommit
    from patchq.model.outcome import Asked, Replay
    from patchq.model.series import LedgerEntry


def explained_returns(workspace: Workspace, trip: Trip, replay: Replay) -> Replay:
    """Name in the outcome of every patch that later history took back the commits that did it, where it shows them.

    One that is only asked of an older ref, or of another line, was taken back by nobody. Nothing is fetched.
    """
    holds = partial(is_ancestor, workspace.repo, of=trip.onto.commit)
    for asked in replay.asked:
        entry = trip.past.find(asked.name) if asked.answer is Answer.RETURNED else None
        if entry is not None and lineage_of(entry, trip.onto, holds) is Lineage.LATER:
            replay = taken_back(replay, asked.name, _commits(workspace, trip, entry, asked))
    return replay


def _commits(workspace: Workspace, trip: Trip, entry: LedgerEntry, asked: Asked) -> tuple[UpstreamCommit, ...]:
    repo, base = workspace.repo, None if entry.made_for is None else workspace.find(entry.made_for)
    if base is None or asked.outcome is None:
        return ()
    with ObjectReader(repo) as reader:
        sides = sides_of(asked.outcome.before, ground_of(CommitTree(reader, base.tree), entry.stands_on))
    if isinstance(sides, Misfit):
        return ()
    paths = {side.change.old_path for side in sides if side.change.old_path is not None}
    try:
        places = renames(repo, base.tree, trip.onto.tree, paths)
        since = entry.commit or entry.seen_at.commit
        with UpstreamLog(repo, since, trip.onto.commit, paths_of(sides, places)) as log:
            return upstream_commits(repo, log, reverts(log, sides, places).newest_first(log))
    except GitError:  # a partial clone may lack what lies between; the patch is back all the same
        return ()
