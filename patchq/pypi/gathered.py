"""The files that matter out of a wheel, an sdist or a tar stream: read once, front to back, and kept in memory."""

from __future__ import annotations

import bz2
import gzip
import io
import lzma
import re
import tarfile
from dataclasses import dataclass, field
from typing import IO, TYPE_CHECKING, cast

from patchq.errors import ReleaseError
from patchq.model.tree import FileState, Mode
from patchq.pypi.bounds import CHUNK, MIB, Budget, ForwardReader, too_much
from patchq.pypi.members import explained, tar_seconds, zip_members
from patchq.pypi.paths import check_path

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

# A layer of a serving image has 100,000 members and 20 GB; of these, a few files are kept.
MAX_STREAM = 64 * 1024 * MIB
MAX_MEMBERS = 2_000_000
MAX_KEPT = 256 * MIB
MAX_KEPT_FILE = 64 * MIB
MAX_RATIO = 200
RATIO_FROM = 1024 * MIB
MAX_DICTIONARY = 128 * MIB  # what an xz file may ask for; `xz -9` asks for 65 MiB

_DATA = re.compile(rb"[^/]+\.data/(?:purelib|platlib)/(?P<rest>.+)", re.DOTALL)
_ZIP, _ZSTD = b"PK", b"\x28\xb5\x2f\xfd"
_IMAGE = frozenset({b"manifest.json", b"oci-layout"})


@dataclass(slots=True)
class Gathered:
    """Files of an archive by their paths in it, as a TreeReader; `image` where it is a container image of layers."""

    states: dict[bytes, FileState] = field(default_factory=dict)
    times: dict[bytes, int] = field(default_factory=dict)
    torn: dict[bytes, bytes] = field(default_factory=dict)
    image: bool = False
    _size: int = 0

    @property
    def paths(self) -> tuple[bytes, ...]:
        """All files, those that cannot be read included."""
        return (*self.states, *self.torn)

    def read(self, path: bytes) -> FileState | None:
        """Return the file at `path`, if it was kept; ReleaseError for a link (`torn`) to what did not come before."""
        if path in self.torn:
            shown, first = (name[:200].decode("utf-8", "backslashreplace") for name in (path, self.torn[path]))
            raise ReleaseError(f"{shown!r} is a hard link to {first!r}, which does not come before it")
        return self.states.get(path)

    def seconds(self, path: bytes) -> int | None:
        """Return when a file was changed last, in seconds since 1970."""
        return self.times.get(path)

    def keep(self, path: bytes, state: FileState, seconds: int) -> None:
        """Keep a file; of two with the same path the later one, as tar does. ReleaseError past the bounds."""
        self.torn.pop(path, None)
        self.states[path] = state
        self.times[path] = seconds
        self._size += len(state.data)
        if self._size > MAX_KEPT:
            raise too_much(f"has more than {MAX_KEPT:,} bytes of files that the series may mean")


class StreamBudget(Budget):
    """The bounds of a stream whose size is not known before its end."""

    def __init__(self, packed: _Counted) -> None:
        """Start counting; `packed` knows how much was read of the stream itself."""
        self._stream = packed
        self._unpacked = 0
        self._members = 0

    def enter(self) -> None:
        """Count one member."""
        self._members += 1
        if self._members > MAX_MEMBERS:
            raise too_much(f"has more than {MAX_MEMBERS:,} members")

    def spend(self, size: int) -> None:
        """Count `size` unpacked bytes, before they are read."""
        if size > MAX_KEPT_FILE:
            raise too_much(f"has a header of {size:,} bytes, more than {MAX_KEPT_FILE:,}")
        self._unpacked += size
        if self._unpacked > MAX_STREAM:
            raise too_much(f"unpacks to more than {MAX_STREAM:,} bytes")
        if self._unpacked > RATIO_FROM and self._unpacked > MAX_RATIO * self._stream.count:
            raise too_much(f"unpacks to more than {MAX_RATIO} times its size")


class _Counted(io.RawIOBase):
    """A stream that counts what is read of it."""

    def __init__(self, stream: IO[bytes]) -> None:
        self._inner = stream
        self.count = 0

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: bytearray | memoryview) -> int:  # type: ignore[override] # typeshed wants a Buffer
        data = self._inner.read(len(buffer))
        buffer[: len(data)] = data
        self.count += len(data)
        return len(data)


