"""A cursor over the lines of a patch that knows where it is, for readers that must name file, line and hunk."""

from __future__ import annotations

from dataclasses import dataclass
from io import BytesIO

from patchq.errors import PatchFormatError, Where
from patchq.patchfile.limits import MAX_PATCH_BYTES, MAX_PATCH_LINES

END = b""


@dataclass(slots=True, kw_only=True)
class Lines:
    r"""Lines with their line ends, split at `\n` only, and the empty `END` behind the last one.

    `at` is the index of the next line; `first_line` the number in `file` of the line with index 0.
    """

    file: str
    lines: list[bytes]
    first_line: int = 1
    at: int = 0

    @classmethod
    def of(cls, data: bytes, *, file: str, first_line: int = 1) -> Lines:
        """Split `data`; PatchFormatError when it is larger than the limits of this room."""
        if len(data) > MAX_PATCH_BYTES or data.count(b"\n") > MAX_PATCH_LINES:
            msg = f"the patch is larger than {MAX_PATCH_BYTES} bytes or {MAX_PATCH_LINES} lines"
            raise PatchFormatError(msg, hint="split it, or leave generated files out of it", where=Where(file=file))
        # readlines of BytesIO splits at \n only, which bytes.splitlines does not.
        return cls(file=file, lines=[*BytesIO(data).readlines(), END], first_line=first_line)

    @property
    def next(self) -> bytes:
        """The line under the cursor, `END` behind the last one."""
        return self.lines[self.at]

    def offset(self, index: int) -> int:
        """How many bytes stand before the line with this index."""
        return sum(map(len, self.lines[:index]))

    def error(
        self, message: str, *, at: int | None = None, hunk: int | None = None, hint: str | None = None
    ) -> PatchFormatError:
        """Build the error for the line with index `at`, or for the one under the cursor."""
        line = self.first_line + (self.at if at is None else at)
        return PatchFormatError(message, hint=hint, where=Where(file=self.file, line=line, hunk=hunk))


def bare(line: bytes) -> bytes:
    r"""Take the `\n` off a line, and nothing else."""
    return line[:-1] if line.endswith(b"\n") else line


def show(data: bytes) -> str:
    """Decode for a message to a person, never failing; long input is cut."""
    text = data.decode("utf-8", "backslashreplace")
    return text if len(text) <= _SHOWN else text[:_SHOWN] + "…"


_SHOWN = 120
