"""The patch and the two trees of `patchq judge`: folders or commits, and how paths lead from one to the other."""

from __future__ import annotations

import os
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING

from patchq.commands.reading import STANDARD_INPUT, read_some
from patchq.commands.tree_names import Commit, files_of, spot_named
from patchq.errors import PatchqError, Where
from patchq.gitstore.directory import DirectoryTree
from patchq.gitstore.objects import CommitTree, ObjectReader
from patchq.gitstore.renames import renames, upstream_new
from patchq.patchfile.imports import read_import
from patchq.patchfile.limits import MAX_PATCH_BYTES, MEBIBYTE
from patchq.queue.judging import Question, judge
from patchq.queue.prefixes import relocation, with_prefix

if TYPE_CHECKING:
    from collections.abc import Iterator

    from patchq.commands.session import Session
    from patchq.commands.tree_names import Spot
    from patchq.model.judgement import Judgement
    from patchq.model.patch import Patch


def judged(session: Session, patch: str, base: str, tree: str) -> Judgement:
    """Judge the patch in a file (or `-`) by names of trees; PatchqError for what cannot be read or does not fit."""
    data = _read(patch)
    name = "stdin.patch" if patch == STANDARD_INPUT else patch
    with _opened(session, base, tree) as trees:
        made = _fitting(data, name, trees)
        return judge(made, trees.question(made))


def _read(patch: str) -> bytes:
    """Read a file, or standard input for `-`."""
    try:
        data = read_some(patch, MAX_PATCH_BYTES)
    except OSError as error:
        raise PatchqError(f"cannot be read: {error.strerror}", where=Where(file=patch)) from error
    if len(data) > MAX_PATCH_BYTES:
        raise PatchqError(f"is larger than {MAX_PATCH_BYTES // MEBIBYTE} MiB", where=Where(file=patch))
    return data


@dataclass(frozen=True, slots=True)
class _Trees:
    """The two trees, open."""

    base: Spot
    tree: Spot
    readers: tuple[CommitTree | DirectoryTree, CommitTree | DirectoryTree]

    def question(self, patch: Patch) -> Question:
        """Put together what is asked; renames come from git where both are commits of one repository."""
        base, tree = self.readers
        paths = {change.old_path for change in patch.changes if change.old_path is not None}
        moved = self._elsewhere(paths)
        if isinstance(self.base, Commit) and isinstance(self.tree, Commit) and not moved:
            repo, old, new = self.tree.repo, self.base.point.tree, self.tree.point.tree
            moved = dict(renames(repo, old, new, paths))
            return Question(base=base, tree=tree, renames=moved, changed=lambda: upstream_new(repo, old, new))
        return Question(base=base, tree=tree, renames=moved, changed=lambda: files_of(self.tree, tree))

    def _elsewhere(self, paths: set[bytes]) -> dict[bytes, bytes]:
        """Map the paths to those of a tree with another top folder: an installed package has no `python/`."""
        tree = self.readers[1]
        if not paths or any(tree.read(path) is not None for path in paths):
            return {}
        way = relocation(sorted(paths), frozenset(files_of(self.tree, tree)))
        if way is None:
            return {}
        return {path: way.prefix + b"/".join(path.split(b"/")[way.strip :]) for path in paths}


@contextmanager
def _opened(session: Session, base: str, tree: str) -> Iterator[_Trees]:
    spots = (spot_named(session, base, "--base"), spot_named(session, tree, "--tree"))
    with ExitStack() as stack:
        opened: list[CommitTree | DirectoryTree] = []
        for spot in spots:
            if isinstance(spot, Commit):
                opened.append(CommitTree(stack.enter_context(ObjectReader(spot.repo)), spot.point.tree))
            else:
                opened.append(DirectoryTree(spot))
        yield _Trees(spots[0], spots[1], (opened[0], opened[1]))


def _fitting(data: bytes, name: str, trees: _Trees) -> Patch:
    """Read the one patch, with its paths as base has them: below another top folder if all of them are there."""
    patch = _one(data, name, 1)
    base = trees.readers[0]
    paths = [change.old_path for change in patch.changes if change.old_path is not None]
    missing = [path for path in paths if base.read(path) is None]
    if not missing or len(missing) < len(paths):
        return patch
    way = relocation(missing, frozenset(files_of(trees.base, base)))
    if way is None:
        shown = os.fsdecode(missing[0])
        raise PatchqError(
            f"{shown} is not in base", hint="is it the tree that the patch was made for?", where=Where(file=name)
        )
    return _one(data, name, 1 + way.strip) if way.strip else with_prefix(patch, way.prefix)


def _one(data: bytes, name: str, strip: int) -> Patch:
    patches = read_import(data, file=name, strip=strip)
    if len(patches) > 1:
        hint = "one file for each: git mailsplit, or git format-patch"
        raise PatchqError(f"{len(patches)} patches, and one is judged at a time", hint=hint, where=Where(file=name))
    return patches[0]
