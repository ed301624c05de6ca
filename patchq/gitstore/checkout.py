"""The checkout moved between commits as git itself moves it, so that nothing a person has changed is lost."""

from __future__ import annotations

import os
import re
from typing import TYPE_CHECKING

from patchq.errors import GitError
from patchq.gitstore.worktrees import checked_out

if TYPE_CHECKING:
    from collections.abc import Collection

    from patchq.gitstore.git import Completed
    from patchq.gitstore.repository import Repository

_SHOWN = 5
_NOT_WRITTEN = re.compile(rb"^(?:error|warning): ((?:unable|failed) to [^\n]*)", re.MULTILINE)
_IN_PROGRESS = {
    "MERGE_HEAD": "merge",
    "CHERRY_PICK_HEAD": "cherry-pick",
    "REVERT_HEAD": "revert",
    "rebase-merge": "rebase",
    "rebase-apply": "rebase",
}
_STASH = "keep the changes first: git stash, or take them into a patch: patchq refresh"


def switch_to(repo: Repository, commit: str) -> None:
    """Check `commit` out with a detached HEAD; local changes that are not in the way come along.

    GitError, with the files, where local changes or files that git does not know would be lost, and while a merge or
    rebase is under way, or a folder cannot be written; nothing has moved then.
    """
    _refuse_unwritable(repo, commit)
    # A smudge filter may print, a hook may not run (environment.py), and ignored files are somebody's, too.
    done = repo.git.try_run("switch", "--quiet", "--no-overwrite-ignore", "--detach", commit, "--")
    if done.returncode != 0:
        raise _refused(done)
    # Of a file that it cannot write git says so, goes on, and ends with 0.
    left = _NOT_WRITTEN.search(done.stderr)
    if left is not None:
        told = left[1].decode("utf-8", "replace")
        raise GitError(f"HEAD has moved, but not every file: {told}", hint="mend that, then git restore :/FILE")


def _refuse_unwritable(repo: Repository, commit: str) -> None:
    top, head = repo.work_tree, repo.head
    if top is None or head is None:
        return
    folders = {top / os.fsdecode(path.rpartition(b"/")[0]) for path in changed_paths(repo, head, commit)}
    for folder in sorted(folders):
        if folder.is_dir() and not os.access(folder, os.W_OK | os.X_OK):
            raise GitError(f"{folder} cannot be written, and files in it would change", hint=f"chmod u+w {folder}")


def point_head(repo: Repository, commit: str, *, expected: str) -> None:
    """Let HEAD be `commit`, detached, if it is `expected` now; index and files stay as they are."""
    done = repo.git.try_run("update-ref", "--no-deref", "-m", "patchq", "HEAD", commit, expected)
    if done.returncode != 0:
        raise GitError(f"HEAD was not moved: {done.complaint}")


def refuse_in_progress(repo: Repository) -> None:
    """Refuse, as git switch does, while a merge, rebase or the like waits for its end, or files are unmerged."""
    for name, what in _IN_PROGRESS.items():
        if (repo.git_dir / name).exists():
            raise GitError(f"a {what} is under way", hint="git status tells how to end or abort it")
    if repo.git.run("ls-files", "--unmerged", "-z"):
        raise GitError("the index has unmerged files", hint="resolve them and git add them, or git reset --merge")


def attach_head(repo: Repository, branch: str) -> None:
    """Let HEAD be on `branch`, which must be at the commit of HEAD; index and files stay as they are."""
    repo.git.run("symbolic-ref", "-m", "patchq", "HEAD", f"refs/heads/{branch}")


def take_into_index(repo: Repository, paths: Collection[bytes]) -> None:
    """Give `paths` (files; those that HEAD has not are removed) the state in the index that they have in HEAD."""
    if paths:
        listed = b"".join(path + b"\0" for path in sorted(paths))
        repo.git.run("reset", "--quiet", "--pathspec-from-file=-", "--pathspec-file-nul", "HEAD", stdin=listed)


def changed_paths(repo: Repository, old: str, new: str) -> tuple[bytes, ...]:
    """Return the paths that differ between two commits."""
    listed = repo.git.run("diff-tree", "-r", "-z", "--name-only", "--no-renames", "--end-of-options", old, new)
    return tuple(listed.split(b"\0")[:-1])


def is_untouched(repo: Repository, paths: Collection[bytes]) -> bool:
    """Whether nothing is changed at any of `paths` against HEAD, in the index or in the work tree."""
    told = repo.git.run("status", "--porcelain", "-z", "--no-renames", "--untracked-files=all")
    return not any(record[3:] in paths for record in told.split(b"\0"))


def held_elsewhere(repo: Repository, branch: str) -> bool:
    """Whether another work tree has `branch` checked out."""
    place = checked_out(repo).get(f"refs/heads/{branch}")
    return place is not None and repo.work_tree is not None and place.resolve() != repo.work_tree.resolve()


def _refused(done: Completed) -> GitError:
    lines = done.stderr.decode("utf-8", "replace").splitlines()
    files = [line.strip() for line in lines if line.startswith("\t")]
    if not files:
        return GitError(f"the checkout was not moved: {done.complaint}", hint="look with git status")
    more = f" and {len(files) - _SHOWN} more" if len(files) > _SHOWN else ""
    untracked = any("untracked" in line for line in lines)
    what = (
        "files that git does not know would be overwritten" if untracked else "changes in the work tree would be lost"
    )
    hint = "move them away: the branch has files of these names" if untracked else _STASH
    return GitError(f"{what}: {', '.join(files[:_SHOWN])}{more}", hint=hint)
