"""Paths of patches that were made against another top folder: put below a prefix, or how they would be found."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from patchq.queue.refresh import refreshed

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Sequence

    from patchq.model.patch import Patch


@dataclass(frozen=True, slots=True, kw_only=True)
class Relocation:
    """How names become paths of the tree: remove `strip` leading parts more, or put `prefix` (`a/b/`) in front."""

    strip: int = 0
    prefix: bytes = b""


def with_prefix(patch: Patch, prefix: bytes) -> Patch:
    """Put `prefix` (`a/b/`, or nothing) in front of every path of `patch`, those of its intents included.

    An intent that names a path below the prefix already keeps it. `patch.raw` must be the patch's text.
    """
    if not prefix:
        return patch
    changes = tuple(
        replace(
            change,
            old_path=None if change.old_path is None else prefix + change.old_path,
            new_path=None if change.new_path is None else prefix + change.new_path,
        )
        for change in patch.changes
    )
    told = {intent.anchor.path.encode("utf-8", "surrogateescape") for intent in patch.intents}
    return refreshed(patch, changes, {path: prefix + path for path in told if not path.startswith(prefix)})


def relocation(paths: Sequence[bytes], files: Collection[bytes]) -> Relocation | None:
    """Find the one way in which all `paths` become files of the tree, whose paths `files` holds; None for no or two."""
    ways = [set(_ways(path, files)) for path in paths]
    common = set.intersection(*ways) if ways else set()
    return common.pop() if len(common) == 1 else None


def _ways(path: bytes, files: Collection[bytes]) -> Iterator[Relocation]:
    parts = path.split(b"/")
    for count in range(1, len(parts)):
        if b"/".join(parts[count:]) in files:
            yield Relocation(strip=count)
    tail = b"/" + path
    for file in files:
        if file.endswith(tail):
            yield Relocation(prefix=file.removesuffix(path))
