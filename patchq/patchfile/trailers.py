"""The parts of a message: its subject, its body, and the `Key: value` lines in its last paragraph."""

from __future__ import annotations

import re

from patchq.model.patch import Trailer

_TRAILER_LINE = re.compile(rb"([A-Za-z0-9][A-Za-z0-9-]*): (?=[^\n]*\S)([^\n]*)")
_BLANK_LINE = re.compile(rb"\n(?:[ \t]*\n)+")
_CONTINUED = (b" ", b"\t")


def split_subject(text: bytes) -> tuple[bytes, bytes]:
    """Cut a message into its subject, the first paragraph as one line, and the rest, as git does (git-log, `%s`).

    A line of white space only ends a paragraph, too: with CRLF line ends all blank lines are such.
    """
    lines = trim_blank_lines(text).split(b"\n")
    end = next((at for at, line in enumerate(lines) if not line.strip()), len(lines))
    return b" ".join(line.strip() for line in lines[:end]), trim_blank_lines(b"\n".join(lines[end:]))


def split_trailers(text: bytes) -> tuple[bytes, tuple[Trailer, ...]]:
    """Split a message (without its subject and outer blank lines) into body and trailers.

    The last paragraph holds trailers only if all its lines do, or continue one with a leading blank. git also takes
    a paragraph of which some lines do (git-interpret-trailers); that one stays in the body here, because a list
    of trailers could not give its other lines back. `https://…` is no trailer here either.
    """
    start, end = 0, 0
    for gap in _BLANK_LINE.finditer(text):
        start, end = gap.span()
    head, last = text[:start], text[end:]
    found: list[list[bytes]] = []
    for line in last.split(b"\n"):
        if line.startswith(_CONTINUED) and found and line.strip():
            found[-1].append(line)
        elif _TRAILER_LINE.fullmatch(line):
            found.append([line])
        else:
            return text, ()
    return trim_blank_lines(head), tuple(map(_trailer, found))


def trim_blank_lines(text: bytes) -> bytes:
    """Remove blank lines at both ends and the last newline; a text of blanks only becomes empty."""
    lines = text.split(b"\n")
    filled = [index for index, line in enumerate(lines) if line.strip()]
    return b"\n".join(lines[filled[0] : filled[-1] + 1]) if filled else b""


def render_trailer(trailer: Trailer) -> bytes:
    """Write `Key: value` and a newline; further lines of the value are indented, so that they stay a part of it."""
    value = re.sub(r"\n(?![ \t])", "\n ", trailer.value)
    return f"{trailer.key}: {value}\n".encode("utf-8", "surrogateescape")


def _trailer(lines: list[bytes]) -> Trailer:
    key, _, value = b"\n".join(lines).decode("utf-8", "surrogateescape").partition(": ")
    return Trailer(key, value)
