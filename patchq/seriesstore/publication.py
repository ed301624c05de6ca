"""A new state of the series folder as values, and the bytes that it will have on disk."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from patchq.errors import PublishError, SeriesError, Where
from patchq.model.series import Standing
from patchq.seriesstore.disk import limit_of, read_file
from patchq.seriesstore.fields import Document
from patchq.seriesstore.foldername import folder_name, refuse_case_twins
from patchq.seriesstore.layout import LEDGER, MANIFEST, RECORD, RESOLUTIONS, SERIES
from patchq.seriesstore.ledger import ledger_of, plain_ledger, write_ledger
from patchq.seriesstore.manifest import write_manifest
from patchq.seriesstore.record import plain_record, record_of, write_record
from patchq.seriesstore.resolutions import plain_resolutions, resolutions_of, write_resolutions
from patchq.seriesstore.seriesfile import Wanted, arrange, join

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from patchq.model.resolution import Resolutions
    from patchq.model.series import Entry, Ledger, Manifest, Record, Series
    from patchq.seriesstore.journal import BranchMove


@dataclass(frozen=True, slots=True, kw_only=True)
class Publication:
    """What one publish changes; what is not named stays as it is.

    `series` are whole folders, each with its record; `remove` are refs whose folders go; `move` is the branch whose
    move is the commit point (None: only the series changes). `expect` maps refs to `SeriesStore.state` as it was when
    they were loaded: an edit since then stops the publish.
    """

    series: tuple[Series, ...] = ()
    remove: tuple[str, ...] = ()
    manifest: Manifest | None = None
    ledger: Ledger | None = None
    resolutions: Resolutions | None = None
    move: BranchMove | None = None
    expect: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """A publication as bytes.

    `folders` maps folder names to all of patchq's files in them (none: the folder goes), `files` the files of the root
    to their bytes (None: the file goes).
    """

    folders: Mapping[str, Mapping[str, bytes]]
    files: Mapping[str, bytes | None]
    move: BranchMove | None = None


def plan_of(root: Path, publication: Publication) -> Plan:
    """Return the bytes of `publication`; patches are their `raw`, and nothing is touched yet.

    Raises SeriesError or PublishError where the values could not be read back: names that are one on some file
    systems, a patch without text, a file above the bounds of reading.
    """
    folders: dict[str, Mapping[str, bytes]] = {folder_name(ref): {} for ref in publication.remove}
    for series in publication.series:
        name = folder_name(series.ref)
        if name in folders:
            raise SeriesError(f"{series.ref} would be published twice, or removed as well")
        folders[name] = _folder(root / name, series)
    files: dict[str, bytes | None] = {}
    if publication.manifest is not None:
        path = root / MANIFEST
        files[MANIFEST] = write_manifest(publication.manifest, old=read_file(path), file=str(path))
    if publication.ledger is not None:
        files[LEDGER] = _ledger(root / LEDGER, publication.ledger)
    if publication.resolutions is not None:
        files[RESOLUTIONS] = _resolutions(root / RESOLUTIONS, publication.resolutions)
    for name, data in files.items():
        _check_size(root / name, data or b"")
    return Plan(folders=folders, files=files, move=publication.move)


def _folder(folder: Path, series: Series) -> dict[str, bytes]:
    names = [entry.patch.name.file_name for entry in series.entries]
    if len(set(names)) != len(names):
        twice = next(name for name in names if names.count(name) > 1)
        raise SeriesError(f"{twice} stands twice in the series of {series.ref}")
    refuse_case_twins(names, file=str(folder))
    wanted = tuple(_wanted(entry, series.record) for entry in series.entries)
    files = {SERIES: join(arrange(series.lines, wanted, file=str(folder / SERIES)))}
    for entry in series.entries:
        if not entry.patch.raw:
            raise PublishError("has no text to write", where=Where(patch=entry.patch.name.value))
        files[entry.patch.name.file_name] = entry.patch.raw
    if series.record is not None:
        files[RECORD] = _record(folder / RECORD, series.record)
    for name, data in files.items():
        _check_size(folder / name, data)
    return files


def _wanted(entry: Entry, record: Record | None) -> Wanted:
    found = record.find(entry.patch.name) if record is not None and entry.standing is Standing.NOT_CARRIED else None
    return Wanted(name=entry.patch.name, standing=entry.standing, verdict=None if found is None else found.verdict)


def _record(path: Path, record: Record) -> bytes:
    data = write_record(record)
    if record_of(plain_record(record), Document(str(path), data)) != record:
        raise PublishError("would not read back as it was written", where=Where(file=str(path)))
    return data


def _ledger(path: Path, ledger: Ledger) -> bytes:
    data = write_ledger(ledger)
    if ledger_of(plain_ledger(ledger), Document(str(path), data)) != ledger:
        raise PublishError("would not read back as it was written", where=Where(file=str(path)))
    return data


def _resolutions(path: Path, resolutions: Resolutions) -> bytes | None:
    if not resolutions.entries:
        return None
    data = write_resolutions(resolutions)
    if resolutions_of(plain_resolutions(resolutions), Document(str(path), data)) != resolutions:
        raise PublishError("would not read back as it was written", where=Where(file=str(path)))
    return data


def _check_size(path: Path, data: bytes) -> None:
    limit = limit_of(path.name)
    if len(data) > limit:
        raise PublishError(
            f"would have {len(data) >> 20} MiB, more than the {limit >> 20} MiB that are read of such a file",
            where=Where(file=str(path)),
        )
