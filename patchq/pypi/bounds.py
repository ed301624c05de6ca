"""How much of an archive is taken at most, so that a hostile one costs bounded memory, disk and time."""

from __future__ import annotations

import io
import os
import tarfile
from typing import TYPE_CHECKING

from patchq.errors import ReleaseError

if TYPE_CHECKING:
    import gzip
    from pathlib import Path

MIB = 1 << 20
MAX_TOTAL = 2048 * MIB  # everything unpacked; the largest release looked at, sglang 0.5.23, has 123 MB
MAX_FILE = 256 * MIB  # one file; it is held in memory once
MAX_FILES = 200_000  # members, folders included; sglang 0.5.23 has 6,396
MAX_RATIO = 200  # unpacked to packed, looked at past RATIO_FROM; sglang has 4, the best that deflate can do is 1,032
RATIO_FROM = 64 * MIB
MAX_DIRECTORY = 32 * MIB  # the table of contents of a zip file, which zipfile reads in one piece
CHUNK = MIB


def too_much(what: str) -> ReleaseError:
    """Make the error for an archive that goes over a bound; `what` completes `the archive …`."""
    return ReleaseError(f"the archive {what}", hint="this looks like a decompression bomb; nothing of it was kept")


def amount(size: int) -> str:
    """Write a number of bytes for people."""
    return f"{size / MIB:.1f} MiB" if size >= MIB else f"{size / 1024:.1f} KiB"


class Budget:
    """Counts what one archive has given so far against the bounds."""

    def __init__(self, path: Path) -> None:
        """Start counting for the archive at `path`, whose own size is the measure of the ratio."""
        self._packed = path.stat().st_size
        self._unpacked = 0
        self._members = 0

    def enter(self) -> None:
        """Count one member, whatever its kind."""
        self._members += 1
        if self._members > MAX_FILES:
            raise too_much(f"has more than {MAX_FILES:,} members")

    def spend(self, size: int) -> None:
        """Count `size` unpacked bytes, before they are read."""
        if size > MAX_FILE:
            raise too_much(f"has a member of {size:,} bytes, more than {MAX_FILE:,}")
        self._unpacked += size
        if self._unpacked > MAX_TOTAL:
            raise too_much(f"unpacks to more than {MAX_TOTAL:,} bytes")
        if self._unpacked > RATIO_FROM and self._unpacked > MAX_RATIO * self._packed:
            raise too_much(f"unpacks to more than {MAX_RATIO} times its size")


class ZipFileReader(io.BufferedReader):
    """A zip file on disk that refuses the one big read which `zipfile` makes: a huge table of contents."""

    def __init__(self, path: Path) -> None:
        """Open `path` for reading."""
        super().__init__(io.FileIO(path))

    def read(self, size: int | None = -1, /) -> bytes:
        """Read as a file does, `MAX_DIRECTORY` bytes at most."""
        if size is None or size < 0:
            size = max(0, os.fstat(self.fileno()).st_size - self.tell())
        if size > MAX_DIRECTORY:
            raise too_much(f"has a table of contents of {size:,} bytes, more than {MAX_DIRECTORY:,}")
        return super().read(size)


class ForwardReader:
    """An unpacked stream that is read once, front to back, and counted, so that `tarfile` never rewinds it.

    `tarfile` reads extended headers in one piece and of any size; they go through `Budget.spend` like contents.
    """

    def __init__(self, stream: gzip.GzipFile, budget: Budget) -> None:
        """Read from `stream`, which stands at its beginning."""
        self._stream = stream
        self._budget = budget
        self._position = 0
        self.last_block = b""  # what the last read gave, unless that was longer than a header

    def read(self, size: int) -> bytes:
        """Read `size` bytes, fewer only at the end."""
        self._budget.spend(size)
        data = self._stream.read(size)
        self._position += len(data)
        self.last_block = data if size <= tarfile.BLOCKSIZE else b""
        return data

    def tell(self) -> int:
        """Tell how many bytes were read."""
        return self._position

    def seek(self, position: int) -> None:
        """Skip forward to `position`."""
        if position < self._position:
            msg = f"seek from {self._position} back to {position}"
            raise io.UnsupportedOperation(msg)
        while self._position < position:
            if not self.read(min(CHUNK, position - self._position)):
                return
