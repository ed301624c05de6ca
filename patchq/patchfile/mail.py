"""The head of a patch file: where it ends, what it says, and how it is written so that git am reads the same."""

from __future__ import annotations

import re
from io import BytesIO
from typing import TYPE_CHECKING

from patchq.errors import PatchFormatError, Where
from patchq.model.patch import GitDate, Message, Trailer
from patchq.patchfile.dates import parse_date, render_date
from patchq.patchfile.fields import Field, kept_fields, opens_head, read_fields, read_in_body
from patchq.patchfile.gitlog import COMMIT_LINE, parse_log_head
from patchq.patchfile.limits import MAX_HEAD_BYTES
from patchq.patchfile.parse import find_diff
from patchq.patchfile.people import parse_person, render_person
from patchq.patchfile.render import render_changes
from patchq.patchfile.trailers import render_trailer, split_trailers, trim_blank_lines
from patchq.patchfile.words import decode_words, encode_word, needs_word, one_line, unfold

if TYPE_CHECKING:
    from collections.abc import Sequence

    from patchq.model.change import FileChange

DIVIDER = b"---\n"

# Where git mailinfo ends the message: a diff, an `Index:` line, a `--- FILE` line or a bare `---`.
_BREAK = rb"(?:diff -|Index: |--- [^ \t\r\n]|---[ \t\r]*$)"
# What git mailsplit takes for the first line of a mail: an asctime date of 1991 or later at the end of the line.
_SEPARATOR = rb"From [^\n]*\d.\d\d:\d\d[ \t]+(?:9[1-9]|\d{3,})[^:\n]*$"
_BREAK_LINE = re.compile(b"^" + _BREAK, re.MULTILINE)
MBOX_LINE = re.compile(b"^" + _SEPARATOR, re.MULTILINE)
_NOT_IN_BODY = re.compile(b"^(?=" + _BREAK + b"|" + _SEPARATOR + b")", re.MULTILINE)
_TAKEN_FROM_BODY = re.compile(rb"(?i:From|Date|Subject):|>From[ \t\r\n]|\[PATCH\][ \t\r\n]")
# What git apply takes for a hunk wherever it stands, and patch(1) even behind blanks.
_HUNK_IN_BODY = re.compile(rb"^(?=[ \tX]*@@ -[0-9])", re.MULTILINE)

_PATCH_PREFIX = re.compile(rb"(?:[Rr][Ee]:|\[[^\]]*PATCH[^\]]*\]|[ \t]+)+")
_LOST_BY_GIT_AM = re.compile(rb"[Rr][Ee]:|[ \t:]|\[.*\]")
_GUARD = b"\r"


def split_mail(data: bytes) -> tuple[bytes, bytes]:
    """Cut one patch file into its head (mail header and message) and the rest, which begins with `---` or the diff.

    The place is the one that git mailinfo takes. Without any such line everything is head.
    """
    found = _BREAK_LINE.search(data)
    at = len(data) if found is None else found.start()
    return data[:at], data[at:]


def split_mbox(data: bytes) -> tuple[bytes, ...]:
    """Cut a mailbox at its `From ` lines, as git mailsplit does; data without one at its start is one mail.

    The `From ` lines stay at the top of their mails, and `>From ` inside a mail keeps its mark, as in git am.
    """
    starts = [found.start() for found in MBOX_LINE.finditer(data)]
    if not starts or data[: starts[0]].strip():
        return (data,)
    return tuple(data[start:end] for start, end in zip(starts, [*starts[1:], len(data)], strict=True))


