"""One folder of the series as bytes, with all that is wrong in its list: for verbs that must not stop at the first."""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import Enum
from typing import TYPE_CHECKING

from patchq.errors import SeriesError, Where
from patchq.seriesstore.disk import read_file
from patchq.seriesstore.layout import SERIES
from patchq.seriesstore.seriesfile import read_slots, split

if TYPE_CHECKING:
    from pathlib import Path

    from patchq.model.names import PatchName
    from patchq.model.series import Standing

_PATCHES = (".patch", ".diff")


class Trouble(Enum):
    """What kind of thing is wrong with a list."""

    LINE = "line"  # it cannot be read
    TWINS = "twins"  # two names that are one, or one on some file systems
    MISSING = "missing"  # a file that is named and not there, or that cannot be read
    STRAY = "stray"  # a file that is there and not named


@dataclass(frozen=True, slots=True, kw_only=True)
class RawEntry:
    """A patch that the list names; `path` is its file, and `data` its bytes."""

    name: PatchName
    path: Path
    standing: Standing
    data: bytes


@dataclass(frozen=True, slots=True, kw_only=True)
class RawFolder:
    """The patches that could be read, in order, and all faults of the list."""

    entries: tuple[RawEntry, ...]
    lines: tuple[str, ...]
    faults: tuple[tuple[Trouble, SeriesError], ...]


def read_raw(folder: Path) -> RawFolder:
    """Read the list in `folder` and every patch that it names; SeriesError only where there is no list."""
    series = folder / SERIES
    data = read_file(series)
    if data is None:
        raise SeriesError(
            "is missing", hint="name the patches in it, one file name a line", where=Where(file=str(series))
        )
    lines = split(data)
    entries: list[RawEntry] = []
    faults: list[tuple[Trouble, SeriesError]] = []
    seen: dict[str, tuple[str, int]] = {}
    listed: set[str] = set()
    for number, line in enumerate(lines, 1):
        where = Where(file=str(series), line=number)
        try:
            slots = read_slots((line,), file=str(series))
        except SeriesError as error:
            faults.append((Trouble.LINE, _at(error, where)))
            continue
        for slot in slots:
            listed.add(slot.file_name)
            twin, first = seen.setdefault(str(slot.name).casefold(), (slot.file_name, number))
            if first != number:
                how = "is the same patch as" if twin == slot.file_name else "differs only in case or ending from"
                message = f"{slot.file_name} {how} {twin} in line {first}"
                hint = "delete or rename one of the two"
                faults.append((Trouble.TWINS, SeriesError(message, hint=hint, where=where)))
            try:
                raw = read_file(folder / slot.file_name)
            except SeriesError as error:
                faults.append((Trouble.MISSING, error))
                continue
            if raw is None:
                message = f"{slot.file_name} is named here, but there is no such file"
                hint = "bring the file back (git checkout, git log --diff-filter=D), or delete this line"
                faults.append((Trouble.MISSING, SeriesError(message, hint=hint, where=where)))
                continue
            entries.append(RawEntry(name=slot.name, path=folder / slot.file_name, standing=slot.standing, data=raw))
    for name in sorted(path.name for path in folder.iterdir() if path.name.endswith(_PATCHES)):
        if name not in listed:
            hint = "name it in series where it belongs, or move it elsewhere"
            where = Where(file=str(folder / name))
            faults.append((Trouble.STRAY, SeriesError("no line of series names this patch", hint=hint, where=where)))
    return RawFolder(entries=tuple(entries), lines=lines, faults=tuple(faults))


def _at(error: SeriesError, where: Where) -> SeriesError:
    return SeriesError(error.message, hint=error.hint, where=replace(error.where, line=where.line))
