"""Conflict markers read back: what a person gets who takes one side everywhere."""

from __future__ import annotations

from enum import Enum


class Side(Enum):
    OURS = b"<"
    THEIRS = b"="


def taken(text: bytes, side: Side) -> bytes:
    """Resolve every conflict of `text`, whose markers have seven characters, by one side."""
    out: list[bytes] = []
    at = b""
    for line in text.splitlines(keepends=True):
        mark = line[:1]
        if line[:7] == mark * 7 and mark in {b"<", b"|", b"=", b">"} and line[7:8].isspace():
            at = b"" if mark == b">" else mark
        elif at in {b"", side.value}:
            out.append(line)
    return b"".join(out)


def blocks(text: bytes) -> int:
    """Count the conflicts in `text`."""
    return sum(line.startswith(b"<<<<<<< ") for line in text.splitlines())
