"""Reading the series folder: regular files only, up to a bound, and digests of what lies there."""

from __future__ import annotations

import hashlib
import stat
from typing import TYPE_CHECKING

from patchq.errors import SeriesError, Where

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from pathlib import Path

MAX_TEXT = 8 << 20  # manifest, record, series file: 1,000 patches make a record of 0.9 MB
MAX_LEDGER = 64 << 20  # the ledger holds whole patch texts and only grows
MAX_PATCH = 64 << 20


def limit_of(name: str) -> int:
    """Return the largest size in bytes that is read of a file called `name` in a series folder."""
    match name:
        case "ledger.yaml" | "resolutions.yaml":
            return MAX_LEDGER
        case "patchq.yaml" | "record.yaml" | "series":
            return MAX_TEXT
        case _:
            return MAX_PATCH


def read_file(path: Path) -> bytes | None:
    """Return the bytes of a regular file, None where nothing is there.

    Raises SeriesError for a symbolic link (its target may lie anywhere), for what is no file (a named pipe would block
    for ever), for more bytes than `limit_of` allows, and where the system refuses.
    """
    where = Where(file=str(path))
    try:
        status = path.lstat()
    except (FileNotFoundError, NotADirectoryError):
        return None
    except OSError as error:
        raise SeriesError(f"cannot be read: {error.strerror}", where=where) from error
    if stat.S_ISLNK(status.st_mode):
        raise SeriesError("is a symbolic link", hint="put the file itself into the series folder", where=where)
    if not stat.S_ISREG(status.st_mode):
        raise SeriesError("is not a file", hint="move it out of the series folder", where=where)
    limit = limit_of(path.name)
    try:
        with path.open("rb") as stream:
            data = stream.read(limit + 1) if status.st_size <= limit else None
    except OSError as error:
        raise SeriesError(f"cannot be read: {error.strerror}", where=where) from error
    if data is None or len(data) > limit:
        raise SeriesError(f"is larger than the {limit >> 20} MiB that are read of such a file", where=where)
    return data


def is_folder(path: Path) -> bool:
    """Whether `path` is a folder. Raises SeriesError where it is a symbolic link or something else than a folder."""
    try:
        mode = path.lstat().st_mode
    except FileNotFoundError:
        return False
    except OSError as error:
        raise SeriesError(f"cannot be read: {error.strerror}", where=Where(file=str(path))) from error
    if stat.S_ISLNK(mode):
        raise SeriesError(
            "is a symbolic link, and publishing would replace the link instead of what it points to",
            hint="replace it by the folder itself",
            where=Where(file=str(path)),
        )
    if not stat.S_ISDIR(mode):
        raise SeriesError("is not a folder", hint="move it out of the way", where=Where(file=str(path)))
    return True


def read_folder(folder: Path, names: Iterable[str]) -> dict[str, bytes]:
    """Return the bytes of those of `names` that exist in `folder`."""
    found = {}
    for name in names:
        data = read_file(folder / name)
        if data is not None:
            found[name] = data
    return found


def digest(files: Mapping[str, bytes]) -> str:
    """Return one SHA-256 in hex over names and contents, whatever their order."""
    whole = hashlib.sha256()
    for name in sorted(files):
        data = files[name]
        whole.update(f"{name}\0{len(data)}\0".encode("utf-8", "surrogateescape"))
        whole.update(data)
    return whole.hexdigest()
