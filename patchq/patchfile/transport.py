"""What mail transport did to a patch, undone: CRLF line ends, quoted-printable, base64 and charsets."""

from __future__ import annotations

import re
from binascii import Error as Base64Error
from binascii import a2b_base64, a2b_qp
from io import BytesIO

from patchq.errors import PatchFormatError, Where
from patchq.patchfile.fields import read_fields
from patchq.patchfile.mail import MBOX_LINE, split_mail
from patchq.patchfile.words import to_utf8

_CHARSET = re.compile(r"charset\s*=\s*\"?([^\s\";]+)", re.IGNORECASE)
_LF_ALONE = re.compile(rb"(?<!\r)\n")


def decode_mail(mail: bytes, *, file: str) -> bytes:
    """Give one mail as it would stand in a file: header, message in UTF-8, diff in its own bytes.

    A mail whose header has CRLF line ends has them by transport and loses them all, as in git am without --keep-cr.
    Anything that does not begin with mail header fields comes back as it is. PatchFormatError for multipart mail.
    """
    mail = _without_crlf(mail)
    lines = BytesIO(mail).readlines()
    start = int(bool(lines) and MBOX_LINE.match(lines[0]) is not None)
    fields, body_at = read_fields(lines, start)
    values = {field.name: field.value.decode("ascii", "replace") for field in reversed(fields)}
    if not values.keys() & {b"content-type", b"content-transfer-encoding"}:
        return mail
    content_type = values.get(b"content-type", "")
    if content_type.strip().lower().startswith("multipart/"):
        hint = "save the part that holds the patch as a file of its own, or run it through `git mailinfo`"
        raise PatchFormatError("the patch is in a multipart mail", hint=hint, where=Where(file=file))
    header, body = b"".join(lines[:body_at]), b"".join(lines[body_at:])
    body = _decoded(body, values.get(b"content-transfer-encoding", "").strip().lower(), file)
    message, diff = split_mail(body)
    found = _CHARSET.search(content_type)
    return header + (to_utf8(message, found[1]) if found else message) + diff


def _decoded(body: bytes, encoding: str, file: str) -> bytes:
    match encoding:
        case "quoted-printable":
            return _without_crlf(a2b_qp(body))
        case "base64":
            try:
                return _without_crlf(a2b_base64(body))
            except Base64Error as error:
                raise PatchFormatError("the mail is damaged: no valid base64", where=Where(file=file)) from error
        case _:
            return body


def _without_crlf(data: bytes) -> bytes:
    """Remove the CRs of CRLF when every line has one; a file with CRLF inside a mail with LF keeps its own."""
    return data.replace(b"\r\n", b"\n") if b"\r\n" in data and not _LF_ALONE.search(data) else data
