"""All of patchq's files in a series folder as bytes, for the undo log, and the way back to them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from patchq.errors import SeriesError
from patchq.seriesstore.disk import read_folder
from patchq.seriesstore.foldername import ref_of
from patchq.seriesstore.layout import LEDGER, MANIFEST, RESOLUTIONS, managed_names, ref_folders
from patchq.seriesstore.publication import Plan
from patchq.seriesstore.publish import finish, stage_plan

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from patchq.seriesstore.journal import BranchMove
    from patchq.seriesstore.publish import Staged


def snapshot_files(root: Path) -> dict[str, bytes]:
    """Return manifest, ledger, resolutions, and of each ref's folder the series, the record and the patches it names.

    Keys are paths relative to `root` with `/`. README.md, patches that no series names and other files of people are
    not part of it. Raises SeriesError for a file above the bounds of reading, so that a snapshot is never half.
    """
    if not root.exists():
        return {}
    found = read_folder(root, (MANIFEST, LEDGER, RESOLUTIONS))
    for folder in ref_folders(root):
        for name, data in read_folder(root / folder, managed_names(root / folder)).items():
            found[f"{folder}/{name}"] = data
    return found


def restore_files(root: Path, files: Mapping[str, bytes]) -> None:
    """Make patchq's files exactly those of a snapshot, atomically; files of people stay. Errors as `stage_restore`."""
    finish(stage_restore(root, files, move=None))


def stage_restore(root: Path, files: Mapping[str, bytes], *, move: BranchMove | None) -> Staged:
    """Stage the way back to a snapshot, to be finished when the branch has moved back, too.

    Raises SeriesError for a path that no snapshot has, and what `stage_plan` raises.
    """
    folders: dict[str, dict[str, bytes]] = {path.split("/")[0]: {} for path in snapshot_files(root) if "/" in path}
    top: dict[str, bytes | None] = {MANIFEST: None, LEDGER: None, RESOLUTIONS: None}
    for path, data in files.items():
        folder, slash, name = path.partition("/")
        if not slash and path in top:
            top[path] = data
        elif ref_of(folder) is not None and name and "/" not in name and name not in {".", ".."}:
            folders.setdefault(folder, {})[name] = data
        else:
            raise SeriesError(f"{path!r} is no file of a series folder", hint="the undo log is damaged")
    return stage_plan(root, Plan(folders=folders, files=top, move=move))
