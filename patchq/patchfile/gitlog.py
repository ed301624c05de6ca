"""What `git show` and `git log -p` print above a diff: `commit`, `Author:`, `Date:` and an indented message."""

from __future__ import annotations

import re

from patchq.errors import PatchFormatError, Where
from patchq.model.patch import Message
from patchq.patchfile.dates import parse_date
from patchq.patchfile.fields import read_fields
from patchq.patchfile.people import parse_person
from patchq.patchfile.trailers import split_subject, split_trailers
from patchq.patchfile.words import one_line

COMMIT_LINE = re.compile(rb"^commit [0-9a-f]{7,64}(?: \(.*\))?$", re.MULTILINE)
_MERGE_LINE = re.compile(rb"^Merge: ", re.MULTILINE)
_INDENT = b"    "


def split_log(data: bytes) -> tuple[bytes, ...]:
    """Cut the output into one piece a commit, in the order printed; what stands above the first is left out.

    No line of a message (indented) or of a diff (marked) can look like a `commit` line.
    """
    starts = [found.start() for found in COMMIT_LINE.finditer(data)]
    return tuple(data[start:end] for start, end in zip(starts, [*starts[1:], len(data)], strict=True))


def is_merge(head: bytes) -> bool:
    """Tell whether the head of a piece is that of a merge commit."""
    return _MERGE_LINE.search(head.partition(b"\n\n")[0]) is not None


def parse_log_head(lines: list[bytes], *, file: str) -> Message:
    """Read the head of one commit from its `commit` line on; `--pretty` may be any format with `Author:`."""
    fields, at = read_fields(lines, 1)
    values = {field.name: field for field in reversed(fields)}
    author, moment = values.get(b"author"), values.get(b"authordate") or values.get(b"date")
    date = None
    if moment is not None:
        date = parse_date(moment.value.decode("ascii", "replace"))
        if date is None:
            where = Where(file=file, line=moment.line + 1)
            raise PatchFormatError("this date cannot be read", hint="print it with --date=iso", where=where)
    text = []
    for line in lines[at:]:
        if line.strip() and not line.startswith(_INDENT):
            break  # notes, or the table of --stat
        text.append(line[len(_INDENT) :] or b"\n")
    subject, rest = split_subject(b"".join(text))
    body, trailers = split_trailers(rest)
    return Message(
        author=parse_person(author.value) if author is not None else None,
        date=date,
        subject=one_line(subject),
        body=body,
        trailers=trailers,
    )
