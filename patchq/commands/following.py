"""The checkout that goes along when the branch it stands on moves: before it, so that a refusal of git comes first."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING, assert_never

from patchq.errors import GitError, PatchqError
from patchq.gitstore.branches import ref_commit
from patchq.gitstore.checkout import (
    attach_head,
    changed_paths,
    point_head,
    refuse_in_progress,
    switch_to,
    take_into_index,
)
from patchq.gitstore.moving import Files, Moving, forget_moving, note_moving

if TYPE_CHECKING:
    from collections.abc import Iterator

    from patchq.commands.standing import Standing
    from patchq.gitstore.repository import Repository


@contextmanager
def along(repo: Repository, standing: Standing | None, commit: str, files: Files) -> Iterator[None]:
    """Move the checkout to `commit` before the branch moves there (the body), so that a refusal of git comes first.

    When the body fails before the branch has moved, the checkout is as before. GitError where local changes would be
    lost, and while a merge or rebase is under way; nothing has moved then. Where even the way back is barred, and after
    a kill, a note waits for `arrive`.
    """
    if standing is None or commit == standing.head:
        yield
        return
    refuse_in_progress(repo)
    moving = Moving(
        branch=standing.branch,
        tip=standing.tip,
        attached=standing.attached,
        old=standing.head,
        new=commit,
        files=files,
    )
    note_moving(repo, moving)
    try:
        _go(repo, standing.head, commit, files)
        yield
    except BaseException as error:
        _arrive_after(repo, moving, error)
        raise
    arrive(repo, moving)


def arrive(repo: Repository, moving: Moving) -> None:
    """Bring a checkout to the end of its way: to the new commit if the branch has moved, else to the old one.

    One that a person has taken elsewhere stays there. GitError where git refuses; the note stays then.
    """
    now, head, on = ref_commit(repo, f"refs/heads/{moving.branch}"), repo.head, repo.current_branch
    there = moving.old if now == moving.tip else moving.new
    if head is not None and head in {moving.old, moving.new} and on is None:
        try:
            if head != there:
                _go(repo, head, there, moving.files)
            if moving.files is Files.STAY and there == moving.new:
                take_into_index(repo, changed_paths(repo, moving.old, moving.new))
            if moving.attached and now == there:
                attach_head(repo, moving.branch)
        except GitError as error:
            again = f"then any patchq command brings it to {there[:12]}"
            raise GitError(
                f"the checkout is between two commits of {moving.branch}: {error}",
                hint=f"{error.hint or 'mend what git complains of'}; {again}",
            ) from error
    forget_moving(repo)


def _arrive_after(repo: Repository, moving: Moving, error: BaseException) -> None:
    try:
        arrive(repo, moving)
    except GitError as second:
        first = str(error) if isinstance(error, PatchqError) else type(error).__name__
        raise GitError(f"{first}; and {second}", hint=second.hint) from error


def _go(repo: Repository, old: str, new: str, files: Files) -> None:
    match files:
        case Files.FOLLOW:
            switch_to(repo, new)
        case Files.STAY:
            point_head(repo, new, expected=old)
        case _:
            assert_never(files)
