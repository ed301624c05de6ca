"""One file's change on its way to a new text: the case, and the three answers that a rung can give."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from patchq.model.verdict import AbsorbedHow, ReviewClass, Rung


@dataclass(frozen=True, slots=True, kw_only=True)
class Case:
    """Three texts of one file: `base` and `theirs` = before and after the patch, `ours` = the new upstream.

    `path` is where theirs has the file, `ours_path` where the new upstream has it; both are git paths.
    """

    path: bytes
    ours_path: bytes
    base: bytes
    theirs: bytes
    ours: bytes


class EditFate(Enum):
    """What became of one edit of the patch."""

    CARRIED = "carried"
    ABSORBED = "absorbed"


@dataclass(frozen=True, slots=True, kw_only=True)
class Edit:
    """One atomic edit of the patch, where it went and how it was recognised; `how` is a phrase for people."""

    fate: EditFate
    review: ReviewClass
    anchor: str
    how: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Evidence:
    """Why a result may be believed: the rung, the edits one by one, the gates it passed, notes for the reader."""

    rung: Rung
    edits: tuple[Edit, ...] = ()
    proofs: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()

    @property
    def review(self) -> ReviewClass:
        """The worst class of the edits."""
        return ReviewClass.worst(tuple(edit.review for edit in self.edits))


class ConflictKind(Enum):
    """Why no result is given; it decides between `conflict`, `superseded` and `orphaned`."""

    CLASH = "clash"  # both sides changed the same thing
    AMBIGUOUS = "ambiguous"  # two equally good places
    OTHER_VALUE = "other-value"  # upstream has the same key, name or file with another content
    GONE = "gone"  # what the patch changes does not exist any more
    UNPROVEN = "unproven"  # a result existed, but a gate refused it


@dataclass(frozen=True, slots=True, kw_only=True)
class Conflict:
    """Three sides of the smallest place that could not be merged; each side is source bytes, maybe empty."""

    kind: ConflictKind
    reason: str
    anchor: str
    base: bytes = b""
    theirs: bytes = b""
    ours: bytes = b""


@dataclass(frozen=True, slots=True)
class Applied:
    """The rung has a result: `data` is the whole new file."""

    data: bytes
    evidence: Evidence


@dataclass(frozen=True, slots=True)
class Declined:
    """The rung has no opinion; the next one is asked. `reason` is a phrase for `explain`."""

    reason: str


@dataclass(frozen=True, slots=True)
class Conflicted:
    """The rung knows that this cannot be carried as it is; later rungs may still know better."""

    conflicts: tuple[Conflict, ...]


Attempt = Applied | Declined | Conflicted


@dataclass(frozen=True, slots=True)
class Trial:
    """What one rung answered, kept for `explain`."""

    rung: Rung
    attempt: Attempt


@dataclass(frozen=True, slots=True)
class Carried:
    """The ladder's good answer. `absorbed` says how it was seen that upstream has all of it; None where it has not."""

    data: bytes
    evidence: Evidence
    trials: tuple[Trial, ...]
    absorbed: AbsorbedHow | None = None


@dataclass(frozen=True, slots=True)
class Refused:
    """The ladder's refusal: no rung could prove a result."""

    conflicts: tuple[Conflict, ...]
    trials: tuple[Trial, ...]


Carry = Carried | Refused
