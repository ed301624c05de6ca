"""The message of a patch file written anew: author, date and every other line of its head keep their bytes."""

from __future__ import annotations

from dataclasses import dataclass, replace
from io import BytesIO
from typing import TYPE_CHECKING

from patchq.errors import PatchFormatError, Where
from patchq.patchfile.fields import kept_fields, opens_head, read_fields, read_in_body
from patchq.patchfile.mail import DIVIDER, MBOX_LINE, parse_message, render_message, render_text, split_mail, writable

if TYPE_CHECKING:
    from collections.abc import Collection

    from patchq.model.patch import Message
    from patchq.patchfile.fields import Field

_SAID_BY_TEXT = frozenset({b"subject", b"description"})


@dataclass(frozen=True, slots=True)
class _Head:
    """The lines of a mail head: `fields` in `lines`, which end before `end`, and the body behind them."""

    lines: list[bytes]
    start: int
    fields: tuple[Field, ...]
    end: int


def text_of(raw: bytes, *, file: str) -> Message:
    """Return the message of a patch file without the trailers that are fields of its head."""
    head, _ = split_mail(raw)
    message = parse_message(head, file=file)
    mail = _mail_head(head)
    count = 0 if mail is None else len(kept_fields(mail.fields))
    return replace(message, trailers=message.trailers[count:])


def replace_text(raw: bytes, text: Message, *, file: str, without: Collection[str] = ()) -> bytes:
    """Write subject, body and trailers of `text` into a patch file; its author and date are not looked at.

    Fields of the head stay byte for byte, `without` those of these keys (lower case). A head that is no mail's, such as
    free text, is written as one. PatchFormatError where what was written does not read back.
    """
    head, rest = split_mail(raw)
    old = parse_message(head, file=file)
    mail = _mail_head(head)
    text = replace(text, body=writable(text.body))
    if mail is None:
        new = render_message(replace(text, author=old.author, date=old.date))
        rest = rest.removeprefix(DIVIDER)
        kept = text.trailers
    else:
        new = _written(mail, text, without)
        pairs = zip(kept_fields(mail.fields), old.trailers, strict=False)
        kept = (*(trailer for field, trailer in pairs if field.name.decode() not in without), *text.trailers)
        if rest.partition(b"\n")[0].rstrip() != DIVIDER.strip():
            new += DIVIDER
    made = parse_message(split_mail(new + rest)[0], file=file)
    if made != replace(text, author=old.author, date=old.date, trailers=kept):
        raise PatchFormatError("this message cannot be written so that it reads back", where=Where(file=file))
    return new + rest


def _mail_head(head: bytes) -> _Head | None:
    lines = BytesIO(head).readlines()
    at = 0
    while at < len(lines) and (not lines[at].strip() or MBOX_LINE.match(lines[at])):
        at += 1
    fields, end = read_fields(lines, at)
    return _Head(lines, at, fields, end) if opens_head(fields) else None


def _written(mail: _Head, text: Message, without: Collection[str]) -> bytes:
    subject, body = render_text(text)
    out = list(mail.lines[: mail.start])
    ends = [*(field.line for field in mail.fields[1:]), mail.end]
    told = False
    for field, end in zip(mail.fields, ends, strict=True):
        if field.name in _SAID_BY_TEXT:
            out += [] if told else [subject]
            told = True
        elif field.name.decode() not in without:
            out += [line for line in mail.lines[field.line : end] if line.strip()]
    out += [] if told else [subject]
    behind = mail.lines[mail.end :]
    _, left = read_in_body(behind)
    in_body = [line for line in behind[: len(behind) - len(left)] if line.strip()]
    # A mail programme's `From:` and `Date:` on top of the body win over the header, so they stay on top.
    kept = [line for line in in_body if not line.lower().startswith(b"subject:")]
    return b"".join((*out, b"\n", *kept, *([b"\n"] if kept and body else []), body))
