"""What a hook must know of a series and no more: of the folders that concern it the record and what is carried."""

from __future__ import annotations

import hashlib
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from patchq.model.series import Standing
from patchq.seriesstore.cache import Access, JsonCache
from patchq.seriesstore.disk import read_file
from patchq.seriesstore.fields import Document
from patchq.seriesstore.layout import RECORD, SERIES, ref_folders
from patchq.seriesstore.record import plain_record, record_copy, record_of
from patchq.seriesstore.seriesfile import read_slots, split

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping
    from pathlib import Path

    from patchq.model.names import PatchName
    from patchq.model.series import Record

# A record names such texts as they are (`yamlwrite.dump` neither quotes nor folds them), so that looking for the bytes
# is enough to know that it does not name one. YAML of 200 patches takes 40 ms to read, its JSON copy 5, this nothing.
_AS_WRITTEN = re.compile(rb"[A-Za-z0-9_./+-]+")
# Of a merge, which changes thousands of files, the records are read: looking for each would take longer.
_MOST_TEXTS = 64


@dataclass(frozen=True, slots=True, kw_only=True)
class Glance:
    """One folder of a series. `carried` are the file names of the patches that its `series` file says to carry."""

    ref: str
    folder: Path
    record: Record
    carried: Mapping[PatchName, str]

    def digests(self) -> Mapping[PatchName, str | None]:
        """Return the SHA-256 in hex of each carried patch's file as it is now; None where it is missing.

        As `patchq.patchfile.read.patch_digest` gives it, whose module takes 40 ms to import.
        """
        files = {name: read_file(self.folder / file_name) for name, file_name in self.carried.items()}
        return {name: None if raw is None else hashlib.sha256(raw).hexdigest() for name, raw in files.items()}


def glance(root: Path, cache: Path, texts: Collection[str] | None = None) -> tuple[Glance, ...]:
    """Return the folders below `root` that have a record, in the order of their names; nothing is written.

    With `texts` (paths, a branch's name), folders whose record mentions none of them may be left out. Copies of
    records are taken from `cache`. SeriesError where a record or a `series` file that is looked into is malformed.
    """
    copies = JsonCache(cache, Access.READ_ONLY)
    found = []
    for name, ref in ref_folders(root).items():
        folder = root / name
        data = read_file(folder / RECORD)
        if data is None or not _may_mention(data, texts):
            continue
        record = copies.read(record_copy(name), Document(str(folder / RECORD), data), record_of, plain_record)
        found.append(Glance(ref=ref, folder=folder, record=record, carried=_carried(folder)))
    return tuple(found)


def _may_mention(data: bytes, texts: Collection[str] | None) -> bool:
    if texts is None or len(texts) > _MOST_TEXTS:
        return True
    return any(_mentions(data, text.encode("utf-8", "surrogateescape")) for text in texts)


def _mentions(data: bytes, text: bytes) -> bool:
    """Whether `text` may stand in `data` as a word of its own: a branch `m1` is not mentioned by `sm120`."""
    if not _AS_WRITTEN.fullmatch(text):
        return True
    at = data.find(text)
    while at >= 0:
        around = data[max(at - 1, 0) : at] + data[at + len(text) : at + len(text) + 1]
        if not _AS_WRITTEN.search(around):
            return True
        at = data.find(text, at + 1)
    return False


def _carried(folder: Path) -> dict[PatchName, str]:
    file = folder / SERIES
    slots = read_slots(split(read_file(file) or b""), file=str(file))
    return {slot.name: slot.file_name for slot in slots if slot.standing is Standing.CARRIED}
