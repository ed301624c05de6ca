"""References: what a name typed by a person means, what to call it, and how several of them move at once."""

from __future__ import annotations

import difflib
import os
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from patchq.errors import GitError, PublishError
from patchq.gitstore.worktrees import checked_out
from patchq.model.series import RefPoint

if TYPE_CHECKING:
    from collections.abc import Sequence

    from patchq.gitstore.repository import Repository

_SHORT_ID = 12
_HEX = re.compile(r"[0-9a-f]{7,64}")
_MOST_NAMES = 20_000  # looked through for near misses
_MOVED_MEANWHILE = ("but expected", "reference already exists", "unable to resolve reference")
_NAMESPACES = ("refs/tags/", "refs/heads/", "refs/remotes/")


@dataclass(frozen=True, slots=True, kw_only=True)
class RefUpdate:
    """One move of a full reference name between commit ids in hex; None stands for `does not exist`."""

    ref: str
    new: str | None
    expected_old: str | None


def resolve(repo: Repository, ref: str) -> RefPoint:
    """Return the commit and tree that `ref` means now: a name, an id or an expression such as `main~2`; tags peeled.

    GitError for an unknown name (with near misses), one that could mean two references, what is not a commit, and
    what git would take as an option or an exclusion.
    """
    if ref.startswith(("-", "^")) or not ref or "\0" in ref or "\n" in ref:
        raise GitError(f"{ref!r} cannot be the name of a commit")
    done = repo.git.try_run("rev-parse", "--verify", "--end-of-options", f"{ref}^{{commit}}")
    complaints = done.stderr.decode("utf-8", "replace")
    if "is ambiguous" in complaints:
        raise _ambiguous(repo, ref, complaints)
    if done.returncode != 0:
        if "expected commit type" in complaints:
            raise GitError(f"{ref!r} is not a commit", hint="name a branch, a tag or a commit id")
        raise _unknown(repo, ref)
    commit = done.stdout.decode("ascii").strip()
    tree = repo.git.run("rev-parse", "--verify", f"{commit}^{{tree}}").decode("ascii").strip()
    return RefPoint(ref, commit, tree)


def short_ref(repo: Repository, point: RefPoint) -> str:
    """Return what people call `point`: a tag's or branch's name without its remote, else 12 digits of the commit.

    `origin/main` and `refs/heads/main` are `main`, `refs/tags/v1` is `v1`, `HEAD` is the branch it is on.
    """
    done = repo.git.try_run("rev-parse", "--quiet", "--verify", "--symbolic-full-name", "--end-of-options", point.ref)
    full = os.fsdecode(done.stdout).strip()
    if full.startswith("refs/remotes/"):
        tail = full.removeprefix("refs/remotes/")
        owners = [remote.name for remote in repo.remotes() if tail.startswith(f"{remote.name}/")]
        return tail.removeprefix(max(owners, key=len, default="") + "/") if owners else tail
    for namespace in ("refs/tags/", "refs/heads/", "refs/"):
        if full.startswith(namespace):
            return full.removeprefix(namespace)
    return point.commit[:_SHORT_ID]


def update_refs(repo: Repository, updates: Sequence[RefUpdate], *, message: str) -> None:
    """Move all of `updates` or none, with `message` in the reflogs; PublishError where one is not at its old value.

    GitError for a branch that some worktree has checked out: HEAD and files of a person are never changed.
    """
    for update in updates:
        if not update.ref.startswith("refs/") or "\0" in update.ref:
            raise PublishError(f"{update.ref!r} is not a full reference name")
    _refuse_held(repo, updates)
    null = repo.null_id
    stream = ["start\0"]
    for update in updates:
        old = update.expected_old or null
        if update.new is None:
            # `delete` takes no zero id for the old value; `verify` is the same promise without the move.
            verb, values = ("verify", f"{null}\0") if update.expected_old is None else ("delete", f"{old}\0")
        else:
            verb, values = "update", f"{update.new}\0{old}\0"
        stream.append(f"{verb} {update.ref}\0{values}")
    stream.append("prepare\0commit\0")
    reason = " ".join(message.split())
    done = repo.git.try_run(
        "update-ref", "--no-deref", "--create-reflog", "-m", reason, "-z", "--stdin", stdin=os.fsencode("".join(stream))
    )
    if done.returncode != 0:
        moved = any(words in done.complaint for words in _MOVED_MEANWHILE)
        raise PublishError(
            f"the references were not moved: {done.complaint}",
            hint="somebody moved one meanwhile: look with git log, then run the command again" if moved else None,
        )


def _refuse_held(repo: Repository, updates: Sequence[RefUpdate]) -> None:
    held = checked_out(repo)
    for update in updates:
        if update.ref in held:
            raise GitError(
                f"branch {update.ref.removeprefix('refs/heads/')} is checked out in {held[update.ref]}",
                hint="leave it there first: git switch --detach",
            )
    names = [update.ref for update in updates]
    for line in os.fsdecode(repo.git.run("for-each-ref", "--format=%(refname) %(symref)", "--", *names)).splitlines():
        name, _, target = line.partition(" ")
        if target and name in names:
            raise GitError(f"{name} is only another name of {target}", hint=f"git symbolic-ref --delete {name}")


def _ambiguous(repo: Repository, ref: str, complaints: str) -> GitError:
    found = re.search(r"refname '(.*)' is ambiguous", complaints)
    if found is None:
        return GitError(f"more than one object starts with {ref!r}", hint="give more digits")
    name = found[1]
    known = set(_all_refs(repo))
    meanings = [prefix + name for prefix in _NAMESPACES if prefix + name in known]
    return GitError(
        f"{name!r} could mean {' or '.join(meanings) or 'a reference or a commit id'}",
        hint=f"write {meanings[0]}" if meanings else "write the full reference name",
    )


def _unknown(repo: Repository, ref: str) -> GitError:
    if _HEX.fullmatch(ref):
        hint = "git fetch --unshallow" if repo.is_shallow else f"git fetch origin {ref}"
        return GitError(f"commit {ref} is not in this repository", hint=hint)
    names = {name.removeprefix(_namespace(name)): None for name in _all_refs(repo)[:_MOST_NAMES]}
    near = [name for name in names if name.endswith(f"/{ref}")][:3] or difflib.get_close_matches(ref, names)
    if not near:
        remote = next((remote.name for remote in repo.remotes()), None)
        bring = None if remote is None else f"git fetch {remote} tag {ref}, if it is a release not fetched yet"
        return GitError(f"there is no reference or commit {ref!r}", hint=bring)
    return GitError(
        f"there is no reference or commit {ref!r}; near: {', '.join(near)}", hint=f"patchq rebase {near[0]}"
    )


def _all_refs(repo: Repository) -> list[str]:
    return os.fsdecode(repo.git.run("for-each-ref", "--format=%(refname)")).splitlines()


def _namespace(name: str) -> str:
    return next((namespace for namespace in _NAMESPACES if name.startswith(namespace)), "")
