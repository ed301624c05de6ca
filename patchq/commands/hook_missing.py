"""Which patches are missing in HEAD, found out by blobs wherever they decide it, by facts where they do not."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import groupby
from typing import TYPE_CHECKING

from patchq.commands.locating import series_root
from patchq.queue.guard import promises
from patchq.seriesstore.glance import glance
from patchq.seriesstore.layout import MANIFEST

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Sequence

    from patchq.commands.session import Session
    from patchq.gitstore.staged import Staging
    from patchq.model.names import PatchName
    from patchq.queue.guard import Promise
    from patchq.seriesstore.glance import Glance


# One line does not need more of those that have to be parsed for it: 200 files take seconds.
_ENOUGH = 10


@dataclass(frozen=True, slots=True, kw_only=True)
class Missing:
    """Patches of the series of `ref` that HEAD lacks, of `total` that it should have; `names` is never empty.

    Of patches whose files have to be parsed no more than ten are named, so that there may be more than `names`.
    `branch` is the built branch that has them, None where HEAD is that one, stands on it, or there is none.
    """

    ref: str
    names: tuple[PatchName, ...]
    total: int
    branch: str | None
    built: bool


def missing_in_head(session: Session, staging: Staging) -> Missing | None:
    """Return what HEAD lacks of the series that is meant for it; None where that is nothing, or no series is.

    Raises SeriesError where the series is malformed, GitError for missing objects.
    """
    root = series_root(session, staging.repo)
    if staging.head is None or not (root / MANIFEST).is_file():
        return None
    named = [] if staging.branch is None else glance(root, staging.cache_dir, [staging.branch])
    folder = next((one for one in named if one.record.branch == staging.branch), None)
    if folder is not None and folder.record.branch_commit == staging.head:
        return None
    folder = folder or _meant(glance(root, staging.cache_dir), staging)
    if folder is None:
        return None
    promised = promises(folder.ref, folder.record, folder.carried.keys())
    names = _missing(promised, folder, staging)
    if not names:
        return None
    branch, commit = folder.record.branch, folder.record.branch_commit
    built = branch is not None and staging.has_branch(branch)
    elsewhere = built and branch != staging.branch and not (commit is not None and staging.may_contain(commit))
    return Missing(
        ref=folder.ref,
        names=names,
        total=len({promise.patch for promise in promised}),
        branch=branch if elsewhere else None,
        built=built,
    )


def _meant(folders: Iterable[Glance], staging: Staging) -> Glance | None:
    """Choose the series that HEAD should have: the one it was built from, else the one for the newest upstream in it.

    A branch that has neither (pages, an older upstream) has nothing to do with the series.
    """
    built = [folder for folder in folders if folder.record.branch_commit is not None]
    for folder in built:
        if staging.may_contain(folder.record.branch_commit or ""):
            return folder
    within = [folder for folder in built if staging.may_contain(folder.record.base.commit)]
    newest = within[:1]
    for folder in within[1:]:
        if staging.may_contain(newest[0].record.base.commit, folder.record.base.commit):
            newest = [folder]
    return newest[0] if newest else None


def _missing(promised: Sequence[Promise], folder: Glance, staging: Staging) -> tuple[PatchName, ...]:
    """Name the patches that HEAD lacks: a file that is as built has all of its patches, one of upstream has none."""
    paths = {promise.path for promise in promised}
    if not paths:
        return ()
    other = staging.differing(folder.record.branch_commit or "", paths)
    changed = paths if other is None else other
    if not changed:
        return ()
    apart = staging.differing(folder.record.base.commit, paths)
    pristine = frozenset[bytes]() if apart is None else changed - apart
    gone: set[PatchName] = {promise.patch for promise in promised if promise.path in pristine}
    doubtful = [promise for promise in promised if promise.path in changed and promise.patch not in gone]
    if doubtful:
        gone |= _by_facts(doubtful, folder, staging, known=other is not None)
    return tuple(dict.fromkeys(promise.patch for promise in promised if promise.patch in gone))


def _by_facts(doubtful: Collection[Promise], folder: Glance, staging: Staging, *, known: bool) -> set[PatchName]:
    """Ask the facts; `known`: the build is here, and then a file that moved since is followed."""
    # Trees and parsers take 50 ms to import, and most checkouts need none.
    from patchq.gitstore.objects import CommitTree, ObjectReader  # noqa: PLC0415 - see above
    from patchq.queue.losses import kept, losses  # noqa: PLC0415 - see above

    with ObjectReader(staging.repo, git=staging.git) as reader:
        head = CommitTree(reader, staging.head_tree)
        commit = folder.record.branch_commit or ""
        # On the build, what is changed is little. On another upstream it may be all, and looking for each part of 200
        # patches in each changed file takes a minute.
        if known and staging.may_contain(commit):
            build = CommitTree(reader, staging.tree_of(commit))
            return {loss.promise.patch for loss in losses(doubtful, build, head, staging.arrived_since(commit))}
        ordered = sorted(doubtful, key=lambda promise: promise.patch)
        gone: set[PatchName] = set()
        for patch, group in groupby(ordered, key=lambda promise: promise.patch):
            if not kept(tuple(group), head):
                gone.add(patch)
            if len(gone) == _ENOUGH:
                break
        return gone
