"""Putting one folder or file of a publication into its place, in steps that may be cut off and done again."""

from __future__ import annotations

import os
import shutil
from functools import partial
from typing import TYPE_CHECKING

from patchq.errors import PublishError, Where
from patchq.seriesstore.disk import digest, is_folder, read_file, read_folder
from patchq.seriesstore.journal import JOURNAL, NEW, OLD

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from patchq.seriesstore.journal import FileSwap, FolderSwap


def folder_steps(root: Path, swap: FolderSwap) -> tuple[Callable[[], None], ...]:
    """Return the steps that replace a folder: old one aside, new one in, and people's own files back from the old."""
    new, place, old = (root / part / swap.folder for part in (NEW, "", OLD))
    return partial(_retire, new, place, old, swap), partial(_place, new, place), partial(_bring_back, place, old, swap)


def replace_file(root: Path, swap: FileSwap) -> None:
    """Replace or remove a file of the root, if that is still to be done."""
    new, place = root / NEW / swap.name, root / swap.name
    current = read_file(place)
    current_digest = None if current is None else digest({swap.name: current})
    if swap.now is None:
        if current is not None:
            _refuse_edit(place, new, edited=current_digest != swap.was)
            place.unlink()
        return
    data = read_file(new)
    if data is None:
        refuse_loss(new, lost=current_digest == swap.was)
        return
    _refuse_damage(new, damaged=digest({swap.name: data}) != swap.now)
    _refuse_edit(place, new, edited=current_digest != swap.was)
    new.replace(place)


def clear(folder: Path) -> None:
    """Remove a folder of our own, if it is there; SeriesError where it is a link or a file."""
    if is_folder(folder):
        shutil.rmtree(folder)


def refuse_loss(new: Path, *, lost: bool) -> None:
    """Raise PublishError where a staged state has vanished before it was put in place."""
    if lost:
        raise PublishError(
            "was deleted before its publish was finished; the old state stands",
            hint=f"delete {JOURNAL} in the series folder, and run the command again",
            where=Where(file=str(new)),
        )


def _retire(new: Path, place: Path, old: Path, swap: FolderSwap) -> None:
    """Move the old folder aside, unless the new one is in its place already or there was none."""
    if not is_folder(new):
        stands = digest(read_folder(place, swap.managed)) if is_folder(place) else None
        refuse_loss(new, lost=stands == swap.was)
        return
    names = sorted(entry.name for entry in new.iterdir())
    _refuse_damage(new, damaged=digest(read_folder(new, names)) != swap.now)
    if not is_folder(place):
        return
    edited = swap.was is None or digest(read_folder(place, swap.managed)) != swap.was
    _refuse_edit(place, new, edited=edited or os.path.lexists(old))
    old.parent.mkdir(exist_ok=True)
    place.rename(old)


def _place(new: Path, place: Path) -> None:
    if is_folder(new):
        new.rename(place)


def _bring_back(place: Path, old: Path, swap: FolderSwap) -> None:
    """Move files that are not patchq's from the old folder to the new one; remove a folder that stays empty."""
    if is_folder(old):
        for entry in sorted(old.iterdir()):
            if entry.name not in swap.managed:
                _refuse_edit(place / entry.name, entry, edited=os.path.lexists(place / entry.name))
                entry.rename(place / entry.name)
    if is_folder(place) and not any(place.iterdir()):
        place.rmdir()


def _refuse_edit(place: Path, new: Path, *, edited: bool) -> None:
    if edited:
        raise PublishError(
            "was edited while a publish was under way",
            hint=f"the new state waits in {new}: save your edit elsewhere, delete {place} and run patchq again",
            where=Where(file=str(place)),
        )


def _refuse_damage(new: Path, *, damaged: bool) -> None:
    if damaged:
        raise PublishError(
            "is not what was staged: it was edited, or a power cut came before it reached the disk",
            hint="the patches themselves are commits of the built branch: patchq import can read them from there",
            where=Where(file=str(new)),
        )
