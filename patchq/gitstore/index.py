"""The staged tree as a TreeReader: what the next `git commit` would store."""

from __future__ import annotations

from typing import TYPE_CHECKING

from patchq.errors import GitError
from patchq.gitstore.objects import TreeEntry
from patchq.model.tree import FileState, Mode

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping
    from pathlib import Path

    from patchq.gitstore.objects import ObjectReader
    from patchq.gitstore.repository import Repository

_MOST_ARGUMENTS = 500  # beyond, listing the whole index (20 ms for 30,000 files) is cheaper and cannot exceed ARG_MAX
_EMPTY_BLOBS = frozenset(
    {
        "e69de29bb2d1d6434b8b29ae775ad8c2e48c5391",
        "473a0f4c3be8a93681a267e3b1e9a7dcda1185436fe141f7749120a303721813",
    }
)


class IndexTree:
    """The index as it is when first read.

    `index_file` is for hooks: under `git commit -a` or `git commit PATH` the index in question is a temporary one,
    named by GIT_INDEX_FILE in the hook's environment; the caller passes it on purpose, made absolute. With `paths`,
    only those are listed, and only those may be read.
    """

    def __init__(
        self,
        repo: Repository,
        reader: ObjectReader,
        *,
        index_file: Path | None = None,
        paths: Collection[bytes] | None = None,
    ) -> None:
        """Remember where to look; nothing is read yet."""
        self._git = repo.git if index_file is None else repo.git.with_env({"GIT_INDEX_FILE": str(index_file)})
        self._reader = reader
        self._paths = paths if paths is not None and len(paths) <= _MOST_ARGUMENTS else None
        self._entries: Mapping[bytes, TreeEntry] | None = None

    def read(self, path: bytes) -> FileState | None:
        """Return the staged file at `path`, or None; GitError while a merge has left it open."""
        if self._entries is None:
            self._entries = self._list()
        entry = self._entries.get(path)
        if entry is None:
            return None
        if entry.mode is None:
            name = path.decode("utf-8", "replace")
            raise GitError(f"{name} is unmerged", hint="resolve it and git add it")
        if entry.mode is Mode.GITLINK:
            return FileState(Mode.GITLINK, entry.object_id.encode())
        if entry.object_id in _EMPTY_BLOBS and self._only_intended(path):
            return None
        return FileState(entry.mode, self._reader.read_blob(entry.object_id))

    def _list(self) -> Mapping[bytes, TreeEntry]:
        entries: dict[bytes, TreeEntry] = {}
        for record in self._git.run("ls-files", "--stage", "-z", "--", *(self._paths or ())).split(b"\0")[:-1]:
            head, _, path = record.partition(b"\t")
            mode, object_id, stage = head.split(b" ")
            entries[path] = TreeEntry(Mode(mode.decode()) if stage == b"0" else None, object_id.decode())
        return entries

    def _only_intended(self, path: bytes) -> bool:
        """Whether `git add -N` announced the file: the index then shows an empty blob that no commit will contain."""
        return bool(self._git.run("diff-files", "--name-only", "--diff-filter=A", "-z", "--", path))
