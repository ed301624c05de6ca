"""The series as a plain folder, for verbs that need no git; with the repository's help where there is one."""

from __future__ import annotations

import os
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from patchq.commands.locating import SERIES_VARIABLE
from patchq.commands.workspace import Workspace, open_workspace, short_path
from patchq.errors import GitError, SeriesError
from patchq.gitstore.objects import CommitTree, ObjectReader
from patchq.gitstore.refs import resolve
from patchq.gitstore.repository import Repository
from patchq.seriesstore.publish import pending
from patchq.seriesstore.store import SeriesStore

if TYPE_CHECKING:
    from collections.abc import Iterator

    from patchq.commands.session import Session
    from patchq.model.series import RefPoint, Series


@dataclass(frozen=True, slots=True)
class SeriesPlace:
    """A series folder, and the workspace that it belongs to; None where no git repository is at hand."""

    store: SeriesStore
    workspace: Workspace | None

    def candidates(self, ref: str | None) -> tuple[Series, ...]:
        """Load the series of `ref`; without one that of every ref, the current one first. SeriesError for none."""
        if ref is not None:
            return (self.store.load(ref),)
        current = self.store.manifest().current
        refs = [current] if current is not None else []
        refs += [other for other in reversed(self.store.refs()) if other != current]
        if not refs:
            raise SeriesError(f"the series in {short_path(self.store.root)} has no patches yet", hint="patchq import")
        return tuple(map(self.store.load, refs))

    def base_of(self, series: Series) -> RefPoint | None:
        """Find the upstream commit that `series` fits, if it is here; a record that names another tree is obeyed."""
        if self.workspace is None:
            return None
        if series.record is not None:
            return self.workspace.find(series.record.base)
        try:
            return resolve(self.workspace.repo, series.ref)
        except GitError:
            return None  # a series that was never carried, in a repository of something else

    @contextmanager
    def base_tree(self, series: Series) -> Iterator[CommitTree | None]:
        """Open the tree that `series` was made for, if it is here."""
        point = self.base_of(series)
        if point is None or self.workspace is None:
            yield None
            return
        with ObjectReader(self.workspace.repo) as reader:
            yield CommitTree(reader, point.tree)


def find_series(session: Session) -> SeriesPlace:
    """Find the series as every verb does; outside of a repository it has to be named by --series or PATCHQ_SERIES."""
    try:
        Repository.discover(session.repo_option)
    except GitError as error:
        named = session.series_option or os.environ.get(SERIES_VARIABLE)
        if session.repo_option is not None:
            raise
        if not named:
            raise GitError(f"{error.message}, and no series is named", hint="name it: --series DIR") from error
        root = Path(named).absolute()
        store = SeriesStore(root)
        if not store.exists():
            raise SeriesError(f"there is no series in {short_path(root)}", hint="name it: --series DIR") from None
        if pending(root) is not None:
            raise SeriesError(
                f"a publish to {short_path(root)} was interrupted",
                hint="run patchq status in the repository that it belongs to",
            ) from None
        return SeriesPlace(store, None)
    workspace = open_workspace(session)
    return SeriesPlace(workspace.store, workspace)
