"""The series folder as values: manifest, ordered entries, the record of the last carry, the ledger."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import Enum
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

    from patchq.model.anchor import Fact
    from patchq.model.judgement import UpstreamCommit
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
    `digest` is the SHA-256 of the patch file, so that later edits by hand are noticed. `landed_in` are the commits that
    brought what upstream has of a partial patch, newest first.
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
    landed_in: tuple[UpstreamCommit, ...] = ()
    files: tuple[FileRecord, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class FileRecord:
    """One file of a recorded patch; `path` is decoded with surrogateescape, `absorbed_edits` as in `FileOutcome`."""

    path: str
    old_path: str | None
    verdict: Verdict
    rung: Rung | None
    evidence: str
    facts: tuple[Fact, ...] = ()
    absorbed_edits: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Record:
    """`record.yaml` of one folder: the upstream it stands on, the built branch, and each patch.

    `branch_commit` is the commit id of the built branch, None before the first build. `carried_from` is the upstream
    state of the series that was carried here, None for a series that was imported here. `retired` names the patches
    that the series would have, if `base` did not have them already: these are asked again from the ledger. None where
    that was not written down: then it is all of the ledger.
    """

    base: RefPoint
    branch: str | None
    branch_commit: str | None
    patches: tuple[PatchRecord, ...]
    carried_from: RefPoint | None = None
    retired: tuple[PatchName, ...] | None = None

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


class Retirement(Enum):
    """Why a patch has left the series."""

    ABSORBED = "absorbed"  # upstream has it; asked again at every carry
    DROPPED = "dropped"  # a person took it out; never asked again


class Seen(Enum):
    """A turn in the story of a retired patch."""

    ABSORBED = "absorbed"
    RETURNED = "returned"  # upstream has it no longer, or is a ref that never had it


@dataclass(frozen=True, slots=True, kw_only=True)
class Sighting:
    """What was seen of a retired patch at an upstream state, and the commit that made it so, when known."""

    seen: Seen
    at: RefPoint
    commit: str | None = None
    subject: str | None = None
    pull_request: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class LedgerEntry:
    """A patch that has left the series: where this was seen last, on what evidence, and its last text (`raw`).

    `after` names the patch it stood behind (None: first), so that it can return to its old place.
    `commit`, `subject` and `pull_request` name what brought it, when known; `found_in` the files that have it at
    `seen_at` (decoded with surrogateescape). The text fits `made_for` after the patches whose texts are `stands_on`;
    None where that was not written down. `history` is all that was seen, oldest first, once there is more than the
    one absorption. `part_of` names the patch that this is the landed half of; the rest of it has stayed in the series.
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
    reason: Retirement = Retirement.ABSORBED
    made_for: RefPoint | None = None
    stands_on: tuple[bytes, ...] = ()
    found_in: tuple[str, ...] = ()
    history: tuple[Sighting, ...] = ()
    part_of: PatchName | None = None

    @property
    def sightings(self) -> tuple[Sighting, ...]:
        """All that was seen of it, oldest first."""
        first = Sighting(
            seen=Seen.ABSORBED,
            at=self.seen_at,
            commit=self.commit,
            subject=self.subject,
            pull_request=self.pull_request,
        )
        return self.history or (first,)


@dataclass(frozen=True, slots=True)
class Ledger:
    """`series/ledger.yaml`: the retired patches, oldest first."""

    entries: tuple[LedgerEntry, ...] = ()

    def find(self, name: PatchName) -> LedgerEntry | None:
        """Return the entry of `name`, if any; the last one, for older ledgers had one for each ref."""
        return next((entry for entry in reversed(self.entries) if entry.name == name), None)
