"""Where a verb works: the repository, the series in it, and what an interrupted run has left to finish."""

from __future__ import annotations

from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from patchq.commands.following import arrive
from patchq.commands.locating import series_root
from patchq.errors import GitError, SeriesError
from patchq.gitstore.branches import ref_commit
from patchq.gitstore.lock import lock
from patchq.gitstore.moving import noted_moving
from patchq.gitstore.refs import resolve
from patchq.gitstore.repository import Repository
from patchq.seriesstore.publish import Recovered, pending, recover
from patchq.seriesstore.store import SeriesStore

if TYPE_CHECKING:
    from collections.abc import Iterator

    from patchq.commands.session import Session
    from patchq.model.series import Manifest, RefPoint, Series


@dataclass(frozen=True, slots=True)
class Workspace:
    """A repository and the series folder that belongs to it."""

    repo: Repository
    store: SeriesStore

    @property
    def manifest(self) -> Manifest:
        """Read `patchq.yaml`; SeriesError with a hint where there is no series."""
        return self.store.manifest()

    def current(self, ref: str | None = None) -> Series:
        """Load the series of `ref`, or the one that the manifest names as current."""
        chosen = ref if ref is not None else self.manifest.current
        if chosen is None:
            raise SeriesError("the series has no patches yet", hint="patchq import FILE, or patchq import A..B")
        return self.store.load(chosen)

    def folder(self, ref: str) -> str:
        """Name the folder of `ref` as a person would type it: relative to the current directory if it is below it."""
        return str(short_path(self.store.folder(ref)))

    def base_of(self, series: Series) -> RefPoint:
        """Find the upstream commit that `series` fits: the recorded one, or what its ref means in this repository."""
        record = series.record
        if record is not None:
            found = self.find(record.base)
            if found is not None:
                return found
        try:
            return resolve(self.repo, series.ref)
        except GitError as error:
            recorded = "" if record is None else f" ({record.base.commit[:12]})"
            raise GitError(
                f"the base of the series, {series.ref}{recorded}, is not in this repository", hint=error.hint
            ) from error

    def find(self, point: RefPoint) -> RefPoint | None:
        """Return `point` if its commit is here, or the same ref at another commit with the same tree; else None."""
        for name in (point.commit, point.ref):
            try:
                found = resolve(self.repo, name)
            except GitError:
                continue
            if found.tree == point.tree:
                return type(point)(point.ref, found.commit, found.tree)
        return None


def short_path(path: Path) -> Path:
    """Write `path` relative to the current directory where it lies below it."""
    here = Path.cwd()
    return path.relative_to(here) if path.is_relative_to(here) and path != here else path


def open_workspace(session: Session) -> Workspace:
    """Find repository and series; what an interrupted run has left is finished or discarded first.

    Raises GitError outside a repository, SeriesError where there is no series.
    """
    repo = Repository.discover(session.repo_option)
    root = series_root(session, repo)
    workspace = Workspace(repo, SeriesStore(root, cache=repo.state_dir / "cache"))
    session.detail(f"repository {repo.work_tree or repo.git_dir}, series {root}")
    if not workspace.store.exists():
        raise SeriesError(f"there is no series in {short_path(root)}", hint="patchq init, or name it: --series DIR")
    if pending(root) is not None or noted_moving(repo) is not None:
        with lock(repo, "recover"):
            tidy(session, workspace)
    return workspace


@contextmanager
def open_for_writing(session: Session, verb: str) -> Iterator[Workspace]:
    """Open the workspace and hold the repository's lock while `verb` changes something."""
    workspace = open_workspace(session)
    with lock(workspace.repo, verb):
        tidy(session, workspace)
        yield workspace


def tidy(session: Session, workspace: Workspace) -> None:
    """Finish or discard an interrupted publication, put the checkout right, and say so; needs the lock."""

    def commit_of(ref: str) -> str | None:
        return ref_commit(workspace.repo, ref)

    match recover(workspace.store.root, commit_of):
        case Recovered.FINISHED:
            session.progress("an interrupted publish was decided already; it is finished now")
        case Recovered.DISCARDED:
            session.progress("an interrupted publish was not decided yet; its leftovers are gone")
        case Recovered.NOTHING:
            pass
    moving = noted_moving(workspace.repo)
    if moving is not None:
        arrive(workspace.repo, moving)
        session.progress("an interrupted command had left the checkout between two commits; git status shows it whole")
