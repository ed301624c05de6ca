"""Objects through one long-running `git cat-file`, and a commit as TreeReader that parses the touched trees only."""

from __future__ import annotations

import functools
import re
import stat
from dataclasses import dataclass
from typing import TYPE_CHECKING, Self

from patchq.errors import GitError
from patchq.gitstore.conversation import Conversation
from patchq.gitstore.partial import how_to_bring
from patchq.model.tree import FileState, Mode

if TYPE_CHECKING:
    from collections.abc import Mapping
    from types import TracebackType

    from patchq.gitstore.git import Git
    from patchq.gitstore.repository import Repository

LARGEST_OBJECT = 256 * 1024 * 1024  # bytes; a file beyond this is data, and patching it line by line is a mistake

_OBJECT_ID = re.compile(r"[0-9a-f]{40}|[0-9a-f]{64}")
_FIELDS = 3  # of the line before an object: id, type, size


@dataclass(frozen=True, slots=True)
class TreeEntry:
    """One line of a tree object: the mode, None for a sub-tree, and the id in hex."""

    mode: Mode | None
    object_id: str


class ObjectReader:
    """Blobs and trees of a repository through one `git cat-file --batch`, started when first asked; use with `with`.

    Trees are kept once parsed, blobs are not. Where a promisor remote exists git fetches what is missing.
    """

    def __init__(self, repo: Repository, *, git: Git | None = None) -> None:
        """Remember the repository, and how to call git if not as it does; nothing is started yet."""
        self._repo = repo
        self._caller = repo.git if git is None else git
        self._trees: dict[str, Mapping[bytes, TreeEntry]] = {}
        self._git: Conversation | None = None

    def __enter__(self) -> Self:
        """Return the reader itself."""
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        """End the process and give its file descriptors back."""
        self._end()

    def read_blob(self, object_id: str) -> bytes:
        """Return the bytes of the blob `object_id` (full id, hex); GitError where it is missing or no blob."""
        return self._read(object_id, b"blob")

    def read_tree(self, object_id: str) -> Mapping[bytes, TreeEntry]:
        """Return the entries of the tree `object_id` (full id, hex) by name; GitError as above."""
        entries = self._trees.get(object_id)
        if entries is None:
            width = 20 if self._repo.object_format == "sha1" else 32
            entries = self._trees[object_id] = _parse_tree(self._read(object_id, b"tree"), width)
        return entries

    def _read(self, object_id: str, kind: bytes) -> bytes:
        if not _OBJECT_ID.fullmatch(object_id):
            raise GitError(f"{object_id!r} is not a full object id")
        git = self._git = self._git or Conversation(self._caller, "cat-file", "--batch")
        answer = git.ask(object_id.encode()).split()
        if answer[1:] == [b"missing"]:
            raise GitError(f"object {object_id} is not in this repository", hint=how_to_bring(self._repo, object_id))
        if len(answer) == _FIELDS and (answer[1] != kind or int(answer[2]) > LARGEST_OBJECT):
            self._end()  # nobody wants what follows
            raise GitError(f"object {object_id} is a {answer[1].decode()} of {int(answer[2])} bytes: cannot be patched")
        if len(answer) == _FIELDS:
            size = int(answer[2])
            data = git.read(size + 1)
            if len(data) == size + 1:
                return data[:-1]
        complaint = self._end()
        raise GitError(f"object {object_id} cannot be read: {complaint}", hint=how_to_bring(self._repo, object_id))

    def _end(self) -> str:
        git, self._git = self._git, None
        return "" if git is None else git.end().complaint


@dataclass(frozen=True, slots=True)
class CommitTree:
    """The tree `tree` (full id, hex) as TreeReader; the cost of a read follows the depth of the path."""

    reader: ObjectReader
    tree: str

    def read(self, path: bytes) -> FileState | None:
        """Return the file at `path`, None where the tree has none (or a folder) there; GitError for missing objects."""
        entry = self.find(path)
        if entry is None or entry.mode is None:
            return None
        if entry.mode is Mode.GITLINK:
            return FileState(Mode.GITLINK, entry.object_id.encode())
        return FileState(entry.mode, self.reader.read_blob(entry.object_id))

    def find(self, path: bytes) -> TreeEntry | None:
        """Return the tree entry at `path` without reading the file itself."""
        entry = TreeEntry(None, self.tree)
        for part in path.split(b"/"):
            below = None if entry.mode is not None else self.reader.read_tree(entry.object_id).get(part)
            if below is None:
                return None
            entry = below
        return entry


def _parse_tree(data: bytes, width: int) -> Mapping[bytes, TreeEntry]:
    """Parse a tree object: `<octal mode> <name>`, a NUL and the id in `width` bytes, repeated (git-fsck, `tree`)."""
    entries: dict[bytes, TreeEntry] = {}
    at = 0
    while at < len(data):
        blank = data.index(b" ", at)
        nul = data.index(b"\0", blank)
        mode = data[at:blank]
        at = nul + 1 + width
        entries[data[blank + 1 : nul]] = TreeEntry(_mode(mode), data[nul + 1 : at].hex())
    return entries


@functools.cache
def _mode(octal: bytes) -> Mode | None:
    """Read a mode as git does: trees of other writers pad it with zeros or keep group bits."""
    bits = int(octal, 8)
    if stat.S_ISDIR(bits):
        return None
    if stat.S_ISLNK(bits):
        return Mode.SYMLINK
    if stat.S_ISREG(bits):
        return Mode.EXECUTABLE if bits & stat.S_IXUSR else Mode.REGULAR
    return Mode.GITLINK
