"""Where an export goes: a new folder that appears whole, a file, or standard output."""

from __future__ import annotations

import shutil
import sys
import tempfile
from enum import Enum
from pathlib import Path
from typing import TYPE_CHECKING

from patchq.commands.merge_files import write_whole
from patchq.errors import PatchqError, UsageError, Where

if TYPE_CHECKING:
    from collections.abc import Mapping

STANDARD_OUTPUT = "-"


class Overwriting(Enum):
    """What an export may do to what is there already."""

    REFUSED = "refused"
    ALLOWED = "allowed"


def write_folder(
    folder: Path, files: Mapping[str, bytes], overwriting: Overwriting, *, series: Path
) -> tuple[str, ...]:
    """Write `files` into `folder`; a new or empty one appears at once. Return the names there that are not of them.

    Where that is allowed, files of the same name in a filled folder are replaced one by one, the last of `files` last,
    and the others stay. UsageError for a filled folder where it is not, and for one inside of `series`.
    """
    target = folder.resolve()
    if target.is_relative_to(series.resolve()):
        raise UsageError(f"{folder} is in the series itself", hint="name a folder somewhere else")
    try:
        there = sorted(path.name for path in target.iterdir()) if target.exists() else []
        if there and overwriting is Overwriting.REFUSED:
            raise UsageError(f"{folder} is not empty", hint="name a new folder, or write into this one with --force")
        target.mkdir(parents=True, exist_ok=True)
        if there:
            for name, data in files.items():
                write_whole(target / name, data)
            return tuple(name for name in there if name not in files)
        _fill(target, files)
    except OSError as error:
        raise PatchqError(f"cannot be written: {error.strerror}", where=Where(file=str(folder))) from error
    return ()


def write_file(file: str, data: bytes, overwriting: Overwriting) -> None:
    """Write `data` to the path `file`, whole or not at all, or to standard output; UsageError where a file is there."""
    if file == STANDARD_OUTPUT:
        sys.stdout.buffer.write(data)
        sys.stdout.buffer.flush()
        return
    path = Path(file)
    if path.is_dir():
        raise UsageError(f"{file} is a folder", hint="name a file")
    if path.is_file() and overwriting is Overwriting.REFUSED:
        raise UsageError(f"{file} is there already", hint="name a new file, or replace this one with --force")
    write_whole(path, data)


def _fill(target: Path, files: Mapping[str, bytes]) -> None:
    """Make the folder beside the empty one, and put it in its place."""
    fresh = Path(tempfile.mkdtemp(prefix=f".{target.name}.patchq-", dir=target.parent))
    try:
        for name, data in files.items():
            (fresh / name).write_bytes(data)
        fresh.chmod(target.stat().st_mode)
        fresh.replace(target)
    finally:
        shutil.rmtree(fresh, ignore_errors=True)
