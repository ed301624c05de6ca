"""Which paths a person's pathspecs mean, read from the folder where they stand; git itself is asked."""

from __future__ import annotations

import tempfile
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from patchq.gitstore.repository import Repository

_SLASH = ord("/")


@dataclass(frozen=True, slots=True)
class Pathspecs:
    """Pathspecs as for git (gitglossary(7)): `.`, `../f`, `*.py`, `:/d`, `:!f`, typed in the folder `here`."""

    here: Path
    typed: tuple[str, ...]

    def select(self, repo: Repository, paths: Iterable[bytes]) -> frozenset[bytes]:
        """Return those of `paths` (from the top of the tree) that are meant; GitError for what git cannot read.

        Two of them, one a file where the other has a folder, cannot stand in one index, and are asked for in turn.
        """
        found: set[bytes] = set()
        left = set(paths)
        while left:
            apart = {path for path in left if not any(folder in left for folder in _folders(path))}
            found |= self._select(repo, apart)
            left -= apart
        return frozenset(found)

    def _select(self, repo: Repository, paths: Iterable[bytes]) -> set[bytes]:
        with tempfile.TemporaryDirectory(prefix="patchq-") as name:
            top = repo.work_tree or Path(name)
            here = self.here.resolve()
            bound = replace(repo.git, directory=here if here.is_relative_to(top) else top, work_tree=top)
            git = bound.with_env({"GIT_INDEX_FILE": f"{name}/index", "GIT_LITERAL_PATHSPECS": "0"})
            some_id = "1" * len(repo.null_id)  # only names are asked for
            entries = (b"100644 %s\t%s\0" % (some_id.encode(), path) for path in paths)
            git.run("update-index", "-z", "--index-info", stdin=b"".join(entries))
            return set(git.run("ls-files", "-z", "--full-name", "--", *self.typed).split(b"\0")[:-1])


def _folders(path: bytes) -> Iterator[bytes]:
    return (path[:at] for at, byte in enumerate(path) if byte == _SLASH)
