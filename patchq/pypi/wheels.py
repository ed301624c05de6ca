"""Which archive of a release is read: the same one on every machine, whatever runs there."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING
from urllib.parse import unquote, urlsplit

from packaging.utils import parse_wheel_filename

from patchq.errors import ReleaseError
from patchq.pypi.pin import Kind, Pin, identify

if TYPE_CHECKING:
    from collections.abc import Iterable

    from packaging.tags import Tag

_INTERPRETER = re.compile(r"([a-z]+)([0-9])([0-9]*)")
_GLIBC = re.compile(r"manylinux_([0-9]+)_([0-9]+)_(.+)")
_OLD_GLIBC = {"manylinux1": (2, 5), "manylinux2010": (2, 12), "manylinux2014": (2, 17)}  # PEP 600
_NEVER = 99


@dataclass(frozen=True, slots=True)
class WheelOffer:
    """A wheel that an index lists: its file name, and its best tag by `rank`."""

    pin: Pin
    file_name: str
    tag: Tag


@dataclass(frozen=True, slots=True)
class SdistOffer:
    """An sdist that an index lists, with the address that pip shows for it (passwords are blotted out there)."""

    pin: Pin
    file_name: str
    url: str


Offer = WheelOffer | SdistOffer


def read_offer(url: str) -> Offer | None:
    """Read what an archive's address offers; None if it is no archive of a release that could be asked for."""
    file_name = unquote(urlsplit(url).path.rpartition("/")[2])
    try:
        kind, pin = identify(file_name)
    except ReleaseError:
        return None
    if kind is Kind.SDIST:
        return SdistOffer(pin, file_name, url)
    tags = parse_wheel_filename(file_name)[3]
    usable = [tag for tag in tags if _INTERPRETER.fullmatch(tag.interpreter)]
    return WheelOffer(pin, file_name, min(usable, key=rank)) if usable else None


def choose(pin: Pin, offers: Iterable[Offer]) -> Offer | None:
    """Return the archive to read for `pin`: the wheel with the lowest rank, else the sdist, else None.

    Of wheels with one rank the later build number wins, as in pip; then the file name decides.
    """
    mine = [offer for offer in offers if offer.pin == pin]
    wheels = [offer for offer in mine if isinstance(offer, WheelOffer)]
    if wheels:
        lowest = min(rank(offer.tag) for offer in wheels)
        return max((offer for offer in wheels if rank(offer.tag) == lowest), key=_build)
    sdists = [offer for offer in mine if isinstance(offer, SdistOffer)]
    return min(sdists, key=lambda offer: (offer.file_name.endswith(".zip"), offer.url), default=None)


def rank(tag: Tag) -> tuple[object, ...]:
    """Order tags, the one to read first: pure Python, then the platforms, then the interpreters.

    Platforms: Linux on x86-64, Linux on ARM, other Linux, macOS, Windows, the rest; the oldest C library first.
    Interpreters: any Python 3, CPython, others, Python 2 last; the oldest version first, because wheels for newer
    ones are often added to a release weeks later, and the choice has to stay what it was. `abi3` before one ABI.
    """
    return (*_platform_rank(tag.platform), *_interpreter_rank(tag.interpreter), _abi_rank(tag), str(tag))


def _platform_rank(platform: str) -> tuple[int, int, int]:
    if platform == "any":
        return 0, 0, 0
    for old, glibc in _OLD_GLIBC.items():
        platform = platform.replace(f"{old}_", f"manylinux_{glibc[0]}_{glibc[1]}_")
    if found := _GLIBC.fullmatch(platform):
        return _linux_rank(found[3]), int(found[1]), int(found[2])
    if platform.startswith(("musllinux_", "linux_")):
        return _linux_rank(platform), _NEVER, 0
    return next((place for start, place in (("macosx_", 4), ("win", 5)) if platform.startswith(start)), 6), 0, 0


def _linux_rank(platform: str) -> int:
    return next((place for end, place in (("x86_64", 1), ("aarch64", 2)) if platform.endswith(end)), 3)


def _interpreter_rank(interpreter: str) -> tuple[int, int, int]:
    name, major, minor = split_interpreter(interpreter)
    if major < 3:  # noqa: PLR2004 - Python 3 it is
        return 3, -major, 0
    return {"py": 0, "cp": 1}.get(name, 2), major, minor or 0


def split_interpreter(interpreter: str) -> tuple[str, int, int | None]:
    """Split `cp311` into name, major and minor version; the tag of a WheelOffer always has that form."""
    found = _INTERPRETER.fullmatch(interpreter)
    if found is None:
        msg = f"{interpreter!r} is no interpreter tag"
        raise ValueError(msg)
    return found[1], int(found[2]), int(found[3]) if found[3] else None


def _abi_rank(tag: Tag) -> int:
    if tag.abi in {"none", "abi3"}:
        return 0
    return 1 if tag.abi == tag.interpreter else 2


def _build(offer: WheelOffer) -> tuple[tuple[()] | tuple[int, str], str]:
    return parse_wheel_filename(offer.file_name)[2], offer.file_name
