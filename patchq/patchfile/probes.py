"""Probes: the trailers `Needed-if:` and `Proves:`, whose values are commands as words, with a shell's quotes."""

from __future__ import annotations

import shlex
from typing import TYPE_CHECKING

from patchq.errors import PatchFormatError, Where
from patchq.model.probe import Probe

if TYPE_CHECKING:
    from patchq.model.patch import Message

PROBE_KEYS = ("Needed-if", "Proves")
_BY_LOWER = {key.lower(): key for key in PROBE_KEYS}


def parse_probes(message: Message, *, file: str, head: bytes = b"") -> tuple[Probe, ...]:
    """Read the probes of a message, in order; nothing in them is expanded, and `|` or `&&` are words like others.

    PatchFormatError, with `file` and the line in `head` (what the message was read from), for an open quote and for no
    words at all.
    """
    found = []
    for trailer in message.trailers:
        key = _BY_LOWER.get(trailer.key.lower())
        if key is None:
            continue
        where = Where(file=file, line=_line(trailer.key, trailer.value, head), field=key)
        try:
            words = tuple(shlex.split(trailer.value))
        except ValueError as error:
            raise _malformed(f"the command cannot be split into words: {str(error).lower()}", where) from error
        if not words or not words[0] or any("\0" in word for word in words):
            raise _malformed("no command", where)
        found.append(Probe(key=key, words=words))
    return tuple(found)


def _line(key: str, value: str, head: bytes) -> int | None:
    first = f"{key}: {value}".split("\n")[0].encode("utf-8", "surrogateescape").strip()
    return next((number for number, line in enumerate(head.split(b"\n"), 1) if line.strip() == first), None)


def _malformed(message: str, where: Where) -> PatchFormatError:
    return PatchFormatError(message, hint="write words as for a shell: Proves: python -c 'import pkg'", where=where)
