"""Every failure that patchq expects, with the place it concerns and the next thing to type."""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum


class ExitCode(IntEnum):
    """What a patchq process tells its caller; the README has the same table for people."""

    DONE = 0
    FINDINGS = 1
    USAGE = 2
    NEEDS_PERSON = 3
    BUG = 4
    INTERRUPTED = 130


@dataclass(frozen=True, slots=True, kw_only=True)
class Where:
    """The place in the user's input that an error is about; unknown parts are None. `line` counts from 1."""

    file: str | None = None
    patch: str | None = None
    hunk: int | None = None
    line: int | None = None
    field: str | None = None

    def __str__(self) -> str:
        """Join the known parts as `file:line: patch NAME: hunk N: field`; empty when nothing is known."""
        parts = []
        if self.file is not None:
            parts.append(self.file if self.line is None else f"{self.file}:{self.line}")
        elif self.line is not None:
            parts.append(f"line {self.line}")
        if self.patch is not None:
            parts.append(f"patch {self.patch}")
        if self.hunk is not None:
            parts.append(f"hunk {self.hunk}")
        if self.field is not None:
            parts.append(self.field)
        return ": ".join(parts)


class PatchqError(Exception):
    """An expected failure: one message for a person, where it happened, and a hint with what to do next."""

    exit_code = ExitCode.FINDINGS

    def __init__(self, message: str, *, hint: str | None = None, where: Where | None = None) -> None:
        """Keep `message` (no trailing full stop, no newline at the end) and the optional hint and place."""
        super().__init__(message)
        self.message = message
        self.hint = hint
        self.where = where or Where()

    def __str__(self) -> str:
        """Prefix the message with its place, as compilers do."""
        where = str(self.where)
        return f"{where}: {self.message}" if where else self.message


class UsageError(PatchqError):
    """The command line asks for something that cannot be meant."""

    exit_code = ExitCode.USAGE


class PatchFormatError(PatchqError):
    """Bytes that are not a patch, or not a whole one; `where` names file, hunk and line."""


class ApplyError(PatchqError):
    """A change does not fit the file that it is applied to; `where` names the hunk."""


class SeriesError(PatchqError):
    """The series folder, its manifest, a record or the ledger cannot be read or does not fit together."""


class GitError(PatchqError):
    """Git refused, is missing, or the repository is not what the command needs."""


class NetworkError(PatchqError):
    """A fetch or download could not be carried out; nothing was changed."""


class ReleaseError(PatchqError):
    """A release cannot be found, or its archive cannot be taken as a tree of files."""


class PublishError(PatchqError):
    """Publishing stopped before its commit point; the old state stands."""
