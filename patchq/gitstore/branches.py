"""Local branches by their short names: where one is, and whether a name can be one."""

from __future__ import annotations

from typing import TYPE_CHECKING

from patchq.errors import GitError

if TYPE_CHECKING:
    from patchq.gitstore.repository import Repository


def branch_commit(repo: Repository, branch: str) -> str | None:
    """Return the commit id of the local branch `branch`, None where there is none; GitError for an illegal name."""
    # `check-ref-format --branch` would expand `@{-1}`; the full name is taken literally (git-check-ref-format).
    if (
        branch in {"HEAD", "@"}
        or branch.startswith("-")
        or repo.git.try_run("check-ref-format", f"refs/heads/{branch}").returncode != 0
    ):
        raise GitError(f"{branch!r} cannot be the name of a branch", hint="choose another one with --branch NAME")
    return ref_commit(repo, f"refs/heads/{branch}")


def ref_commit(repo: Repository, ref: str) -> str | None:
    """Return the commit id that the full reference name `ref` has; None where there is none, or no such name can be."""
    if not ref.startswith("refs/"):
        return None
    done = repo.git.try_run("rev-parse", "--quiet", "--verify", f"{ref}^{{commit}}")
    return done.stdout.decode("ascii").strip() if done.returncode == 0 else None


def is_ancestor(repo: Repository, commit: str, of: str) -> bool:
    """Whether `commit` (id) is `of` or one of its ancestors; False as well where one of them is not here."""
    return repo.git.try_run("merge-base", "--is-ancestor", commit, of).returncode == 0
