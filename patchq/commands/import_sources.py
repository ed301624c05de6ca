"""What `patchq import` reads: files and folders of patches, standard input, commits, StGit stacks, the work tree."""

from __future__ import annotations

import os
import re
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from patchq.commands.import_commits import read_commits
from patchq.commands.import_files import is_file, read_file
from patchq.commands.import_folder import is_folder, read_folder
from patchq.commands.import_span import read_span
from patchq.commands.import_stack import STACK, read_stack_of
from patchq.errors import SeriesError, UsageError
from patchq.gitstore.workdiff import work_tree_diff
from patchq.model.patch import GitDate
from patchq.queue.arrival import (
    Arrival,
    Naming,
    Wording,
    from_diff,
    read_message,
    renamed,
    reworded,
    signed,
    with_own_name,
)
from patchq.queue.prefixes import with_prefix
from patchq.seriesstore.layout import LEDGER, MANIFEST, ref_folders

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from patchq.commands.import_span import Span
    from patchq.commands.workspace import Workspace
    from patchq.gitstore.repository import Repository
    from patchq.model.names import PatchName
    from patchq.model.patch import Patch

# `../x.patch` is a path: what stands behind the dots of a range cannot begin with a dot or a slash.
_RANGE = re.compile(r"(?P<first>.*?)\.\.(?P<last>(?![./]).*)", re.DOTALL)


@dataclass(frozen=True, slots=True, kw_only=True)
class Reading:
    """How sources are read: leading parts of names to remove, a folder to put in front, and a person's words."""

    strip: int = 1
    prefix: bytes = b""
    name: PatchName | None = None
    message: bytes | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Gathered:
    """The patches in the order of the command line, complete with author and date.

    `span` is the first range of commits among the sources; `below` are comments of a `series` file behind its last
    patch, and `notes` what a person has to know of what was not taken as it is.
    """

    arrivals: tuple[Arrival, ...]
    span: Span | None = None
    below: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()


def gather(repo: Repository, sources: Sequence[str], reading: Reading) -> Gathered:
    """Read every source; nothing is written. PatchqError with the source's name where one cannot be read."""
    found: list[Arrival] = []
    spans: list[Span] = []
    below: list[str] = []
    notes: list[str] = []
    for source in sources:
        if is_folder(source):
            folder = read_folder(source, reading.strip)
            found.extend(folder.arrivals)
            below.extend(folder.below)
            notes.extend(folder.notes)
            continue
        if source.startswith(STACK) and not is_file(source):
            stack = read_stack_of(repo, source)
            spans.append(stack.span)
            found.extend(stack.arrivals)
            notes.extend(stack.notes)
            continue
        typed = None if is_file(source) else _RANGE.fullmatch(source)
        if typed is None:
            read = read_file(repo, source, reading.strip)
            found.extend(read.arrivals)
            notes.extend(read.notes)
            continue
        span = read_span(repo, source, typed["first"] or "HEAD", typed["last"] or "HEAD")
        spans.append(span)
        commits = read_commits(repo, span.commits)
        found.extend(commits.arrivals)
        notes.extend(commits.notes)
    if not found:
        raise SeriesError("there is no patch in it", hint="git log --stat shows what commits change")
    if len(found) > 1 and (reading.name is not None or reading.message is not None):
        raise UsageError(f"--name and --message are for one patch, and these are {len(found)}")
    arrivals = tuple(_finished(repo, arrival, reading) for arrival in found)
    return Gathered(arrivals=arrivals, span=spans[0] if spans else None, below=tuple(below), notes=tuple(notes))


def gather_work_tree(workspace: Workspace, reading: Reading) -> Gathered:
    """Read the changes of the work tree against HEAD as one patch; the series itself is left out."""
    if reading.message is None or not reading.message.strip():
        raise UsageError("a patch from the work tree needs a message", hint='--message "WHAT IT DOES, AND WHY"')
    repo = workspace.repo
    diff = work_tree_diff(repo, without=series_paths(repo, workspace.store.root.resolve()))
    if not diff:
        raise SeriesError("the work tree has no changes", hint="edit the files first, then import them")
    patch = from_diff(read_message(reading.message), diff, file="the work tree")
    return Gathered(arrivals=(_finished(repo, Arrival(patch=patch, origin="work tree"), reading),))


def series_paths(repo: Repository, root: Path) -> tuple[bytes, ...]:
    """Return the git paths that hold the series: its folder, or patchq's own files where that is the whole tree."""
    if repo.work_tree is None or not root.is_relative_to(repo.work_tree):
        return ()
    if root == repo.work_tree:
        return tuple(map(os.fsencode, (MANIFEST, LEDGER, *ref_folders(root))))
    return (os.fsencode(root.relative_to(repo.work_tree)),)


def _finished(repo: Repository, arrival: Arrival, reading: Reading) -> Arrival:
    """Put the paths where they belong, and the words of the command line on top of the patch's own."""
    patch = with_own_name(with_prefix(arrival.patch, reading.prefix))
    naming = arrival.naming
    if reading.message is not None:
        patch = reworded(patch, read_message(reading.message))
    if reading.name is not None:
        named = replace(patch, name=reading.name) if reading.message is not None else renamed(patch, reading.name)
        patch, naming = named, Naming.GIVEN
    patch = _signed(repo, patch)
    wording = arrival.wording if patch.message == arrival.patch.message else Wording.WRITTEN_ANEW
    return replace(arrival, patch=patch, naming=naming, wording=wording)


def _signed(repo: Repository, patch: Patch) -> Patch:
    """Let the user sign what nobody has: a plain diff says neither who made it nor when."""
    if patch.message.author is not None and patch.message.date is not None:
        return patch
    now = datetime.now(UTC).astimezone()
    author = patch.message.author or repo.identity()
    return signed(patch, author, GitDate(int(now.timestamp()), f"{now:%z}"[:5]))
