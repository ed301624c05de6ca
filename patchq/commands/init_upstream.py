"""Which upstream a series follows: a remote, a URL or a project on PyPI, as typed or as the repository suggests."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from patchq.errors import GitError, SeriesError, UsageError
from patchq.gitstore.branches import branch_commit
from patchq.gitstore.refs import resolve
from patchq.gitstore.snapshot import BRANCH, read_shelf

if TYPE_CHECKING:
    from patchq.gitstore.repository import Repository

_PYPI = "pypi:"
_PROJECT = re.compile(r"[A-Za-z0-9](?:[A-Za-z0-9._-]*[A-Za-z0-9])?")  # the names that PyPI accepts
_USUAL_REMOTES = ("upstream", "origin")
_USUAL_BRANCHES = ("main", "master")


@dataclass(frozen=True, slots=True)
class Upstream:
    """What patchq.yaml says: a remote's name, a URL or `pypi:NAME`; and the branch of it that is followed, if known."""

    name: str | None
    follow: str | None


def suggested_upstream(repo: Repository) -> Upstream:
    """Take the remote `upstream`, else `origin`, else the only one; else the project whose releases are here.

    SeriesError where there are several and none of them is usual.
    """
    names = [remote.name for remote in repo.remotes()]
    usual = [name for name in _USUAL_REMOTES if name in names]
    if usual or len(names) == 1:
        return _of_remote(repo, (usual or names)[0])
    projects = sorted({snapshot.name for snapshot in read_shelf(repo).snapshots})
    if names or len(projects) > 1:
        found = names or [_PYPI + project for project in projects]
        raise SeriesError(f"which one is upstream: {', '.join(found)}?", hint=f"patchq init --upstream {found[0]}")
    return _of_project(repo, projects[0]) if projects else Upstream(None, None)


def named_upstream(repo: Repository, text: str) -> Upstream:
    """Read `--upstream`; a URL that some remote has is that remote, since its branches have names here.

    UsageError for a URL with a password, which git would publish with the file; GitError for an unknown remote.
    """
    remotes = repo.remotes()
    if text.startswith(_PYPI):
        if not _PROJECT.fullmatch(text.removeprefix(_PYPI)):
            raise UsageError(f"{text!r} names no project", hint="write pypi:NAME")
        return _of_project(repo, text.removeprefix(_PYPI))
    known = next((remote.name for remote in remotes if text in {remote.name, remote.url}), None)
    if known is not None:
        return _of_remote(repo, known)
    if not text or text.startswith("-") or not any(mark in text for mark in ":/"):
        names = ", ".join(remote.name for remote in remotes) or "none at all"
        raise GitError(
            f"there is no remote {text!r}; there is {names}", hint="give its URL, or git remote add NAME URL"
        )
    if _has_password(text):
        raise UsageError(
            "this URL has a password in it, and patchq.yaml is a file that you publish",
            hint="git remote add upstream URL, then patchq init --upstream upstream",
        )
    return Upstream(text, None)


def checked_follow(repo: Repository, follow: str, upstream: str | None) -> str:
    """Return `--follow` as a name that is here; `main` may be that branch of the remote `upstream`. GitError if not."""
    if _resolves(repo, follow):
        return follow
    of_remote = f"{upstream}/{follow}"
    if any(remote.name == upstream for remote in repo.remotes()) and _resolves(repo, of_remote):
        return of_remote
    raise GitError(f"there is no branch {follow!r} here", hint="git branch --all lists them; git fetch brings new ones")


def checked_pattern(repo: Repository, pattern: str) -> str:
    """Return `--branch` if it gives legal branch names that cannot be those of upstream's own branches."""
    if "{" in pattern.replace("{ref}", "") or "}" in pattern.replace("{ref}", ""):
        raise UsageError(
            f"only {{ref}} is replaced in a pattern, not what {pattern!r} has", hint="--branch patched/{ref}"
        )
    if pattern == "{ref}":
        raise UsageError("a built branch must not have the name of the upstream branch", hint="--branch patched/{ref}")
    branch_commit(repo, pattern.replace("{ref}", "main"))
    return pattern


def _of_remote(repo: Repository, remote: str) -> Upstream:
    noted = repo.default_branch(remote)
    candidates = [noted] if noted is not None else list(_USUAL_BRANCHES)
    there = [name for branch in candidates if _resolves(repo, name := f"{remote}/{branch}")]
    return Upstream(remote, there[0] if len(there) == 1 else None)


def _of_project(repo: Repository, project: str) -> Upstream:
    return Upstream(_PYPI + project, BRANCH if branch_commit(repo, BRANCH) is not None else None)


def _resolves(repo: Repository, name: str) -> bool:
    try:
        resolve(repo, name)
    except GitError:
        return False
    return True


def _has_password(text: str) -> bool:
    try:
        return urlsplit(text).password is not None
    except ValueError:  # brackets that are no IPv6 address: not an address with a password either
        return False
