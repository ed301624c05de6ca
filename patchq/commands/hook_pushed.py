"""Which of the branches that are about to be pushed are on record as built, and are not as they were built."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from patchq.commands.locating import series_root
from patchq.errors import GitError
from patchq.gitstore.staged import find_staging
from patchq.queue.guard import not_built_from
from patchq.seriesstore.glance import glance
from patchq.seriesstore.layout import MANIFEST

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from patchq.commands.session import Session
    from patchq.gitstore.staged import Staging
    from patchq.queue.guard import Difference
    from patchq.seriesstore.glance import Glance

_BRANCHES = "refs/heads/"
_FIELDS = 4


@dataclass(frozen=True, slots=True, kw_only=True)
class Push:
    """A branch about to be pushed: the commit, and the short names it has here and there."""

    commit: str
    names: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Refusal:
    """A pushed branch that is not as built. `beyond` counts its own commits, None: the build is not in its history.

    `here`: the branch itself is at the pushed commit in this repository, so that it stands in the way of a build.
    """

    ref: str
    branch: str
    built: str
    pushed: str
    beyond: int | None
    difference: Difference
    here: bool


def pushes_of(text: str) -> Iterator[Push]:
    """Read what githooks(5) promises a pre-push hook: `<local ref> <local id> <remote ref> <remote id>` a line.

    An id of zeros is a deletion. GitError for other lines.
    """
    for line in filter(None, text.split("\n")):
        fields = line.split(" ")
        if len(fields) != _FIELDS:
            raise GitError(f"this is no line of a push: {line!r}", hint="git calls this hook; patchq hook install")
        local, commit, there, _ = fields
        names = [name.removeprefix(_BRANCHES) for name in (local, there) if name.startswith(_BRANCHES)]
        if names and commit.strip("0"):
            yield Push(commit=commit, names=tuple(dict.fromkeys(names)))


def framework_push(environment: Mapping[str, str]) -> tuple[Push, ...]:
    """Read what the pre-commit framework (https://pre-commit.com) sets instead; it has taken standard input."""
    refs = (environment.get("PRE_COMMIT_LOCAL_BRANCH", ""), environment.get("PRE_COMMIT_REMOTE_BRANCH", ""))
    names = [ref.removeprefix(_BRANCHES) for ref in refs if ref.startswith(_BRANCHES)]
    # For a branch that is new there, the commit is not given.
    commit = environment.get("PRE_COMMIT_TO_REF") or refs[0]
    return (Push(commit=commit, names=tuple(dict.fromkeys(names))),) if names and commit else ()


def refusals_of(session: Session, pushes: Sequence[Push]) -> Iterator[Refusal]:
    """Compare each with the series on record; SeriesError where that is malformed."""
    staging = find_staging(session.repo_option)
    root = None if staging is None else series_root(session, staging.repo)
    if staging is None or root is None or not (root / MANIFEST).is_file():
        return
    folders = glance(root, staging.cache_dir, [name for push in pushes for name in push.names])
    for push in pushes:
        found = [_refusal(push, folder, staging) for folder in folders if folder.record.branch in push.names]
        if found and None not in found:  # several folders may have the same branch on record; one must fit
            yield next(refusal for refusal in found if refusal is not None)


def _refusal(push: Push, folder: Glance, staging: Staging) -> Refusal | None:
    record = folder.record
    if record.branch is None or record.branch_commit is None:
        return None
    difference = not_built_from(record, folder.digests())
    push = replace(push, commit=staging.commit_of(push.commit))
    if push.commit == record.branch_commit and not difference:
        return None
    known = staging.may_contain(record.branch_commit, push.commit)
    return Refusal(
        ref=folder.ref,
        branch=record.branch,
        built=record.branch_commit,
        pushed=push.commit,
        beyond=staging.count_beyond(record.branch_commit, push.commit) if known else None,
        difference=difference,
        here=staging.is_branch_at(record.branch, push.commit),
    )
