"""Paths of patches that were made against another top folder: put below a prefix, or how they would be found."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from patchq.queue.refresh import refreshed

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence

    from patchq.model.patch import Patch
    from patchq.model.tree import FileState, TreeReader

# Where Python looks for packages; a copy elsewhere (a cache, a build folder) is not what runs.
_SITES = (b"site-packages/", b"dist-packages/")


@dataclass(frozen=True, slots=True, kw_only=True)
class Relocation:
    """How names become paths of the tree: remove `strip` leading parts more, or put `prefix` (`a/b/`) in front."""

    strip: int = 0
    prefix: bytes = b""


def with_prefix(patch: Patch, prefix: bytes) -> Patch:
    """Put `prefix` (`a/b/`, or nothing) in front of every path of `patch`, those of its intents included.

    An intent that names a path below the prefix already keeps it. `patch.raw` must be the patch's text.
    """
    if not prefix:
        return patch
    changes = tuple(
        replace(
            change,
            old_path=None if change.old_path is None else prefix + change.old_path,
            new_path=None if change.new_path is None else prefix + change.new_path,
        )
        for change in patch.changes
    )
    told = {intent.anchor.path.encode("utf-8", "surrogateescape") for intent in patch.intents}
    return refreshed(patch, changes, {path: prefix + path for path in told if not path.startswith(prefix)})


def relocation(paths: Sequence[bytes], files: Collection[bytes]) -> Relocation | None:
    """Find the one way in which all `paths` become files of the tree, whose paths `files` holds; None for no or two."""
    ways = [set(_ways(path, files)) for path in paths]
    common = set.intersection(*ways) if ways else set()
    return common.pop() if len(common) == 1 else None


def _ways(path: bytes, files: Collection[bytes]) -> Iterator[Relocation]:
    parts = path.split(b"/")
    for count in range(1, len(parts)):
        if b"/".join(parts[count:]) in files:
            yield Relocation(strip=count)
    tail = b"/" + path
    for file in files:
        if file.endswith(tail):
            yield Relocation(prefix=file.removesuffix(path))


@dataclass(frozen=True, slots=True, kw_only=True)
class Way:
    """How paths of a series become paths of a tree: `cut` goes from their front, `put` comes there (each ends in `/`).

    `tops` are the first parts, behind `put`, of what was found in the tree.
    """

    cut: bytes = b""
    put: bytes = b""
    tops: frozenset[bytes] = frozenset()

    def of(self, path: bytes) -> bytes | None:
        """Return where the tree would have `path`; None for what lies beside the folder that became the tree."""
        return self.put + path.removeprefix(self.cut) if path.startswith(self.cut) else None

    def holds(self, path: bytes) -> bool:
        """Say whether such a tree would have `path`: a wheel has the package, but no tests and no `pyproject.toml`."""
        return path.startswith(self.cut) and (not self.cut or _top(path.removeprefix(self.cut)) in self.tops)


@dataclass(frozen=True, slots=True)
class Placed:
    """A tree read by the paths of a series; `moved` maps some of these to where the tree has those files."""

    below: TreeReader
    way: Way
    moved: Mapping[bytes, bytes] = field(default_factory=dict)

    def read(self, path: bytes) -> FileState | None:
        """Return what the tree has for `path`."""
        there = self.moved.get(path) or self.way.of(path)
        return None if there is None else self.below.read(there)


def ways(paths: Iterable[bytes], files: Iterable[bytes]) -> tuple[Way, ...]:
    """Find how most of `paths` become `files`, losing as little of their fronts as can be.

    Nothing where no file fits, several where a tree has the same files in several equally good places. Of such places
    the top of the tree is better than any below it, and one that Python looks into better than others.
    """
    wanted: dict[bytes, list[bytes]] = {}
    for path in dict.fromkeys(paths):
        wanted.setdefault(path.rpartition(b"/")[2], []).append(path)
    found: dict[tuple[bytes, bytes], set[bytes]] = {}
    for file in files:
        for path in wanted.get(file.rpartition(b"/")[2], ()):
            cut, put, tail = _fronts(path, file)
            # A bare name, such as `utils.py`, says something at the top only.
            if b"/" in tail or not cut or not put:
                found.setdefault((cut, put), set()).add(path)
    if not found:
        return ()
    best = max(_rank(cut, held) for (cut, _), held in found.items())
    good = [way for way, held in found.items() if _rank(way[0], held) == best]
    sites = [way for way in good if way[1].endswith(_SITES)]
    chosen = [way for way in good if not way[1]] or (sites if len(sites) == 1 else good)
    return tuple(
        Way(cut=cut, put=put, tops=frozenset(_top(path.removeprefix(cut)) for path in found[cut, put]))
        for cut, put in sorted(chosen)
    )


def way_below(put: bytes, paths: Collection[bytes], files: Collection[bytes]) -> Way | None:
    """Find the way for a tree of which only what is below the folder `put` counts; None where nothing fits there."""
    inside = ways(paths, [file.removeprefix(put) for file in files if file.startswith(put)])
    return replace(inside[0], put=put + inside[0].put) if len(inside) == 1 else None


def _rank(cut: bytes, held: Collection[bytes]) -> tuple[int, int]:
    return len(held), -cut.count(b"/")


def _fronts(path: bytes, file: bytes) -> tuple[bytes, bytes, bytes]:
    """Split two paths into what they begin with and the longest common end, of whole parts."""
    parts, others = path.split(b"/"), file.split(b"/")
    count = 0
    while count < min(len(parts), len(others)) and parts[-1 - count] == others[-1 - count]:
        count += 1
    tail = b"/".join(parts[len(parts) - count :])
    return path.removesuffix(tail), file.removesuffix(tail), tail


def _top(path: bytes) -> bytes:
    return path.partition(b"/")[0]
