"""Which commit of upstream broke a patch: after a replay, named for each open one, as far as history shows it here."""

from __future__ import annotations

from dataclasses import replace
from itertools import islice
from typing import TYPE_CHECKING

from patchq.commands.crediting import base_of_patch, upstream_commits
from patchq.gitstore.objects import CommitTree, ObjectReader
from patchq.gitstore.partial import promisor_remote
from patchq.gitstore.renames import renames
from patchq.gitstore.upstream_log import UpstreamLog
from patchq.model.verdict import Verdict
from patchq.queue.forecast import breaking, touched

if TYPE_CHECKING:
    from patchq.commands.replaying import Trip
    from patchq.commands.workspace import Workspace
    from patchq.model.outcome import PatchOutcome, Replay

_MOST = 24  # patches asked for; each costs a few replays of the patches that share its files


def blamed(workspace: Workspace, trip: Trip, replay: Replay) -> Replay:
    """Name in the outcomes of open patches the commits of upstream after which they could not be carried any more.

    A partial clone, which would fetch every version on the way, names none; `patchq forecast` does.
    """
    open_ = [it for it in replay.outcomes if it.verdict.needs_person and it.verdict is not Verdict.BLOCKED]
    if not open_ or promisor_remote(workspace.repo) is not None:
        return replay
    bases = {it.name: base_of_patch(workspace, trip, it) for it in replay.outcomes}
    named: dict[object, PatchOutcome] = {}
    for base in dict.fromkeys(bases[it.name].commit for it in islice(open_, _MOST)):
        group = [it for it in replay.outcomes if bases[it.name].commit == base]
        named |= {it.name: it for it in _of_one_base(workspace, trip, base, group)}
    return replace(replay, outcomes=tuple(named.get(it.name, it) for it in replay.outcomes))


def _of_one_base(workspace: Workspace, trip: Trip, base: str, group: list[PatchOutcome]) -> list[PatchOutcome]:
    repo = workspace.repo
    asked = [it for it in group if it.verdict.needs_person and it.verdict is not Verdict.BLOCKED][:_MOST]
    patches = [it.before for it in group]
    point = base_of_patch(workspace, trip, group[0])
    old_paths = {change.old_path for patch in patches for change in patch.changes if change.old_path is not None}
    places = renames(repo, point.tree, trip.onto.tree, old_paths)
    paths = frozenset[bytes]().union(*(touched(patch, places) for patch in patches))
    with ObjectReader(repo) as reader, UpstreamLog(repo, base, trip.onto.commit, paths) as log:
        found = breaking(log, patches, CommitTree(reader, point.tree), places, {it.name for it in asked})
        turns = [(it, found[it.name]) for it in asked if it.name in found]
        commits = upstream_commits(repo, log, [turn for _, turn in turns])
    return [replace(it, broken_by=commit) for (it, _), commit in zip(turns, commits, strict=True)]
