"""What `patchq import` reads: patch files and mailboxes, standard input, ranges of commits, the work tree."""

from __future__ import annotations

import os
import re
import sys
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING

from patchq.errors import GitError, PatchFormatError, SeriesError, UsageError, Where
from patchq.gitstore.history import commit_patches, commits
from patchq.gitstore.refs import resolve
from patchq.gitstore.workdiff import work_tree_diff
from patchq.model.patch import GitDate
from patchq.patchfile.imports import read_import
from patchq.patchfile.limits import MAX_PATCH_BYTES, MEBIBYTE
from patchq.queue.arrival import Arrival, Naming, from_diff, read_message, renamed, reworded, signed, with_own_name
from patchq.queue.prefixes import with_prefix

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from patchq.gitstore.history import CommitInfo
    from patchq.gitstore.repository import Repository
    from patchq.model.names import PatchName
    from patchq.model.patch import Patch
    from patchq.model.series import RefPoint

STANDARD_INPUT = "-"
_MOST_COMMITS = 1000  # a fork has some hundred patches; more is a range typed the wrong way round
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
class Span:
    """A range of commits as resolved: `first` as typed, and the commit (`fork`) on which its first commit stands."""

    text: str
    first: RefPoint
    fork: RefPoint


@dataclass(frozen=True, slots=True, kw_only=True)
class Gathered:
    """The patches in the order of the command line, complete with author and date, and the first range among them."""

    arrivals: tuple[Arrival, ...]
    span: Span | None = None
    empty: tuple[CommitInfo, ...] = ()


def gather(repo: Repository, sources: Sequence[str], reading: Reading) -> Gathered:
    """Read every source; nothing is written. PatchqError with the source's name where one cannot be read."""
    found: list[Arrival] = []
    spans: list[Span] = []
    empty: list[CommitInfo] = []
    for source in sources:
        span = None if source == STANDARD_INPUT or Path(source).exists() else _RANGE.fullmatch(source)
        if span is None:
            found.extend(_from_file(repo, source, reading))
            continue
        resolved, infos = _resolve(repo, source, span["first"] or "HEAD", span["last"] or "HEAD")
        spans.append(resolved)
        for info, diff in zip(infos, commit_patches(repo, infos), strict=True):
            if diff:
                found.append(_from_commit(info, diff))
            else:
                empty.append(info)
    arrivals = tuple(_finished(repo, arrival, reading, alone=len(found) == 1) for arrival in found)
    return Gathered(arrivals=arrivals, span=spans[0] if spans else None, empty=tuple(empty))


def gather_work_tree(repo: Repository, series_root: Path, reading: Reading) -> Gathered:
    """Read the changes of the work tree against HEAD as one patch; the series itself is left out."""
    if reading.message is None or not reading.message.strip():
        raise UsageError("a patch from the work tree needs a message", hint='--message "WHAT IT DOES, AND WHY"')
    top = repo.work_tree
    inside = top is not None and series_root.resolve().is_relative_to(top.resolve())
    own = (os.fsencode(series_root.resolve().relative_to(top.resolve())),) if inside and top is not None else ()
    diff = work_tree_diff(repo, without=tuple(path for path in own if path != b"."))
    if not diff:
        raise SeriesError("the work tree has no changes", hint="edit the files first, then import them")
    patch = from_diff(read_message(reading.message), diff, file="the work tree")
    return Gathered(arrivals=(_finished(repo, Arrival(patch=patch, origin="work tree"), reading, alone=True),))


def _from_file(repo: Repository, source: str, reading: Reading) -> Iterator[Arrival]:
    origin = "standard input" if source == STANDARD_INPUT else f"file {Path(source).name}"
    for patch in read_import(_read(repo, source), file=source, strip=reading.strip):
        yield Arrival(patch=patch, origin=origin)


def _read(repo: Repository, source: str) -> bytes:
    if source == STANDARD_INPUT:
        data = sys.stdin.buffer.read(MAX_PATCH_BYTES + 1)
    else:
        try:
            with Path(source).open("rb") as file:
                data = file.read(MAX_PATCH_BYTES + 1)
        except FileNotFoundError as error:
            raise UsageError(f"there is no file {source!r}", hint=_other_meaning(repo, source)) from error
        except IsADirectoryError as error:
            raise UsageError(f"{source} is a folder", hint=f"name the files in it: {source.rstrip('/')}/*") from error
        except OSError as error:
            raise PatchFormatError(f"cannot be read: {error.strerror}", where=Where(file=source)) from error
    if len(data) > MAX_PATCH_BYTES:
        raise PatchFormatError(f"is larger than {MAX_PATCH_BYTES // MEBIBYTE} MiB", where=Where(file=source))
    return data


def _other_meaning(repo: Repository, source: str) -> str:
    try:
        resolve(repo, source)
    except GitError:
        return "a source is a file, - for standard input, or a range of commits A..B"
    return f"for that commit alone: patchq import {source}~1..{source}"


def _resolve(repo: Repository, text: str, first: str, last: str) -> tuple[Span, tuple[CommitInfo, ...]]:
    start, end = resolve(repo, first), resolve(repo, last)
    span = f"{start.commit}..{end.commit}"
    count = int(repo.git.run("rev-list", "--count", span, "--"))
    turned = f"there is nothing in it the other way round either; look with git log {text}"
    if count == 0 or count > _MOST_COMMITS:
        other = int(repo.git.run("rev-list", "--count", f"{end.commit}..{start.commit}", "--"))
        if 0 < other <= _MOST_COMMITS:
            turned = f"patchq import {last}..{first} has {other}"
        raise GitError(f"{text} has {count or 'no'} commits", hint=turned)
    infos = commits(repo, span)
    merge = next((info for info in infos if info.is_merge), None)
    if merge is not None:
        raise GitError(
            f"{merge.commit[:12]} in {text} is a merge, which is no patch",
            hint=f"import the commits it joins, or all of it as one: git diff {first}...{last} | patchq import -",
        )
    if not infos[0].parents:
        raise GitError(f"{first} and {last} have no common history", hint="a range begins at an upstream commit")
    fork = start if infos[0].parents[0] == start.commit else resolve(repo, infos[0].parents[0])
    return Span(text=text, first=start, fork=fork), infos


def _from_commit(info: CommitInfo, diff: bytes) -> Arrival:
    patch = from_diff(read_message(info.message), diff, file=f"commit {info.commit[:12]}")
    return Arrival(patch=signed(patch, info.author, info.date), origin=f"commit {info.commit}")


def _finished(repo: Repository, arrival: Arrival, reading: Reading, *, alone: bool) -> Arrival:
    """Put the paths where they belong, and the words of the command line on top of the patch's own."""
    if not alone and (reading.name is not None or reading.message is not None):
        raise UsageError("--name and --message are for one patch, and these are more")
    patch = with_own_name(with_prefix(arrival.patch, reading.prefix))
    naming = Naming.DERIVED
    if reading.message is not None:
        patch = reworded(patch, read_message(reading.message))
    if reading.name is not None:
        patch, naming = renamed(patch, reading.name), Naming.GIVEN
    return Arrival(patch=_signed(repo, patch), origin=arrival.origin, naming=naming)


def _signed(repo: Repository, patch: Patch) -> Patch:
    """Let the user sign what nobody has: a plain diff says neither who made it nor when."""
    message = patch.message
    if message.author is not None and message.date is not None:
        return patch
    author = message.author or repo.identity()
    now = datetime.now().astimezone()
    return signed(patch, author, GitDate(int(now.timestamp()), f"{now:%z}"[:5]))
