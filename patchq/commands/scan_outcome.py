"""What `patchq scan` looks at: the tree that teaches, the files of the other, the tree of the ref before."""

from __future__ import annotations

from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING

from patchq.commands.tree_names import Commit, spot_named
from patchq.errors import SeriesError, Where
from patchq.gitstore.directory import DirectoryTree
from patchq.gitstore.objects import CommitTree, ObjectReader
from patchq.queue.groundwork import without
from patchq.queue.scanning import learn, scan
from patchq.seriesstore.layout import MANIFEST
from patchq.syntax.languages import language_of

if TYPE_CHECKING:
    from collections.abc import Iterator
    from contextlib import AbstractContextManager

    from patchq.commands.series_place import SeriesPlace
    from patchq.commands.session import Session
    from patchq.commands.verify_outcome import Fitting
    from patchq.gitstore.repository import Repository
    from patchq.model.scan import Lacking
    from patchq.model.series import RefPoint
    from patchq.model.tree import FileState, TreeReader
    from patchq.queue.prefixes import Way
    from patchq.queue.scanning import Lore
    from patchq.seriesstore.store import SeriesStore

FINE = "scan-fine"


@dataclass(frozen=True, slots=True)
class TreeFiles:
    """A tree and those of its paths that are looked at."""

    reader: TreeReader
    paths: tuple[bytes, ...]


@dataclass(frozen=True, slots=True)
class _Upstream:
    """A tree with the paths of the series, read by those of another tree."""

    below: TreeReader
    way: Way

    def read(self, path: bytes) -> FileState | None:
        return self.below.read(self.way.cut + path.removeprefix(self.way.put))


def learned(place: SeriesPlace, fitting: Fitting) -> Lore:
    """Learn from the series on its own upstream commit, or on the tree before the patches where that is not at hand."""
    patches = fitting.series.carried
    with place.base_tree(fitting.series) as base:
        return learn(patches, without(patches, fitting.placed).tree if base is None else base)


def look(fitting: Fitting, lore: Lore, files: TreeFiles) -> tuple[Lacking, ...]:
    """Find the places in `files`; those that the series patches are known by where the tree has them."""
    changed = {one.lesson.path for one in lore.learned}
    homes = {path: there for path in changed if (there := fitting.placed.way.of(path)) is not None}
    return scan(lore, (path for path in files.paths if language_of(path) is not None), files.reader, homes)


def older(
    session: Session, place: SeriesPlace, fitting: Fitting, since: str | None
) -> AbstractContextManager[tuple[str, TreeReader]] | None:
    """Open the tree `since`, or upstream of the ref before the series'; None where there is none at hand."""
    if since is not None:
        spot = spot_named(session, since, "--since")
        if isinstance(spot, Commit):
            return _commit(since, spot.repo, spot.point, fitting.placed.way)
        return _folder(since, DirectoryTree(spot))
    refs = place.store.refs()
    at = refs.index(fitting.series.ref) if fitting.series.ref in refs else 0
    if at == 0 or place.workspace is None:
        return None
    point = place.base_of(place.store.load(refs[at - 1]))
    return None if point is None else _commit(refs[at - 1], place.workspace.repo, point, fitting.placed.way)


@contextmanager
def _commit(label: str, repo: Repository, point: RefPoint, way: Way) -> Iterator[tuple[str, TreeReader]]:
    with ObjectReader(repo) as reader:
        yield label, _Upstream(CommitTree(reader, point.tree), way)


@contextmanager
def _folder(label: str, tree: DirectoryTree) -> Iterator[tuple[str, TreeReader]]:
    yield label, tree


def ignored(store: SeriesStore) -> tuple[str, ...]:
    """Read `policy: {scan-fine: […]}` of patchq.yaml; SeriesError for anything but a list of texts."""
    said = store.manifest().policy.get(FINE, ())
    if not isinstance(said, list | tuple) or not all(isinstance(one, str) for one in said):
        raise SeriesError(
            f"{FINE} is no list of paths and addresses",
            hint="write policy: {scan-fine: [src/table.py, 'src/gate.py::f']}",
            where=Where(file=str(store.root / MANIFEST), field="policy"),
        )
    return tuple(one for one in said if isinstance(one, str))
