"""An installed package by its name: where its files are, whether it is editable, and whether it is there twice."""

from __future__ import annotations

import json
import os
import urllib.request
from dataclasses import dataclass
from enum import Enum
from importlib.metadata import Distribution, distributions
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from packaging.utils import canonicalize_name

from patchq.errors import PatchqError, Where

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence


class Install(Enum):
    """How a package is installed."""

    COPIED = "copied"  # its files lie in a site folder
    EDITABLE = "editable"  # its files are a project's own


@dataclass(frozen=True, slots=True, kw_only=True)
class Installed:
    """A package on a search path.

    `root` is the folder that its paths start from: a site folder, or the project of an editable install. `record` is
    its RECORD file, if it has one; `files` what that lists (relative to `root`), None where nothing lists them.
    `others` are further installations of it that come later on the path, or an earlier one's leftovers.
    """

    name: str
    version: str
    install: Install
    root: Path
    record: Path | None = None
    files: tuple[str, ...] | None = None
    others: tuple[Path, ...] = ()


def find_installed(name: str, path: Sequence[Path]) -> Installed:
    """Find the distribution (or else the package) called `name` on the search path `path`; the first one counts.

    Only metadata are read; nothing is imported. PatchqError where there is none.
    """
    found: list[tuple[Path, Distribution]] = [
        (place, one) for place in path for one in distributions(name=name, path=[str(place)])
    ]
    if found:
        place, first = found[0]
        homes = (_home(other, where) for where, other in found[1:])
        return _described(first, place, tuple(homes))
    for place in path:
        folder = place / name.replace("-", "_")
        if folder.is_dir():
            files = tuple(
                os.path.relpath(os.path.join(below, file), place)  # noqa: PTH118 - os.walk gives text
                for below, _, files in os.walk(folder)
                for file in files
            )
            return Installed(name=name, version="", install=Install.COPIED, root=place, files=files)
    searched = ", ".join(map(str, path)) or "no folder at all"
    raise PatchqError(
        f"is not installed in {searched}",
        hint="name its interpreter: --python .venv/bin/python",
        where=Where(file=name),
    )


def copies(path: Sequence[Path], tops: Collection[str]) -> tuple[Path, ...]:
    """Return every package of the names `tops` on the search path, if one of them is there twice; the first is used.

    Parts of a namespace package, which have no `__init__.py`, belong together.
    """
    twice: list[Path] = []
    for top in sorted(tops):
        places = [place / top for place in path if (place / top / "__init__.py").is_file()]
        if len(places) > 1:
            twice += places
    return tuple(twice)


def _described(found: Distribution, place: Path, others: tuple[Path, ...]) -> Installed:
    name, version = _called(found)
    project = _project(found)
    if project is not None:
        return Installed(name=name, version=version, install=Install.EDITABLE, root=project, others=others)
    home = _home(found, place)
    files = None if found.files is None else tuple(str(file) for file in found.files)
    record = home / "RECORD"
    return Installed(
        name=name,
        version=version,
        install=Install.COPIED,
        root=place,
        record=record if record.is_file() else None,
        files=files,
        others=others,
    )


def _called(found: Distribution) -> tuple[str, str]:
    """Return name and version; empty where the metadata are damaged."""
    fields = found.metadata
    return canonicalize_name(fields["Name"] or ""), fields["Version"] or ""


def _home(found: Distribution, place: Path) -> Path:
    """Return the metadata folder: the one in `place` with the distribution's name and version."""
    wanted = _called(found)
    for folder in sorted(place.glob("*.dist-info")):
        name, _, version = folder.name.removesuffix(".dist-info").rpartition("-")
        if (canonicalize_name(name), version) == wanted:
            return folder
    return place


def _project(found: Distribution) -> Path | None:
    """Read `direct_url.json` (PEP 610) for the folder of an editable install."""
    text = found.read_text("direct_url.json")
    if text is None:
        return None
    try:
        told = json.loads(text)
        if not told.get("dir_info", {}).get("editable"):
            return None
        folder = Path(urllib.request.url2pathname(urlsplit(told["url"]).path))
    except (ValueError, KeyError, AttributeError, TypeError) as error:
        where = Where(file=f"{_called(found)[0]}: direct_url.json")
        raise PatchqError("is not what an installer writes", hint="install the package again", where=where) from error
    if not folder.is_dir():
        raise PatchqError(
            f"is installed editable from {folder}, which is not there",
            hint="install the package again",
            where=Where(file=_called(found)[0]),
        )
    return folder
