"""A linked work tree for a while: at a commit, in a temporary folder, gone at the end."""

from __future__ import annotations

import os
import tempfile
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from patchq.gitstore.repository import Repository

if TYPE_CHECKING:
    from collections.abc import Iterator


@contextmanager
def temporary_tree(repo: Repository, commit: str) -> Iterator[Repository]:
    """Check `commit` out, with a detached HEAD; GitError where git refuses. The user's work tree is not touched."""
    with tempfile.TemporaryDirectory(prefix="patchq-probe-", ignore_cleanup_errors=True) as name:
        place = Path(name).resolve() / "tree"
        repo.git.run("worktree", "add", "--quiet", "--detach", os.fspath(place), commit)
        try:
            yield Repository.discover(place)
        finally:
            repo.git.try_run("worktree", "remove", "--force", "--force", os.fspath(place))
            repo.git.try_run("worktree", "prune")


def reset(tree: Repository, commit: str) -> None:
    """Bring a temporary tree back to `commit`, without whatever a command has left there."""
    tree.git.run("checkout", "--quiet", "--force", "--detach", commit, "--")
    tree.git.run("clean", "-ffdxq")
