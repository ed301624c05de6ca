"""What pip found out about a project, read from its log: the archives it saw, and the indexes that did not answer."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from patchq.pypi.wheels import Offer, read_offer

if TYPE_CHECKING:
    from pathlib import Path

# pip writes a line for every file that an index lists, whether it fits (`Found link URL …`) or not (`Skipping link:
# REASON: URL …`). The wording has changed over the years, the addresses in it have not: so any address counts.
_ADDRESS = re.compile(r"\b(?:https?|file)://\S+")
_FAILURE = re.compile(r"Could not fetch URL (\S+): (.+?)(?: - skipping)?$")
_NO_INDEX = "Ignoring indexes: "
_ABSENT = ("404 ", "410 ")
_OBJECTS = re.compile(r"<[^<>]* object at 0x[0-9a-f]+>:? ?|^\w+\((?=['\"])")


@dataclass(frozen=True, slots=True)
class Trouble:
    """An index that pip could not read, and why, in pip's words."""

    url: str
    reason: str


@dataclass(frozen=True, slots=True)
class Findings:
    """The archives of one project that pip saw, of any version, and the indexes that did not answer.

    `no_index`: pip is configured to ask no index at all.
    """

    offers: tuple[Offer, ...] = ()
    troubles: tuple[Trouble, ...] = ()
    no_index: bool = False


def read_log(log: Path, name: str) -> Findings:
    """Read the file that pip wrote with `--log` while it looked for the project `name` (canonical spelling)."""
    offers: dict[str, Offer] = {}
    troubles: list[Trouble] = []
    no_index = False
    if not log.exists():
        return Findings()
    with log.open(encoding="utf-8", errors="replace") as lines:
        for line in lines:
            if failure := _FAILURE.search(line.rstrip()):
                if not failure[2].startswith(_ABSENT):
                    troubles.append(Trouble(failure[1], _plain(failure[2])))
                continue
            no_index = no_index or _NO_INDEX in line
            for address in _ADDRESS.findall(line):
                url = address.rstrip(",")
                offer = read_offer(url) if url not in offers else None
                if offer is not None and offer.pin.name == name:
                    offers[url] = offer
    return Findings(tuple(offers.values()), tuple(troubles), no_index)


def _plain(reason: str) -> str:
    """Cut the names of Python objects out of a reason; people need the end of it, such as `Connection refused`."""
    return _OBJECTS.sub("", reason.rpartition("(Caused by ")[2]).strip(" ()'\"")
