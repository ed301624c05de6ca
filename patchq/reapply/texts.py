"""Texts on their way into a tree and back: line ends."""

from __future__ import annotations


def plain_text(text: bytes) -> bytes | None:
    """Return `text` with LF line ends, None where both kinds (or a lone CR) stand in it."""
    if b"\r" not in text:
        return text
    plain = text.replace(b"\r\n", b"\n")
    return None if b"\r" in plain or plain.count(b"\n") != text.count(b"\r\n") else plain


def like(text: bytes, model: bytes) -> bytes:
    """Give `text`, which has LF line ends, the line ends of `model`."""
    return text.replace(b"\n", b"\r\n") if b"\r\n" in model else text
