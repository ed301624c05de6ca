"""A JSON copy of YAML that is read at every call: 1,000 patches take 11 ms instead of 200; deleting it is harmless."""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
from enum import Enum
from typing import TYPE_CHECKING, TypeVar

from patchq.errors import SeriesError
from patchq.seriesstore.yamlread import parse

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from patchq.seriesstore.fields import Document

Value = TypeVar("Value")

_FORMAT = "patchq cache 1"


class Access(Enum):
    """What may be done with the copies."""

    READ_AND_WRITE = "read-and-write"
    READ_ONLY = "read-only"  # for a hook, which writes nothing


class JsonCache:
    """Plain data by name, each with the SHA-256 of the YAML it was read from, in a folder outside the series."""

    def __init__(self, folder: Path | None, access: Access = Access.READ_AND_WRITE) -> None:
        """Keep the copies in `folder` (made when first needed); None keeps nothing."""
        self._folder = folder
        self._access = access

    def read(
        self,
        name: str,
        document: Document,
        typed: Callable[[object, Document], Value],
        plain: Callable[[Value], object],
    ) -> Value:
        """Return the value that `typed` makes of `document`, from the copy under `name` if it is one, else from YAML.

        `plain` is the inverse of `typed`. Raises SeriesError where the document is not what `typed` reads.
        """
        kept = self.get(name, document.data)
        if kept is not None:
            try:
                return typed(kept, document)
            except SeriesError:  # a copy that another version wrote: the YAML decides
                pass
        value = typed(parse(document.data, file=document.file), document)
        self.put(name, document.data, plain(value))
        return value

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
        if self._folder is None or self._access is Access.READ_ONLY:
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
