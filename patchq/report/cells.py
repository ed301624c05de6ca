"""Text from anywhere made safe for a terminal, and measured, cut and wrapped in terminal cells."""

from __future__ import annotations

import unicodedata

# ASCII on purpose: the one-character ellipsis is two cells wide on East Asian terminals and missing on Latin ones.
ELLIPSIS = "..."

# Joiners build emoji and Persian words, the ideographic space stands in Japanese titles: shown, though not "printable".
_ALSO_SHOWN = frozenset("\u200c\u200d\u3000")
_ZERO_WIDTH = frozenset("\u200c\u200d")
_EMOJI_VARIANT = "\ufe0f"
# Bytes that did not decode, as PEP 383 (surrogateescape) keeps them, and how they are shown.
_KEPT_BYTES = {chr(0xDC00 + byte): f"\\x{byte:02x}" for byte in range(0x80, 0x100)}
# Real scripts stack up to four marks; a longer stack is drawn over the lines around it.
_MARKS_IN_A_ROW = 4


def visible(text: str) -> str:
    r"""Write everything that is not a visible character or a blank as an escape: `\n`, `\x1b`, `\u202e`.

    This takes out control characters and escape sequences, bidirectional overrides (Boucher and Anderson, Trojan
    Source, 2021), characters this Python does not know, and lone surrogates; bytes that came through
    surrogateescape read as `\xff`.
    """
    if text.isascii() and text.isprintable():
        return text
    out: list[str] = []
    marks = 0
    for char in text:
        marks = marks + 1 if unicodedata.category(char) in {"Mn", "Me"} else 0
        shown = marks <= _MARKS_IN_A_ROW and (char.isprintable() or char in _ALSO_SHOWN)
        out.append(char if shown else escape(char))
    return "".join(out)


def escape(char: str) -> str:
    r"""Write one character as Python would escape it; a byte kept by surrogateescape as that byte, `\xff`."""
    return _KEPT_BYTES.get(char) or ascii(char)[1:-1]


def decoded(data: bytes) -> str:
    r"""Decode bytes of unknown encoding as UTF-8 for `visible`; what does not decode will read as `\xff`."""
    return data.decode("utf-8", "surrogateescape")


def cells(text: str) -> int:
    """Count the cells that `visible` text takes: at most this many, where terminals disagree (joined emoji)."""
    return len(text) if text.isascii() else sum(map(_char_cells, text))


def cut(text: str, width: int) -> str:
    """Shorten `text` at its end to `width` cells, with an ellipsis."""
    return text if cells(text) <= width else _prefix(text, width - len(ELLIPSIS)) + ELLIPSIS[: max(width, 0)]


def cut_middle(text: str, width: int) -> str:
    """Shorten `text` in its middle: names of one series often differ at their ends."""
    if cells(text) <= width:
        return text
    room = width - len(ELLIPSIS)
    return _prefix(text, (room + 1) // 2) + ELLIPSIS + _suffix(text, room // 2)


def cut_path(path: str, width: int) -> str:
    """Shorten a path at its front, whole folders where possible: the file's own name tells most."""
    if cells(path) <= width:
        return path
    tail = _suffix(path, width - len(ELLIPSIS))
    slash = tail.find("/")
    return ELLIPSIS + (tail[slash:] if slash >= 0 else tail)


def pad(text: str, width: int) -> str:
    """Fill `text` up with blanks to `width` cells."""
    return text + " " * (width - cells(text))


def wrap(text: str, width: int, *, first: str = "", rest: str = "") -> list[str]:
    """Break `text` at blanks into lines of `width` cells, prefix included; a longer word is broken inside.

    `first` starts the first line and `rest` the others. Runs of blanks count as one.
    """
    room = max(1, width - max(cells(first), cells(rest)))
    lines: list[str] = []
    line, prefix = "", first
    for word in text.split():
        for index, part in enumerate(fold(word, room)):
            fits = not index and cells(prefix) + cells(line) + 1 + cells(part) <= width
            if line and not fits:
                lines.append(prefix + line)
                line, prefix = part, rest
            else:
                line = f"{line} {part}" if line else part
    return [*lines, prefix + line]


def fold(text: str, width: int) -> list[str]:
    """Break `text` every `width` cells and lose nothing, blanks included: for lines of code."""
    lines: list[str] = []
    start = used = 0
    for index, char in enumerate(text):
        size = _char_cells(char)
        if used + size > width and index > start:
            lines.append(text[start:index])
            start, used = index, 0
        used += size
    return [*lines, text[start:]]


def _char_cells(char: str) -> int:
    if char == _EMOJI_VARIANT:
        return 1  # it widens the character before it, on most terminals
    if char in _ZERO_WIDTH or unicodedata.category(char) in {"Mn", "Me"}:
        return 0
    return 2 if unicodedata.east_asian_width(char) in {"W", "F"} else 1


def _prefix(text: str, width: int) -> str:
    if text.isascii():
        return text[: max(width, 0)]
    used = 0
    for index, char in enumerate(text):
        used += _char_cells(char)
        if used > width:
            return text[:index]
    return text


def _suffix(text: str, width: int) -> str:
    used, start = 0, len(text)
    while start and used + _char_cells(text[start - 1]) <= width:
        start -= 1
        used += _char_cells(text[start])
    while start < len(text) and _char_cells(text[start]) == 0:
        start += 1  # a mark must not land on the ellipsis
    return text[start:]
