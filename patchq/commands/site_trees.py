"""The tree of `patchq verify`: a ref, a folder, an installed package, an archive, or a tar on standard input."""

from __future__ import annotations

import os
import sys
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from patchq.commands.tree_names import Commit, spot_named
from patchq.errors import PatchqError, UsageError, Where
from patchq.gitstore.directory import DirectoryTree
from patchq.gitstore.objects import CommitTree, ObjectReader
from patchq.gitstore.renames import all_files
from patchq.pypi.gathered import Gathered, gather, gather_stream
from patchq.pypi.installed import Install, Installed, copies, find_installed
from patchq.pypi.search_path import search_path
from patchq.queue.bytecode import source_of

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterator

    from patchq.commands.session import Session

STDIN = "-"


@dataclass(frozen=True, slots=True, kw_only=True)
class TreeChoice:
    """What the command line says of the tree: a name, or an installed package and the interpreter that has it."""

    tree: str | None
    installed: str | None
    python: Path | None


@dataclass(frozen=True, slots=True, kw_only=True)
class SiteTree:
    """A tree, open. `files` are those of its paths that may be meant; `root` is its folder, if it is one.

    `commit` is there for a ref, `package` and `path` (where Python looks for packages) for an installed package.
    """

    label: str
    reader: CommitTree | DirectoryTree | Gathered
    files: tuple[bytes, ...]
    root: Path | None = None
    commit: Commit | None = None
    package: Installed | None = None
    path: tuple[Path, ...] = ()

    def doubles(self, tops: Collection[bytes]) -> tuple[Path, ...]:
        """Name the places where the package is installed, if they are two or more; the first is the one that is used.

        `tops` are the names by which it is imported.
        """
        if self.package is None:
            return ()
        found = copies(self.path, {os.fsdecode(top) for top in tops})
        return found or ((self.package.root, *self.package.others) if self.package.others else ())


@contextmanager
def open_tree(
    session: Session, choice: TreeChoice, paths: Collection[bytes], also: Callable[[bytes], bool] | None = None
) -> Iterator[SiteTree]:
    """Open the tree; of its files only those count that may be one of `paths` below some folder, or are `also` wanted.

    PatchqError for what cannot be read.
    """
    named = _wanted(paths)

    def wanted(path: bytes) -> bool:
        return named(path) or (also is not None and also(path))

    if choice.installed is not None:
        yield _installed(choice.installed, choice.python, wanted)
        return
    name = choice.tree or ""
    if name == STDIN:
        yield _gathered("standard input", gather_stream(sys.stdin.buffer, Path("standard input"), wanted))
        return
    if Path(name).is_file():
        yield _gathered(name, gather(Path(name), wanted))
        return
    spot = spot_named(session, name, "TREE")
    if isinstance(spot, Commit):
        with ObjectReader(spot.repo) as reader:
            files = tuple(file for file in all_files(spot.repo, spot.point.tree) if wanted(file))
            tree = CommitTree(reader, spot.point.tree)
            yield SiteTree(label=f"{name} ({spot.point.commit[:10]})", reader=tree, files=files, commit=spot)
        return
    folder = DirectoryTree(spot)
    files = tuple(file for file in folder.files() if wanted(file))
    yield SiteTree(label=name, reader=folder, files=files, root=spot)


def check_choice(choice: TreeChoice, verb: str) -> None:
    """Refuse no tree, or two; `verb` is for the hints."""
    if (choice.tree is None) == (choice.installed is None):
        raise UsageError("name one tree: TREE, or --installed NAME", hint=f"patchq {verb} --installed NAME")
    if choice.python is not None and choice.installed is None:
        raise UsageError("--python says where --installed looks", hint=f"patchq {verb} --installed NAME --python PATH")


def _installed(name: str, python: Path | None, wanted: Callable[[bytes], bool]) -> SiteTree:
    path = search_path(Path(sys.executable) if python is None else python)
    package = find_installed(name, path)
    tree = DirectoryTree(package.root)
    # Bytecode that Python compiled itself is in no RECORD.
    listed = None if package.files is None else _with_bytecode(package.root, package.files)
    files = tuple(file for file in (tree.files() if listed is None else listed) if wanted(file))
    kind = "editable, " if package.install is Install.EDITABLE else ""
    label = f"{' '.join(filter(None, (package.name, package.version)))} ({kind}{package.root})"
    return SiteTree(label=label, reader=tree, files=files, root=package.root, package=package, path=path)


def _with_bytecode(root: Path, files: Collection[str]) -> list[bytes]:
    names = {os.fsencode(os.path.normpath(file)) for file in files}
    for folder in {os.path.dirname(name) for name in names}:  # noqa: PTH120 - paths are bytes
        cache = os.path.join(os.fsencode(root), folder, b"__pycache__")  # noqa: PTH118 - as above
        if os.path.isdir(cache) and not folder.startswith(b".."):  # noqa: PTH112 - as above
            names.update(os.path.join(folder, b"__pycache__", one) for one in os.listdir(cache))  # noqa: PTH118, PTH208
    return sorted(name for name in names if not name.startswith((b"..", b"/")))


def _gathered(label: str, kept: Gathered) -> SiteTree:
    if not kept.paths and kept.image:
        raise PatchqError(
            "is a container image, not a layer of it",
            hint="export its files: docker export CONTAINER | patchq verify -",
            where=Where(file=label),
        )
    return SiteTree(label=label, reader=kept, files=kept.paths)


def _wanted(paths: Collection[bytes]) -> Callable[[bytes], bool]:
    names = {path.rpartition(b"/")[2] for path in paths}

    def wanted(path: bytes) -> bool:
        return (source_of(path) or path).rpartition(b"/")[2] in names

    return wanted
