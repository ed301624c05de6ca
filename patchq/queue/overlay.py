"""A tree with changes laid over it, in memory: what the patches before this one have made of a commit's files."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

    from patchq.model.tree import FileState, TreeReader


@dataclass(frozen=True, slots=True)
class Overlay:
    """`changes` (None: deleted) over `below`; a value, so that an earlier state stays readable."""

    below: TreeReader
    changes: Mapping[bytes, FileState | None] = field(default_factory=dict)

    def read(self, path: bytes) -> FileState | None:
        """Return the file at `path` as changed, or as it is below."""
        if path in self.changes:
            return self.changes[path]
        return self.below.read(path)

    def written(self, writes: Mapping[bytes, FileState | None]) -> Overlay:
        """Return the tree after `writes`."""
        return Overlay(self.below, {**self.changes, **writes}) if writes else self
