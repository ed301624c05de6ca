"""Which names below a series folder are patchq's; everything else belongs to people and is never touched."""

from __future__ import annotations

from typing import TYPE_CHECKING

from patchq.errors import SeriesError, Where
from patchq.seriesstore.disk import digest, read_file, read_folder
from patchq.seriesstore.foldername import ref_of, refuse_case_twins
from patchq.seriesstore.seriesfile import listed_files

if TYPE_CHECKING:
    from pathlib import Path

MANIFEST = "patchq.yaml"
LEDGER = "ledger.yaml"
RESOLUTIONS = "resolutions.yaml"
SERIES = "series"
RECORD = "record.yaml"


def ref_folders(root: Path) -> dict[str, str]:
    """Return the refs by the names of their folders: real folders with a `series` file and a name that a ref gives.

    Raises SeriesError where `root` is missing, and where two folders would be one on some file systems.
    """
    try:
        folders = [entry.name for entry in root.iterdir() if not entry.is_symlink() and entry.is_dir()]
    except FileNotFoundError as error:
        raise SeriesError(f"there is no series in {root}", hint="patchq init") from error
    except OSError as error:
        raise SeriesError(f"cannot be read: {error.strerror}", where=Where(file=str(root))) from error
    found = {name: ref for name in sorted(folders) if (ref := ref_of(name)) and (root / name / SERIES).exists()}
    refuse_case_twins(found, file=str(root))
    return found


def managed_names(folder: Path) -> tuple[str, ...]:
    """Return the names in a ref's folder that patchq writes: series, record, and the patches listed in the series."""
    return (SERIES, RECORD, *listed_files(read_file(folder / SERIES) or b""))


def folder_state(folder: Path) -> str:
    """Return a digest of the managed files in `folder`, which may be missing."""
    return digest(read_folder(folder, managed_names(folder)))
