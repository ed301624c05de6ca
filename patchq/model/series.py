"""The series folder as values: manifest, ordered entries, the record of the last carry, the ledger."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import Enum
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

    from patchq.model.anchor import Fact
    from patchq.model.names import PatchName
    from patchq.model.patch import Patch
    from patchq.model.verdict import ReviewClass, Rung, Verdict

SCHEMA = 1


@dataclass(frozen=True, slots=True)
class RefPoint:
    """An upstream state: how people call it, and the commit and tree it was at the time, as lower-case hex."""

    ref: str
    commit: str
    tree: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Manifest:
    """`series/patchq.yaml`.

    `upstream` is a URL, a remote's name or `pypi:NAME`; `follow` the upstream branch that a bare `rebase` means;
    `current` the folder that verbs work on; `branch` the pattern of built branches, in which `{ref}` is replaced;
    `policy` what later versions may know: kept as it is.
    """

    upstream: str | None
    follow: str | None
    current: str | None
    branch: str = "patched/{ref}"
    policy: Mapping[str, object] = field(default_factory=dict)


class Standing(Enum):
    """Whether an entry of a series takes part in the build."""

    CARRIED = "carried"
    NOT_CARRIED = "not-carried"


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """A patch at its place in a series."""

    patch: Patch
    standing: Standing = Standing.CARRIED


@dataclass(frozen=True, slots=True, kw_only=True)
class PatchRecord:
    """What patchq found out about one patch when it last carried it; `origin` says where it came from first.

    `made_for` is the upstream state that the patch's text fits; for a carried patch that is the record's base.
    `digest` is the SHA-256 of the patch file, so that later edits by hand are noticed.
    """

    name: PatchName
    verdict: Verdict
    rung: Rung | None
    review: ReviewClass | None
    digest: str
    made_for: RefPoint
    origin: str
    evidence: str = ""
    notes: tuple[str, ...] = ()
    files: tuple[FileRecord, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class FileRecord:
    """One file of a recorded patch; `path` is decoded with surrogateescape."""

    path: str
    old_path: str | None
    verdict: Verdict
    rung: Rung | None
    evidence: str
    facts: tuple[Fact, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Record:
    """`record.yaml` of one folder: the upstream it stands on, the built branch, and each patch.

    `branch_commit` is the commit id of the built branch, None before the first build. `carried_from` is the upstream
    state of the series that was carried here, None for a series that was imported here.
    """

    base: RefPoint
    branch: str | None
    branch_commit: str | None
    patches: tuple[PatchRecord, ...]
    carried_from: RefPoint | None = None

    def find(self, name: PatchName) -> PatchRecord | None:
        """Return the entry of `name`, if any."""
        return next((patch for patch in self.patches if patch.name == name), None)


@dataclass(frozen=True, slots=True, kw_only=True)
class Series:
    """One folder of a series: the entries in order, and the comment lines of the `series` file kept with them.

    `lines` is the `series` file as read, so that comments survive a rewrite; `record` is None before the first carry;
    `strays` are patch files in the folder that no line names.
    """

    ref: str
    entries: tuple[Entry, ...]
    lines: tuple[str, ...] = ()
    record: Record | None = None
    strays: tuple[str, ...] = ()

    @property
    def carried(self) -> tuple[Patch, ...]:
        """The patches that a build applies, in order."""
        return tuple(entry.patch for entry in self.entries if entry.standing is Standing.CARRIED)


@dataclass(frozen=True, slots=True, kw_only=True)
class LedgerEntry:
    """A patch that upstream absorbed: where this was seen, on what evidence, and its last text (`raw`).

    `after` names the patch it stood behind (None: first), so that it can return to its old place.
    `commit`, `subject` and `pull_request` name what brought it, when known.
    """

    name: PatchName
    title: str
    seen_at: RefPoint
    how: str
    evidence: str
    after: PatchName | None
    raw: bytes
    commit: str | None = None
    subject: str | None = None
    pull_request: int | None = None


@dataclass(frozen=True, slots=True)
class Ledger:
    """`series/ledger.yaml`: the retired patches, oldest first."""

    entries: tuple[LedgerEntry, ...] = ()
