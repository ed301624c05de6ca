"""Header fields at the head of a patch: mail's, DEP-3's, and those that a mail programme put at the top of the body."""

from __future__ import annotations

import re
from dataclasses import dataclass

_FIELD = re.compile(rb"([A-Za-z][A-Za-z0-9_-]*):(?:[ \t]+(.*)|(.*))", re.DOTALL)
_IN_BODY = re.compile(rb"(From|Date|Subject):[ \t]*(.*)", re.DOTALL | re.IGNORECASE)
_CONTINUED = (b" ", b"\t")

# Debian's DEP-3, "Patch Tagging Guidelines": these describe the patch and have to travel with it.
DEP3_KEYS = frozenset(
    {b"origin", b"bug", b"forwarded", b"reviewed-by", b"acked-by", b"last-update", b"applied-upstream"}
)
# What says the name of a patch in a mail that patchq wrote.
_NAME_KEY = b"patchq-patch"
HEAD_KEYS = frozenset({b"from", b"author", b"date", b"subject", b"description"})
_TRANSPORT_KEYS = frozenset(
    {
        *(b"message-id", b"in-reply-to", b"references", b"mime-version", b"to", b"cc", b"bcc", b"reply-to", b"sender"),
        *(b"user-agent", b"x-mailer", b"precedence", b"status", b"return-path", b"delivered-to", b"lines"),
    }
)
_TRANSPORT_STARTS = (b"content-", b"received", b"list-", b"dkim-", b"arc-", b"authentication-")


@dataclass(frozen=True, slots=True)
class Field:
    """One field: `value` without its first blanks and last line end, continuation lines as they are; `line` from 0."""

    key: bytes
    value: bytes
    line: int

    @property
    def name(self) -> bytes:
        """The key in lower case."""
        return self.key.lower()


def read_fields(lines: list[bytes], at: int) -> tuple[tuple[Field, ...], int]:
    """Read the fields from line `at` on; also give the index of the first line behind them and one blank line."""
    found: list[tuple[bytes, list[bytes], int]] = []
    while at < len(lines):
        line = lines[at].rstrip(b"\r\n")
        if line.startswith(_CONTINUED) and found and line.strip():
            found[-1][1].append(line)
        elif field := _FIELD.fullmatch(line):
            found.append((field[1], [field[2] or field[3] or b""], at))
        else:
            at += not line.strip()
            break
        at += 1
    return tuple(Field(key, b"\n".join(value), line) for key, value, line in found), at


def opens_head(fields: tuple[Field, ...]) -> bool:
    """Tell whether these lines are the head of a patch, and not prose that happens to have colons."""
    return any(field.name in HEAD_KEYS or field.name in DEP3_KEYS for field in fields)


def kept_fields(fields: tuple[Field, ...]) -> tuple[Field, ...]:
    """Choose the fields that say something about the patch, beyond author, date and subject.

    Nothing unknown is dropped, except what mail transport added; a mail that has been through a server (`Received:`)
    is full of such lines under any name, so of those only the fields of DEP-3 are kept.
    """
    sent = any(field.name == b"received" for field in fields)
    return tuple(field for field in fields if _is_kept(field.name, sent=sent))


def _is_kept(name: bytes, *, sent: bool) -> bool:
    if name in DEP3_KEYS or name == _NAME_KEY or name.startswith(b"bug-"):
        return True
    return not (sent or name in HEAD_KEYS or name in _TRANSPORT_KEYS or name.startswith(_TRANSPORT_STARTS))


def read_in_body(lines: list[bytes]) -> tuple[dict[bytes, bytes], list[bytes]]:
    """Take `From:`, `Date:` and `Subject:` off the top of a body, as git mailinfo does; also give the other lines.

    `From:` without an address is prose and stays, unlike in git.
    """
    start = next((index for index, line in enumerate(lines) if line.strip()), len(lines))
    found: dict[bytes, bytes] = {}
    for index in range(start, len(lines)):
        line = lines[index].rstrip(b"\r\n")
        header = _IN_BODY.fullmatch(line)
        name = header[1].lower() if header else b""
        if header is None or name in found or (name == b"from" and b"@" not in line and b"<" not in line):
            return found, lines[index:]
        found[name] = header[2]
    return found, []
