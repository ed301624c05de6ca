"""The releases that `patchq snapshot` is asked for: which are there already, and an archive for each of the others."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, assert_never

from patchq.errors import GitError, UsageError
from patchq.gitstore.snapshot import Release
from patchq.pypi.archive import Archive, open_archive
from patchq.pypi.pin import Pin
from patchq.pypi.pip import Pip

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from patchq.gitstore.snapshot import Shelf


def gather(
    requests: Sequence[Pin | Path], shelf: Shelf, prefix: bytes, scratch: Path, tell: Callable[[str], None]
) -> Mapping[Pin, Archive | None]:
    """Open an archive for each release that is asked for, None for one on the shelf; by name and version.

    Archives are fetched into `scratch`. GitError when something else has a release's tag or it was made from another
    archive; NetworkError and ReleaseError when there is no archive, or none that can be taken.
    """
    wanted: dict[Pin, Archive | None] = {}
    for number, request in enumerate(requests):
        match request:
            case Pin():
                pin, given = request, None
            case Path():
                given = open_archive(request)
                pin = given.pin
            case never:
                assert_never(never)
        known = shelf.find(pin.name, pin.version, prefix)
        asked = wanted.get(pin)
        if given is not None and known is not None and given.sha256 != known.sha256:
            raise GitError(
                f"{known.tag} was made from another archive, {known.archive}",
                hint="make a snapshot of this one in another repository with --repo",
            )
        if given is not None and asked is not None and given.sha256 != asked.sha256:
            raise UsageError(f"{pin} is asked for twice, from two archives", hint="give one of them")
        if given is None and known is None:
            given = asked or _fetch(pin, scratch / str(number), tell)
            shelf.find(pin.name, given.pin.version, prefix)  # `==1` may be 1.0, whose tag may be taken
        wanted[pin if given is None else given.pin] = given if known is None else None
    tags = [f"v{pin.version}" for pin in wanted]
    if len(set(tags)) < len(tags):
        raise UsageError("two projects would get the same tag", hint="give each project a repository of its own")
    return dict(sorted(wanted.items(), key=lambda item: (item[0].name, item[0].version)))


def as_release(archive: Archive, prefix: bytes) -> Release:
    """Say in the words of the git room what is to be written."""
    return Release(
        name=archive.pin.name,
        version=archive.pin.version,
        archive=archive.path.name,
        sha256=archive.sha256,
        seconds=archive.newest,
        prefix=prefix,
        files=archive.files,
    )


def _fetch(pin: Pin, folder: Path, tell: Callable[[str], None]) -> Archive:
    folder.mkdir()
    return open_archive(Pip(tell).fetch(pin, folder))
