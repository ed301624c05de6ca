"""Where imported patches go: the series they join, the upstream commit it stands on, and why that one."""

from __future__ import annotations

import os
from dataclasses import dataclass
from typing import TYPE_CHECKING

from patchq.commands.import_span import commits_ahead
from patchq.errors import GitError, SeriesError
from patchq.gitstore.refs import resolve, short_ref
from patchq.model.series import RefPoint, Series

if TYPE_CHECKING:
    from patchq.commands.import_span import Span
    from patchq.commands.workspace import Workspace
    from patchq.gitstore.repository import Repository


@dataclass(frozen=True, slots=True, kw_only=True)
class Target:
    """The series that patches join, as it is now, and its base; `why` is a phrase that says how it was chosen.

    `state` is the digest of its folder from before it was read. `ahead` counts the commits of HEAD that the followed
    branch does not have, where HEAD was taken for the base.
    """

    series: Series
    base: RefPoint
    why: str
    state: str
    ahead: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Wish:
    """What the command line says about the place: `--onto`, `--base`, a range of commits, or the work tree."""

    onto: str | None
    base: str | None
    span: Span | None
    from_work_tree: bool


def choose_target(workspace: Workspace, wish: Wish) -> Target:
    """Choose by `--onto`, `--base`, the current series, and for a first import by what is imported, in this order."""
    known = workspace.store.refs()
    current = workspace.manifest.current
    if wish.onto in known:
        return _existing(workspace, wish, str(wish.onto), "as --onto says")
    if wish.onto is None and wish.base is None and current is not None:
        return _existing(workspace, wish, current, "the series that is current")
    point, ref, why = _first_base(workspace, wish)
    if wish.onto is not None:
        ref = called(workspace.repo, _resolve(workspace.repo, wish.onto, "--onto"))
    if ref in known:
        return _existing(workspace, wish, ref, why)
    fresh = wish.onto is None and wish.base is None and wish.span is None and wish.from_work_tree
    return Target(
        series=Series(ref=ref, entries=()),
        base=RefPoint(ref, point.commit, point.tree),
        why=why,
        state=workspace.store.state(ref),
        ahead=commits_ahead(workspace.repo, workspace.manifest.follow) if fresh else 0,
    )


def _existing(workspace: Workspace, wish: Wish, ref: str, why: str) -> Target:
    state = workspace.store.state(ref)
    series = workspace.store.load(ref)
    base = workspace.base_of(series)
    if wish.base is not None and _resolve(workspace.repo, wish.base, "--base").tree != base.tree:
        raise SeriesError(
            f"the series of {ref} stands on {base.commit[:12]}, not on {wish.base}",
            hint=f"patchq rebase {wish.base} carries it there; or start another one with --onto REF",
        )
    return Target(series=series, base=base, why=why, state=state)


def _first_base(workspace: Workspace, wish: Wish) -> tuple[RefPoint, str, str]:
    """Find the base of a new series: the commit, what to call it, and why it was taken."""
    repo, follow = workspace.repo, workspace.manifest.follow
    if wish.base is not None:
        point = _resolve(repo, wish.base, "--base")
        return point, called(repo, point), "as --base says"
    if wish.onto is not None:
        point = _resolve(repo, wish.onto, "--onto")
        return point, called(repo, point), "as --onto says"
    if wish.span is not None:
        return _start(repo, wish.span)
    if wish.from_work_tree:
        point = _resolve(repo, "HEAD", "--base")
        followed = None if follow is None else _find(repo, follow)
        same = followed is not None and followed.commit == point.commit
        return point, called(repo, followed if same and followed is not None else point), "HEAD"
    if follow is None:
        raise SeriesError("which upstream commit were these patches made for?", hint="name it: --base REF")
    point = _resolve(repo, follow, "--base")
    return point, called(repo, point), "the branch that patchq.yaml follows"


def _start(repo: Repository, span: Span) -> tuple[RefPoint, str, str]:
    """Take the beginning of a range, or where its commits branched off if that branch has gone on since."""
    if span.fork == span.first:
        return span.first, called(repo, span.first), f"where {span.text} begins"
    name, branch = called(repo, span.fork), short_ref(repo, span.first)
    if span.fork.commit.startswith(name) and branch not in _tags_at(repo, span.first.commit):
        name = branch  # its folder moves on with it anyway; a tag stays what it was
    return span.fork, name, f"where {span.text} branched off"


def called(repo: Repository, point: RefPoint) -> str:
    """Name a commit: by its ref, or for a bare one by the only tag that points to it, or by its first digits."""
    name = short_ref(repo, point)
    tags = _tags_at(repo, point.commit) if point.commit.startswith(name) else []
    return tags[0] if len(tags) == 1 else name


def _tags_at(repo: Repository, commit: str) -> list[str]:
    listed = repo.git.run("for-each-ref", f"--points-at={commit}", "--format=%(refname:lstrip=2)", "refs/tags")
    return os.fsdecode(listed).splitlines()


def _find(repo: Repository, ref: str) -> RefPoint | None:
    try:
        return resolve(repo, ref)
    except GitError:
        return None


def _resolve(repo: Repository, ref: str, option: str) -> RefPoint:
    try:
        return resolve(repo, ref)
    except GitError as error:
        raise GitError(error.message, hint=f"name an upstream commit that is here: {option} REF") from error
