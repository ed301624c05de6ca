"""A range of commits as patches: what `A..B` means, where it begins, and what in it is no patch."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from patchq.errors import GitError, UsageError
from patchq.gitstore.history import commits
from patchq.gitstore.refs import resolve

if TYPE_CHECKING:
    from patchq.gitstore.history import CommitInfo
    from patchq.gitstore.repository import Repository
    from patchq.model.series import RefPoint

_MOST_COMMITS = 1000  # a fork has some hundred patches; more is a range typed the wrong way round


@dataclass(frozen=True, slots=True, kw_only=True)
class Span:
    """A range as typed (`text`), its beginning `first`, and `fork`: the commit on which its oldest commit stands.

    `fork` is `first` unless that branch has gone on since. `commits` come oldest first and none of them is a merge.
    """

    text: str
    first: RefPoint
    fork: RefPoint
    commits: tuple[CommitInfo, ...]


def read_span(repo: Repository, text: str, first: str, last: str) -> Span:
    """Resolve the range `first..last`, typed as `text`; GitError where it is empty, huge, or no line of commits."""
    if first.endswith("."):
        raise UsageError(f"{text!r} has three dots", hint=f"patchq import {first.rstrip('.')}..{last}")
    start, end = resolve(repo, first), resolve(repo, last)
    count = _count(repo, start, end)
    if not 0 < count <= _MOST_COMMITS:
        other = _count(repo, end, start)
        turned = (
            f"the other way round there are {other}: patchq import {last}..{first}" if other else "name two commits"
        )
        raise GitError(f"there are {count or 'no'} commits in {text}", hint=turned)
    infos = commits(repo, f"{start.commit}..{end.commit}")
    merge = next((info for info in infos if info.is_merge), None)
    if merge is not None:
        raise GitError(
            f"{merge.commit[:12]} in {text} is a merge, which is no patch",
            hint=f"import all of it as one: git diff {first}...{last} | patchq import - -m MESSAGE",
        )
    # Without a merge it is one line of commits, so that what the oldest one stands on is where the fork began.
    parents = infos[0].parents
    if not parents:
        raise GitError(f"{first} and {last} have no commit in common", hint="begin the range at an upstream commit")
    fork = start if parents[0] == start.commit else resolve(repo, parents[0])
    return Span(text=text, first=start, fork=fork, commits=infos)


def commits_ahead(repo: Repository, follow: str | None) -> int:
    """Count the commits of HEAD that the branch `follow` does not have; 0 where one of the two is not here."""
    try:
        return 0 if follow is None else _count(repo, resolve(repo, follow), resolve(repo, "HEAD"))
    except GitError:
        return 0


def _count(repo: Repository, start: RefPoint, end: RefPoint) -> int:
    return int(repo.git.run("rev-list", "--count", f"{start.commit}..{end.commit}", "--"))
