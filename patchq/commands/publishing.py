"""The one publish: commits, the series beside its place, one reference transaction, the series into its place."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from patchq.commands.deciding import decide
from patchq.commands.guarding import own_branch
from patchq.errors import SeriesError, Where
from patchq.gitstore.operations import Operation, RefMove, prepare_operation
from patchq.gitstore.refs import RefUpdate
from patchq.gitstore.writer import CommitSpec, write_commits
from patchq.queue.settle import Built, commit_message, settle
from patchq.seriesstore.journal import BranchMove
from patchq.seriesstore.publication import Publication, plan_of
from patchq.seriesstore.publish import stage
from patchq.seriesstore.snapshot import snapshot_files

if TYPE_CHECKING:
    from collections.abc import Mapping
    from contextlib import AbstractContextManager

    from patchq.commands.replaying import Trip
    from patchq.commands.workspace import Workspace
    from patchq.model.outcome import Replay
    from patchq.model.patch import Patch
    from patchq.model.resolution import Resolutions
    from patchq.model.series import LedgerEntry
    from patchq.model.tree import FileState


@dataclass(frozen=True, slots=True, kw_only=True)
class Published:
    """What stands now: the branch's short name, its tip, and the patches that went to the ledger."""

    branch: str
    commit: str
    retired: tuple[LedgerEntry, ...]


def build_commits(workspace: Workspace, onto: str, replay: Replay) -> str:
    """Write one commit for each carried patch on top of commit `onto`; return the tip. No reference moves."""
    specs = [commit_spec(outcome.after, outcome.writes) for outcome in replay.outcomes if outcome.after is not None]
    written = write_commits(workspace.repo, onto, specs)
    return written[-1].commit if written else onto


def publish_replay(
    workspace: Workspace,
    trip: Trip,
    replay: Replay,
    *,
    branch: str,
    verb: str,
    resolutions: Resolutions | None = None,
) -> Published:
    """Publish the carried patches as `branch` and as the series of `trip.ref`; all of it or nothing, undoable.

    `resolutions` are those that the series folder has then, None: as before.
    """
    tip = build_commits(workspace, trip.onto.commit, replay)
    settled = settle(
        trip.series,
        replay,
        ref=trip.ref,
        onto=trip.onto,
        origin=trip.origin,
        built=Built(branch=branch, commit=tip),
        past=trip.past,
    )
    tip_before = own_branch(workspace, branch, tip)
    publication = Publication(
        series=(settled.series,),
        manifest=replace(workspace.manifest, current=trip.ref) if trip.tried is None else None,
        ledger=None if settled.ledger == trip.past.ledger else settled.ledger,
        resolutions=resolutions,
        move=BranchMove(branch, tip_before, tip),
        expect={trip.series.ref: trip.state},
    )
    publish(workspace, publication, verb=verb)
    return Published(branch=branch, commit=tip, retired=settled.retired)


def publish(
    workspace: Workspace,
    publication: Publication,
    *,
    verb: str,
    checkout: AbstractContextManager[None] | None = None,
) -> None:
    """Stage, move the references (the commit point), finish; on refusal the old state stands.

    `checkout` goes along with the branch, when all else is ready. Raises what staging, `update_refs` and the checkout
    raise; nothing is visible then.
    """
    root = workspace.store.root
    before = snapshot_files(root)
    plan = plan_of(root, publication)
    after = _after(before, plan.folders, plan.files)
    move = publication.move
    moves = () if move is None else (RefMove(ref=f"refs/heads/{move.name}", old=move.old, new=move.new),)
    if before == after and all(one.old == one.new for one in moves):
        return
    log = prepare_operation(workspace.repo, Operation(verb=verb, series=root, moves=moves, before=before, after=after))
    # The log moves in the same transaction as the branch, and also when there is no branch to move (an import).
    staged = stage(root, replace(publication, move=BranchMove(log.ref, log.expected_old, log.new)))
    updates = [RefUpdate(ref=one.ref, new=one.new, expected_old=one.old) for one in moves if one.old != one.new]
    decide(workspace.repo, staged, [*updates, log], message=f"patchq {verb}", checkout=checkout)
    for series in publication.series:
        # The read leaves a JSON copy for the hook, which writes nothing itself and would pay for YAML at each commit.
        workspace.store.record(series.ref)


def _after(
    before: Mapping[str, bytes], folders: Mapping[str, Mapping[str, bytes]], files: Mapping[str, bytes | None]
) -> dict[str, bytes]:
    after = {path: data for path, data in before.items() if path.split("/")[0] not in folders}
    for folder, members in folders.items():
        after.update({f"{folder}/{name}": data for name, data in members.items()})
    for name, data in files.items():
        if data is None:
            after.pop(name, None)
        else:
            after[name] = data
    return after


def commit_spec(patch: Patch, writes: Mapping[bytes, FileState | None]) -> CommitSpec:
    """Say what the commit of a carried patch is; SeriesError where the patch has no author or date."""
    message = patch.message
    if message.author is None or message.date is None:
        raise SeriesError(
            "has no author or no date, so its commit could not be the same on every machine",
            hint="add `From: NAME <EMAIL>` and `Date:` lines at the top of the patch",
            where=Where(patch=str(patch.name)),
        )
    return CommitSpec(message=commit_message(patch), author=message.author, date=message.date, writes=writes)
