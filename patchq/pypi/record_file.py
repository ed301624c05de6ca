"""RECORD of an installed package brought up to date: the rows of changed files, all others byte for byte."""

from __future__ import annotations

import csv
import io
import os
from base64 import urlsafe_b64encode
from hashlib import sha256
from typing import TYPE_CHECKING

from patchq.errors import ReleaseError

if TYPE_CHECKING:
    from collections.abc import Mapping


def updated_record(record: bytes, own: str, files: Mapping[str, bytes | None]) -> bytes:
    """Return the text of a RECORD (binary distribution format) with the hashes and sizes of `files`, by their paths.

    None stands for a file that is gone. New files come before the row of RECORD itself, whose path is `own`.
    ReleaseError where it cannot be read.
    """
    try:
        lines = record.decode("utf-8").splitlines(keepends=True)
        rows = [next(csv.reader([line]), []) for line in lines]
    except (UnicodeDecodeError, csv.Error) as error:
        raise ReleaseError(f"RECORD cannot be read: {error}", hint="install the package again") from error
    end = "\r\n" if lines and lines[0].endswith("\r\n") else "\n"
    listed = {os.path.normpath(row[0]) for row in rows if row}
    fresh = [_row(path, data) + end for path, data in files.items() if path not in listed and data is not None]
    out: list[str] = []
    for line, row in zip(lines, rows, strict=True):
        path = os.path.normpath(row[0]) if row else ""
        if path == own:
            out += fresh
            fresh = []
        if path not in files:
            out.append(line)
        elif (data := files[path]) is not None:
            out.append(_row(row[0], data) + line[len(line.rstrip("\r\n")) :])
    return "".join((*out, *fresh)).encode()


def _row(path: str, data: bytes) -> str:
    out = io.StringIO()
    digest = urlsafe_b64encode(sha256(data).digest()).rstrip(b"=").decode()
    csv.writer(out, lineterminator="").writerow((path, f"sha256={digest}", len(data)))
    return out.getvalue()
