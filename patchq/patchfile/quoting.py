"""Path names as git writes them in headers: bare, or C-quoted when they hold anything but plain ASCII."""

from __future__ import annotations

import re

_SHORT = {
    0x07: b"\\a",
    0x08: b"\\b",
    0x09: b"\\t",
    0x0A: b"\\n",
    0x0B: b"\\v",
    0x0C: b"\\f",
    0x0D: b"\\r",
    0x22: b'\\"',
    0x5C: b"\\\\",
}
_LONG = {escape[1:]: bytes([byte]) for byte, escape in _SHORT.items()}
_NEEDS_ESCAPE = re.compile(rb'[\x00-\x1f"\\\x7f-\xff]')
_QUOTED = re.compile(rb'"((?:[^"\\]|\\[abtnvfr"\\]|\\[0-3][0-7]{2})*)"')
_ESCAPE = re.compile(rb'\\([abtnvfr"\\]|[0-3][0-7]{2})')


def quote(name: bytes) -> bytes:
    """Write a name as `git diff` does under its default `core.quotePath=true`; blanks alone need no quotes."""
    if not _NEEDS_ESCAPE.search(name):
        return name
    return b'"' + _NEEDS_ESCAPE.sub(_escape, name) + b'"'


def unquote(text: bytes) -> tuple[bytes, bytes] | None:
    """Read the quoted name at the start of `text`: the name and what follows it, or None when it is malformed."""
    found = _QUOTED.match(text)
    if found is None:
        return None
    return _ESCAPE.sub(_unescape, found[1]), text[found.end() :]


def _escape(found: re.Match[bytes]) -> bytes:
    byte = found[0][0]
    return _SHORT.get(byte) or b"\\%03o" % byte


def _unescape(found: re.Match[bytes]) -> bytes:
    code = found[1]
    return _LONG.get(code) or bytes([int(code, 8)])
