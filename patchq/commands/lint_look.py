"""What `patchq lint` looks at: a series with every rule, or single patch files with those that need no other."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from patchq.commands.import_files import is_file
from patchq.commands.workspace import short_path
from patchq.errors import GitError, PatchqError, SeriesError, UsageError, Where
from patchq.gitstore.objects import CommitTree, ObjectReader
from patchq.gitstore.partial import prefetch
from patchq.model.finding import Finding, Rule
from patchq.model.names import SUFFIX, PatchName
from patchq.model.series import Series, Standing
from patchq.patchfile.limits import MAX_PATCH_BYTES, MEBIBYTE
from patchq.queue.arrival import name_of_file
from patchq.queue.lint import lint_patch
from patchq.queue.lint_pairs import order_findings, same_changes
from patchq.seriesstore.rawfolder import Trouble, read_raw

if TYPE_CHECKING:
    from collections.abc import Sequence

    from patchq.commands.workspace import Workspace
    from patchq.model.patch import Patch
    from patchq.queue.lint import Linted
    from patchq.queue.lint_pairs import Place
    from patchq.seriesstore.rawfolder import RawEntry, RawFolder

_RULES = {
    Trouble.LINE: Rule.SERIES_LINE,
    Trouble.TWINS: Rule.CASE_TWINS,
    Trouble.MISSING: Rule.MISSING_FILE,
    Trouble.STRAY: Rule.STRAY_FILE,
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Looked:
    """A series as lint has read it: `state` is its digest from before, `linted` stands in the order of `raw`.

    `note` says what could not be looked at, and why.
    """

    ref: str
    state: str
    raw: RawFolder
    linted: tuple[Linted, ...]
    findings: tuple[Finding, ...]
    note: str | None = None


def is_path(text: str) -> bool:
    """Whether an argument is the path of a file, and no name of a patch."""
    return "/" in text or text.endswith((SUFFIX, ".diff")) or is_file(text)


def look_at_file(text: str) -> Linted:
    """Read one patch file, wherever it lies; UsageError where there is none."""
    path = Path(text)
    try:
        with path.open("rb") as stream:
            data = stream.read(MAX_PATCH_BYTES + 1)
    except OSError as error:
        raise UsageError(f"{text}: {error.strerror}", hint="patchq lint FILE, or the name of a patch") from error
    if len(data) > MAX_PATCH_BYTES:
        raise PatchqError(f"is larger than {MAX_PATCH_BYTES // MEBIBYTE} MiB", where=Where(file=text))
    return lint_patch(name_of_file(path.name) or PatchName("patch"), data, file=text)


def look_at_series(workspace: Workspace, ref: str) -> Looked:
    """Apply every rule to the series of `ref`; those about the order need its base to be here."""
    store = workspace.store
    state, raw = store.state(ref), read_raw(store.folder(ref))
    linted = tuple(lint_patch(one.name, one.data, file=_file(one)) for one in raw.entries)
    found = [_of_fault(trouble, error) for trouble, error in raw.faults]
    found += [finding for one in linted for finding in one.findings]
    files = {one.name: _file(one) for one in raw.entries}

    def where(patch: Patch) -> Where:
        return Where(file=files[patch.name], patch=str(patch.name))

    pairs = zip(raw.entries, linted, strict=True)
    carried = [one.mended for entry, one in pairs if entry.standing is Standing.CARRIED and one.mended is not None]
    filled = [patch for patch in carried if patch.changes]
    found += same_changes(filled, where)
    note = None
    try:
        found += _order(workspace, ref, filled, where)
    except GitError as error:
        note = f"whether the patches apply in order was not looked at: {error}"
    return Looked(ref=ref, state=state, raw=raw, linted=linted, findings=tuple(found), note=note)


def _order(workspace: Workspace, ref: str, patches: Sequence[Patch], where: Place) -> list[Finding]:
    base = workspace.base_of(Series(ref=ref, entries=(), record=workspace.store.record(ref)))
    with ObjectReader(workspace.repo) as reader:
        tree = CommitTree(reader, base.tree)
        touched = {change.old_path for patch in patches for change in patch.changes if change.old_path is not None}
        prefetch(workspace.repo, tree, touched)
        return list(order_findings(patches, tree, where))


def _of_fault(trouble: Trouble, error: SeriesError) -> Finding:
    where = error.where
    file = None if where.file is None else str(short_path(Path(where.file)))
    return Finding(rule=_RULES[trouble], message=error.message, hint=error.hint, where=replace(where, file=file))


def _file(entry: RawEntry) -> str:
    return str(short_path(entry.path))
