"""Objects that nobody keeps: git with an object store of its own on top of the repository's, gone at the end."""

from __future__ import annotations

import os
import tempfile
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from patchq.gitstore.fastimport import quote_path

if TYPE_CHECKING:
    from collections.abc import Iterator

    from patchq.gitstore.git import Git
    from patchq.gitstore.repository import Repository


@contextmanager
def scratch_objects(repo: Repository) -> Iterator[tuple[Git, Path]]:
    """Give git that reads all of `repo` but writes objects into a temporary folder, and that folder."""
    with tempfile.TemporaryDirectory(prefix="patchq-") as name:
        folder = Path(name)
        objects = folder / "objects"
        objects.mkdir()
        # Quoted, because a bare `:` in a path would separate two folders.
        below = os.fsdecode(quote_path(os.fsencode(repo.common_dir / "objects")))
        yield (
            repo.git.with_env({"GIT_OBJECT_DIRECTORY": str(objects), "GIT_ALTERNATE_OBJECT_DIRECTORIES": below}),
            folder,
        )
