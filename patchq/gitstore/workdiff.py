"""What a person has changed in the work tree, as one diff, taken without touching index, stash, objects or files."""

from __future__ import annotations

import os
import shutil
from pathlib import Path
from typing import TYPE_CHECKING

from patchq.errors import GitError
from patchq.gitstore.history import DIFF_OPTIONS
from patchq.gitstore.rawdiff import parse_raw
from patchq.gitstore.scratch import scratch_objects
from patchq.model.tree import Mode

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from patchq.gitstore.git import Git
    from patchq.gitstore.pathspec import Pathspecs
    from patchq.gitstore.repository import Repository

LARGEST_UNTRACKED = 32 * 1024 * 1024  # bytes; model weights and core dumps lie about in work trees


def work_tree_diff(repo: Repository, *, without: Sequence[bytes] = (), submodules: Pathspecs | None = None) -> bytes:
    """Return the diff from HEAD to the work tree: staged and unstaged changes, and new files that are not ignored.

    Contents go through `.gitattributes` filters and line-end conversion as for `git add`. `without` names files and
    folders (git paths) that are left out, such as the series itself; untracked repositories in the tree are left out
    too, and submodules that `submodules` do not mean. GitError for a bare repository, unmerged files, and new files
    larger than `LARGEST_UNTRACKED`.
    """
    if repo.work_tree is None:
        raise GitError("a bare repository has no work tree", hint="run it in a worktree: git worktree add FOLDER")
    with scratch_objects(repo) as (plain, folder):
        git = plain.with_env({"GIT_INDEX_FILE": str(_copy_index(repo, folder))})
        if git.run("ls-files", "--unmerged", "-z"):
            raise GitError(
                "the work tree has unmerged files", hint="resolve them and git add them, or git merge --abort"
            )
        nested = tuple(_nested_repositories(git, repo.work_tree))
        selection = b"".join(spec + b"\0" for spec in (b".", *(_exclude(path) for path in nested)))
        # Each exclusion needs its magic; it is literal otherwise.
        magic = git.with_env({"GIT_LITERAL_PATHSPECS": "0"})
        magic.run("add", "--all", "--sparse", "--pathspec-from-file=-", "--pathspec-file-nul", stdin=selection)
        new = git.run("write-tree").decode("ascii").strip()
        old = repo.head or git.run("hash-object", "-t", "tree", "--stdin").decode("ascii").strip()
        kept = (b".", *(_exclude(path) for path in (*without, *_not_meant(repo, git, old, new, submodules))))
        return magic.run("diff-tree", "-r", *DIFF_OPTIONS, old, new, "--", *kept)


def _copy_index(repo: Repository, folder: Path) -> Path:
    index = folder / "index"
    source = Path(os.fsdecode(repo.git.run("rev-parse", "--path-format=absolute", "--git-path", "index")[:-1]))
    if source.exists():
        # With its time: git takes a file as unchanged only if it is older than the index (git's racy-git.txt).
        shutil.copy2(source, index)
    return index


def _nested_repositories(git: Git, work_tree: Path) -> Iterator[bytes]:
    for path in git.run("ls-files", "--others", "--exclude-standard", "-z").split(b"\0")[:-1]:
        file = work_tree / os.fsdecode(path)
        if path.endswith(b"/"):
            yield path
        elif os.path.lexists(file) and (size := file.lstat().st_size) > LARGEST_UNTRACKED:
            raise GitError(
                f"the new file {os.fsdecode(path)} is too large for a patch ({size >> 20} MiB)",
                hint="add it to .gitignore, or to .git/info/exclude",
            )


def _not_meant(repo: Repository, git: Git, old: str, new: str, meant: Pathspecs | None) -> frozenset[bytes]:
    if meant is None:
        return frozenset()
    changes = parse_raw(git.run("diff-tree", "-r", "-z", "--raw", "--no-renames", old, new))
    links = frozenset(it.new_path for it in changes if Mode.GITLINK in {it.old.mode, it.new.mode})
    return links - meant.select(repo, links)


def _exclude(path: bytes) -> bytes:
    return b":(top,exclude,literal)" + path
