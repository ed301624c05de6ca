"""Bring upstream's refs before a rebase, where there is an upstream that git can fetch."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from patchq.gitstore.fetch import fetch

if TYPE_CHECKING:
    from patchq.commands.session import Session
    from patchq.commands.workspace import Workspace
    from patchq.gitstore.repository import Repository

_PYPI = "pypi:"
_COMMIT = re.compile(r"[0-9a-f]{40}|[0-9a-f]{64}")


def fetch_for(session: Session, workspace: Workspace, target: str) -> None:
    """Fetch the remote that `target` belongs to; nothing for a tag or commit that is here, which cannot change.

    NetworkError, with `--no-fetch` as the way out, where the remote cannot be reached.
    """
    repo = workspace.repo
    if _is_fixed(repo, target):
        session.detail(f"{target} is here already; not fetching")
        return
    remote = _remote_of(workspace, target)
    if remote is None:
        session.detail("no upstream to fetch from")
        return
    session.progress(f"fetching {remote}")
    fetch(repo, remote, progress=session.detail)


def _is_fixed(repo: Repository, target: str) -> bool:
    name = target.removeprefix("refs/tags/")
    tag = repo.git.try_run("rev-parse", "--quiet", "--verify", f"refs/tags/{name}^{{commit}}")
    if tag.returncode == 0:
        return True
    here = repo.git.try_run("rev-parse", "--quiet", "--verify", "--end-of-options", f"{target}^{{commit}}")
    return bool(_COMMIT.fullmatch(target)) and here.returncode == 0


def _remote_of(workspace: Workspace, target: str) -> str | None:
    """Choose the remote whose name `target` starts with, or else the one that the manifest names by name or URL."""
    remotes = workspace.repo.remotes()
    for remote in remotes:
        if target.removeprefix("refs/remotes/").startswith(f"{remote.name}/"):
            return remote.name
    upstream = workspace.manifest.upstream
    if upstream is None or upstream.startswith(_PYPI):
        return None
    by_url = next((remote.name for remote in remotes if remote.url == upstream), None)
    return by_url or upstream
