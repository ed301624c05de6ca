"""A folder of patches that another tool keeps: quilt's `series` with its options and comments, or files by number."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from patchq.errors import SeriesError, Where
from patchq.model.series import Standing
from patchq.seriesstore.disk import MAX_PATCH, MAX_TEXT
from patchq.seriesstore.seriesfile import Wanted, arrange, join, split

if TYPE_CHECKING:
    from collections.abc import Collection
    from pathlib import Path

    from patchq.model.names import PatchName
    from patchq.model.series import Series

# Where a series file is looked for, seen from the folder that a person names: itself, quilt's and Debian's places.
_PLACES = ("", "patches", "debian/patches")
_SERIES = "series"
_LINE = re.compile(
    r"(?P<lead>[ \t]*|#[ \t]*patchq:not-carried[ \t]+)(?P<file>[^ \t\r\n#][^ \t\r\n]*)(?P<rest>[^\r\n]*)(?P<end>\r?\n)?"
)
_OPTIONS = re.compile(r"(?P<options>(?:[ \t]+-\S+)*)(?P<comment>[ \t]*(?:#.*)?)")
_STRIP = re.compile(r"-p(\d{1,3}|ab)")
_NUMBER = re.compile(r"\d+")
_PACKED = (".gz", ".bz2", ".xz", ".lzma", ".lz", ".zst", ".Z")
_PATCHES = (".patch", ".diff")
_COVER = re.compile(r"0+-cover-letter\.patch")
_MOST_FILES = 5000


@dataclass(frozen=True, slots=True, kw_only=True)
class QuiltPatch:
    """One patch of a folder: `file` as it stands in the series file, its bytes, and the `-p` it was made with.

    `above` are the comment lines before it, `before` and `behind` what stands beside its name in its line, the line's
    end included, options not.
    """

    file: str
    path: Path
    data: bytes
    strip: int
    standing: Standing = Standing.CARRIED
    above: tuple[str, ...] = ()
    before: str = ""
    behind: str = "\n"


@dataclass(frozen=True, slots=True, kw_only=True)
class QuiltFolder:
    """The patches of a folder in order; `below` are comment lines behind the last one.

    `series` is the file that gave the order, None where names did; `passed_over` are cover letters.
    """

    patches: tuple[QuiltPatch, ...]
    series: Path | None
    below: tuple[str, ...] = ()
    passed_over: tuple[str, ...] = ()


def read_quilt(folder: Path, strip: int) -> QuiltFolder:
    """Read the patches in `folder`, or in `patches/` or `debian/patches/` below it; `strip` is for lines without `-p`.

    SeriesError with file and line for what cannot be meant here: `-R`, other options, packed patches, names that lead
    out of the folder, a name given twice, a file that is not there. SeriesError where there is no patch at all.
    """
    for place in _PLACES:
        series = folder / place / _SERIES
        if series.is_file():
            return _by_series(series, strip)
    return _by_name(folder, strip)


def quilt_lines(series: Series, names: Collection[PatchName]) -> bytes:
    """Return the bytes of a `series` file that names only the patches `names`; all comments stay."""
    wanted = [
        Wanted(name=entry.patch.name, standing=entry.standing) for entry in series.entries if entry.patch.name in names
    ]
    return join(arrange(series.lines, wanted, file="series"))


def _by_series(series: Path, strip: int) -> QuiltFolder:
    found: list[QuiltPatch] = []
    above: list[str] = []
    seen: dict[str, int] = {}
    for number, line in enumerate(split(_read(series, MAX_TEXT)), 1):
        match = _LINE.fullmatch(line)
        if match is None:
            above.append(line)
            continue
        where = Where(file=str(series), line=number)
        file = match["file"]
        if seen.setdefault(file, number) != number:
            raise SeriesError(f"{file[:80]} stands in line {seen[file]} already", hint="delete one line", where=where)
        _refuse(file, where)
        level, comment = _options(match["rest"], strip, where)
        found.append(
            QuiltPatch(
                file=file,
                path=series.parent / file,
                data=_read(series.parent / file, MAX_PATCH, where),
                strip=level,
                standing=Standing.NOT_CARRIED if "#" in match["lead"] else Standing.CARRIED,
                above=tuple(above),
                before=match["lead"],
                behind=comment + (match["end"] or "\n"),
            )
        )
        above.clear()
    if not found:
        raise SeriesError("names no patch", where=Where(file=str(series)))
    return QuiltFolder(patches=tuple(found), series=series, below=tuple(above))


def _by_name(folder: Path, strip: int) -> QuiltFolder:
    names = [path.name for path in folder.iterdir() if path.name.endswith(_PATCHES) and path.is_file()]
    covers = tuple(sorted(filter(_COVER.fullmatch, names)))
    ordered = sorted(set(names) - set(covers), key=_by_number)
    if not ordered or len(ordered) > _MOST_FILES:
        raise SeriesError(
            f"there are {len(ordered) or 'no'} patches in it",
            hint="a folder of patches has a `series` file, or files that end in .patch",
            where=Where(file=str(folder)),
        )
    patches = tuple(
        QuiltPatch(file=name, path=folder / name, data=_read(folder / name, MAX_PATCH), strip=strip) for name in ordered
    )
    return QuiltFolder(patches=patches, series=None, passed_over=covers)


def _by_number(name: str) -> tuple[bool, int, str]:
    number = _NUMBER.match(name)
    return number is None, int(number[0][:18]) if number else 0, name


def _options(rest: str, strip: int, where: Where) -> tuple[int, str]:
    """Return the -p level that a line asks for, and the comment at its end with the blanks before it."""
    match = _OPTIONS.fullmatch(rest)
    if match is None:
        raise SeriesError(f"{rest.strip()[:80]!r} is not understood", hint="one file name a line", where=where)
    for option in match["options"].split():
        level = _STRIP.fullmatch(option)
        if level is not None:
            strip = 1 if level[1] == "ab" else int(level[1])
        elif option == "-R":
            hint = "reverse the patch itself: interdiff -q PATCH /dev/null; nothing is reversed unasked"
            raise SeriesError("reversed patches (-R) are not read", hint=hint, where=where)
        else:
            hint = "only -p0, -p1, -pab and other levels may follow a name"
            raise SeriesError(f"the option {option[:80]!r} is not understood", hint=hint, where=where)
    return strip, match["comment"]


def _refuse(file: str, where: Where) -> None:
    if file.startswith("/") or "\\" in file or ".." in file.split("/") or "\0" in file:
        raise SeriesError(f"{file[:80]!r} leads out of the folder", hint="put the patch beside it", where=where)
    if file.endswith(_PACKED):
        raise SeriesError(f"{file[:80]!r} is packed", hint="unpack it and change its name here", where=where)


def _read(path: Path, limit: int, named: Where | None = None) -> bytes:
    where = Where(file=str(path))
    try:
        if not path.is_file():
            hint = "bring the file back, or delete this line"
            message = f"{path.name} is named here, but there is no such file" if named else "is not a file"
            raise SeriesError(message, hint=hint if named else None, where=named or where)
        with path.open("rb") as stream:
            data = stream.read(limit + 1)
    except OSError as error:
        raise SeriesError(f"cannot be read: {error.strerror}", where=where) from error
    if len(data) > limit:
        raise SeriesError(f"is larger than the {limit >> 20} MiB that are read of such a file", where=where)
    return data