class _Xz(io.RawIOBase):
    """The contents of an xz stream, or several in a row, with a bound on memory that `lzma.open` does not have."""

    def __init__(self, packed: IO[bytes]) -> None:
        self._packed = packed
        self._rest = b""
        self._decoder = lzma.LZMADecompressor(memlimit=MAX_DICTIONARY)

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: bytearray | memoryview) -> int:  # type: ignore[override] # typeshed wants a Buffer
        while True:
            if self._decoder.eof:
                self._rest = (self._decoder.unused_data or self._packed.read(CHUNK)).lstrip(b"\0")
                if not self._rest:
                    return 0
                self._decoder = lzma.LZMADecompressor(memlimit=MAX_DICTIONARY)
            fed = b""
            if self._decoder.needs_input:
                fed, self._rest = self._rest or self._packed.read(CHUNK), b""
                if not fed:
                    raise EOFError("the xz stream ends before its end")
            data = self._decoder.decompress(fed, len(buffer))
            if data:
                buffer[: len(data)] = data
                return len(data)


def gather(path: Path, wanted: Callable[[bytes], bool]) -> Gathered:
    """Read the archive at `path`, whatever it is, and keep the plain files and links whose paths are `wanted`.

    A wheel's `.data` folders are placed as installers do. ReleaseError for what is broken, hostile or past the bounds.
    """
    with explained(path), path.open("rb") as file:
        if file.read(len(_ZIP)) != _ZIP:
            file.seek(0)
            return _gather_tar(file, wanted)
    kept = Gathered()
    with explained(path):
        for member in zip_members(path):
            found = _DATA.fullmatch(member.path)
            place = member.path if found is None else found["rest"]
            if not wanted(place):
                continue
            if check_path(place) in kept.states:
                raise ReleaseError(f"two members for {place.decode('utf-8', 'backslashreplace')!r}")
            kept.keep(place, FileState(member.mode, member.read()), member.seconds)
    return kept


def gather_stream(stream: IO[bytes], name: Path, wanted: Callable[[bytes], bool]) -> Gathered:
    """Read a tar stream, packed or not, as `gather`; `name` is for messages."""
    with explained(name):
        return _gather_tar(stream, wanted)


def _gather_tar(stream: IO[bytes], wanted: Callable[[bytes], bool]) -> Gathered:
    counted = _Counted(stream)
    packed: io.BufferedReader = io.BufferedReader(counted, CHUNK)
    reader = ForwardReader(cast("gzip.GzipFile", _unpacked(packed)), budget := StreamBudget(counted))
    kept = Gathered()
    file = cast("gzip.GzipFile", reader)  # tarfile asks of its file no more than read, seek and tell
    with tarfile.TarFile(fileobj=file, errors="surrogateescape", encoding="utf-8") as archive:
        while (info := archive.next()) is not None:
            archive.members = []  # type: ignore[attr-defined] # tarfile would keep all of them
            budget.enter()
            place = info.name.encode("utf-8", "surrogateescape").removeprefix(b"./").lstrip(b"/")
            kept.image = kept.image or place in _IMAGE
            if not wanted(place) or info.isdir():
                continue
            state = _state(archive, info, check_path(place), kept)
            if state is not None:
                kept.keep(place, state, tar_seconds(info))
        if reader.last_block.strip(b"\0"):
            raise tarfile.ReadError("a header in the middle makes no sense")
        if not reader.last_block:
            raise tarfile.ReadError("it ends before its end")
    return kept


def _state(archive: tarfile.TarFile, info: tarfile.TarInfo, place: bytes, kept: Gathered) -> FileState | None:
    if info.issym():
        return FileState(Mode.SYMLINK, info.linkname.encode("utf-8", "surrogateescape"))
    if info.islnk():
        # A second name of a file that came earlier; installers link from their caches, under the same base name.
        first = info.linkname.encode("utf-8", "surrogateescape").removeprefix(b"./").lstrip(b"/")
        if first not in kept.states:
            kept.torn[place] = first
        return kept.states.get(first)
    if not info.isreg() or info.issparse():
        return None
    if info.size > MAX_KEPT_FILE:
        raise too_much(f"has a member of {info.size:,} bytes, more than {MAX_KEPT_FILE:,}")
    stream = archive.extractfile(info)
    data = b"" if stream is None else stream.read()
    if len(data) != info.size:
        raise tarfile.ReadError(f"{info.name!r} is shorter than the archive says")
    return FileState(Mode.EXECUTABLE if info.mode & 0o100 else Mode.REGULAR, data)


def _unpacked(packed: io.BufferedReader) -> IO[bytes]:
    start = packed.peek(6)[:6]
    if start.startswith(b"\x1f\x8b"):
        return cast("IO[bytes]", gzip.GzipFile(fileobj=packed))
    if start.startswith(b"BZh"):
        return cast("IO[bytes]", bz2.BZ2File(packed))
    if start.startswith(b"\xfd7zXZ\0"):
        return cast("IO[bytes]", io.BufferedReader(_Xz(packed), CHUNK))
    if start.startswith(_ZSTD):
        raise ReleaseError("it is packed with zstd", hint="unpack it on the way: zstd -dc FILE | patchq verify -")
    return cast("IO[bytes]", packed)
