"""The one table of explanations: what each verdict, conflict, rung and class means, and what to do and type next."""

from __future__ import annotations

import shlex
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, assert_never

from patchq.model.attempt import ConflictKind
from patchq.model.verdict import AbsorbedHow, ReviewClass, Rung, Verdict
from patchq.report.cells import visible

if TYPE_CHECKING:
    from patchq.model.names import PatchName

NOTHING = "nothing to do"

# The order in which people are told: what is carried, what upstream has, what is open.
TOLD_ORDER = (
    Verdict.CLEAN,
    Verdict.MOVED,
    Verdict.ADAPTED,
    Verdict.PARTIAL,
    Verdict.ABSORBED,
    Verdict.GUARDED,
    Verdict.SUPERSEDED,
    Verdict.ORPHANED,
    Verdict.CONFLICT,
    Verdict.BLOCKED,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Subject:
    """What advice is about: the patch, the upstream ref, and folder and program as the user would type them."""

    name: str = "NAME"
    ref: str = "REF"
    folder: str = "series/REF"
    program: str = "patchq"
    onto: bool = False  # the state told of is not the current one: `explain` must be told the ref
    options: tuple[str, ...] = ()  # what the user gave `rebase` and must give again

    def of(self, name: PatchName) -> Subject:
        """Return the same for one patch of the series."""
        return replace(self, name=str(name))

    @property
    def file(self) -> str:
        """The patch file."""
        return f"{visible(self.folder)}/{self.name}.patch"

    @property
    def series_file(self) -> str:
        """The file that lists the patches."""
        return f"{visible(self.folder)}/series"

    @property
    def explain(self) -> str:
        """The command that shows every rung's answer and the three sides."""
        onto = f" --onto {shlex.quote(visible(self.ref))}" if self.onto else ""
        return f"{self.program} explain {self.name}{onto}"

    @property
    def show(self) -> str:
        """The command that prints the patch."""
        return f"{self.program} show {self.name}"

    def resolve(self, *options: str) -> str:
        """Write the command that lays open what is open; the ref is named where it is not the current one."""
        onto = ("--onto", shlex.quote(visible(self.ref))) if self.onto else ()
        return " ".join((f"{self.program} resolve", *onto, *options, *map(shlex.quote, self.options)))

    def rebase(self, *options: str) -> str:
        """Write the command that carries the series to the ref; a hostile ref is quoted for the shell."""
        ref = shlex.quote(visible(self.ref))
        options = (*options, *map(shlex.quote, self.options))
        return " ".join(
            (f"{self.program} rebase", *((*options, "--", ref) if ref.startswith("-") else (ref, *options)))
        )


@dataclass(frozen=True, slots=True)
class Words:
    """What something means (`phrase`), what to do about it, and the command to type; empty where nothing is to type."""

    phrase: str
    todo: str
    command: str = ""


def of_verdict(verdict: Verdict, subject: Subject) -> Words:  # noqa: C901 - one case for each verdict
    """Explain a verdict of a patch."""
    match verdict:
        case Verdict.CLEAN:
            return Words("the same lines in the same context", NOTHING)
        case Verdict.MOVED:
            return Words("merged as text; the patch is rewritten for the new lines", NOTHING)
        case Verdict.ADAPTED:
            return Words("carried as syntax and proved", "read it once:", subject.show)
        case Verdict.PARTIAL:
            return Words("upstream has a part of it; the rest is carried", "read what is left of it:", subject.show)
        case Verdict.ABSORBED:
            return Words("upstream has all of it", f"{NOTHING}: it is kept in the ledger and judged again on every ref")
        case Verdict.GUARDED:
            return Words(
                "its own Since: or Until: keeps it out of this version",
                f"{NOTHING}: it stays in the series, and comes back by itself where the condition holds",
            )
        case Verdict.SUPERSEDED:
            return Words(
                "upstream changed the same thing to something else",
                f"to keep yours, edit {subject.file} until it fits {visible(subject.ref)}; "
                f"to take upstream's, delete that part from it, or its line from {subject.series_file} "
                "if nothing else is left",
                subject.rebase(),
            )
        case Verdict.ORPHANED:
            return Words(
                "what it patches is gone from upstream",
                f"if it is still needed, edit {subject.file} for the code that is there now; "
                f"if not, delete that part from it, or its line from {subject.series_file} if nothing else is left",
                subject.rebase(),
            )
        case Verdict.CONFLICT:
            return Words(
                "no way to carry it could be proved right",
                f"edit {subject.file} until it fits {visible(subject.ref)}",
                subject.rebase(),
            )
        case Verdict.BLOCKED:
            return Words(
                "not tried: it touches what an earlier patch left open",
                "settle the patch that it waits for; then it is tried again by itself",
            )
        case _:
            assert_never(verdict)


def of_conflict(kind: ConflictKind, subject: Subject) -> Words:
    """Explain why a place could not be merged."""
    match kind:
        case ConflictKind.CLASH:
            return Words("both sides changed it", f"write the place as it should be now into {subject.file}")
        case ConflictKind.AMBIGUOUS:
            return Words(
                "it fits in two places", f"make the hunk in {subject.file} longer, until it fits in one place only"
            )
        case ConflictKind.OTHER_VALUE:
            return Words(
                "upstream has another value",
                f"to keep yours, change upstream's value in {subject.file}; "
                "to take upstream's, delete that part from it",
            )
        case ConflictKind.GONE:
            return Words(
                "it is gone from upstream",
                f"find where upstream does this now and rewrite the hunk in {subject.file}, or delete the hunk",
            )
        case ConflictKind.UNPROVEN:
            return Words("a check refused the result", f"make the change by hand and write it into {subject.file}")
        case _:
            assert_never(kind)


def of_rung(rung: Rung, subject: Subject) -> Words:
    """Explain how a change was carried."""
    match rung:
        case Rung.EXACT:
            return Words("the same lines at the same place", NOTHING)
        case Rung.OFFSET:
            return Words("the same lines, further up or down", NOTHING)
        case Rung.THREE_WAY:
            return Words("text merge with what upstream changed around it", NOTHING)
        case Rung.ANCHORED:
            return Words("placed by the name or key it belongs to", "read it once:", subject.show)
        case Rung.STRUCTURAL:
            return Words("carried line of code by line of code", "read it once:", subject.show)
        case _:
            assert_never(rung)


def of_review(review: ReviewClass, subject: Subject) -> Words:
    """Explain a class: how far a result may be taken without looking."""
    accept = subject.rebase("--accept", "review")
    match review:
        case ReviewClass.A:
            return Words("exact text, or a text merge that passed every check", NOTHING)
        case ReviewClass.B:
            return Words("an entry placed by its key, in the same scope", NOTHING)
        case ReviewClass.C:
            return Words("the smallest piece of syntax was replaced as a whole", "read it once:", subject.show)
        case ReviewClass.D:
            return Words(
                "one neighbour only, or upstream changed the same expression",
                "look at it; if it is right:",
                accept,
            )
        case ReviewClass.E:
            return Words("its place was found by likeness, not by name", "look at it closely; if it is right:", accept)
        case _:
            assert_never(review)


def of_absorption(how: AbsorbedHow | None, review: ReviewClass | None = None) -> str:
    """Say how an absorption was recognised; by likeness it only seems so."""
    if review is ReviewClass.E:
        return "upstream seems to have it"
    match how:
        case AbsorbedHow.PATCH_ID:
            return "upstream has the same patch"
        case AbsorbedHow.TREE:
            return "upstream has the same files"
        case AbsorbedHow.HUNKS:
            return "upstream has the same lines"
        case AbsorbedHow.SYNTAX:
            return "upstream has the same code"
        case None:
            return "upstream has all of it"
        case _:
            assert_never(how)


def counted(number: int, noun: str, plural: str | None = None) -> str:
    """Write `1 patch`, `2 patches`: the noun gets an `s` unless `plural` says otherwise."""
    return f"{number} {noun if number == 1 else plural or noun + 's'}"


def commit_digits(commit: str) -> str:
    """Shorten a commit id to what people read and git still takes."""
    return visible(commit[:10])
