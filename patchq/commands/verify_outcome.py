"""What `patchq verify` finds out: which series is meant, by which paths, what the tree has of it, and what is odd."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from patchq.commands.policing import default_need, demand_of
from patchq.errors import PatchqError, UsageError, Where
from patchq.gitstore.objects import CommitTree
from patchq.gitstore.renames import renames
from patchq.patchfile.read import patch_digest
from patchq.queue.bytecode import stale_bytecode
from patchq.queue.groundwork import pristine_count
from patchq.queue.prefixes import Placed, Way, way_below, ways
from patchq.queue.verifying import Ask, verify

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from pathlib import Path

    from patchq.commands.series_place import SeriesPlace
    from patchq.commands.site_trees import SiteTree
    from patchq.model.anchor import Fact
    from patchq.model.patch import Patch
    from patchq.model.policy import Need
    from patchq.model.series import Series
    from patchq.model.verification import PatchSight, StaleBytecode


@dataclass(frozen=True, slots=True)
class Fitting:
    """A series beside a tree, and how its paths are found there."""

    series: Series
    placed: Placed


@dataclass(frozen=True, slots=True, kw_only=True)
class Verified:
    """The answer for a tree: patch by patch, stale bytecode, and places of a package that is there twice."""

    fitting: Fitting
    patches: tuple[PatchSight, ...]
    stale: tuple[StaleBytecode, ...]
    doubles: tuple[Path, ...]


def paths_of(series: Iterable[Series]) -> frozenset[bytes]:
    """Return every path that some patch names."""
    return frozenset(
        path
        for one in series
        for patch in one.carried
        for change in patch.changes
        for path in (change.old_path, change.new_path)
        if path is not None
    )


def fit(candidates: Sequence[Series], tree: SiteTree, prefix: str | None) -> Fitting:
    """Choose the series of which most files are in `tree` as it knows them byte for byte; of equals the first.

    `prefix` is the folder of the tree to look into. PatchqError where the tree has the files at several places.
    """
    fittings = [Fitting(series, Placed(tree.reader, _way(series, tree, prefix))) for series in candidates]
    if len(fittings) == 1:
        return fittings[0]
    return max(fittings, key=lambda one: pristine_count(one.series.carried, one.placed))


def _way(series: Series, tree: SiteTree, prefix: str | None) -> Way:
    paths = paths_of([series])
    if prefix is not None:
        put = prefix.strip("/").encode("utf-8", "surrogateescape") + b"/"
        found = way_below(put.removeprefix(b"./").lstrip(b"/"), paths, tree.files)
        if found is None:
            raise UsageError(f"no file of the series is in {prefix}", hint="give a folder of TREE, such as src/")
        return found
    several = ways(paths, tree.files)
    if len(several) > 1:
        places = ", ".join((way.put or b"./").decode("utf-8", "backslashreplace") for way in several)
        first = several[0].put.decode("utf-8", "backslashreplace")
        raise PatchqError(
            f"has what the series patches at {len(several)} places: {places}",
            hint=f"say which one counts: --prefix {first}",
            where=Where(file=tree.label),
        )
    return several[0] if several else Way()


def look(place: SeriesPlace, tree: SiteTree, fitting: Fitting) -> Verified:
    """Verify the carried patches; reads the tree, and base where the repository has it."""
    series, placed = fitting.series, fitting.placed
    asks = asks_of(series, default_need(place.store))
    with place.base_tree(series) as base:
        if base is not None and tree.commit is not None and not placed.way.cut and not placed.way.put:
            moved = renames(tree.commit.repo, base.tree, tree.commit.point.tree, paths_of([series]))
            placed = Placed(placed.below, placed.way, moved)
        sights = verify(asks, placed, base)
    doubles = () if tree.package is None else tree.doubles(set(_packages(tree, _sources(fitting))))
    return Verified(fitting=fitting, patches=sights, stale=stale_in(tree, fitting), doubles=doubles)


def stale_in(tree: SiteTree, fitting: Fitting) -> tuple[StaleBytecode, ...]:
    """Return the bytecode of patched sources that does not fit them; a commit has no times, and is not looked at."""
    if isinstance(tree.reader, CommitTree):
        return ()
    return tuple(stale_bytecode(tree.reader, _sources(fitting), tree.files))


def _sources(fitting: Fitting) -> list[bytes]:
    """Return where the tree has, or would have, the files that patches change or make."""
    changes = (change for patch in fitting.series.carried for change in patch.changes if change.new_path is not None)
    return [there for change in changes if (there := fitting.placed.way.of(change.path)) is not None]


def _packages(tree: SiteTree, sources: Iterable[bytes]) -> Iterable[bytes]:
    """Yield the names by which the packages of some files are imported."""
    for source in sources:
        parts = source.split(b"/")[:-1]
        folders = (b"/".join(parts[: count + 1]) for count in range(len(parts)))
        outermost = next((folder for folder in folders if tree.reader.read(folder + b"/__init__.py")), b"")
        if outermost:
            yield outermost.rpartition(b"/")[2]


def asks_of(series: Series, need: Need) -> tuple[Ask, ...]:
    """Return the patches that the series carries, each with what is on record of it; `need` is the series' default."""
    return tuple(
        Ask(patch=patch, demand=demand_of(patch, need), facts=_facts(series, patch)) for patch in series.carried
    )


def _facts(series: Series, patch: Patch) -> Mapping[bytes, tuple[Fact, ...]]:
    """Return what is on record of a patch, unless its text has been edited since."""
    known = None if series.record is None else series.record.find(patch.name)
    if known is None or known.digest != patch_digest(patch.raw):
        return {}
    return {file.path.encode("utf-8", "surrogateescape"): file.facts for file in known.files}
