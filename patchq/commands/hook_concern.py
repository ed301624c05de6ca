"""Whether a commit concerns carried patches or the series at all, found out in few git processes and few imports."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from patchq.commands.locating import series_root
from patchq.gitstore.staged import find_staging
from patchq.queue.guard import OtherBuild, changed_since, promises
from patchq.seriesstore.glance import glance
from patchq.seriesstore.layout import MANIFEST

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping

    from patchq.commands.session import Session
    from patchq.gitstore.staged import Staging
    from patchq.queue.guard import Promise
    from patchq.seriesstore.glance import Glance


@dataclass(frozen=True, slots=True, kw_only=True)
class Concern:
    """What of a commit is to be looked at.

    `root` is the series and `prefix` the same as the start of git's paths, None where it is not in the work tree;
    `folders` are the folders of its refs. `changes` are all changed paths with git's letters; of these, `promised` are
    the facts in files that are changed or removed, and `series` the files of the series, relative to `root`. `other` is
    the branch if it is not the one on record.
    """

    staging: Staging
    root: Path
    prefix: str | None
    folders: Mapping[str, Path]
    changes: Mapping[bytes, str]
    promised: tuple[Promise, ...]
    series: tuple[str, ...]
    other: OtherBuild | None

    @property
    def serious(self) -> bool:
        """Whether a close look is needed."""
        return bool(self.promised or self.series or self.other)


def concern_of(session: Session) -> Concern | None:
    """Ask git what is staged, and the series whether that matters; None where there is nothing to guard.

    Raises GitError outside of a repository, SeriesError where the part of the series that matters is malformed.
    """
    staging = find_staging(session.repo_option)
    if staging is None:
        return None
    root = series_root(session, staging.repo)
    if not (root / MANIFEST).is_file():
        return None
    changes = staging.changes()
    touched = {path for path, status in changes.items() if status != "A"}
    texts = [_text(path) for path in touched]
    folders = glance(root, staging.cache_dir, [*texts, staging.branch] if staging.branch else texts)
    # Where several folders record the same fact, the one that the branch was built from is the one to name.
    folders = tuple(sorted(folders, key=lambda folder: folder.record.branch != staging.branch))
    prefix = _prefix(root, staging)
    paths = () if prefix is None else (_text(path) for path in changes)
    concern = Concern(
        staging=staging,
        root=root,
        prefix=prefix,
        folders={folder.ref: folder.folder for folder in folders},
        changes=changes,
        promised=tuple(promise for promise in promised_by(folders) if promise.path in touched),
        series=tuple(path.removeprefix(prefix or "") for path in paths if path.startswith(prefix or "")),
        other=_other_build(folders, staging),
    )
    session.detail(f"{len(changes)} staged files, {len(concern.promised)} facts of carried patches in them")
    return concern


def promised_by(folders: Collection[Glance]) -> tuple[Promise, ...]:
    """Return what the patches that `folders` carry have put where."""
    return tuple(
        promise for folder in folders for promise in promises(folder.ref, folder.record, folder.carried.keys())
    )


def _other_build(folders: Collection[Glance], staging: Staging) -> OtherBuild | None:
    """Compare the branch that HEAD is on with the folders that have it on record; of several, one must fit."""
    first: OtherBuild | None = None
    for folder in folders:
        record = folder.record
        if staging.branch is None or record.branch != staging.branch or record.branch_commit is None:
            continue
        if staging.may_contain(record.branch_commit):
            return changed_since(folder.ref, record, folder.digests())
        first = first or OtherBuild(ref=folder.ref, branch=record.branch, commit=record.branch_commit)
    return first


def _prefix(root: Path, staging: Staging) -> str | None:
    """Return the series as the start of git's paths, with `/` at its end; None where it is not in the work tree."""
    top = os.path.realpath(staging.repo.work_tree or staging.repo.git_dir)
    place = os.path.realpath(root)
    if place == top:
        return ""
    return f"{os.path.relpath(place, top)}/" if Path(place).is_relative_to(top) else None


def _text(path: bytes) -> str:
    return path.decode("utf-8", "surrogateescape")
