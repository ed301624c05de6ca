"""A JSON copy of YAML that is read at every call: 1,000 patches take 11 ms instead of 200; deleting it is harmless."""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path

_FORMAT = "patchq cache 1"


class JsonCache:
    """Plain data by name, each with the SHA-256 of the YAML it was read from, in a folder outside the series."""

    def __init__(self, folder: Path | None) -> None:
        """Keep the copies in `folder` (made when first needed); None keeps nothing."""
        self._folder = folder

    def get(self, name: str, source: bytes) -> object | None:
        """Return the data stored under `name` if it was made from exactly `source`, else None."""
        if self._folder is None:
            return None
        try:
            head, _, body = (self._folder / name).read_bytes().partition(b"\n")
        except OSError:  # missing or unreadable is the same to a cache: the YAML is read instead
            return None
        if head != _head(source):
            return None
        try:
            found: object = json.loads(body)
        except ValueError:  # cut off by a crash
            return None
        return found

    def put(self, name: str, source: bytes, value: object) -> None:
        """Store `value`, the plain data in `source`, under `name`."""
        if self._folder is None:
            return
        temporary = self._folder / f"{name}.{os.getpid()}"
        body = json.dumps(value, separators=(",", ":")).encode()
        # A full or read-only disk must not stop a verb that only reads.
        with contextlib.suppress(OSError):
            self._folder.mkdir(parents=True, exist_ok=True)
            temporary.write_bytes(_head(source) + b"\n" + body)
            temporary.replace(self._folder / name)


def _head(source: bytes) -> bytes:
    return f"{_FORMAT} {hashlib.sha256(source).hexdigest()}".encode()
