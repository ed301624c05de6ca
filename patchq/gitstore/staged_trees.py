"""Both sides of the commit that is being made as trees: HEAD and the index."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING

from patchq.gitstore.index import IndexTree
from patchq.gitstore.objects import CommitTree, ObjectReader

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator

    from patchq.gitstore.staged import Staging
    from patchq.model.tree import TreeReader


@contextmanager
def open_trees(staging: Staging, paths: Collection[bytes] | None) -> Iterator[tuple[TreeReader, TreeReader]]:
    """Open HEAD and the index; of the index only `paths`, and what lies below them, may then be read; None: all."""
    with ObjectReader(staging.repo, git=staging.git) as reader:
        index = IndexTree(staging.repo, reader, index_file=staging.index_file, paths=paths)
        yield CommitTree(reader, staging.head_tree), index
