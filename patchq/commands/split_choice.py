"""What `patchq split` is asked to take out of a patch: paths, folders and patterns, and hunks by their numbers."""

from __future__ import annotations

import fnmatch
import os
import re
from typing import TYPE_CHECKING

from patchq.errors import SeriesError, UsageError
from patchq.queue.splitting import Selection

if TYPE_CHECKING:
    from collections.abc import Sequence

    from patchq.model.change import FileChange
    from patchq.model.patch import Patch

_HUNKS = re.compile(r"(?P<path>.+):(?P<numbers>\d+(?:-\d+)?(?:,\d+(?:-\d+)?)*)", re.DOTALL)


def select(patch: Patch, files: Sequence[str], hunks: Sequence[str]) -> Selection:
    """Read `--files` and `--hunks` against the files of `patch`; SeriesError for one that means none of them."""
    whole: set[bytes] = set()
    for spec in files:
        found = {change.path for change in patch.changes if _matches(change, spec)}
        if not found:
            raise SeriesError(f"{patch.name} touches no file {spec!r}", hint=f"patchq files {patch.name} lists them")
        whole |= found
    numbered: dict[bytes, frozenset[int]] = {}
    for typed in hunks:
        parts = _HUNKS.fullmatch(typed)
        if parts is None:
            raise UsageError(f"{typed!r} does not name hunks", hint="write PATH:1 or PATH:1,3-5")
        path = os.fsencode(parts["path"])
        if path not in {change.path for change in patch.changes}:
            raise SeriesError(f"{patch.name} touches no file {parts['path']!r}", hint=f"patchq files {patch.name}")
        numbered[path] = numbered.get(path, frozenset()) | _numbers(parts["numbers"])
    return Selection(frozenset(whole), {path: found for path, found in numbered.items() if path not in whole})


def matches(path: bytes, spec: str) -> bool:
    """Whether `spec` means the file at `path`: itself, a folder above it, or a pattern as for git (`*` crosses `/`)."""
    name, wanted = os.fsdecode(path), spec.rstrip("/")
    return name == wanted or name.startswith(f"{wanted}/") or fnmatch.fnmatchcase(name, spec)


def _matches(change: FileChange, spec: str) -> bool:
    return any(matches(path, spec) for path in (change.old_path, change.new_path) if path is not None)


def _numbers(text: str) -> frozenset[int]:
    found: set[int] = set()
    for part in text.split(","):
        first, _, last = part.partition("-")
        found.update(range(int(first[:6]), int((last or first)[:6]) + 1))
    return frozenset(found)
