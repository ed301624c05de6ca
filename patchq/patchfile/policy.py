"""The policy of a patch, as text and as a value: `Policy:`, `Since:`, `Until:`, `Owner:`, `Forwarded:`, `Expires:`."""

from __future__ import annotations

import re
from datetime import date
from typing import TYPE_CHECKING

from packaging.version import InvalidVersion, Version

from patchq.errors import PatchFormatError, Where
from patchq.model.patch import Trailer
from patchq.model.policy import Need, Policy

if TYPE_CHECKING:
    from collections.abc import Sequence

    from patchq.model.patch import Message

POLICY_KEYS = ("Policy", "Since", "Until", "Owner", "Expires")

_FORWARDED = "forwarded"
# Trailers, in lower case, that a message has but one of: those above without owners, and of DEP-3 what is a state.
SAID_ONCE = frozenset({"policy", "since", "until", "expires", _FORWARDED, "last-update", "applied-upstream"})
_DATE = re.compile(r"\d{4}-\d{2}-\d{2}")
_IN_PROSE = re.compile(
    rb"^(Policy): (required|optional)$|^(Since|Until): (v?\d[\w.+!-]*)$|^(Expires): (\d{4}-\d\d-\d\d)$",
    re.MULTILINE,
)
_CLEAR = re.compile(r"https?://\S+|no|not-needed|yes", re.IGNORECASE)
_HEAD_LINES = 2000


def parse_policy(message: Message, *, file: str, head: bytes = b"", need: Need = Need.USUAL) -> Policy:
    """Read the policy that the trailers of a message state; `need` is for a patch that does not say.

    A line of the body that reads just like one of them counts, too: one that is passed over because no blank line
    stands above it would be lost in silence. PatchFormatError, with `file` and the line in `head` (the bytes that the
    message was read from), for a value that is none, a key given twice, and a condition that no version meets.
    """
    said: dict[str, tuple[Trailer, Where]] = {}
    owners: list[str] = []
    forwarded = None
    for trailer in (*message.trailers, *_in_prose(message.body)):
        key, value = trailer.key.title(), trailer.value.strip()
        if key == "Owner":
            owners.append(value)
        elif key.lower() == _FORWARDED:
            forwarded = value
        elif key in POLICY_KEYS:
            where = Where(file=file, line=_line_of(trailer, head), field=key)
            if key in said and said[key][0].value.strip() != value:
                raise PatchFormatError("is given twice", hint="delete one of the two lines", where=where)
            said[key] = (trailer, where)
    since, until = (_version(said.get(key)) for key in ("Since", "Until"))
    if since is not None and until is not None and not before(since, until):
        hint = "Since: is the first version that has the patch, Until: the first one without it"
        raise PatchFormatError(f"no version is from {since} on and before {until}", hint=hint, where=said["Until"][1])
    return Policy(
        need=_need(said.get("Policy"), need),
        since=since,
        until=until,
        owners=tuple(dict.fromkeys(owners)),
        forwarded=forwarded,
        expires=_date(said.get("Expires")),
    )


def before(version: Version, bound: Version) -> bool:
    """Whether `version` comes before `bound`; its pre-releases do not: 0.6rc1 has the code of 0.6.

    That is `<` of PEP 440, so that `Until: V` and `Since: V` divide all versions between them.
    """
    if version.is_prerelease and not bound.is_prerelease and version.base_version == bound.base_version:
        return False
    return version < bound


def is_clear_status(value: str) -> bool:
    """Whether a value of `Forwarded:` says where upstream has it, or why not."""
    return _CLEAR.fullmatch(value.strip()) is not None


def read_need(text: str) -> Need | None:
    """Read a value of `Policy:`; None for anything else."""
    known = {need.value: need for need in (Need.REQUIRED, Need.OPTIONAL)}
    return known.get(text.strip().lower())


def _in_prose(body: bytes) -> list[Trailer]:
    found = ([part for part in match.groups() if part is not None] for match in _IN_PROSE.finditer(body))
    return [Trailer(key.decode(), value.decode("utf-8", "surrogateescape")) for key, value in found]


def _line_of(trailer: Trailer, head: bytes) -> int | None:
    text = f"{trailer.key}: {trailer.value}".encode("utf-8", "surrogateescape").strip()
    lines: Sequence[bytes] = head.split(b"\n", _HEAD_LINES)[:_HEAD_LINES]
    return next((number for number, line in enumerate(lines, 1) if line.strip() == text), None)


def _need(said: tuple[Trailer, Where] | None, default: Need) -> Need:
    if said is None:
        return default
    need = read_need(said[0].value)
    if need is None:
        message = f"{said[0].value.strip()[:80]!r} is no policy"
        raise PatchFormatError(message, hint="write `Policy: required` or `Policy: optional`", where=said[1])
    return need


def _version(said: tuple[Trailer, Where] | None) -> Version | None:
    if said is None:
        return None
    trailer, where = said
    try:
        return Version(trailer.value.strip())
    except InvalidVersion as error:
        hint = f"write it as `{trailer.key}: 0.5.9`, the version of a release"
        raise PatchFormatError(f"{trailer.value.strip()[:80]!r} is no version", hint=hint, where=where) from error


def _date(said: tuple[Trailer, Where] | None) -> date | None:
    if said is None:
        return None
    text = said[0].value.strip()
    try:
        if _DATE.fullmatch(text):
            return date.fromisoformat(text)
        reason = "is no date"
    except ValueError as error:
        reason = f"is no date: {error}"
    raise PatchFormatError(f"{text[:80]!r} {reason}", hint="write it as `Expires: 2026-12-31`", where=said[1])
