"""A new repository gets its place and its first files, and only where there were none before."""

from __future__ import annotations

import os
import shutil
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

from patchq.errors import GitError
from patchq.gitstore.git import Git, require_supported_git
from patchq.gitstore.repository import Repository

if TYPE_CHECKING:
    from collections.abc import Sequence

_STAGE = "first-checkout-"
_DISCARDED = "discarded-"


def find_repository(folder: Path | None) -> Repository | None:
    """Return the repository that `folder` (None: the current one) lies in, or None where one is to be made.

    A named folder that is empty, or not there yet, gets a repository of its own, even inside of another one.
    """
    require_supported_git()
    if folder is not None and (not folder.exists() or not any(folder.iterdir())):
        return None
    start = folder or Path.cwd()
    done = Git(start).try_run("rev-parse", "--git-dir")
    if done.returncode != 0 and "not a git repository" in done.complaint:
        return None
    return Repository.discover(start)


def create_repository(path: Path) -> Repository:
    """Make a repository with a work tree at `path`, and its folder if need be, even inside of another repository.

    HEAD is on an unborn branch `main`, whatever the user's configuration says, until `check_out_first` moves it.
    """
    require_supported_git()
    try:
        path.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise GitError(
            f"cannot make the folder {path}: {error.strerror}", hint="name another one with --repo"
        ) from error
    Git(path).run("init", "--quiet", "--initial-branch=main")
    return Repository.discover(path)


def check_out_first(repo: Repository, branch: str) -> bool:
    """Put the files of `branch` into a work tree that never had any, and HEAD on it; say whether that was done.

    Nothing happens unless HEAD is unborn, there is no index, and the work tree holds nothing but `.git`. The files are
    written to a stage beside the work tree first and then moved in, their index last. A run that is killed leaves
    nothing in the work tree, or a complete stage, from which the next run goes on.
    """
    top = repo.work_tree
    index = repo.git_dir / "index"
    stages = sorted(repo.state_dir.glob(f"{_STAGE}*"))
    stage = next((stage for stage in stages if _is_complete(stage) and not index.exists()), None)
    _discard([other for other in stages if other != stage], repo.state_dir)
    if stage is None:
        if top is None or repo.head is not None or index.exists() or any(path.name != ".git" for path in top.iterdir()):
            return False
        if repo.git.try_run("rev-parse", "--quiet", "--verify", f"refs/heads/{branch}").returncode != 0:
            return False
        stage = _write_stage(repo, branch)
    elif top is None:
        return False
    repo.git.run("symbolic-ref", "-m", "patchq snapshot", "HEAD", f"refs/heads/{branch}")
    for path in sorted((stage / "tree").iterdir()):
        target = top / path.name
        if os.path.lexists(target):
            raise GitError(f"{target} is in the way of the first checkout", hint="move it away, then try again")
        shutil.move(path, target)
    (stage / "index").rename(index)
    shutil.rmtree(stage)
    return True


def _write_stage(repo: Repository, branch: str) -> Path:
    """Write the files of `branch` to `tree`, then `index`, in a new folder of patchq's own; returns that folder."""
    stage = Path(tempfile.mkdtemp(prefix=_STAGE, dir=repo.state_dir))
    tree = stage / "tree"
    tree.mkdir()
    git = Git(tree, repo.git_dir, tree).with_env({"GIT_INDEX_FILE": str(stage / "index")})
    git.run("read-tree", "--reset", "-u", f"refs/heads/{branch}")
    return stage


def _discard(stages: Sequence[Path], state_dir: Path) -> None:
    """Remove stages that were not finished.

    A git whose patchq was killed may still be writing there. So the folder is renamed first, or that git would put an
    index beside files that are already removed; and what it writes meanwhile is left to the next run.
    """
    for stage in stages:
        stage.rename(state_dir / f"{_DISCARDED}{stage.name}")
    for folder in state_dir.glob(f"{_DISCARDED}*"):
        shutil.rmtree(folder, ignore_errors=True)


def _is_complete(stage: Path) -> bool:
    return (stage / "index").exists()  # git writes it after the last file
