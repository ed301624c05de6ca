"""A series that is about to be committed, read as strictly as a verb would read it later; every fault is reported."""

from __future__ import annotations

from typing import TYPE_CHECKING

from patchq.errors import PatchqError, SeriesError, Where
from patchq.model.names import PatchName
from patchq.model.tree import Mode
from patchq.patchfile.read import read_patch
from patchq.seriesstore.disk import limit_of
from patchq.seriesstore.foldername import ref_of
from patchq.seriesstore.layout import LEDGER, MANIFEST, RECORD, RESOLUTIONS, SERIES
from patchq.seriesstore.ledger import read_ledger
from patchq.seriesstore.manifest import read_manifest
from patchq.seriesstore.record import read_record
from patchq.seriesstore.resolutions import read_resolutions
from patchq.seriesstore.seriesfile import read_slots, split

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterator

    from patchq.model.tree import TreeReader
    from patchq.seriesstore.seriesfile import Slot

_PATCHES = (".patch", ".diff")


def faults(tree: TreeReader, changed: Collection[str], *, root: str) -> tuple[PatchqError, ...]:
    """Return what is wrong with the series below `root` (a path in `tree` with `/` at its end, or empty).

    `changed` are paths relative to `root`: only these files are read, and in their folders the list of patches; files
    of people are passed over. Each fault names the file and, where there is one, the line.
    """
    found: list[PatchqError] = []
    folders: dict[str, set[str]] = {}
    for path in sorted(changed):
        folder, slash, name = path.partition("/")
        if not slash:
            found.extend(_top_file(tree, root, path))
        elif "/" not in name and ref_of(folder) is not None:
            folders.setdefault(folder, set()).add(name)
    for folder, names in folders.items():
        found.extend(_Folder(tree, f"{root}{folder}/", names).faults())
    return tuple(found)


def _top_file(tree: TreeReader, root: str, name: str) -> Iterator[PatchqError]:
    readers: dict[str, Callable[[bytes], object]] = {
        MANIFEST: lambda data: read_manifest(data, file=root + name),
        LEDGER: lambda data: read_ledger(data, file=root + name),
        RESOLUTIONS: lambda data: read_resolutions(data, file=root + name),
    }
    if name in readers:
        yield from _tried(tree, root + name, readers[name])


def _tried(tree: TreeReader, path: str, read: Callable[[bytes], object]) -> Iterator[PatchqError]:
    """Give the error that reading the file at `path` ends in, if it is there and there is one."""
    try:
        data = _data(tree, path)
        if data is not None:
            read(data)
    except PatchqError as error:
        yield error


def _data(tree: TreeReader, path: str) -> bytes | None:
    """Return the bytes at `path` under the conditions of `disk.read_file`."""
    state = tree.read(path.encode("utf-8", "surrogateescape"))
    if state is None:
        return None
    where = Where(file=path)
    if state.mode not in (Mode.REGULAR, Mode.EXECUTABLE):
        raise SeriesError("is not a file", hint="put the file itself into the series folder", where=where)
    limit = limit_of(path.rsplit("/", 1)[-1])
    if len(state.data) > limit:
        raise SeriesError(f"is larger than the {limit >> 20} MiB that are read of such a file", where=where)
    return state.data


class _Folder:
    """One folder of the series: `path` with `/` at its end, and the names in it that the commit changes."""

    def __init__(self, tree: TreeReader, path: str, changed: Collection[str]) -> None:
        self.tree = tree
        self.path = path
        self.changed = changed

    def faults(self) -> Iterator[PatchqError]:
        slots: tuple[Slot, ...] = ()
        try:
            data = _data(self.tree, self.path + SERIES)
            if data is None:
                yield from self._without_list()
            else:
                slots = read_slots(split(data), file=self.path + SERIES)
        except PatchqError as error:
            yield error
        if RECORD in self.changed:
            yield from _tried(self.tree, self.path + RECORD, self._read_record)
        listed = {slot.file_name for slot in slots}
        for slot in slots:
            yield from self._slot(slot)
        for name in sorted(set(self.changed) - listed):
            if name.endswith(_PATCHES):
                yield from self._patch(PatchName("unlisted"), name)

    def _without_list(self) -> Iterator[PatchqError]:
        """Tell a folder that is removed from one that only lost its list."""
        left = [name for name in sorted(self.changed) if name == RECORD or name.endswith(_PATCHES)]
        if any(_data(self.tree, self.path + name) is not None for name in left):
            yield SeriesError(
                "is missing, so none of the patches beside it is carried",
                hint="name the patches in it, one file name a line, and git add it",
                where=Where(file=self.path + SERIES),
            )

    def _slot(self, slot: Slot) -> Iterator[PatchqError]:
        # A line that comes back may name a patch that was committed, unread, while no line named it.
        if SERIES in self.changed or slot.file_name in self.changed:
            yield from self._patch(slot.name, slot.file_name)
        if self.tree.read((self.path + slot.file_name).encode("utf-8", "surrogateescape")) is None:
            yield SeriesError(
                f"{slot.file_name} is named here, but the commit has no such file",
                hint=f"git add {self.path}{slot.file_name}, or delete this line",
                where=Where(file=self.path + SERIES, line=slot.index + 1),
            )

    def _patch(self, name: PatchName, file_name: str) -> Iterator[PatchqError]:
        path = self.path + file_name
        yield from _tried(self.tree, path, lambda data: read_patch(name, data, file=path))

    def _read_record(self, data: bytes) -> None:
        read_record(data, file=self.path + RECORD)
