"""A release's archive as a tree of source files: what is taken from a wheel or an sdist, and under which path."""

from __future__ import annotations

import hashlib
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from packaging.utils import canonicalize_name
from packaging.version import InvalidVersion, Version

from patchq.errors import ReleaseError
from patchq.model.tree import FileState
from patchq.pypi.bounds import CHUNK
from patchq.pypi.members import Member, explained, tar_members, zip_members
from patchq.pypi.paths import check_path
from patchq.pypi.pin import Kind, Pin, identify

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

# Compiled code is no source and differs between the wheels of one release (63 of 123 MB in sglang 0.5.23), so it is
# left out: then the tree does not depend on the platform whose wheel was read.
_COMPILED = re.compile(rb"\.(so(\.[0-9]+)*|pyd|dylib|dll|pyc)\Z", re.IGNORECASE)
_DIST_INFO = re.compile(rb"(?P<name>[^/]+)-(?P<version>[^/-]+)\.dist-info/.")
_DATA = re.compile(rb"[^/]+\.data/(?P<scheme>[^/]+)/(?P<rest>.+)", re.DOTALL)
_EGG_INFO = re.compile(rb"(\A|/)[^/]+\.egg-info(/|\Z)")
_PKG_INFO_FIELD = re.compile(rb"^(Name|Version):[ \t]*([^\r\n]*)", re.MULTILINE)


@dataclass(frozen=True, slots=True, kw_only=True)
class Archive:
    """An archive that was read to its end once without objection.

    `newest` is the latest time of the files taken (seconds since 1970, UTC), `count` how many they are, `sha256` the
    digest of the archive file in hex.
    """

    path: Path
    kind: Kind
    pin: Pin
    sha256: str
    newest: int
    count: int

    def files(self) -> Iterator[tuple[bytes, FileState]]:
        """Yield each path with its file, one in memory at a time, in the archive's order."""
        for path, member in _taken(self.path, self.kind, self.pin):
            with explained(self.path):
                state = FileState(member.mode, member.read())
            yield path, state


def open_archive(path: Path) -> Archive:
    """Read the whole archive at `path` and check all of it; ReleaseError names what is wrong with it.

    Name and version come from the file name, and have to agree with the metadata inside. Nothing of the archive is
    executed or written anywhere.
    """
    kind, pin = identify(path.name)
    newest = count = 0
    with explained(path):
        digest = _digest(path)
        for _, member in _taken(path, kind, pin):
            member.read()
            newest = max(newest, member.seconds)
            count += 1
    return Archive(path=path, kind=kind, pin=pin, sha256=digest, newest=newest, count=count)


def _digest(path: Path) -> str:
    digest = hashlib.sha256()
    with path.open("rb") as file:
        while chunk := file.read(CHUNK):
            digest.update(chunk)
    return digest.hexdigest()


def _taken(path: Path, kind: Kind, pin: Pin) -> Iterator[tuple[bytes, Member]]:
    """Yield the members that become files, with their paths in the tree; refuse what cannot be one tree."""
    files: set[bytes] = set()
    with explained(path):
        for place, member in _wheel(path, pin) if kind is Kind.WHEEL else _sdist(path, pin):
            if _COMPILED.search(place):
                continue
            if place in files:
                raise ReleaseError(f"two members for {place.decode('utf-8', 'backslashreplace')!r}")
            files.add(place)
            yield place, member
        # looked up one by one: a set of all folders could be made to take a hundred times the memory
        for place in files:
            if any(folder in files for folder in _folders(place)):
                raise ReleaseError(f"{place.decode('utf-8', 'backslashreplace')!r} lies below another file")
        if not files:
            raise ReleaseError("the archive has no source files", hint="snapshot the project that has the code")


def _folders(path: bytes) -> Iterator[bytes]:
    while b"/" in path:
        path = path.rpartition(b"/")[0]
        yield path


def _wheel(path: Path, pin: Pin) -> Iterator[tuple[bytes, Member]]:
    """Place a wheel's files as an installer does in site-packages (binary distribution format, PEP 427).

    `NAME.dist-info` is left out; of `NAME.data` only what goes to site-packages is taken.
    """
    described = False
    for member in zip_members(path):
        place = check_path(member.path)
        if found := _DIST_INFO.match(place):
            _agree(pin, found["name"], found["version"])
            described = True
        elif found := _DATA.fullmatch(place):
            if found["scheme"] in {b"purelib", b"platlib"}:
                yield check_path(found["rest"]), member
        else:
            yield place, member
    if not described:
        raise ReleaseError("the archive has no dist-info folder, so it is no wheel")


def _sdist(path: Path, pin: Pin) -> Iterator[tuple[bytes, Member]]:
    """Place an sdist's files without their common top folder; `PKG-INFO` and `*.egg-info` are left out."""
    top = None
    for member in zip_members(path) if path.name.endswith(".zip") else tar_members(path):
        whole = check_path(member.path.removeprefix(b"./"))
        folder, _, place = whole.partition(b"/")
        if not place or top not in {None, folder}:
            raise ReleaseError(
                f"a file beside the top folder: {whole.decode('utf-8', 'backslashreplace')!r}",
                hint="an sdist holds one folder, NAME-VERSION, with everything in it",
            )
        top = folder
        if place == b"PKG-INFO":
            fields = dict(_PKG_INFO_FIELD.findall(member.read().partition(b"\n\n")[0]))
            _agree(pin, fields.get(b"Name", b""), fields.get(b"Version", b""))
        elif not _EGG_INFO.search(place):
            yield place, member


def _agree(pin: Pin, name: bytes, version: bytes) -> None:
    """Compare the metadata with the file name, so that a renamed archive is not taken for another release."""
    try:
        inside = Pin(canonicalize_name(name.decode("utf-8", "replace")), Version(version.decode("utf-8", "replace")))
    except InvalidVersion:
        inside = None
    if inside != pin:
        shown = b"==".join((name, version))[:200].decode("utf-8", "backslashreplace")
        raise ReleaseError(f"the metadata inside say that it is {shown}", hint="was the file renamed?")
