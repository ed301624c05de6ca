"""The series folder read as values: manifest, refs, series with parsed patches, records, ledger."""

from __future__ import annotations

import difflib
import re
from typing import TYPE_CHECKING, TypeVar

from patchq.errors import SeriesError, Where
from patchq.model.resolution import Resolutions
from patchq.model.series import Entry, Ledger, Series
from patchq.patchfile.read import read_patch
from patchq.seriesstore.cache import JsonCache
from patchq.seriesstore.disk import is_folder, read_file
from patchq.seriesstore.fields import Document
from patchq.seriesstore.foldername import folder_name
from patchq.seriesstore.layout import LEDGER, MANIFEST, RECORD, RESOLUTIONS, SERIES, folder_state, ref_folders
from patchq.seriesstore.ledger import ledger_of, plain_ledger
from patchq.seriesstore.manifest import read_manifest
from patchq.seriesstore.record import plain_record, record_copy, record_of
from patchq.seriesstore.resolutions import plain_resolutions, resolutions_of
from patchq.seriesstore.seriesfile import read_slots, split

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from pathlib import Path

    from patchq.model.names import PatchName
    from patchq.model.series import Manifest, Record, Standing
    from patchq.seriesstore.seriesfile import Slot

Value = TypeVar("Value")


class SeriesStore:
    """Reads one series folder; it keeps nothing, so that every call sees the disk as it is."""

    def __init__(self, root: Path, *, cache: Path | None = None) -> None:
        """Read below `root`, the folder of `patchq.yaml`; JSON copies of large YAML files go to `cache`, if any."""
        self.root = root
        self._cache = JsonCache(cache)

    def exists(self) -> bool:
        """Whether there is a series: a manifest, readable or not."""
        return (self.root / MANIFEST).is_file()

    def manifest(self) -> Manifest:
        """Read `patchq.yaml`; SeriesError where there is none or it is not one."""
        path = self.root / MANIFEST
        data = read_file(path)
        if data is None:
            raise SeriesError(f"there is no series in {self.root}", hint="patchq init")
        return read_manifest(data, file=str(path))

    def refs(self) -> tuple[str, ...]:
        """Return the refs that have a folder with a `series` file, `v0.5.9` before `v0.5.10`."""
        return tuple(sorted(ref_folders(self.root).values(), key=_by_version))

    def load(self, ref: str) -> Series:
        """Read the folder of `ref`: every patch parsed, in order, and its record.

        Raises SeriesError where the folder, the `series` file or a patch is missing or not in order, and
        PatchFormatError, with file, hunk and line, for a patch that does not parse.
        """
        folder = self._folder(ref)
        file = str(folder / SERIES)
        data = read_file(folder / SERIES)
        if data is None:
            raise SeriesError("is missing", hint="name the patches in it, one file name a line", where=Where(file=file))
        lines = split(data)
        slots = read_slots(lines, file=file)
        return Series(
            ref=ref,
            entries=tuple(_read_entry(folder, slot, file) for slot in slots),
            lines=lines,
            record=self.record(ref),
            strays=_strays(folder, {slot.file_name for slot in slots}),
        )

    def names(self, ref: str) -> Mapping[PatchName, Standing]:
        """Return the patches that the `series` file of `ref` names, in order; none of them is read."""
        file = self._folder(ref) / SERIES
        slots = read_slots(split(read_file(file) or b""), file=str(file))
        return {slot.name: slot.standing for slot in slots}

    def record(self, ref: str) -> Record | None:
        """Read `record.yaml` of `ref`; None before the first carry."""
        folder = self._folder(ref)
        return self._read(folder / RECORD, record_copy(folder.name), record_of, plain_record)

    def ledger(self) -> Ledger:
        """Read `ledger.yaml`; an empty ledger where there is none yet."""
        return self._read(self.root / LEDGER, "ledger.json", ledger_of, plain_ledger) or Ledger()

    def resolutions(self) -> Resolutions:
        """Read `resolutions.yaml`; none where there is no such file."""
        path = self.root / RESOLUTIONS
        return self._read(path, "resolutions.json", resolutions_of, plain_resolutions) or Resolutions()

    def state(self, ref: str) -> str:
        """Return a digest of the folder's files, for `Publication.expect`: taken before `load`, it notices edits."""
        return folder_state(self.root / folder_name(ref))

    def folder(self, ref: str) -> Path:
        """Return where the folder of `ref` is, or would be."""
        return self.root / folder_name(ref)

    def _folder(self, ref: str) -> Path:
        folder = self.root / folder_name(ref)
        if is_folder(folder):
            return folder
        refs = self.refs()
        close = difflib.get_close_matches(ref, refs, n=1)
        hint = f"did you mean {close[0]!r}?" if close else f"there is one for {', '.join(refs) or 'no ref yet'}"
        raise SeriesError(f"there is no series for {ref} in {self.root}", hint=hint)

    def _read(
        self,
        path: Path,
        name: str,
        typed: Callable[[object, Document], Value],
        plain: Callable[[Value], object],
    ) -> Value | None:
        data = read_file(path)
        if data is None:
            return None
        return self._cache.read(name, Document(str(path), data), typed, plain)


def _read_entry(folder: Path, slot: Slot, series_file: str) -> Entry:
    path = folder / slot.file_name
    raw = read_file(path)
    if raw is None:
        raise SeriesError(
            f"{slot.file_name} is named here, but there is no such file",
            hint="bring the file back (git checkout, git log --diff-filter=D), or delete this line",
            where=Where(file=series_file, line=slot.index + 1),
        )
    return Entry(patch=read_patch(slot.name, raw, file=str(path)), standing=slot.standing)


def _strays(folder: Path, listed: set[str]) -> tuple[str, ...]:
    names = (entry.name for entry in folder.iterdir())
    return tuple(sorted(name for name in names if name.endswith((".patch", ".diff")) and name not in listed))


def _by_version(ref: str) -> tuple[tuple[int, int, str], ...]:
    parts = re.findall(r"[0-9]+|[^0-9]+", ref)
    return tuple((0, int(part), part) if part.isascii() and part.isdigit() else (1, 0, part) for part in parts)
