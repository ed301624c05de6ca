"""A StGit stack on its way into a series: names and order kept, unapplied patches at the end as not carried."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from patchq.commands.import_commits import read_commits
from patchq.commands.import_span import Span
from patchq.errors import GitError, UsageError
from patchq.gitstore.history import commits
from patchq.gitstore.refs import resolve
from patchq.gitstore.stgit import read_stack
from patchq.model.series import Standing
from patchq.queue.arrival import name_of_file

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from patchq.commands.import_commits import Commits
    from patchq.gitstore.history import CommitInfo
    from patchq.gitstore.repository import Repository
    from patchq.gitstore.stgit import Stack, StackPatch
    from patchq.queue.arrival import Arrival

STACK = "stgit:"


@dataclass(frozen=True, slots=True)
class StackRead:
    """The patches of a stack, the range of commits that its applied ones are, and notes for a person."""

    arrivals: tuple[Arrival, ...]
    span: Span
    notes: tuple[str, ...]


def read_stack_of(repo: Repository, source: str) -> StackRead:
    """Read `stgit:BRANCH`, or `stgit:` for the branch that HEAD is on; GitError where there is no stack of StGit."""
    branch = source.removeprefix(STACK) or repo.current_branch
    if branch is None:
        raise UsageError("HEAD is on no branch", hint=f"name the branch of the stack: {STACK}BRANCH")
    stack = read_stack(repo, branch)
    infos = _applied(repo, stack)
    base = resolve(repo, infos[0].parents[0] if infos else stack.head)
    carried = read_commits(repo, infos)
    asleep = read_commits(repo, [_one(repo, patch) for patch in stack.unapplied])
    arrivals = [
        *_named(carried, stack.applied, Standing.CARRIED),
        *_named(asleep, stack.unapplied, Standing.NOT_CARRIED),
    ]
    notes = [*carried.notes, *asleep.notes]
    notes += [
        f"{one.patch.name} is not applied there: it joins as not carried, and the next rebase tries it"
        for one in arrivals
        if _sleeps(one)
    ]
    notes += [f"{one.name} is hidden there and was left out" for one in stack.hidden]
    span = Span(text=source, first=base, fork=base, commits=infos)
    return StackRead(tuple(arrivals), span, tuple(notes))


def _applied(repo: Repository, stack: Stack) -> tuple[CommitInfo, ...]:
    """Return the commits of the applied patches, which must be the end of the branch, one on the other."""
    if not stack.applied:
        return ()
    infos = commits(repo, f"{stack.applied[0].commit}^..{stack.head}")
    if [info.commit for info in infos] != [one.commit for one in stack.applied] or any(info.is_merge for info in infos):
        raise GitError(f"the patches of {stack.branch} are not the last commits of it", hint="stg repair")
    return infos


def _one(repo: Repository, patch: StackPatch) -> CommitInfo:
    infos = commits(repo, f"{patch.commit}^..{patch.commit}")
    if len(infos) != 1 or infos[0].is_merge:
        raise GitError(f"patch {patch.name} is no single change", hint="stg repair")
    return infos[0]


def _named(read: Commits, patches: Sequence[StackPatch], standing: Standing) -> Iterator[Arrival]:
    """Give each patch the name that it has in the stack."""
    names = {f"commit {one.commit}": one.name for one in patches}
    for arrival in read.arrivals:
        name = name_of_file(names[arrival.origin]) or arrival.patch.name
        yield replace(arrival, patch=replace(arrival.patch, name=name), standing=standing)


def _sleeps(arrival: Arrival) -> bool:
    return arrival.standing is Standing.NOT_CARRIED
