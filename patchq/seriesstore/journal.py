"""The journal of a publication: what is to be put in place, and the branch whose move decides whether it is."""

from __future__ import annotations

import json
import os
import re
from dataclasses import dataclass
from enum import Enum
from typing import TYPE_CHECKING

from patchq.errors import SeriesError, Where
from patchq.seriesstore.disk import read_file
from patchq.seriesstore.foldername import ref_of
from patchq.seriesstore.layout import LEDGER, MANIFEST, RESOLUTIONS

if TYPE_CHECKING:
    from pathlib import Path

JOURNAL = ".patchq-journal.json"
NEW = ".patchq-new"
OLD = ".patchq-old"
_TOP = frozenset({MANIFEST, LEDGER, RESOLUTIONS})

_SCHEMA = 1
_PLAIN_NAME = re.compile(r"[^/\0]{1,255}")


class Phase(Enum):
    """How far a publication has come."""

    STAGED = "staged"  # everything lies beside its place; the branch decides
    DECIDED = "decided"  # the branch has moved: nothing but finishing makes sense


@dataclass(frozen=True, slots=True)
class BranchMove:
    """The commit point: the reference `name` (in full) goes from commit `old` to `new`; None: there is none."""

    name: str
    old: str | None
    new: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class FolderSwap:
    """A ref's folder to be replaced. `was` and `now` are digests of patchq's files in it; `was` None: no folder.

    `managed` names the files of the old folder that are replaced; all others move over to the new one. A folder that
    keeps no file in the end is removed.
    """

    folder: str
    was: str | None
    now: str
    managed: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class FileSwap:
    """A file of the root to be replaced; digests of one file each, None where there is (to be) none."""

    name: str
    was: str | None
    now: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Journal:
    """One publication on its way; `move` is None where only the series changes, and then it is decided when written."""

    phase: Phase
    move: BranchMove | None
    folders: tuple[FolderSwap, ...]
    files: tuple[FileSwap, ...]


def write_journal(root: Path, journal: Journal) -> None:
    """Write the journal so that it is there as a whole or not at all; raises OSError.

    Only the staged one is flushed to the disk (5 ms): it must outlive a power cut that the moved branch outlives.
    """
    temporary = root / NEW / ".journal"  # goes with the folder, and no ref's folder starts with a dot
    move = journal.move
    data = {
        "schema": _SCHEMA,
        "phase": journal.phase.value,
        "move": None if move is None else {"name": move.name, "old": move.old, "new": move.new},
        "folders": [
            {"folder": swap.folder, "was": swap.was, "now": swap.now, "managed": list(swap.managed)}
            for swap in journal.folders
        ],
        "files": [{"name": swap.name, "was": swap.was, "now": swap.now} for swap in journal.files],
    }
    with temporary.open("wb") as stream:
        stream.write(json.dumps(data, indent=1).encode())
        stream.flush()
        if journal.phase is Phase.STAGED:
            os.fsync(stream.fileno())
    temporary.replace(root / JOURNAL)


def read_journal(root: Path) -> Journal | None:
    """Return the journal in `root`, if there is one.

    Raises SeriesError for one that patchq cannot have written: a series folder comes from other people too, and a
    journal must not be able to name places outside it.
    """
    path = root / JOURNAL
    data = read_file(path)
    if data is None:
        return None
    try:
        return _journal(json.loads(data))
    except (ValueError, TypeError, KeyError, AttributeError, RecursionError) as error:
        raise SeriesError(
            "is not a journal that this patchq reads",
            hint=f"if no other patchq is at work, delete it and {NEW} beside it",
            where=Where(file=str(path)),
        ) from error


def _journal(data: dict[str, object]) -> Journal:
    match data:
        case {"schema": 1, "phase": str(phase), "move": move, "folders": list(folders), "files": list(files)}:
            return Journal(
                phase=Phase(phase),
                move=None if move is None else _move(move),
                folders=tuple(_folder(item) for item in folders),
                files=tuple(_file(item) for item in files),
            )
        case _:
            raise ValueError("not a journal of schema 1")


def _move(data: object) -> BranchMove:
    match data:
        case {"name": str(name), "old": str() | None as old, "new": str() | None as new}:
            return BranchMove(name, old, new)
        case _:
            raise ValueError("not a branch move")


def _folder(data: object) -> FolderSwap:
    match data:
        case {"folder": str(folder), "was": str() | None as was, "now": str(now), "managed": list(managed)}:
            if ref_of(folder) is None or not all(_is_plain(name) for name in managed):
                raise ValueError("a place outside the series")
            return FolderSwap(folder=folder, was=was, now=now, managed=tuple(managed))
        case _:
            raise ValueError("not a folder of the series")


def _file(data: object) -> FileSwap:
    match data:
        case {"name": str(name), "was": str() | None as was, "now": str() | None as now} if name in _TOP:
            return FileSwap(name=name, was=was, now=now)
        case _:
            raise ValueError("not a file of the series")


def _is_plain(name: object) -> bool:
    return isinstance(name, str) and _PLAIN_NAME.fullmatch(name) is not None and name not in {".", ".."}
