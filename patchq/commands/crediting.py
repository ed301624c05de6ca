"""Whom upstream's part of a patch is owed to: after a replay, the commits that brought what it absorbed."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from patchq.commands.recalling import ground_of
from patchq.errors import GitError
from patchq.gitstore.history import read_commits
from patchq.gitstore.objects import CommitTree, ObjectReader
from patchq.gitstore.partial import promisor_remote
from patchq.gitstore.renames import renames
from patchq.gitstore.upstream_log import UpstreamLog
from patchq.model.judgement import UpstreamCommit
from patchq.model.verdict import Verdict
from patchq.patchfile.read import patch_digest
from patchq.queue.arrival import read_message
from patchq.queue.edits_sought import ByLadder
from patchq.queue.naming import landings, paths_of
from patchq.queue.pull_request import pull_request
from patchq.queue.sides import Misfit, sides_of, stacked_sides

if TYPE_CHECKING:
    from collections.abc import Hashable, Iterable, Mapping, Sequence

    from patchq.commands.replaying import Trip
    from patchq.commands.workspace import Workspace
    from patchq.gitstore.repository import Repository
    from patchq.model.names import PatchName
    from patchq.model.outcome import PatchOutcome, Replay
    from patchq.model.series import RefPoint
    from patchq.model.upstream import History
    from patchq.queue.sides import Sides
    from patchq.queue.turns import Turn

_HAS_SOME = frozenset({Verdict.ABSORBED, Verdict.PARTIAL})
CUT_OFF = "history is cut off here (git fetch --unshallow), so that a commit may go unnamed"


def credited(workspace: Workspace, trip: Trip, replay: Replay, only: PatchName | None = None) -> Replay:
    """Name in the outcomes of absorbed and partial patches the commits that brought it, as far as history shows them.

    `only` one patch, where only that is told of. Nothing is fetched.
    """
    # What is remembered from the record has its commits; the patch has shrunk, and does not show them any more.
    taken = [it for it in replay.outcomes if it.verdict in _HAS_SOME and not it.landed_in and only in {None, it.name}]
    by_base: dict[str, list[PatchOutcome]] = {}
    bases = {outcome.name: base_of_patch(workspace, trip, outcome) for outcome in taken}
    for outcome in taken:
        by_base.setdefault(bases[outcome.name].commit, []).append(outcome)
    done = {it.name: it for group in by_base.values() for it in _of_one_base(workspace, trip, bases, group)}
    return replace(replay, outcomes=tuple(done.get(it.name, it) for it in replay.outcomes))


def upstream_commits(repo: Repository, history: History, turns: Sequence[Turn[Hashable]]) -> tuple[UpstreamCommit, ...]:
    """Describe the commits of `turns`, in this order, by one process."""
    chains: list[list[str]] = []
    for turn in turns:
        outer = history.brought_by(turn.step.commit)
        merges = [merge.commit for merge in reversed(turn.merges)]
        chains.append([turn.step.commit, *merges, *([] if outer is None else [outer])])
    ids = tuple(dict.fromkeys(commit for chain in chains for commit in chain))
    infos = {info.commit: info for info in read_commits(repo, ids)}
    return tuple(
        UpstreamCommit(
            commit=chain[0],
            subject=read_message(infos[chain[0]].message).title,
            date=infos[chain[0]].date,
            pull_request=pull_request([infos[commit].message for commit in chain]),
        )
        for chain in chains
    )


def whole_clone(remote: str) -> str:
    """Return the command that makes a whole clone of a partial one."""
    return f"git fetch --refetch --no-filter {remote}"


def base_of_patch(workspace: Workspace, trip: Trip, outcome: PatchOutcome) -> RefPoint:
    """Return the upstream state that the patch's text fits, as the replay took it."""
    entry = trip.past.find(outcome.name)
    if entry is not None and entry.made_for is not None:
        return workspace.find(entry.made_for) or trip.origin
    record = trip.series.record
    known = None if record is None else record.find(outcome.name)
    if known is None or known.digest != patch_digest(outcome.before.raw):
        return trip.origin
    return workspace.find(known.made_for) or trip.origin


def _of_one_base(
    workspace: Workspace, trip: Trip, bases: dict[PatchName, RefPoint], outcomes: Sequence[PatchOutcome]
) -> list[PatchOutcome]:
    """Name the commits for patches that fit the same state, whose history to `trip.onto` is read once."""
    repo, base = workspace.repo, bases[outcomes[0].name]
    with ObjectReader(repo) as reader:
        tree = CommitTree(reader, base.tree)
        sides = stacked_sides([entry.patch for entry in trip.series.entries], tree)
        for outcome in outcomes:
            entry = trip.past.find(outcome.name)
            alone = sides_of(outcome.before, tree if entry is None else ground_of(tree, entry.stands_on))
            if not isinstance(alone, Misfit):
                sides[outcome.name] = alone
    known = [(outcome, sides[outcome.name]) for outcome in outcomes if outcome.name in sides]
    everything = [side for _, group in known for side in group]
    try:
        places = renames(repo, base.tree, trip.onto.tree, _old_paths(everything))
        with UpstreamLog(repo, base.commit, trip.onto.commit, paths_of(everything, places)) as log:
            return [_named(repo, log, outcome, group, places) for outcome, group in known]
    except GitError:
        remote = promisor_remote(repo)
        if remote is None:
            raise
        # A partial clone may lack what lies between: the verdicts stand, which need the two ends only.
        note = f"no commit is named: this partial clone lacks what lies between ({whole_clone(remote)})"
        return [_noted(outcome, note) for outcome, _ in known]


def _named(
    repo: Repository, log: UpstreamLog, outcome: PatchOutcome, sides: Sequence[Sides], places: Mapping[bytes, bytes]
) -> PatchOutcome:
    named = landings(log, sides, places)
    if not named.landings and outcome.verdict is Verdict.ABSORBED:
        named = landings(log, sides, places, ByLadder)  # what the ladder alone has recognised
    found = replace(outcome, landed_in=upstream_commits(repo, log, named.newest_first(log)))
    return found if log.complete or found.landed_in else _noted(found, CUT_OFF)


def _noted(outcome: PatchOutcome, note: str) -> PatchOutcome:
    return replace(outcome, notes=(*outcome.notes, note))


def _old_paths(sides: Iterable[Sides]) -> set[bytes]:
    return {side.change.old_path for side in sides if side.change.old_path is not None}
