"""What all verbs that edit the series share: its patches as layers, and the one way in which an edit is published."""

from __future__ import annotations

from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from patchq.commands.following import along
from patchq.commands.guarding import own_branch
from patchq.commands.publishing import commit_spec, publish
from patchq.commands.standing import Standing, Step, place_after, standing_of
from patchq.commands.workspace import open_for_writing
from patchq.errors import SeriesError
from patchq.gitstore.moving import Files
from patchq.gitstore.objects import CommitTree, ObjectReader
from patchq.gitstore.partial import prefetch
from patchq.gitstore.writer import write_commits
from patchq.queue.adopt import Ground
from patchq.queue.edited import edited_series
from patchq.queue.layers import layers_of
from patchq.reapply.describe import HashAlgorithm
from patchq.report.document import BuiltBranch
from patchq.seriesstore.journal import BranchMove
from patchq.seriesstore.publication import Publication

if TYPE_CHECKING:
    from collections.abc import Iterator

    from patchq.commands.session import Session
    from patchq.commands.workspace import Workspace
    from patchq.model.names import PatchName
    from patchq.model.series import Ledger, Series
    from patchq.queue.edited import Edited
    from patchq.queue.layers import Layer


@dataclass(frozen=True, slots=True, kw_only=True)
class Desk:
    """The current series, opened to be edited: its carried patches as `layers`, and where the checkout stands on them.

    `state` is the digest of its folder from before it was read.
    """

    workspace: Workspace
    series: Series
    ground: Ground
    state: str
    layers: tuple[Layer, ...]
    standing: Standing | None

    @property
    def as_is(self) -> Outcome:
        """What stands when nothing is changed."""
        record = self.series.record
        if record is None or record.branch is None or record.branch_commit is None:
            return Outcome(self.series, None)
        return Outcome(self.series, BuiltBranch(record.branch, record.branch_commit))


@contextmanager
def open_desk(session: Session, verb: str) -> Iterator[Desk]:
    """Open the current series for `verb`, holding the lock; SeriesError where it does not fit its own base."""
    with open_for_writing(session, verb) as workspace:
        ref = workspace.manifest.current
        if ref is None:
            raise SeriesError("the series has no patches yet", hint="patchq import FILE, or patchq import A..B")
        state = workspace.store.state(ref)
        series = workspace.store.load(ref)
        with ObjectReader(workspace.repo) as reader:
            ground = ground_of(workspace, series, reader)
            layers = layers_of(series.carried, ground)
            standing = standing_of(workspace, series.record)
            yield Desk(workspace=workspace, series=series, ground=ground, state=state, layers=layers, standing=standing)


def ground_of(workspace: Workspace, series: Series, reader: ObjectReader) -> Ground:
    """Open the tree that `series` stands on; in a blobless clone all of its files are fetched at once."""
    base = workspace.base_of(series)
    tree = CommitTree(reader, base.tree)
    changes = (change for patch in series.carried for change in patch.changes)
    prefetch(workspace.repo, tree, {change.old_path for change in changes if change.old_path is not None})
    return Ground(base=base, tree=tree, algorithm=HashAlgorithm(workspace.repo.object_format))


@dataclass(frozen=True, slots=True)
class Outcome:
    """What stands after an edit; `branch` is None where none had been built."""

    series: Series
    branch: BuiltBranch | None


def publish_edit(
    desk: Desk,
    edited: Edited,
    verb: str,
    *,
    ledger: Ledger | None = None,
    files: Files = Files.FOLLOW,
    top: PatchName | None = None,
) -> Outcome:
    """Publish the edited series and its branch, if one is built, as one operation; the checkout goes along with it.

    `top` is the patch that the checkout stands on then, None: as before. Raises what publishing raises, and GitError
    where local changes would be lost; all is as before then.
    """
    repo, series = desk.workspace.repo, edited_series(desk.series, edited, desk.ground)
    record = series.record
    if record is None or record.branch is None or record.branch_commit is None:
        publication = Publication(series=(series,), ledger=ledger, expect={series.ref: desk.state})
        publish(desk.workspace, publication, verb=verb)
        return Outcome(series, None)
    base, branch = desk.ground.base.commit, record.branch
    written = write_commits(repo, base, [commit_spec(layer.patch, layer.writes) for layer in edited.layers])
    steps = [Step(layer.patch.name, it.commit) for layer, it in zip(edited.layers, written, strict=True)]
    tip = steps[-1].commit if steps else base
    series = replace(series, record=replace(record, branch_commit=tip))
    move = BranchMove(branch, own_branch(desk.workspace, branch, tip), tip)
    publication = Publication(series=(series,), ledger=ledger, move=move, expect={series.ref: desk.state})
    heirs = {old: new for new, old in edited.heirs.items()}
    there = tip if desk.standing is None else place_after(desk.standing, steps, heirs, top)
    publish(desk.workspace, publication, verb=verb, checkout=along(repo, desk.standing, there, files))
    return Outcome(series, BuiltBranch(branch, tip))
