"""What `patchq split` is asked to take out of a patch: paths, folders and patterns, and hunks by their numbers."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from patchq.errors import SeriesError, UsageError
from patchq.gitstore.pathspec import Pathspecs
from patchq.queue.splitting import Selection

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from patchq.gitstore.repository import Repository
    from patchq.model.patch import Patch

_HUNKS = re.compile(r"(?P<path>.+):(?P<numbers>\d+(?:-\d+)?(?:,\d+(?:-\d+)?)*)", re.DOTALL)


def select(repo: Repository, here: Path, patch: Patch, files: Sequence[str], hunks: Sequence[str]) -> Selection:
    """Read `--files` and `--hunks`, typed in the folder `here`; SeriesError for one that means no file of `patch`."""
    whole: set[bytes] = set()
    for spec in files:
        whole |= _meant(repo, Pathspecs(here, (spec,)), patch)
    numbered: dict[bytes, frozenset[int]] = {}
    for typed in hunks:
        parts = _HUNKS.fullmatch(typed)
        if parts is None:
            raise UsageError(f"{typed!r} does not name hunks", hint="write PATH:1 or PATH:1,3-5")
        path = parts["path"]
        literal = path if path.startswith(":") else f":(literal){path}"
        for one in _meant(repo, Pathspecs(here, (literal,)), patch):
            numbered[one] = numbered.get(one, frozenset()) | _numbers(parts["numbers"])
    return Selection(frozenset(whole), {path: found for path, found in numbered.items() if path not in whole})


def _meant(repo: Repository, specs: Pathspecs, patch: Patch) -> set[bytes]:
    sides = {path: it.path for it in patch.changes for path in (it.old_path, it.new_path) if path is not None}
    found = {sides[path] for path in specs.select(repo, sides)}
    if not found:
        typed = specs.typed[0].removeprefix(":(literal)")
        raise SeriesError(f"{patch.name} touches no file {typed!r}", hint=f"patchq files {patch.name} lists them")
    return found


def _numbers(text: str) -> frozenset[int]:
    found: set[int] = set()
    for part in text.split(","):
        first, _, last = part.partition("-")
        found.update(range(int(first[:6]), int((last or first)[:6]) + 1))
    return frozenset(found)
