"""What a replay found out, patch by patch and file by file: plain values, ready to publish or to show."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import Enum
from typing import TYPE_CHECKING

from patchq.model.policy import Need, Policy
from patchq.model.verdict import Verdict

if TYPE_CHECKING:
    from collections.abc import Mapping

    from patchq.model.anchor import Fact
    from patchq.model.attempt import Conflict, Trial
    from patchq.model.judgement import UpstreamCommit
    from patchq.model.names import PatchName
    from patchq.model.patch import Patch
    from patchq.model.tree import FileState
    from patchq.model.verdict import AbsorbedHow, ReviewClass, Rung


@dataclass(frozen=True, slots=True, kw_only=True)
class FileOutcome:
    """One file of one patch. `path` is where upstream has it now, `old_path` where the patch had it, if elsewhere.

    `absorbed_edits` are the anchors of those of its edits that upstream has.
    """

    path: bytes
    old_path: bytes | None
    verdict: Verdict
    rung: Rung | None
    review: ReviewClass | None
    evidence: str
    notes: tuple[str, ...] = ()
    facts: tuple[Fact, ...] = ()
    conflicts: tuple[Conflict, ...] = ()
    trials: tuple[Trial, ...] = ()
    absorbed_edits: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class PatchOutcome:
    """One patch on the new upstream.

    `before` is the patch as the series has it; `after` as it is carried (the same object where nothing changed), None
    where it is not carried. `writes` maps each path to its new state (None: deleted) relative to the tree before this
    patch, which is what its commit changes. `blocked_by` names earlier patches that stand open. `held`: it could be
    carried or retired, but waits for a person's look, and nothing of it is published. `fresh` is the text of a guarded
    patch for the new upstream, where it could have been carried. `landed_in` are the commits of upstream that brought
    what it has of the patch, newest first, as far as history shows them; `broken_by` is the one since which it is open.
    `landed` is what upstream has of a partial patch, as a patch for the same base, where that could be told apart.
    """

    name: PatchName
    before: Patch
    after: Patch | None
    verdict: Verdict
    rung: Rung | None
    review: ReviewClass | None
    files: tuple[FileOutcome, ...]
    notes: tuple[str, ...] = ()
    writes: Mapping[bytes, FileState | None] = field(default_factory=dict)
    absorbed_how: AbsorbedHow | None = None
    blocked_by: tuple[PatchName, ...] = ()
    held: bool = False
    policy: Policy = field(default_factory=Policy)
    fresh: Patch | None = None
    landed_in: tuple[UpstreamCommit, ...] = ()
    landed: Patch | None = None
    broken_by: UpstreamCommit | None = None

    @property
    def absorbed_by(self) -> UpstreamCommit | None:
        """The commit of upstream that completed an absorbed patch, if history shows it."""
        return self.landed_in[0] if self.verdict is Verdict.ABSORBED and self.landed_in else None

    @property
    def needs_review(self) -> bool:
        """Whether the answer rests on a place that a person should look at (classes D and E)."""
        return not self.verdict.needs_person and self.review is not None and self.review.needs_review

    @property
    def open(self) -> bool:
        """Whether a person has to decide or to look before it is part of the branch; exit code 3, if it stops."""
        return self.verdict.needs_person or self.held

    @property
    def stops(self) -> bool:
        """Whether nothing is published for its sake; an optional patch that is open stays behind."""
        return self.open and self.policy.need is not Need.OPTIONAL

    @property
    def missed(self) -> bool:
        """Whether it is required and not carried: nothing is published then, whatever is asked for."""
        return self.open and self.policy.need is Need.REQUIRED

    @property
    def facts(self) -> tuple[Fact, ...]:
        """All facts that hold after application, file by file."""
        return tuple(fact for file in self.files for fact in file.facts)


class Answer(Enum):
    """What a new upstream answers when it is asked for a patch of the ledger."""

    ABSORBED = "absorbed"  # it has it
    CHANGED = "changed"  # it went on from it: what it had taken over is another thing now, or gone with its place
    RETURNED = "returned"  # it has it no longer, or never had it: the patch is in the series again
    UNKNOWN = "unknown"  # nothing could be asked


@dataclass(frozen=True, slots=True)
class Asked:
    """A retired patch asked again; `reason` says for a person what is not plain from the answer.

    `outcome` is what became of it when it was carried like any other; None where that was not needed, or not possible.
    `by` is the commit that took it back, as far as history shows it.
    """

    name: PatchName
    answer: Answer
    reason: str = ""
    outcome: PatchOutcome | None = None
    by: UpstreamCommit | None = None


@dataclass(frozen=True, slots=True)
class Replay:
    """A whole series on a new upstream, in series order; `asked` are the patches of the ledger.

    Those of them that return have an outcome like any other, and so have those that were first seen absorbed at the
    very state that is replayed onto: a second run tells what the first one did.
    """

    outcomes: tuple[PatchOutcome, ...]
    asked: tuple[Asked, ...] = ()

    def count(self, verdict: Verdict) -> int:
        """How many patches have `verdict`."""
        return sum(1 for outcome in self.outcomes if outcome.verdict is verdict)

    @property
    def needs_person(self) -> bool:
        """Whether any patch is open and not optional."""
        return any(outcome.stops for outcome in self.outcomes)

    @property
    def missed(self) -> bool:
        """Whether a required patch is not carried."""
        return any(outcome.missed for outcome in self.outcomes)
