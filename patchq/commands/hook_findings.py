"""The close look at a commit that touches carried patches or the series: what is wrong with it, all at once."""

from __future__ import annotations

import os
from dataclasses import dataclass
from itertools import groupby
from typing import TYPE_CHECKING

from patchq.commands.hook_concern import promised_by
from patchq.errors import PublishError
from patchq.gitstore.staged_trees import open_trees
from patchq.queue.losses import Loss, kept, losses
from patchq.seriesstore.glance import glance

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    from patchq.commands.hook_concern import Concern
    from patchq.errors import PatchqError
    from patchq.model.names import PatchName
    from patchq.model.tree import TreeReader
    from patchq.queue.guard import OtherBuild, Promise
    from patchq.seriesstore.glance import Glance

_HAS_CONTENTS = frozenset("AMT")


@dataclass(frozen=True, slots=True)
class Fault:
    """A file of the series that would be committed although no verb could read it."""

    error: PatchqError


@dataclass(frozen=True, slots=True)
class OffRecord:
    """The branch was not built from the series that is on record for it; `folder` is that series."""

    build: OtherBuild
    folder: Path


@dataclass(frozen=True, slots=True, kw_only=True)
class Lost:
    """What the commit loses of one patch in one file; there is one loss at least. `folder` holds the patch."""

    patch: PatchName
    path: bytes
    folder: Path
    ref: str
    losses: tuple[Loss, ...]


Finding = Fault | OffRecord | Lost


def look_closely(concern: Concern) -> tuple[Finding, ...]:
    """Read what is staged of the files that concern patches; return all that is wrong.

    Errors of reading pass through; PublishError while an interrupted publish has moved the branch and not the series.
    """
    return (*_series_faults(concern), *_off_record(concern), *_lost(concern))


def _series_faults(concern: Concern) -> Iterator[Fault]:
    if concern.series:
        # What reads patches takes 30 ms to import, and most commits have no part of the series.
        from patchq.commands.hook_lint import lint_errors  # noqa: PLC0415 - see above
        from patchq.seriesstore.inspection import faults  # noqa: PLC0415 - see above

        prefix = concern.prefix or ""
        with open_trees(concern.staging, (os.fsencode(prefix),) if prefix else None) as (_, staged):
            found = [*faults(staged, concern.series, root=prefix), *lint_errors(staged, concern.series, prefix)]
        yield from map(Fault, found)


def _off_record(concern: Concern) -> Iterator[OffRecord]:
    other = concern.other
    if other is None:
        return
    from patchq.seriesstore.publish import pending  # noqa: PLC0415 - 7 ms that only a branch off record pays

    if pending(concern.root) is not None:
        raise PublishError(
            "an earlier patchq was interrupted while it published, so the branch and the series do not fit together",
            hint="patchq status finishes it",
        )
    yield OffRecord(other, concern.folders[other.ref])


def _lost(concern: Concern) -> Iterator[Lost]:
    if not concern.promised:
        return
    folders = glance(concern.root, concern.staging.cache_dir)
    promised = _of_builds_in_head(concern, folders)
    elsewhere = [path for path, status in concern.changes.items() if status in _HAS_CONTENTS]
    merge = concern.staging.is_merge
    paths = None if merge else {*elsewhere, *(promise.path for promise in promised)}
    with open_trees(concern.staging, paths) as (head, staged):
        found = losses(promised, head, staged, elsewhere)
        if merge and found:
            found = _without_other_versions(found, folders, staged)
    for (path, patch), group in groupby(sorted(found, key=_place), key=_place):
        members = tuple(group)
        ref = members[0].promise.ref
        yield Lost(patch=patch, path=path, folder=concern.folders[ref], ref=ref, losses=members)


def _place(loss: Loss) -> tuple[bytes, PatchName]:
    return loss.promise.path, loss.promise.patch


def _of_builds_in_head(concern: Concern, folders: Sequence[Glance]) -> tuple[Promise, ...]:
    """Where HEAD stands on branches that are on record, keep to their folders; else all count.

    Another folder's patch may be in HEAD only because upstream has absorbed it since, and then nobody carries it here.
    """
    built = {
        folder.ref
        for folder in folders
        if folder.record.branch_commit is not None and concern.staging.may_contain(folder.record.branch_commit)
    }
    return tuple(promise for promise in concern.promised if not built or promise.ref in built)


def _without_other_versions(found: Sequence[Loss], folders: Sequence[Glance], staged: TreeReader) -> tuple[Loss, ...]:
    """Leave out patches that the merge brings as another folder of the series has them: for another upstream.

    Only in a merge: typing the old value over the new one looks the same, and that is a loss.
    """
    versions: dict[PatchName, dict[str, list[Promise]]] = {}
    for promise in promised_by(folders):
        versions.setdefault(promise.patch, {}).setdefault(promise.ref, []).append(promise)
    standing = {
        patch
        for patch in {loss.promise.patch for loss in found}
        if any(kept(version, staged) for version in versions[patch].values())
    }
    return tuple(loss for loss in found if loss.promise.patch not in standing)
