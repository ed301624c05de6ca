"""`patchq lint --fix`: repaired patches in the place of the broken ones, a series by the one publish."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from patchq.commands.merge_files import write_whole
from patchq.commands.publishing import publish
from patchq.errors import SeriesError, UsageError
from patchq.model.patch import Message, Patch
from patchq.model.series import Entry, Series
from patchq.patchfile.read import patch_digest
from patchq.queue.finding import find_patch
from patchq.seriesstore.layout import MANIFEST, SERIES
from patchq.seriesstore.publication import Publication
from patchq.seriesstore.rawfolder import Trouble

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from patchq.commands.lint_look import Looked
    from patchq.commands.workspace import Workspace
    from patchq.model.names import PatchName
    from patchq.queue.lint import Linted
    from patchq.seriesstore.rawfolder import RawEntry


def mend_file(text: str, linted: Linted) -> bool:
    """Write the repaired patch in the place of the broken one, and say whether that was needed.

    UsageError for a patch of a series, whose repair `patchq undo` must be able to take back.
    """
    if linted.mended is None or not any(one.fixable for one in linted.findings):
        return False
    folder = Path(text).resolve().parent
    if (folder / SERIES).is_file() and (folder.parent / MANIFEST).is_file():
        name = linted.mended.name
        raise UsageError(f"{text} is part of a series", hint=f"patchq lint --fix {name} --ref {folder.name}")
    write_whole(Path(text), linted.mended.raw)
    return True


def named(looked: Looked, texts: Sequence[str]) -> frozenset[PatchName]:
    """Return the patches that `texts` mean, all where there is none; SeriesError for one that the series has not."""
    entries = tuple(Entry(patch=_as_bytes(one, one.data)) for one in looked.raw.entries)
    series = Series(ref=looked.ref, entries=entries)
    return frozenset(find_patch(series, text).patch.name for text in texts) or frozenset(
        one.name for one in looked.raw.entries
    )


def mend_series(workspace: Workspace, looked: Looked, names: Collection[PatchName]) -> tuple[str, ...]:
    """Publish the series with those of `names` mended that can be; return them, none where nothing changes.

    SeriesError where the list itself is not in order: nothing is written over a folder that cannot be read.
    """
    fresh = {
        entry.name: one.mended.raw
        for entry, one in zip(looked.raw.entries, looked.linted, strict=True)
        if entry.name in names and one.mended is not None and one.mended.raw != entry.data
    }
    if not fresh:
        return ()
    broken = next((error for trouble, error in looked.raw.faults if trouble is not Trouble.STRAY), None)
    if broken is not None:
        raise SeriesError(f"the list has to be mended first: {broken.message}", hint=broken.hint, where=broken.where)
    record = workspace.store.record(looked.ref)
    if record is not None:
        # What counts is not what was recorded only where somebody had edited it before.
        old = {one.name: patch_digest(one.data) for one in looked.raw.entries}
        told = [
            replace(one, digest=patch_digest(fresh[one.name]))
            if one.name in fresh and one.digest == old[one.name]
            else one
            for one in record.patches
        ]
        record = replace(record, patches=tuple(told))
    entries = tuple(
        Entry(patch=_as_bytes(one, fresh.get(one.name, one.data)), standing=one.standing) for one in looked.raw.entries
    )
    series = Series(ref=looked.ref, entries=entries, lines=looked.raw.lines, record=record)
    publish(workspace, Publication(series=(series,), expect={looked.ref: looked.state}), verb="lint")
    return tuple(map(str, fresh))


def _as_bytes(entry: RawEntry, data: bytes) -> Patch:
    """Make a patch that is only written: others of the series may be too broken to be read."""
    return Patch(name=entry.name, message=Message(author=None, date=None, subject=b""), changes=(), raw=data)
