"""What a patch says about files: hunks, modes, renames and binary contents, as a unified git diff states them."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from patchq.model.tree import Mode


class LineKind(Enum):
    """The first byte of a hunk line."""

    CONTEXT = b" "
    REMOVED = b"-"
    ADDED = b"+"


@dataclass(frozen=True, slots=True)
class HunkLine:
    """One line of a hunk; `text` carries its own line end, and lacks it only where the file ends without one."""

    kind: LineKind
    text: bytes


@dataclass(frozen=True, slots=True, kw_only=True)
class Hunk:
    """A run of lines with context. Starts count from 1, or name the line before when a count is 0, as in diff(1)."""

    old_start: int
    new_start: int
    lines: tuple[HunkLine, ...]
    section: bytes = b""

    @property
    def old_lines(self) -> tuple[bytes, ...]:
        """The lines that the hunk expects, context and removed."""
        return tuple(line.text for line in self.lines if line.kind is not LineKind.ADDED)

    @property
    def new_lines(self) -> tuple[bytes, ...]:
        """The lines that the hunk leaves, context and added."""
        return tuple(line.text for line in self.lines if line.kind is not LineKind.REMOVED)


class ChangeKind(Enum):
    """What happens to the path, apart from the contents."""

    MODIFY = "modify"
    CREATE = "create"
    DELETE = "delete"
    RENAME = "rename"
    COPY = "copy"


@dataclass(frozen=True, slots=True)
class TextBody:
    """Contents change by hunks, in order, not overlapping; empty where only the path or the mode changes."""

    hunks: tuple[Hunk, ...]


class BinaryMethod(Enum):
    """How a `GIT binary patch` block encodes one side."""

    LITERAL = "literal"
    DELTA = "delta"


@dataclass(frozen=True, slots=True)
class BinaryBlock:
    """One side of a `GIT binary patch`, already inflated."""

    method: BinaryMethod
    data: bytes


@dataclass(frozen=True, slots=True)
class BinaryBody:
    """Contents change as bytes: `forward` makes the new file, `reverse` (where given) the old one."""

    forward: BinaryBlock
    reverse: BinaryBlock | None


Body = TextBody | BinaryBody


@dataclass(frozen=True, slots=True, kw_only=True)
class FileChange:
    """The change of one file. A created file has no old side, a deleted one no new side.

    Object ids are lower-case hex as the `index` line gives them (maybe shortened), None without such a line.
    `similarity` is the percentage of a rename or copy header.
    """

    kind: ChangeKind
    old_path: bytes | None
    new_path: bytes | None
    old_mode: Mode | None = None
    new_mode: Mode | None = None
    old_id: str | None = None
    new_id: str | None = None
    similarity: int | None = None
    body: Body = TextBody(())

    @property
    def path(self) -> bytes:
        """The path people name the change by: the new one, or the old one of a deleted file."""
        path = self.new_path if self.new_path is not None else self.old_path
        if path is None:
            msg = "a file change without any path"
            raise ValueError(msg)
        return path
