"""The commit that is being made: HEAD, the index it is made from, and what differs; read without a fetch or a write."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from patchq.errors import GitError
from patchq.gitstore.git import Git, failure
from patchq.gitstore.repository import Repository

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping

# git-hooks(1), githooks(5): `git commit` tells its hook by these which repository it works in. They are taken over by
# name, and everything else that starts with GIT_ stays outside, as it does everywhere.
_PLACE = ("GIT_DIR", "GIT_WORK_TREE")
_INDEX = "GIT_INDEX_FILE"

# A partial clone fetches a missing object when it is read; git before 2.45 does not know the first one.
_NO_FETCH = {"GIT_NO_LAZY_FETCH": "1", "GIT_ALLOW_PROTOCOL": "none"}

# All in one process: each costs 3 ms. Without a commit, `--revs-only` drops the last three instead of failing.
_QUESTIONS = (
    "--revs-only",
    "--path-format=absolute",
    "--git-dir",
    "--git-common-dir",
    "--show-object-format",
    "--show-toplevel",
    "HEAD",
    "HEAD^{tree}",
    "--symbolic-full-name",
    "HEAD",
)
# A merge that waits for its commit moves no HEAD, so that nothing is checked out meanwhile.
_UNDER_WAY = ("rebase-merge", "rebase-apply", "sequencer", "BISECT_LOG")
_NO_WORK_TREE = "must be run in a work tree"
_BRANCHES = "refs/heads/"
_EMPTY_TREES = {
    "sha1": "4b825dc642cb6eb9a060e54bf8d69288fbee4904",
    "sha256": "6ef19b41225c5369f1c104d45d8d85efa9b057b53b14b4b9b939dd74decc5321",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Staging:
    """A commit in the making.

    `index_file` is the index that it is made from, None for the usual one: `git commit -a` and `git commit FILE` use a
    temporary one. `head` is the commit id that HEAD has now and `branch` the short name of the branch it is on; before
    the first commit both are None, and `head_tree` is the empty tree. `branch` is None on a detached HEAD, too.
    """

    repo: Repository
    index_file: Path | None
    head: str | None
    head_tree: str
    branch: str | None

    @property
    def git(self) -> Git:
        """Git bound to the repository and to the index in question, and kept from fetching."""
        index = {} if self.index_file is None else {_INDEX: str(self.index_file)}
        return self.repo.git.with_env({**_NO_FETCH, **index})

    @property
    def cache_dir(self) -> Path:
        """Where copies of records are; unlike `Repository.state_dir` this makes no folder."""
        return self.repo.common_dir / "patchq" / "cache"

    @property
    def is_merge(self) -> bool:
        """Whether the commit will join another line of history."""
        return (self.repo.git_dir / "MERGE_HEAD").exists()

    def changes(self) -> Mapping[bytes, str]:
        """Return the paths that differ in the index from HEAD, each with the letter that git-diff-index(1) gives it.

        A rename is one path deleted and one added.
        """
        options = ("--cached", "--name-status", "-z", "--no-renames", "--no-relative")
        fields = self.git.run("diff-index", *options, self.head_tree).split(b"\0")[:-1]
        return {path: status.decode("ascii") for status, path in zip(fields[::2], fields[1::2], strict=True)}

    @property
    def is_between(self) -> bool:
        """Whether a rebase, bisection or the like is under way, so that HEAD is not where it will end."""
        return any((self.repo.git_dir / name).exists() for name in _UNDER_WAY)

    def has_branch(self, name: str) -> bool:
        """Whether there is a branch of that short name."""
        done = self.git.try_run("show-ref", "--verify", "--quiet", "--", _BRANCHES + name)
        return done.returncode == 0

    def is_branch_at(self, name: str, commit: str) -> bool:
        """Whether there is a branch of that short name, and it is at `commit` (id)."""
        done = self.git.try_run("rev-parse", "--quiet", "--verify", "--end-of-options", _BRANCHES + name)
        return done.stdout.decode("ascii").strip() == commit

    def differing(self, commit: str, paths: Collection[bytes]) -> frozenset[bytes] | None:
        """Return those of `paths` at which HEAD has other contents than `commit` (id); None where it is not here."""
        options = ("-r", "-z", "--name-only", "--no-renames", "--end-of-options", f"{commit}^{{tree}}", self.head_tree)
        done = self.git.try_run("diff-tree", *options, "--", *(map(os.fsdecode, paths)))
        return frozenset(done.stdout.split(b"\0")[:-1]) if done.returncode == 0 else None

    def commit_of(self, rev: str) -> str:
        """Return the id of the commit that `rev` means; GitError where that is not here."""
        return self.git.run("rev-parse", "--verify", "--end-of-options", f"{rev}^{{commit}}").decode("ascii").strip()

    def tree_of(self, commit: str) -> str:
        """Return the id of the tree of `commit` (id); GitError where that is not here."""
        return self.git.run("rev-parse", "--verify", "--end-of-options", f"{commit}^{{tree}}").decode("ascii").strip()

    def arrived_since(self, commit: str) -> tuple[bytes, ...]:
        """Return the paths that HEAD has, and `commit` (id) lacks or has otherwise."""
        options = ("-r", "-z", "--name-only", "--no-renames", "--diff-filter=AM", "--end-of-options")
        return tuple(self.git.run("diff-tree", *options, f"{commit}^{{tree}}", self.head_tree).split(b"\0")[:-1])

    def count_beyond(self, commit: str, tip: str) -> int:
        """Return how many commits `tip` (id) has that `commit` (id) has not."""
        return int(self.git.run("rev-list", "--count", "--end-of-options", f"{commit}..{tip}"))

    def may_contain(self, commit: str, tip: str | None = None) -> bool:
        """Whether the history of `tip` (id; default: HEAD) has `commit` (id) in it.

        In a shallow clone that is answered with yes where it cannot be told.
        """
        tip = tip or self.head
        if tip is None or commit == tip:
            return tip is not None
        done = self.git.try_run("merge-base", "--is-ancestor", "--end-of-options", commit, tip)
        if done.returncode in (0, 1):
            return done.returncode == 0
        return self.repo.is_shallow  # else: a commit that is not here is in nobody's history


def find_staging(start: Path | None = None) -> Staging | None:
    """Find the commit that is being made in the repository of the current folder, as git tells its hooks.

    With `start` the environment is not looked at: somebody asks about another place. None where there is no work tree,
    so that no commit is made here. GitError where there is no repository.
    """
    place = {} if start is not None else {name: os.environ[name] for name in _PLACE if os.environ.get(name)}
    here = Path.cwd() if start is None else start
    done = Git(here, env=place).try_run("rev-parse", *_QUESTIONS)
    if done.returncode != 0:
        if _NO_WORK_TREE in done.complaint:
            return None
        raise failure("rev-parse", done)
    match os.fsdecode(done.stdout).split("\n"):
        case [git_dir, common_dir, ("sha1" | "sha256") as object_format, top, *head, ""] if len(head) in (0, 3):
            repo = Repository(
                git_dir=Path(git_dir), common_dir=Path(common_dir), work_tree=Path(top), object_format=object_format
            )
            commit, tree, full = head or (None, _EMPTY_TREES[object_format], "")
            return Staging(
                repo=repo,
                index_file=_index_file(repo) if start is None else None,
                head=commit,
                head_tree=tree,
                branch=full.removeprefix(_BRANCHES) if full.startswith(_BRANCHES) else None,
            )
        case _:
            raise GitError("the path of the repository contains a line break", hint="move it to another folder")


def _index_file(repo: Repository) -> Path | None:
    """Read GIT_INDEX_FILE as git does: relative to the top of the work tree, not to the current folder."""
    given = os.environ.get(_INDEX)
    return (repo.work_tree or repo.git_dir) / given if given else None
