"""The files that `patchq apply` changes: under which root, with which RECORD and which bytecode beside them."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from patchq.errors import PatchqError, UsageError, Where
from patchq.model.tree import PLAIN, Mode
from patchq.pypi.installed import Install
from patchq.pypi.record_file import updated_record
from patchq.queue.bytecode import source_of
from patchq.treestore.swap import Access, Change, TreeStore

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Mapping
    from pathlib import Path

    from patchq.commands.site_trees import SiteTree
    from patchq.model.tree import FileState
    from patchq.queue.prefixes import Placed


def store_of(tree: SiteTree) -> TreeStore:
    """Return where the files of `tree` are changed; UsageError where that is no folder of plain files."""
    if tree.root is None:
        raise UsageError(
            f"{tree.label} is no folder", hint="patchq apply FOLDER, or --installed NAME; for a ref: patchq build"
        )
    package = tree.package
    if package is not None and package.install is Install.EDITABLE:
        raise PatchqError(
            f"is installed editable: its files are those of {package.root}",
            hint=f"patchq apply {package.root}, or build the branch there",
            where=Where(file=package.name),
        )
    return TreeStore(_real(tree.root), "tree" if package is None else f"package-{package.name}")


def changes_of(writes: Mapping[bytes, FileState | None], placed: Placed) -> dict[bytes, Change]:
    """Turn new states into changes of files, by paths of the tree; PatchqError for symbolic links."""
    found = {}
    for path, new in writes.items():
        there, old = placed.way.of(path), placed.read(path)
        if there is None:
            continue
        if any(state is not None and state.mode not in PLAIN for state in (old, new)):
            raise PatchqError(
                "a symbolic link is no plain file, and is not written",
                hint="make the link by hand, and leave it out of the patch",
                where=Where(file=os.fsdecode(there)),
            )
        same = old is not None and new is not None and old.mode is new.mode
        program = new is not None and new.mode is Mode.EXECUTABLE
        access = Access.KEPT if same else Access.PROGRAM if program else Access.PLAIN
        found[there] = Change(None if old is None else old.data, None if new is None else new.data, access)
    return found


def record_change(tree: SiteTree, changes: Mapping[bytes, Change]) -> dict[bytes, Change]:
    """Bring RECORD up to date with `changes`; PatchqError where the package has none."""
    package = tree.package
    if package is None or package.record is None or tree.root is None:
        raise PatchqError(
            "there is no RECORD to bring up to date", hint="leave --record out", where=Where(file=tree.label)
        )
    own = os.path.relpath(package.record, tree.root)
    was = package.record.read_bytes()
    now = updated_record(was, own, {os.fsdecode(path): change.now for path, change in changes.items()})
    return {} if now == was else {os.fsencode(own): Change(was, now)}


def bytecode_beside(root: Path, paths: Collection[bytes]) -> Iterator[bytes]:
    """Yield the bytecode of some sources, by paths below the root."""
    for folder in sorted({os.path.dirname(path) for path in paths}):  # noqa: PTH120 - paths are bytes
        cache = os.path.join(folder, b"__pycache__") if folder else b"__pycache__"  # noqa: PTH118 - as above
        whole = os.path.join(os.fsencode(root), cache)  # noqa: PTH118 - as above
        names: Iterable[bytes] = os.listdir(whole) if os.path.isdir(whole) else ()  # noqa: PTH112, PTH208 - as above
        for name in sorted(names):
            if source_of(cache + b"/" + name) in paths:
                yield cache + b"/" + name


def _real(root: Path) -> Path:
    return root.resolve()
