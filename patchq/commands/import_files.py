"""Patches out of files, mailboxes and standard input, with bounds on what is read."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from textwrap import shorten
from typing import TYPE_CHECKING

from patchq.commands.reading import STANDARD_INPUT, read_some
from patchq.errors import GitError, PatchFormatError, UsageError, Where
from patchq.gitstore.refs import resolve
from patchq.gitstore.stgit import has_stack
from patchq.patchfile.imports import read_import
from patchq.patchfile.limits import MAX_PATCH_BYTES, MEBIBYTE
from patchq.patchfile.notes import notes_of_import
from patchq.queue.arrival import Arrival

if TYPE_CHECKING:
    from patchq.gitstore.repository import Repository

_SHOWN = 60


@dataclass(frozen=True, slots=True)
class FromFile:
    """The patches of one file, and what a person has to know of what was not taken."""

    arrivals: tuple[Arrival, ...]
    notes: tuple[str, ...]


def read_file(repo: Repository, source: str, strip: int) -> FromFile:
    """Read every patch of `source`, a path or `-`; `strip` is the -p of patch(1).

    UsageError where there is no such file, PatchFormatError for what cannot be read or is no patch.
    """
    origin = "standard input" if source == STANDARD_INPUT else f"file {Path(source).name}"
    data = _read(repo, source)
    arrivals = tuple(Arrival(patch=patch, origin=origin) for patch in read_import(data, file=source, strip=strip))
    left = (shorten(note.decode("utf-8", "replace"), _SHOWN) for note in notes_of_import(data, file=source))
    notes = tuple(f"{source}: what stands below the --- was left out, as by git am: {it}" for it in left)
    return FromFile(arrivals, notes)


def is_file(source: str) -> bool:
    """Whether something is at the path `source`, so that it is no range of commits."""
    try:
        return Path(source).exists()
    except OSError:  # longer than a file name can be
        return False


def _read(repo: Repository, source: str) -> bytes:
    try:
        data = read_some(source, MAX_PATCH_BYTES)
    except FileNotFoundError as error:
        raise UsageError(f"there is no file {source!r}", hint=_other_meaning(repo, source)) from error
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
    if has_stack(repo, source):
        return f"for the StGit stack of that branch: patchq import stgit:{source}"
    return f"for that commit alone: patchq import {source}~1..{source}"