def parse_message(head: bytes, *, file: str) -> Message:
    """Read who, when and why from the head of a patch, in any of the forms in which people keep it.

    Mail and DEP-3 header fields, `git show` output, or free text whose first line is the subject; `From:`, `Date:` and
    `Subject:` on top of the body win over the header, as in git am. Fields that Message has no place for become
    trailers, those of mail transport excepted. Subjects lose `[PATCH …]` and keep other brackets (git am -b).
    PatchFormatError for a date that cannot be read, or a head of more than MAX_HEAD_BYTES.
    """
    if len(head) > MAX_HEAD_BYTES:
        hint = "if this is a diff, its first line should read `diff --git a/FILE b/FILE`, `Index: FILE` or `--- FILE`"
        raise PatchFormatError(f"the message is longer than {MAX_HEAD_BYTES} bytes", hint=hint, where=Where(file=file))
    lines = BytesIO(head).readlines()
    at = 0
    while at < len(lines) and (not lines[at].strip() or MBOX_LINE.match(lines[at])):
        at += 1
    if at < len(lines) and COMMIT_LINE.match(lines[at]):
        return parse_log_head(lines[at:], file=file)
    fields, body_at = read_fields(lines, at)
    if not opens_head(fields):
        return _free_text(lines[at:], file)
    values = {field.name: field for field in reversed(fields)}
    in_body, text = read_in_body(lines[body_at:])
    subject = b""
    if b"subject" in in_body or b"subject" in values:
        subject = _subject(in_body[b"subject"] if b"subject" in in_body else values[b"subject"].value)
    elif b"description" in values:
        subject, text = _described(values[b"description"], text)
    author = in_body.get(b"from") or _value(values, b"from") or _value(values, b"author")
    body, trailers = split_trailers(trim_blank_lines(b"".join(text)))
    return Message(
        author=parse_person(unfold(author)) if author is not None else None,
        date=_date(in_body.get(b"date"), values.get(b"date"), file) or _last_update(values),
        subject=subject,
        body=body,
        trailers=(*map(_field_trailer, kept_fields(fields)), *trailers),
    )


def render_message(message: Message) -> bytes:
    r"""Write a mail head up to and with the `---` line; git am reads the same author, date, subject and text from it.

    `git am` removes leading `[words]` and `Re:` from subjects. What survives it is a carriage return in front, which
    ends the search for them and is then trimmed as white space; encoded, it reads `=?UTF-8?q?=0D?= [words] …`.
    The body is written as `writable` makes it.
    PatchFormatError when subject or author have several lines, anything holds a NUL byte, or no calendar holds the
    date.
    """
    author = (message.author.name, message.author.email) if message.author is not None else ()
    if any(one_line(part) != part.strip() for part in (message.subject, *author)) or b"\0" in message.body:
        raise PatchFormatError("subject and author are one line each, and no part of a message holds a NUL byte")
    out = []
    if message.author is not None:
        out.append(b"From: %s\n" % render_person(message.author))
    if message.date is not None:
        out.append(b"Date: %s\n" % _rendered_date(message.date))
    subject, text = render_text(message)
    return b"".join((*out, subject, b"\n", text, DIVIDER))


def render_text(message: Message) -> tuple[bytes, bytes]:
    """Write the `Subject:` line of a mail head, and what follows its blank line up to the `---`; else as above."""
    if one_line(message.subject) != message.subject.strip() or b"\0" in message.body:
        raise PatchFormatError("the subject is one line, and no part of a message holds a NUL byte")
    subject = b"Subject: %s\n" % _rendered_subject(message.subject.strip())
    text = _joined(trim_blank_lines(message.body), message.trailers)
    # The last paragraph of a body may read as trailers: then it is written as they are, with one blank line in front.
    text = _joined(*split_trailers(text))
    again = subject + b"\n" if _TAKEN_FROM_BODY.match(text) else b""
    return subject, again + (writable(text) + b"\n" if text else b"")


def writable(body: bytes) -> bytes:
    """Change in a body what no tool would take for words, since no quoting exists for it.

    Lines at which git would end the message are indented by one blank; the heads of quoted hunks get `> ` in front.
    """
    return _HUNK_IN_BODY.sub(b"> ", _NOT_IN_BODY.sub(b" ", body))


