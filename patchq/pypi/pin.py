"""Which release is meant: `NAME==VERSION` as the user types it, or the file name of an archive."""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import Enum
from pathlib import Path

from packaging.utils import (
    InvalidSdistFilename,
    InvalidWheelFilename,
    canonicalize_name,
    parse_sdist_filename,
    parse_wheel_filename,
)
from packaging.version import InvalidVersion, Version

from patchq.errors import ReleaseError, UsageError

_PIN = re.compile(r"\s*([A-Za-z0-9](?:[A-Za-z0-9._-]*[A-Za-z0-9])?)\s*==\s*([^\s=*;,]+)\s*")
_FILE_NAME = re.compile(r"[A-Za-z0-9._+!-]+")  # it goes into a commit message, so no line breaks
_SDIST_SUFFIXES = (".tar.gz", ".zip")
_WHEEL_SUFFIX = ".whl"


class Kind(Enum):
    """The two archive formats of a release."""

    WHEEL = "wheel"
    SDIST = "sdist"


@dataclass(frozen=True, slots=True)
class Pin:
    """One release: the project's name in its canonical spelling (PEP 503) and its version (PEP 440)."""

    name: str
    version: Version

    def __str__(self) -> str:
        """Write the pin as pip takes it."""
        return f"{self.name}=={self.version}"


def parse_request(text: str) -> Pin | Path:
    """Read one argument: a pin, or the path of a local archive, told by its suffix; UsageError for anything else."""
    if text.endswith((_WHEEL_SUFFIX, *_SDIST_SUFFIXES)):
        return Path(text)
    found = _PIN.fullmatch(text)
    try:
        if found is not None:
            return Pin(canonicalize_name(found[1]), Version(found[2]))
    except InvalidVersion:
        pass  # the message is the same as for any other text
    raise UsageError(
        f"{text!r} names no release",
        hint="write NAME==VERSION with one exact version, or the path of a .whl, .tar.gz or .zip file",
    )


def identify(file_name: str) -> tuple[Kind, Pin]:
    """Read kind, project and version out of an archive's file name; ReleaseError where the name does not say them."""
    try:
        if not _FILE_NAME.fullmatch(file_name):
            raise _nameless(file_name)
        if file_name.endswith(_WHEEL_SUFFIX):
            name, version, _, _ = parse_wheel_filename(file_name)
            return Kind.WHEEL, Pin(name, version)
        name, version = parse_sdist_filename(file_name)
    except (InvalidWheelFilename, InvalidSdistFilename) as error:
        raise _nameless(file_name) from error
    return Kind.SDIST, Pin(name, version)


def _nameless(file_name: str) -> ReleaseError:
    return ReleaseError(
        f"{file_name!r} is not the file name of a release",
        hint="keep the name that the archive was published under, such as NAME-VERSION.tar.gz",
    )
