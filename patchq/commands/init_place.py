"""Where a new series is to live, and how the next command will find it there."""

from __future__ import annotations

from typing import TYPE_CHECKING

from patchq.commands.locating import SERIES_SETTING, series_root
from patchq.commands.workspace import short_path
from patchq.errors import UsageError
from patchq.seriesstore.layout import MANIFEST

if TYPE_CHECKING:
    from pathlib import Path

    from patchq.commands.session import Session
    from patchq.gitstore.repository import Repository

_USUAL = "series"


def chosen_place(session: Session, repo: Repository, folder: Path | None) -> Path:
    """Return the folder of the series with links resolved: `--dir`, or where every verb looks for it.

    UsageError for a file, and in a bare repository, which has no usual place.
    """
    if folder is not None and session.series_option is not None:
        raise UsageError("--dir and --series both name the folder of the series", hint="patchq init --dir DIR")
    root = series_root(session, repo) if folder is None else folder.absolute()
    if repo.work_tree is None and folder is None and root == repo.git_dir / _USUAL:
        raise UsageError("a bare repository has no place for a series", hint="patchq init --dir DIR")
    if root.exists() and not root.is_dir():
        raise UsageError(f"{short_path(root)} is a file", hint="choose another place: patchq init --dir DIR")
    return root.resolve()


def place_to_note(repo: Repository, root: Path) -> str | None:
    """Return what `git config patchq.series` has to say for `root`, relative to the top where it lies below.

    None where the next command finds it anyway, and where the note would hide a series that is found now.
    """
    top = repo.work_tree or repo.git_dir
    found = top / (repo.config(SERIES_SETTING) or _USUAL)
    if found.resolve() == root or (found / MANIFEST).exists():
        return None
    return str(root.relative_to(top) if root.is_relative_to(top) else root)


def note_place(repo: Repository, place: str) -> None:
    """Write down what `place_to_note` gave."""
    repo.set_config(SERIES_SETTING, place)
