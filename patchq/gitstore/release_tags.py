"""The tags that say which release an upstream state is, or which releases it contains."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from patchq.gitstore.branches import ref_commit
from patchq.gitstore.refs import short_ref

if TYPE_CHECKING:
    from patchq.gitstore.repository import Repository
    from patchq.model.series import RefPoint


def own_tag(repo: Repository, point: RefPoint) -> str | None:
    """Return the tag that `point` was named by; None where it was named by a branch, an id or an expression."""
    name = short_ref(repo, point)
    return name if ref_commit(repo, f"refs/tags/{name}") == point.commit else None


def contained_tags(repo: Repository, commit: str) -> tuple[str, ...]:
    """Return the names of all tags that are `commit` (id) or one of its ancestors, as far as they are here."""
    told = repo.git.run("for-each-ref", "--format=%(refname:lstrip=2)", f"--merged={commit}", "refs/tags/")
    return tuple(os.fsdecode(told).splitlines())