def _joined(body: bytes, trailers: Sequence[Trailer]) -> bytes:
    return b"\n\n".join(filter(None, (body, b"".join(map(render_trailer, trailers)).removesuffix(b"\n"))))


def replace_diff(raw: bytes, changes: Sequence[FileChange], *, file: str = "the patch") -> bytes:
    """Put other changes into a patch file: every byte before the first line of its diff and behind its last one stays.

    A file without a diff, such as a new patch, gets it at its end.
    """
    head, rest = split_mail(raw)
    rendered = render_changes(changes)
    if not has_diff(rest):
        if head and not head.endswith(b"\n"):
            head += b"\n"
        return head + (rest if rest or not head else DIVIDER) + rendered
    diff = find_diff(rest, file=file, first_line=head.count(b"\n") + 1)
    return head + rest[: diff.start] + rendered + rest[diff.end :]


def has_diff(rest: bytes) -> bool:
    """Tell whether there is anything but a divider and blanks behind the head of a patch file."""
    return bool(rest.removeprefix(DIVIDER).strip())


def _free_text(lines: list[bytes], file: str) -> Message:
    if not lines:
        return Message(author=None, date=None, subject=b"")
    in_body, text = read_in_body(lines[1:])  # where StGit puts the author
    body, trailers = split_trailers(trim_blank_lines(b"".join(text)))
    author = in_body.get(b"from")
    return Message(
        author=parse_person(author) if author is not None else None,
        date=_date(in_body.get(b"date"), None, file),
        subject=one_line(lines[0]),
        body=body,
        trailers=trailers,
    )


def _value(values: dict[bytes, Field], name: bytes) -> bytes | None:
    return values[name].value if name in values else None


def _subject(value: bytes) -> bytes:
    text = decode_words(unfold(value))
    if not text.startswith(_GUARD) and (prefix := _PATCH_PREFIX.match(text)):
        text = text[prefix.end() :]
    return one_line(text)


def _described(field: Field, text: list[bytes]) -> tuple[bytes, list[bytes]]:
    """Read DEP-3's `Description:`: the subject, and the long text whose lines are indented, ` .` for a blank one."""
    subject, _, long_text = field.value.strip().partition(b"\n")
    lines = [line.removeprefix(b" ").rstrip() for line in long_text.split(b"\n")] if long_text else []
    dedented = [b"\n" if line in {b".", b""} else line + b"\n" for line in lines]
    return one_line(subject), [*dedented, b"\n", *text]


def _date(in_body: bytes | None, field: Field | None, file: str) -> GitDate | None:
    value = in_body if in_body is not None else field.value if field is not None else None
    if value is None:
        return None
    date = parse_date(unfold(value).decode("ascii", "replace"))
    if date is None:
        hint = "write it as `Tue, 14 Nov 2023 22:13:20 +0000`"
        line = None if in_body is not None or field is None else field.line + 1
        raise PatchFormatError("this date cannot be read", hint=hint, where=Where(file=file, line=line, field="Date"))
    return date


def _last_update(values: dict[bytes, Field]) -> GitDate | None:
    """Read the day that DEP-3 has instead of a date: without it the patch's commit would not be reproducible."""
    field = values.get(b"last-update")
    return None if field is None else parse_date(unfold(field.value).decode("ascii", "replace"))


def _field_trailer(field: Field) -> Trailer:
    return Trailer(field.key.decode(), field.value.decode("utf-8", "surrogateescape"))


def _rendered_date(date: GitDate) -> bytes:
    try:
        return render_date(date).encode()
    except (ValueError, OverflowError) as error:
        raise PatchFormatError(f"no calendar holds the date {date.seconds} {date.offset}") from error


def _rendered_subject(subject: bytes) -> bytes:
    guarded = _LOST_BY_GIT_AM.match(subject) is not None
    if needs_word(subject):
        return encode_word(_GUARD + subject if guarded else subject)
    return encode_word(_GUARD) + b" " + subject if guarded else subject
