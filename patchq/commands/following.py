"""The checkout that goes along when the branch it stands on moves: before it, so that a refusal of git comes first."""

from __future__ import annotations

from contextlib import contextmanager
from enum import Enum
from typing import TYPE_CHECKING, assert_never

from patchq.gitstore.branches import ref_commit
from patchq.gitstore.checkout import attach_head, point_head, switch_to

if TYPE_CHECKING:
    from collections.abc import Iterator

    from patchq.commands.standing import Standing
    from patchq.gitstore.repository import Repository


class Files(Enum):
    """What becomes of the files when HEAD goes along with the branch."""

    FOLLOW = "follow"  # they become those of the new commit, as `git switch` does it
    STAY = "stay"  # they are what the new commit was made from


@contextmanager
def along(repo: Repository, standing: Standing | None, commit: str, files: Files) -> Iterator[None]:
    """Move the checkout to `commit` before the branch moves there (the body), so that a refusal of git comes first.

    When the body fails before the branch has moved, the checkout is as before. GitError where local changes would be
    lost; nothing has moved then.
    """
    if standing is None or commit == standing.head:
        yield
        return
    old, tip = standing.head, standing.tip
    _go(repo, old, commit, files)
    try:
        yield
    except BaseException:
        # The series may still wait to be put in its place when the branch has moved: there is no way back then.
        if ref_commit(repo, f"refs/heads/{standing.branch}") == tip:
            _go(repo, commit, old, files)
        raise
    finally:
        if standing.attached:
            attach_head(repo, standing.branch)


def _go(repo: Repository, old: str, new: str, files: Files) -> None:
    match files:
        case Files.FOLLOW:
            switch_to(repo, new)
        case Files.STAY:
            point_head(repo, new, expected=old)
        case _:
            assert_never(files)
