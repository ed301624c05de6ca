"""Trees as they are named on the command line: a folder, or in a repository a ref."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from patchq.errors import GitError, PatchqError, UsageError, Where
from patchq.gitstore.directory import DirectoryTree
from patchq.gitstore.refs import resolve
from patchq.gitstore.renames import all_files
from patchq.gitstore.repository import Repository

if TYPE_CHECKING:
    from collections.abc import Sequence

    from patchq.commands.session import Session
    from patchq.gitstore.objects import CommitTree
    from patchq.model.series import RefPoint


@dataclass(frozen=True, slots=True)
class Commit:
    """A tree in the object store of `repo`."""

    repo: Repository
    point: RefPoint


Spot = Path | Commit


def spot_named(session: Session, name: str, option: str) -> Spot:
    """Take a name as a folder if there is one of that name, else as a ref; one that is both has to be told apart."""
    if "\0" in name or not name:
        raise UsageError(f"{option} is no name of a folder or a ref")
    folder = Path(name)
    if not folder.is_dir():
        try:
            repo = Repository.discover(session.repo_option)
        except GitError as error:
            hint = f"{option} takes a folder, or inside a repository a ref"
            raise PatchqError("there is no such folder", hint=hint, where=Where(file=name)) from error
        return Commit(repo, resolve(repo, name))
    if not folder.is_absolute() and not name.startswith(".") and not name.endswith("/") and _is_ref(session, name):
        raise UsageError(
            f"{option}: {name} is both a folder and a ref", hint=f"./{name} is the folder, refs/heads/{name} the branch"
        )
    return folder


def _is_ref(session: Session, name: str) -> bool:
    try:
        resolve(Repository.discover(session.repo_option), name)
    except GitError:
        return False
    return True


def files_of(spot: Spot, reader: CommitTree | DirectoryTree) -> Sequence[bytes]:
    """List everything in a tree that `reader` has open."""
    if isinstance(reader, DirectoryTree):
        return tuple(reader.files())
    return () if isinstance(spot, Path) else all_files(spot.repo, reader.tree)
