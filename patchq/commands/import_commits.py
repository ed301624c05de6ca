"""Commits as patches on their way into a series, and which of them are none."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from patchq.gitstore.history import commit_patches
from patchq.queue.arrival import Arrival, from_diff, is_ignored, read_message

if TYPE_CHECKING:
    from collections.abc import Sequence

    from patchq.gitstore.history import CommitInfo
    from patchq.gitstore.repository import Repository


@dataclass(frozen=True, slots=True)
class Commits:
    """The patches of some commits in order, and a note for each commit that was left out."""

    arrivals: tuple[Arrival, ...]
    notes: tuple[str, ...]


def read_commits(repo: Repository, infos: Sequence[CommitInfo]) -> Commits:
    """Make a patch of each commit; what changes nothing, or says `Gbp-Pq: Ignore`, is left out and noted."""
    arrivals: list[Arrival] = []
    notes: list[str] = []
    for info, diff in zip(infos, commit_patches(repo, infos), strict=True):
        if not diff:
            notes.append(f"commit {info.commit[:12]} changes nothing and was left out")
            continue
        message = replace(read_message(info.message), author=info.author, date=info.date)
        patch = from_diff(message, diff, file=f"commit {info.commit[:12]}")
        if is_ignored(patch):
            notes.append(f"commit {info.commit[:12]} says Gbp-Pq: Ignore and was left out")
            continue
        arrivals.append(Arrival(patch=patch, origin=f"commit {info.commit}"))
    return Commits(tuple(arrivals), tuple(notes))
