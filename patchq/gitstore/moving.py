"""The note of a checkout on its way from one commit to another, so that whoever comes after a kill can end the way."""

from __future__ import annotations

import json
from dataclasses import dataclass
from enum import Enum
from typing import TYPE_CHECKING

from patchq.errors import GitError

if TYPE_CHECKING:
    from pathlib import Path

    from patchq.gitstore.repository import Repository

_NOTE = "patchq-checkout.json"


class Files(Enum):
    """What becomes of the files when HEAD goes along with the branch."""

    FOLLOW = "follow"  # they become those of the new commit, as `git switch` does it
    STAY = "stay"  # they are what the new commit was made from


@dataclass(frozen=True, slots=True, kw_only=True)
class Moving:
    """HEAD goes from commit `old` to `new`, along with `branch`, which is at `tip` until then.

    `attached`: HEAD was on the branch itself, and is to be again.
    """

    branch: str
    tip: str
    attached: bool
    old: str
    new: str
    files: Files


def note_moving(repo: Repository, moving: Moving) -> None:
    """Write down what is about to happen, as a whole or not at all; GitError where the disk refuses."""
    fields = {name: getattr(moving, name) for name in ("branch", "tip", "attached", "old", "new")}
    path = _path(repo)
    beside = path.with_suffix(".new")
    try:
        beside.write_text(json.dumps({**fields, "files": moving.files.value}))
        beside.replace(path)
    except OSError as error:
        beside.unlink(missing_ok=True)
        raise GitError(f"{path} cannot be written: {error.strerror}; nothing has moved") from error


def noted_moving(repo: Repository) -> Moving | None:
    """Read the note that a run has left in this work tree; GitError for one that cannot be read."""
    path = _path(repo)
    try:
        told = json.loads(path.read_bytes())
        return Moving(
            branch=told["branch"],
            tip=told["tip"],
            attached=told["attached"],
            old=told["old"],
            new=told["new"],
            files=Files(told["files"]),
        )
    except FileNotFoundError:
        return None
    except (ValueError, KeyError, TypeError) as error:
        raise GitError(f"{path} is no note of patchq", hint=f"look with git status, then rm {path}") from error


def forget_moving(repo: Repository) -> None:
    """Take the note away: the way has ended."""
    _path(repo).unlink(missing_ok=True)


def _path(repo: Repository) -> Path:
    return repo.git_dir / _NOTE  # HEAD is each work tree's own
