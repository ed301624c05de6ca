"""What is said of one patch at one ref, be it recorded long ago or found by a dry run just now."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from patchq.model.policy import Need, Policy
from patchq.model.series import Standing
from patchq.model.verdict import Verdict
from patchq.report.notes import brought_by
from patchq.report.status import edited_since

if TYPE_CHECKING:
    from collections.abc import Mapping

    from patchq.errors import PatchFormatError
    from patchq.model.names import PatchName
    from patchq.model.series import Entry, PatchRecord, Series
    from patchq.model.verdict import ReviewClass, Rung

EDITED = "its file was edited after it was last carried"


@dataclass(frozen=True, slots=True, kw_only=True)
class State:
    """One patch at one ref; texts are as they were found, not made safe for any screen.

    `verdict` is None before the first carry. `held`: it could be carried or retired, but waits for a person's look.
    `places` say what is open and why, `brought` which commits of upstream have it or a part of it; `expired` is the day
    by which it was to be gone, where that has passed.
    """

    name: PatchName
    title: str
    verdict: Verdict | None
    rung: Rung | None = None
    review: ReviewClass | None = None
    needs_review: bool = False
    held: bool = False
    need: Need = Need.USUAL
    expired: str = ""
    notes: tuple[str, ...] = ()
    places: tuple[str, ...] = ()
    brought: tuple[str, ...] = ()

    @property
    def needs_person(self) -> bool:
        """Whether it is not carried until somebody decides."""
        return self.verdict is not None and self.verdict.needs_person

    @property
    def open(self) -> bool:
        """Whether a person has to decide or to look before it is part of the branch."""
        return self.needs_person or self.held

    @property
    def stops(self) -> bool:
        """Whether somebody has to do something; an optional patch that is open stays behind."""
        return self.open and self.need is not Need.OPTIONAL

    @property
    def missed(self) -> bool:
        """Whether it is required and not carried."""
        return self.open and self.need is Need.REQUIRED

    @property
    def how(self) -> str:
        """The rung and, where it matters, the class: `anchored`, `structural, class D`."""
        rung = self.rung.value if self.rung is not None else ""
        review = f"class {self.review.value}" if self.review is not None and self.review.needs_review else ""
        return ", ".join(filter(None, (rung, review)))


def recorded_states(series: Series, policies: Mapping[PatchName, Policy | PatchFormatError]) -> tuple[State, ...]:
    """Give what the record of a series and the trailers of its patches say of them, in order."""
    records = {one.name: one for one in series.record.patches} if series.record is not None else {}
    return tuple(
        _state(entry, records.get(entry.patch.name), policies.get(entry.patch.name)) for entry in series.entries
    )


def _state(entry: Entry, record: PatchRecord | None, policy: Policy | PatchFormatError | None) -> State:
    name, title = entry.patch.name, entry.patch.message.title
    need = policy.need if isinstance(policy, Policy) else Need.USUAL
    if record is None:
        return State(name=name, title=title, verdict=None, need=need)
    left_out = entry.standing is Standing.NOT_CARRIED and record.verdict is not Verdict.GUARDED
    review = record.review is not None and record.review.needs_review and not record.verdict.needs_person
    edited = (EDITED,) if edited_since(entry.patch, record) else ()
    return State(
        name=name,
        title=title,
        verdict=record.verdict,
        rung=record.rung,
        review=record.review,
        needs_review=review,
        held=left_out and not record.verdict.needs_person,
        need=need,
        notes=(*record.notes, *edited),
        places=_places(record) if left_out else (),
        brought=tuple(map(brought_by, record.landed_in)),
    )


def _places(record: PatchRecord) -> tuple[str, ...]:
    """Say why it is open: file by file, else in the one sentence that was recorded."""
    files = [file for file in record.files if file.verdict.needs_person and file.evidence]
    told = tuple(f"{file.path}: {file.evidence}" for file in files)
    return told or ((record.evidence,) if record.evidence else ())
