"""Atomic publication: everything is written beside its place, a journal is kept, and renames put it there."""

from __future__ import annotations

import contextlib
import errno
import os
import shutil
from dataclasses import dataclass, replace
from enum import Enum
from functools import partial
from itertools import chain
from typing import TYPE_CHECKING

from patchq.errors import PublishError, SeriesError, Where
from patchq.seriesstore.disk import digest, is_folder, read_file, read_folder
from patchq.seriesstore.foldername import folder_name, refuse_case_twins
from patchq.seriesstore.journal import (
    JOURNAL,
    NEW,
    OLD,
    FileSwap,
    FolderSwap,
    Journal,
    Phase,
    read_journal,
    write_journal,
)
from patchq.seriesstore.layout import folder_state, managed_names
from patchq.seriesstore.publication import plan_of
from patchq.seriesstore.swap import clear, folder_steps, refuse_loss, replace_file

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping
    from pathlib import Path

    from patchq.seriesstore.publication import Plan, Publication


@dataclass(frozen=True, slots=True)
class Staged:
    """A publication that lies beside its place below `root`, to be finished or discarded."""

    root: Path
    journal: Journal


class Recovered(Enum):
    """What the next run did with a publication that an earlier one left behind."""

    NOTHING = "nothing"
    FINISHED = "finished"
    DISCARDED = "discarded"


def stage(root: Path, publication: Publication) -> Staged:
    """Write a new state beside the old one, which stays as it is; the journal comes last.

    Raises SeriesError for values that do not make a series folder, PublishError where the disk refuses, where the old
    state is not the expected one, or where an earlier publication waits; nothing is left behind then.
    """
    for ref, expected in publication.expect.items():
        folder = root / folder_name(ref)
        if folder_state(folder) != expected:
            raise PublishError("was edited while patchq worked", hint="run it again", where=Where(file=str(folder)))
    return stage_plan(root, plan_of(root, publication))


def stage_plan(root: Path, plan: Plan) -> Staged:
    """Stage bytes that are already known; else as `stage`."""
    with _disk(root, "the old state stands"):
        root.mkdir(parents=True, exist_ok=True)
        _refuse_leftovers(root)
        _refuse_case_twins(root, plan)
        folders = tuple(swap for name, files in plan.folders.items() if (swap := _folder_swap(root / name, files)))
        swaps = (_file_swap(root / name, data) for name, data in plan.files.items())
        files = tuple(swap for swap in swaps if swap.was != swap.now)
        journal = Journal(phase=Phase.STAGED, move=plan.move, folders=folders, files=files)
        try:
            _write(root / NEW, plan, journal)
            write_journal(root, journal)
        except BaseException:
            # What cannot be removed now is invisible, and the next run drops it; without its journal first, because
            # a journal must not outlive what it describes.
            with contextlib.suppress(OSError):
                (root / JOURNAL).unlink(missing_ok=True)
                shutil.rmtree(root / NEW)
            raise
    return Staged(root, journal)


def finish(staged: Staged) -> None:
    """Put a staged state into its place; dying at any point and calling this again ends in the same state.

    Raises PublishError where the disk refuses or somebody has edited the old state meanwhile; the journal stays, so
    that the next call goes on.
    """
    for step in finishing(staged):
        with _disk(staged.root, "the publish is decided, and the next patchq command finishes it"):
            step()


def finishing(staged: Staged) -> tuple[Callable[[], None], ...]:
    """Return the steps of `finish` in order; each one looks at the disk and does what is left of it to do."""
    root, journal = staged.root, staged.journal
    return (
        partial(_decide, root),
        *chain.from_iterable(folder_steps(root, folder) for folder in journal.folders),
        *(partial(replace_file, root, file) for file in journal.files),
        partial(clear, root / OLD),
        partial(clear, root / NEW),
        partial((root / JOURNAL).unlink, missing_ok=True),
    )


def discard(staged: Staged) -> None:
    """Drop a staged state; the old one was never touched. PublishError where `finish` has begun or the disk refuses."""
    if staged.journal.phase is Phase.DECIDED:
        raise PublishError(
            "is partly in its place and can only be finished", where=Where(file=str(staged.root / JOURNAL))
        )
    with _disk(staged.root, "the old state stands"):
        (staged.root / JOURNAL).unlink(missing_ok=True)
        clear(staged.root / NEW)


