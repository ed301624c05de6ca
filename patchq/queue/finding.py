"""A patch of a series by what a person types: its name, its file, or the beginning of its name."""

from __future__ import annotations

import difflib
from typing import TYPE_CHECKING

from patchq.errors import SeriesError
from patchq.model.names import SUFFIX, PatchName

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from patchq.model.series import Entry, Series

_NAMED = 6


def find_patch(series: Series, text: str) -> Entry:
    """Return the entry that `text` means: a name, a path that ends in `NAME.patch`, or the start of one name only.

    SeriesError with the candidates where several names start so, and with near misses where none does.
    """
    by_name = {str(entry.patch.name): entry for entry in series.entries}
    hint = f"patchq series {series.ref} lists them"
    return by_name[find_name(tuple(by_name), text, where=f"the series of {series.ref}", hint=hint)]


def find_name(names: Sequence[str], text: str, *, where: str, hint: str) -> str:
    """Return the one of `names` that `text` means, as `find_patch`; `where` and `hint` are for the errors."""
    wanted = text.rpartition("/")[2].removesuffix(SUFFIX)
    if wanted in names:
        return wanted
    begin = [name for name in names if wanted and name.startswith(wanted)]
    if len(begin) == 1:
        return begin[0]
    if begin:
        raise SeriesError(f"{text!r} could be {_listed(begin)}", hint="type more of the name")
    near = _near(wanted, names)
    raise SeriesError(f"{where} has no patch {text!r}" + (f"; near: {_listed(near)}" if near else ""), hint=hint)


def find_patches(series: Series, texts: Iterable[str]) -> tuple[Entry, ...]:
    """Return the entries that `texts` mean, in the order of the series, each once; as `find_patch`."""
    found = {find_patch(series, text).patch.name for text in texts}
    return tuple(entry for entry in series.entries if entry.patch.name in found)


def free_name(series: Series, text: str) -> PatchName:
    """Read the name for a new patch; SeriesError where it is not legal, or one in the folder on some file systems."""
    name = PatchName(text.removesuffix(SUFFIX))
    taken = {entry.patch.name.file_name.casefold(): entry.patch.name for entry in series.entries}
    twin = taken.get(name.file_name.casefold())
    if twin is not None:
        case = "" if twin == name else f" (as {twin}: case does not count on some file systems)"
        raise SeriesError(
            f"there is a patch {name} already{case}", hint=f"choose another name, or look: patchq show {twin}"
        )
    if name in _retired(series):
        raise SeriesError(
            f"{name} is in the ledger, from which it comes back when upstream has it no longer",
            hint=f"choose another name, or look: patchq absorbed --diff {name}",
        )
    if name.file_name.casefold() in {stray.casefold() for stray in series.strays}:
        raise SeriesError(
            f"there is a file {name.file_name} in the folder, which the series does not name",
            hint="choose another name, or move the file away",
        )
    return name


def numbered_name(series: Series, name: PatchName, also: Iterable[PatchName] = ()) -> PatchName:
    """Return `name`, with a number where the series, its folder or `also` has it already."""
    names = (*(entry.patch.name for entry in series.entries), *also, *_retired(series))
    taken = {other.file_name for other in names}
    taken = {file.casefold() for file in (*taken, *series.strays)}
    free, number = name, 1
    while free.file_name.casefold() in taken:
        number += 1
        free = PatchName(f"{name}-{number}")
    return free


def _retired(series: Series) -> tuple[PatchName, ...]:
    return () if series.record is None else series.record.retired or ()


def _near(wanted: str, names: Iterable[str]) -> list[str]:
    """Give the names that hold `wanted` somewhere, then those spelled much like it."""
    if not wanted:
        return []
    known = list(names)
    inside = [name for name in known if wanted.casefold() in name.casefold()]
    return list(dict.fromkeys([*inside, *difflib.get_close_matches(wanted, known)]))


def _listed(names: Sequence[str]) -> str:
    more = f" and {len(names) - _NAMED} more" if len(names) > _NAMED else ""
    return ", ".join(names[:_NAMED]) + more
