"""StGit's stacks: the patches of a branch by name, applied and not, as its own reference keeps them."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from patchq.errors import GitError
from patchq.gitstore.branches import ref_commit

if TYPE_CHECKING:
    from collections.abc import Sequence

    from patchq.gitstore.repository import Repository

_LARGEST = 8 << 20
_ID = re.compile(r"[0-9a-f]{40}|[0-9a-f]{64}")
_VERSION = 5
_ENTRY = re.compile(r"  (\S+): ([0-9a-f]{40,64})")
_LISTS = ("Applied", "Unapplied", "Hidden")


@dataclass(frozen=True, slots=True)
class StackPatch:
    """A patch of a stack: its name there, and its commit (id)."""

    name: str
    commit: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Stack:
    """A stack in order, the first applied patch first; `head` is where the branch stood when StGit last wrote it."""

    branch: str
    head: str
    applied: tuple[StackPatch, ...]
    unapplied: tuple[StackPatch, ...]
    hidden: tuple[StackPatch, ...]


def read_stack(repo: Repository, branch: str) -> Stack:
    """Read the stack of `branch`: `stack.json` of version 5 (StGit 1.2 and later), or `meta` (before that).

    Formats: src/stack/serde.rs and src/stack/upgrade.rs in StGit's own repository. GitError where there is no stack, it
    cannot be read, or the branch has moved without StGit.
    """
    stack = _parsed(repo, branch)
    now = ref_commit(repo, f"refs/heads/{branch}")
    if now != stack.head:
        raise GitError(
            f"branch {branch} is at {(now or 'no commit')[:12]}, and StGit left it at {stack.head[:12]}",
            hint="stg repair takes the new commits into the stack",
        )
    return stack


def has_stack(repo: Repository, branch: str) -> bool:
    """Whether StGit keeps a stack for `branch`."""
    return any(ref_commit(repo, ref) is not None for ref, _ in _places(branch))


def _places(branch: str) -> tuple[tuple[str, str], ...]:
    return (f"refs/stacks/{branch}", "stack.json"), (f"refs/heads/{branch}.stgit", "meta")


def _parsed(repo: Repository, branch: str) -> Stack:
    for ref, file in _places(branch):
        commit = ref_commit(repo, ref)
        if commit is None:
            continue
        size = repo.git.try_run("cat-file", "-s", f"{commit}:{file}")
        if size.returncode != 0:
            continue
        if int(size.stdout) > _LARGEST:
            raise GitError(f"{ref}:{file} is larger than the {_LARGEST >> 20} MiB that are read of a stack")
        data = repo.git.run("cat-file", "blob", f"{commit}:{file}")
        text = data.decode("utf-8", "surrogateescape")
        try:
            return _from_json(branch, text) if file == "stack.json" else _from_meta(branch, text)
        except (ValueError, KeyError, TypeError, RecursionError) as error:
            raise GitError(f"the stack in {ref}:{file} cannot be read: {error!s:.80}", hint="stg series") from error
    raise GitError(f"StGit keeps no stack for {branch!r}", hint="stg branch --list shows which branches have one")


def _from_json(branch: str, text: str) -> Stack:
    document = json.loads(text)
    if document["version"] != _VERSION:
        raise ValueError(f"version {document['version']}, and {_VERSION} is known")
    patches = document["patches"]
    lists = [tuple(_patch(name, patches[name]["oid"]) for name in document[key]) for key in map(str.lower, _LISTS)]
    return _stack(branch, document["head"], lists)


def _from_meta(branch: str, text: str) -> Stack:
    """Read the older form: `Key: value` lines, and below the name of a list its patches, indented."""
    head = ""
    lists: dict[str, list[StackPatch]] = {name: [] for name in _LISTS}
    here: list[StackPatch] | None = None
    for line in text.splitlines():
        entry = _ENTRY.fullmatch(line)
        if entry is not None and here is not None:
            here.append(_patch(entry[1], entry[2]))
            continue
        key, colon, value = line.partition(":")
        if not colon or line.startswith(" "):
            raise ValueError(f"the line {line[:40]!r}")
        head = value.strip() if key == "Head" else head
        here = lists.get(key)
    return _stack(branch, head, [tuple(lists[name]) for name in _LISTS])


def _stack(branch: str, head: object, lists: Sequence[tuple[StackPatch, ...]]) -> Stack:
    applied, unapplied, hidden = lists
    return Stack(branch=branch, head=_id(head), applied=applied, unapplied=unapplied, hidden=hidden)


def _patch(name: object, commit: object) -> StackPatch:
    if not isinstance(name, str):
        raise TypeError("a name that is no text")
    return StackPatch(name, _id(commit))


def _id(value: object) -> str:
    if not isinstance(value, str) or not _ID.fullmatch(value):
        raise ValueError(f"{value!r:.60} is no object id")
    return value
