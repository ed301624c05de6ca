"""A folder of patches on its way into a series: quilt's, with its order, names and comments, or numbered files."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from patchq.errors import UsageError
from patchq.patchfile.imports import read_import
from patchq.patchfile.mail import has_diff, split_mail
from patchq.patchfile.read import canonical, read_patch
from patchq.patchfile.transport import decode_mail
from patchq.queue.arrival import Arrival, Line, Wording, name_of_file
from patchq.seriesstore.quilt import read_quilt

if TYPE_CHECKING:
    from collections.abc import Sequence

    from patchq.model.series import Series
    from patchq.seriesstore.quilt import QuiltFolder, QuiltPatch


@dataclass(frozen=True, slots=True)
class Folder:
    """The patches in order; `below` are the comments behind the last one, `notes` what a person has to know."""

    arrivals: tuple[Arrival, ...]
    below: tuple[str, ...]
    notes: tuple[str, ...]


def is_folder(source: str) -> bool:
    """Whether `source` is the path of a folder."""
    try:
        return Path(source).is_dir()
    except OSError:  # longer than a file name can be
        return False


def read_folder(source: str, strip: int) -> Folder:
    """Read every patch of a folder; `strip` is the -p of patch(1) where no line says another one."""
    folder = read_quilt(Path(source), strip)
    return _numbered(source, folder) if folder.series is None else _quilt(source, folder)


def with_lines(before: Series, after: Series, arrivals: Sequence[Arrival], below: Sequence[str]) -> Series:
    """Give `after`, which is `before` with the patches of `arrivals` behind it, the comments that came with them."""
    if not below and all(arrival.line == Line() for arrival in arrivals):
        return after
    lines = list(before.lines)
    if lines and not lines[-1].endswith("\n"):
        lines[-1] += "\n"
    for arrival, entry in zip(arrivals, after.entries[len(before.entries) :], strict=True):
        line = arrival.line
        lines += [*line.above, f"{line.before}{entry.patch.name.file_name}{line.behind}"]
    return replace(after, lines=(*lines, *below))


def _quilt(source: str, folder: QuiltFolder) -> Folder:
    arrivals: list[Arrival] = []
    notes: list[str] = []
    above: tuple[str, ...] = ()
    for one in folder.patches:
        name = name_of_file(one.file)
        if name is None:
            raise UsageError(f"no patch can be called {one.file!r}", hint=f"rename it in {folder.series}")
        raw = decode_mail(one.data, file=str(one.path))
        above += one.above
        if not has_diff(split_mail(raw)[1]):
            notes.append(f"{one.file} changes nothing and was left out")
            continue
        if one.file not in {name.file_name, str(name), f"{name}.diff"}:
            notes.append(f"{one.file} is called {name} here")
        patch = read_patch(name, raw, file=str(one.path), strip=one.strip)
        arrivals.append(
            Arrival(
                patch=patch if one.strip == 1 else canonical(patch),
                origin=_origin(source, one),
                standing=one.standing,
                wording=Wording.KEPT if one.strip == 1 else Wording.WRITTEN_ANEW,
                line=Line(above=above, before=one.before, behind=one.behind),
            )
        )
        above = ()
    return Folder(tuple(arrivals), (*above, *folder.below), tuple(notes))


def _numbered(source: str, folder: QuiltFolder) -> Folder:
    arrivals = tuple(
        Arrival(patch=patch, origin=_origin(source, one))
        for one in folder.patches
        for patch in read_import(one.data, file=str(one.path), strip=one.strip)
    )
    first, last = folder.patches[0].file, folder.patches[-1].file
    order = first if first == last else f"{first} to {last}"
    notes = [f"{source} has no series file; its files were taken in the order of their numbers: {order}"]
    notes += [f"{name} is a cover letter and was left out" for name in folder.passed_over]
    return Folder(arrivals, (), tuple(notes))


def _origin(source: str, one: QuiltPatch) -> str:
    return f"file {Path(source).resolve().name}/{one.file}"
