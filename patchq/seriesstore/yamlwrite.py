"""Plain data to YAML bytes: block style, keys in the given order, patch text as a literal block, one fact a line."""

from __future__ import annotations

import base64
import math
import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

# Words that some YAML reader (1.1 or 1.2) takes for a truth value or null when they stand without quotes.
_WORDS = frozenset({"null", "true", "false", "yes", "no", "on", "off", "y", "n"})
# Starts with a letter, so that no reader sees a number, a date or an indicator.
_PLAIN = re.compile(r"[A-Za-z_/][!-~]*(?: [!-~]+)*")
# What a literal block gives back unchanged: YAML 1.1 reads CR, NEL, LS and PS as line ends, and BOM is not printable.
# Both are compiled when first used: that takes 10 ms, and who only reads a record imports this module, too.
_LITERAL = "[\t\n -~\xa0-\u2027\u202a-\ud7ff\ue000-\ufefe\uff00-\ufffd\U00010000-\U0010fffd]*"
_UNPRINTABLE = "[^ !#-\\[\\]-~\xa0-\u2027\u202a-\ud7ff\ue000-\ufefe\uff00-\ufffd\U00010000-\U0010fffd]"
_BROKEN = re.compile("[\ud800-\udfff]")
_BASE64_LINE = 76


def dump(value: Mapping[str, object], *, comment: str) -> bytes:
    """Return `value` (dict, list, str, int, float, bool, None) as one UTF-8 document under a `comment` line.

    Nothing is folded or sorted, so that a small change makes a small diff. Several lines of text become a literal
    block, or an escaped one where a literal block cannot hold them (CR); text that is not UTF-8, that is with
    surrogate escapes, becomes `!!binary`. PyYAML's own emitter would escape every patch with a blank context line or a
    tab into one unreadable line.
    """
    return f"# {comment}\n{entries(value)}".encode()


def entries(value: Mapping[str, object]) -> str:
    """Return the lines of a top-level mapping, as `dump` writes them."""
    out: list[str] = []
    _mapping(value, "", "", out)
    return "".join(out)


def _mapping(value: Mapping[str, object], pad: str, lead: str, out: list[str]) -> None:
    """Write a mapping whose keys stand behind `pad`, the first one behind `lead` (which is `pad` or ends in `- `)."""
    for key, item in value.items():
        out.append(f"{lead}{_key(key)}:")
        lead = pad
        _item(item, pad, out)


def _item(item: object, pad: str, out: list[str]) -> None:
    """Write what follows `key:` or `-` on the line that has just been begun, and the lines below it."""
    below = pad + "  "
    match item:
        case str() if "\n" in item:
            out.append(f" {_text_block(item, below)}\n")
        case dict() if item:
            out.append("\n")
            _mapping(item, below, below, out)
        case list() if item:
            out.append("\n")
            for part in item:
                if isinstance(part, dict) and part:
                    _mapping(part, below + "  ", below + "- ", out)
                else:
                    out.append(f"{below}-")
                    _item(part, below, out)
        case dict():
            out.append(" {}\n")
        case list():
            out.append(" []\n")
        case _:
            out.append(f" {_scalar(item, below)}\n")


def _key(key: str) -> str:
    if _is_broken(key):
        return f'!!binary "{_base64(key)}"'
    return _text(key, "")


def _scalar(value: object, pad: str) -> str:
    match value:
        case str():
            return _text(value, pad)
        case None:
            return "null"
        case bool():
            return "true" if value else "false"
        case int():
            return str(value)
        case float():
            return _float(value)
        case _:
            raise TypeError(f"{type(value).__name__} has no place in a series file")


def _float(value: float) -> str:
    if math.isnan(value):
        return ".nan"
    if math.isinf(value):
        return ".inf" if value > 0 else "-.inf"
    text = repr(value)
    return text if "." in text else text.replace("e", ".0e")  # YAML 1.1 wants the point


def _text(text: str, pad: str) -> str:
    is_plain = (
        _PLAIN.fullmatch(text)
        and ": " not in text
        and " #" not in text
        and not text.endswith(":")
        and text.lower() not in _WORDS
    )
    if is_plain:
        return text
    if _is_broken(text):
        return _binary(text, pad)
    return f'"{_escape(text)}"'


def _text_block(text: str, pad: str) -> str:
    """Write text of several lines, `pad` before each of them, without the last line end."""
    if _is_broken(text):
        return _binary(text, pad)
    lines = text.split("\n")
    if not re.fullmatch(_LITERAL, text) or not text.strip("\n"):
        pieces = [f"{_escape(line)}\\n" for line in lines[:-1]] + ([_escape(lines[-1])] if lines[-1] else [])
        # A line break after a backslash is no part of the text; a blank after it needs a backslash of its own.
        guarded = [f"\\{piece}" if piece.startswith(" ") else piece for piece in pieces]
        return '"' + f"\\\n{pad}".join(guarded) + '"'
    hint = "2" if text[0] in " \t\n" else ""
    tail = len(text) - len(text.rstrip("\n"))
    chomp = "-" if tail == 0 else "" if tail == 1 else "+"
    body = "\n".join(pad + line if line else "" for line in (lines if tail == 0 else lines[:-1]))
    return f"|{hint}{chomp}\n{body}"


def _is_broken(text: str) -> bool:
    return _BROKEN.search(text) is not None


def _binary(text: str, pad: str) -> str:
    packed = _base64(text)
    lines = [packed[start : start + _BASE64_LINE] for start in range(0, len(packed), _BASE64_LINE)]
    return "!!binary |-" + "".join(f"\n{pad}{line}" for line in lines)


def _base64(text: str) -> str:
    return base64.b64encode(text.encode("utf-8", "surrogateescape")).decode()


def _escape(text: str) -> str:
    return re.sub(_UNPRINTABLE, _escape_one, text)


def _escape_one(match: re.Match[str]) -> str:
    """Write one character as Python does: its escapes are all YAML's as well, and YAML has one more, for the quote."""
    return '\\"' if match[0] == '"' else match[0].encode("unicode_escape").decode()
