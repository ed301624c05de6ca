"""Bytes as lines: a split that loses nothing, line endings, and git's idea of binary."""

from __future__ import annotations

from enum import Enum
from io import BytesIO
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

_PROBE = 8000  # bytes that git looks at before it calls a file binary


class LineEnding(Enum):
    """A line ending that a whole text can use."""

    LF = b"\n"
    CRLF = b"\r\n"


def split_lines(data: bytes) -> tuple[bytes, ...]:
    r"""Split after every `\n` and nowhere else; each line keeps its end, the last one may have none.

    A lone CR, a form feed or a Unicode separator is an ordinary byte, as for git: `b"".join` gives back `data`.
    """
    return tuple(BytesIO(data))


def as_lines(text: bytes | Sequence[bytes]) -> Sequence[bytes]:
    """Give the lines of a text that is either whole or split already."""
    return split_lines(text) if isinstance(text, bytes) else text


def common_prefix(one: Sequence[object], two: Sequence[object]) -> int:
    """Count the equal items at the start of both sequences."""
    for row, (left, right) in enumerate(zip(one, two, strict=False)):
        if left != right:
            return row
    return min(len(one), len(two))


def is_binary(data: bytes) -> bool:
    """Tell whether git treats `data` as binary: a NUL among its first 8000 bytes."""
    return b"\0" in data[:_PROBE]


def line_ending(data: bytes) -> LineEnding | None:
    """Name the ending that all lines of `data` use; None where they differ or no line is ended."""
    ends = data.count(b"\n")
    returns = data.count(b"\r\n")
    if ends == 0 or 0 < returns < ends:
        return None
    return LineEnding.CRLF if returns else LineEnding.LF


def with_ending(data: bytes, ending: LineEnding) -> bytes:
    """Give every line of `data` this ending; a last line without an end stays without one."""
    return data.replace(b"\r\n", b"\n").replace(b"\n", ending.value)
