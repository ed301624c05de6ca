"""RFC 2047 encoded words in mail headers, read as git mailinfo reads them and written only where they must be."""

from __future__ import annotations

import re
from binascii import Error as Base64Error
from binascii import a2b_base64, a2b_qp
from codecs import lookup

_WORD = re.compile(rb"=\?([!-<>@-~]+)\?([bBqQ])\?([!->@-~ ]*)\?=")
_BETWEEN_WORDS = re.compile(
    rb"(=\?[!-<>@-~]+\?[bBqQ]\?[!->@-~ ]*\?=)[ \t\r\n]+(?==\?[!-<>@-~]+\?[bBqQ]\?[!->@-~ ]*\?=)"
)
_BREAKS = re.compile(rb"[\r\n\0]+")
_FOLD = re.compile(rb"\r?\n[ \t]+")
_UNSAFE_IN_WORD = re.compile(rb"[^!-<>@-^`-~]")


def unfold(value: bytes) -> bytes:
    """Join a header value that runs over several lines, with one blank for each fold, and trim it."""
    return _FOLD.sub(b" ", value).strip(b" \t\r\n")


def decode_words(text: bytes) -> bytes:
    """Replace every encoded word by its text in UTF-8; white space between two of them belongs to neither.

    A word in an unknown charset, or that does not decode, stays as it is: losing nothing is better than failing.
    """
    if b"=?" not in text:
        return text
    return _WORD.sub(_decode_word, _BETWEEN_WORDS.sub(rb"\1", text))


def one_line(text: bytes) -> bytes:
    """Trim, and put a blank for line breaks and NULs that came out of encoded words, as git mailinfo does."""
    return _BREAKS.sub(b" ", text).strip()


def encode_word(text: bytes) -> bytes:
    """Write bytes, whatever they are, as one Q-encoded word labelled UTF-8."""
    return b"=?UTF-8?q?" + _UNSAFE_IN_WORD.sub(lambda found: b"=%02X" % found[0][0], text) + b"?="


def needs_word(text: bytes) -> bool:
    """Tell whether readers would take a part of `text` for an encoded word; other bytes may stand as they are."""
    return b"=?" in text


def to_utf8(data: bytes, charset: str) -> bytes:
    """Convert to UTF-8; the bytes stay as they are when the charset is unknown or they do not fit it."""
    try:
        codec = lookup(charset)
        return data if codec.name in {"utf-8", "ascii"} else codec.decode(data)[0].encode()
    except (LookupError, UnicodeError):
        return data


def _decode_word(found: re.Match[bytes]) -> bytes:
    charset, method, payload = found[1].decode().partition("*")[0], found[2].lower(), found[3]
    try:
        data = a2b_qp(payload, header=True) if method == b"q" else a2b_base64(payload)
    except Base64Error:
        return found[0]
    return to_utf8(data, charset)
