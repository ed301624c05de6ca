"""The moments in patch heads: RFC 2822 in mail, git's own form in `git show`, ISO 8601 by hand."""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta

from patchq.model.patch import GitDate

_MONTHS = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")
_DAYS = ("Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun")
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)

_CLOCK = r"(?P<hour>\d{1,2}):(?P<minute>\d\d)(?::(?P<second>\d\d)(?:\.\d+)?)?"
_DAY = r"(?P<day>\d{1,2})"
_ZONE = r"(?P<zone>[+-]\d\d:?\d\d|[A-Za-z]{1,5})"
_FORMS = tuple(
    re.compile(form)
    for form in (
        # Tue, 14 Nov 2023 22:13:20 +0100 (CET)
        rf"(?:[A-Za-z]+,?\s+)?{_DAY}\s+(?P<name>[A-Za-z]{{3,9}})\s+(?P<year>\d{{2,4}})\s+{_CLOCK}(?:\s*{_ZONE})?(?:\s*\(.*\))?",
        # Tue Nov 14 22:13:20 2023 +0100
        rf"[A-Za-z]{{3}}\s+(?P<name>[A-Za-z]{{3}})\s+{_DAY}\s+{_CLOCK}\s+(?P<year>\d{{4}})(?:\s+{_ZONE})?",
        # 2023-11-14, 2023-11-14 22:13:20 +0100, 2023-11-14T22:13:20+01:00
        rf"(?P<year>\d{{4}})-(?P<month>\d\d)-(?P<day>\d\d)(?:[T ]{_CLOCK}(?:\s*{_ZONE})?)?",
    )
)
_RAW = re.compile(r"@?(?P<seconds>\d{9,12})\s+(?P<zone>[+-]\d{4})")
# RFC 2822 section 4.3; military letters and unknown names mean UTC, as there.
_ZONES = {"EST": -5, "EDT": -4, "CST": -6, "CDT": -5, "MST": -7, "MDT": -6, "PST": -8, "PDT": -7, "CET": 1, "CEST": 2}
_TWO_DIGITS = 100
_FIRST_YEAR = 70


def parse_date(text: str) -> GitDate | None:
    """Read a date in any of the forms above; None when it is in none of them or does not exist in the calendar."""
    text = text.strip()
    if found := _RAW.fullmatch(text):
        return GitDate(int(found["seconds"]), found["zone"])
    for form in _FORMS:
        if found := form.fullmatch(text):
            return _from_parts(found.groupdict())
    return None


def render_date(date: GitDate) -> str:
    """Write a date as git-format-patch does, `Tue, 14 Nov 2023 22:13:20 +0100`.

    ValueError for a moment outside the years 1 to 9999, OverflowError for one that no calendar holds.
    """
    local = _local(date)
    day, month = _DAYS[local.weekday()], _MONTHS[local.month - 1]
    return f"{day}, {local.day} {month} {local.year} {local:%H:%M:%S} {date.offset}"


def iso_date(date: GitDate) -> str:
    """Write a date as git's `iso-strict`, `2023-11-14T22:13:20+01:00`; one that no calendar holds as git stores it."""
    try:
        return f"{_local(date):%Y-%m-%dT%H:%M:%S}{date.offset[:3]}:{date.offset[3:]}"
    except (ValueError, OverflowError):
        return f"@{date.seconds} {date.offset}"


def _local(date: GitDate) -> datetime:
    return _EPOCH + timedelta(seconds=date.seconds + _offset_seconds(date.offset))


def _from_parts(parts: dict[str, str | None]) -> GitDate | None:
    month_name = (parts.get("name") or "")[:3].title()
    if month_name:
        if month_name not in _MONTHS:
            return None
        month = _MONTHS.index(month_name) + 1
    else:
        month = int(parts["month"] or 1)
    year = int(parts["year"] or 0)
    if year < _TWO_DIGITS:
        year += 1900 if year >= _FIRST_YEAR else 2000
    offset = _offset(parts["zone"])
    hour, minute, second = (int(parts[key] or 0) for key in ("hour", "minute", "second"))
    try:
        moment = datetime(year, month, int(parts["day"] or 1), hour, minute, min(second, 59), tzinfo=UTC)
    except ValueError:
        return None
    leap = max(second - 59, 0)  # second 60 exists now and then
    return GitDate(int((moment - _EPOCH).total_seconds()) + leap - _offset_seconds(offset), offset)


def _offset(zone: str | None) -> str:
    if zone is None:
        return "+0000"
    if zone[0] in "+-":
        offset = zone.replace(":", "")
        return "+0000" if offset == "-0000" else offset
    return f"{_ZONES.get(zone.upper(), 0):+03d}00"


def _offset_seconds(offset: str) -> int:
    sign = -1 if offset[0] == "-" else 1
    return sign * (int(offset[1:3]) * 3600 + int(offset[3:5]) * 60)