def pending(root: Path) -> Staged | None:
    """Return what an interrupted run has left to be finished or discarded; `recover` decides which."""
    journal = read_journal(root)
    return None if journal is None else Staged(root, journal)


def recover(root: Path, commit_of: Callable[[str], str | None]) -> Recovered:
    """Finish an interrupted publication whose branch has moved, discard one whose branch has not.

    `commit_of` maps a full reference name to its commit id, None where there is none. The name comes from a file in
    the series folder, so it must never be taken for an option.
    """
    staged = pending(root)
    if staged is None:
        return Recovered.NOTHING
    move = staged.journal.move
    if staged.journal.phase is Phase.DECIDED or move is None or commit_of(move.name) == move.new:
        finish(staged)
        return Recovered.FINISHED
    discard(staged)
    return Recovered.DISCARDED


def _decide(root: Path) -> None:
    """Note that there is no way back, so that a branch moved again before the next run cannot mislead it."""
    journal = read_journal(root)
    if journal is not None and journal.phase is Phase.STAGED:
        refuse_loss(root / NEW, lost=not is_folder(root / NEW))
        write_journal(root, replace(journal, phase=Phase.DECIDED))


def _refuse_leftovers(root: Path) -> None:
    if (root / JOURNAL).exists():
        raise PublishError("an earlier publish was interrupted", hint="run it again", where=Where(file=str(root)))
    if is_folder(root / OLD) and any((root / OLD).iterdir()):
        # Its journal is gone, so only a person can know whether this is the last copy.
        raise PublishError(
            "is left from an interrupted publish whose journal is gone",
            hint="move what you need out of it and delete it",
            where=Where(file=str(root / OLD)),
        )
    clear(root / NEW)


def _refuse_case_twins(root: Path, plan: Plan) -> None:
    """Compare the folders to be written with what stands in the root; two names of people's own are their affair."""
    wanted = {name.casefold() for name, files in plan.folders.items() if files}
    standing = sorted(entry.name for entry in root.iterdir() if entry.name.casefold() in wanted)
    refuse_case_twins((*standing, *plan.folders), file=str(root))


def _folder_swap(folder: Path, files: Mapping[str, bytes]) -> FolderSwap | None:
    """Compare a folder with what it is to hold; None where that is what it holds already."""
    now = digest(files)
    if not is_folder(folder):
        return FolderSwap(folder=folder.name, was=None, now=now, managed=()) if files else None
    managed = managed_names(folder)
    was = digest(read_folder(folder, managed))
    if was == now:
        return None
    kept = {entry.name.casefold(): entry.name for entry in folder.iterdir() if entry.name not in managed}
    for name in files:
        if name.casefold() in kept:
            raise SeriesError(
                f"a patch of the name {name} would replace this file, which the series does not name",
                hint="name it in the series file, or move it away",
                where=Where(file=str(folder / kept[name.casefold()])),
            )
    if not os.access(folder, os.W_OK | os.X_OK):
        raise PublishError("cannot be written", hint="chmod u+w", where=Where(file=str(folder)))
    if folder.stat().st_dev != folder.parent.stat().st_dev:
        raise PublishError("lies on another file system than the series", where=Where(file=str(folder)))
    return FolderSwap(folder=folder.name, was=was, now=now, managed=managed)


def _file_swap(path: Path, data: bytes | None) -> FileSwap:
    old = read_file(path)
    return FileSwap(
        name=path.name,
        was=None if old is None else digest({path.name: old}),
        now=None if data is None else digest({path.name: data}),
    )


def _write(new: Path, plan: Plan, journal: Journal) -> None:
    new.mkdir()
    for folder in journal.folders:
        (new / folder.folder).mkdir()
        for name, data in plan.folders[folder.folder].items():
            (new / folder.folder / name).write_bytes(data)
    for file in journal.files:
        content = plan.files[file.name]
        if content is not None:
            (new / file.name).write_bytes(content)


@contextlib.contextmanager
def _disk(root: Path, state: str) -> Iterator[None]:
    """Turn what the system refuses into PublishError, saying which state stands."""
    try:
        yield
    except OSError as error:
        full = error.errno in {errno.ENOSPC, errno.EDQUOT, errno.EFBIG}
        raise PublishError(
            f"{(error.strerror or str(error)).lower()}; {state}",
            hint="make room on the disk and run it again" if full else "make it writable and run it again",
            where=Where(file=os.fsdecode(error.filename or root)),  # a failed write(2) names no file
        ) from error
