"""Zip and tar files as a stream of plain files; everything else in them is refused."""

from __future__ import annotations

import gzip
import io
import lzma
import stat
import tarfile
import zipfile
import zlib
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import TYPE_CHECKING, cast

from patchq.errors import ReleaseError, Where
from patchq.model.tree import Mode
from patchq.pypi.bounds import CHUNK, MAX_FILE, Budget, ForwardReader, ZipFileReader, too_much

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

_ENCRYPTED = 0x1  # general purpose flag, APPNOTE.TXT 4.4.4
_UTF8_NAME = 0x800
_LAST_SECOND = 0xFFFF_FFFF  # what older gits can hold as a date
_BROKEN = (
    tarfile.TarError,
    zipfile.BadZipFile,
    gzip.BadGzipFile,
    zlib.error,
    lzma.LZMAError,
    EOFError,
    NotImplementedError,  # zipfile: a compression method it does not know
    io.UnsupportedOperation,  # ForwardReader: a tar file that points back into itself
    UnicodeError,
    ValueError,  # zipfile and tarfile: numbers that make no sense
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Member:
    """One plain file: its name as the archive has it, its time (seconds since 1970, UTC), and a way to its bytes.

    `read` works only until the next member is asked for.
    """

    path: bytes
    seconds: int
    mode: Mode
    read: Callable[[], bytes]


@contextmanager
def explained(path: Path) -> Iterator[None]:
    """Turn whatever an archive module raises on a broken file into a ReleaseError; each names the file."""
    where = Where(file=path.name)
    try:
        yield
    except ReleaseError as error:
        raise ReleaseError(error.message, hint=error.hint, where=where) from error
    except _BROKEN as error:
        raise ReleaseError(f"the archive is broken: {error}", hint="fetch the file again", where=where) from error
    except OSError as error:
        reason = error.strerror or str(error)
        raise ReleaseError(f"cannot read {path}: {reason}", hint="give the path of a file that exists") from error


def zip_members(path: Path) -> Iterator[Member]:
    """Yield the files of a zip archive in its order; ReleaseError for links, devices and encrypted members."""
    budget = Budget(path)
    with ZipFileReader(path) as file, zipfile.ZipFile(file) as archive:
        for info in archive.infolist():
            budget.enter()
            if info.is_dir():
                continue
            permissions = info.external_attr >> 16  # 0 where the maker knows no Unix permissions
            if stat.S_IFMT(permissions) not in {0, stat.S_IFREG}:
                raise _no_plain_file(info.filename)
            if info.flag_bits & _ENCRYPTED:
                raise ReleaseError(f"the member {info.filename!r} is encrypted")

            def read(info: zipfile.ZipInfo = info) -> bytes:
                budget.spend(info.file_size)
                with archive.open(info) as stream:
                    data = b"".join(iter(lambda: stream.read(CHUNK), b""))
                if len(data) != info.file_size:
                    raise zipfile.BadZipFile(f"{info.filename!r} is shorter than the archive says")
                return data

            yield Member(
                path=info.orig_filename.encode("utf-8" if info.flag_bits & _UTF8_NAME else "cp437"),
                seconds=_zip_seconds(info),
                mode=_mode(permissions),
                read=read,
            )


def tar_members(path: Path) -> Iterator[Member]:
    """Yield the files of a gzipped tar archive in its order; ReleaseError for links and devices."""
    budget = Budget(path)
    with gzip.open(path) as stream:
        reader = ForwardReader(stream, budget)
        file = cast("gzip.GzipFile", reader)  # tarfile asks of its file no more than read, seek and tell
        with tarfile.TarFile(fileobj=file, errors="surrogateescape", encoding="utf-8") as archive:
            for info in archive:
                budget.enter()
                if info.isdir():
                    continue
                if not info.isreg() or info.issparse():
                    raise _no_plain_file(info.name)
                if info.size > MAX_FILE:
                    raise too_much(f"has a member of {info.size:,} bytes, more than {MAX_FILE:,}")

                def read(info: tarfile.TarInfo = info) -> bytes:
                    stream = archive.extractfile(info)
                    data = b"" if stream is None else stream.read()
                    if len(data) != info.size:
                        raise tarfile.ReadError(f"{info.name!r} is shorter than the archive says")
                    return data

                yield Member(
                    path=info.name.encode("utf-8", "surrogateescape"),
                    seconds=tar_seconds(info),
                    mode=_mode(info.mode),
                    read=read,
                )
            # tarfile takes a broken header for the end, and what follows would be missing without a word
            if reader.last_block.strip(b"\0"):
                raise tarfile.ReadError("a header in the middle makes no sense")


def _no_plain_file(name: str) -> ReleaseError:
    return ReleaseError(
        f"the member {name!r} is no plain file",
        hint="links and devices can lead out of the tree; repack the archive without them",
    )


def _mode(permissions: int) -> Mode:
    return Mode.EXECUTABLE if permissions & stat.S_IXUSR else Mode.REGULAR


def _zip_seconds(info: zipfile.ZipInfo) -> int:
    """Read the local time of a zip member as UTC, so that no machine's time zone gets into it; 0 if impossible."""
    try:
        return int(datetime(*info.date_time, tzinfo=UTC).timestamp())
    except ValueError:
        return 0


def tar_seconds(info: tarfile.TarInfo) -> int:
    """Read the time of a tar member, a fraction or even `nan` in an extended header; 0 if it is out of range."""
    try:
        seconds = int(info.mtime)
    except (ValueError, OverflowError):
        return 0
    return seconds if 0 <= seconds <= _LAST_SECOND else 0
