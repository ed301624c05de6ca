"""A patch as people keep it: who, when, why, and the changes, with the bytes it was read from."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from patchq.model.anchor import Intent
    from patchq.model.change import FileChange
    from patchq.model.names import PatchName


@dataclass(frozen=True, slots=True)
class Person:
    """Author or committer; bytes, because git promises no encoding."""

    name: bytes
    email: bytes


@dataclass(frozen=True, slots=True)
class GitDate:
    """A moment as git stores it: seconds since 1970 in UTC, and the writer's offset as `+HHMM`."""

    seconds: int
    offset: str


@dataclass(frozen=True, slots=True)
class Trailer:
    """`Key: value` in the last paragraph of a message, decoded as UTF-8 with surrogateescape."""

    key: str
    value: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Message:
    """The head of a patch. `subject` is one line, `body` has neither subject nor trailers nor outer blank lines."""

    author: Person | None
    date: GitDate | None
    subject: bytes
    body: bytes = b""
    trailers: tuple[Trailer, ...] = ()

    @property
    def title(self) -> str:
        """The subject for a screen: decoded, never failing."""
        return self.subject.decode("utf-8", "replace")


@dataclass(frozen=True, slots=True, kw_only=True)
class Patch:
    """One patch of a series. `raw` is the file as it stands on disk; it is written back as long as nothing changed."""

    name: PatchName
    message: Message
    changes: tuple[FileChange, ...]
    intents: tuple[Intent, ...] = ()
    raw: bytes = b""
