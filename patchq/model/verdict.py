"""Verdicts, rungs and classes: the words that patchq answers with, worst last."""

from __future__ import annotations

from enum import Enum


class Verdict(Enum):
    """What became of a patch (or of one file of it) on a new upstream, ordered from harmless to open."""

    ABSORBED = "absorbed"
    CLEAN = "clean"
    MOVED = "moved"
    ADAPTED = "adapted"
    PARTIAL = "partial"
    GUARDED = "guarded"  # its own condition keeps it out of this upstream
    BLOCKED = "blocked"
    SUPERSEDED = "superseded"
    ORPHANED = "orphaned"
    CONFLICT = "conflict"

    @property
    def sigil(self) -> str:
        """One character for tables."""
        return _SIGILS[self]

    @property
    def needs_person(self) -> bool:
        """Whether the patch is not carried until a person decides; such a verdict makes exit code 3."""
        return self in _OPEN

    @property
    def carried(self) -> bool:
        """Whether the patch is part of the built branch."""
        return self in _CARRIED

    @property
    def severity(self) -> int:
        """Rank for `worst of its files`; higher is worse."""
        return tuple(Verdict).index(self)


_SIGILS = {
    Verdict.CLEAN: "+",
    Verdict.MOVED: "~",
    Verdict.ADAPTED: "*",
    Verdict.PARTIAL: "/",
    Verdict.ABSORBED: "-",
    Verdict.GUARDED: "o",
    Verdict.SUPERSEDED: "=",
    Verdict.ORPHANED: "?",
    Verdict.CONFLICT: "!",
    Verdict.BLOCKED: ".",
}
_OPEN = frozenset({Verdict.SUPERSEDED, Verdict.ORPHANED, Verdict.CONFLICT, Verdict.BLOCKED})
_CARRIED = frozenset({Verdict.CLEAN, Verdict.MOVED, Verdict.ADAPTED, Verdict.PARTIAL})


class Rung(Enum):
    """The step of the ladder that carried a file's change."""

    EXACT = "exact"
    OFFSET = "offset"
    THREE_WAY = "three-way"
    ANCHORED = "anchored"
    STRUCTURAL = "structural"


class AbsorbedHow(Enum):
    """How an absorption was recognised."""

    PATCH_ID = "patch-id"
    TREE = "tree"
    HUNKS = "hunks"
    SYNTAX = "syntax"


class ReviewClass(Enum):
    """How far a result may be taken without looking (A: at once … E: never); worst last."""

    A = "A"  # exact text, or a text merge with every gate passed
    B = "B"  # keyed edit in the same scope, no similarity involved
    C = "C"  # smallest subtree replaced as a whole, or aligned by fields
    D = "D"  # relocated, one anchor only, shared gap, comment drift
    E = "E"  # key renamed, or anchor found by similarity

    @property
    def needs_review(self) -> bool:
        """Whether the result is published only after somebody has accepted it."""
        return self in {ReviewClass.D, ReviewClass.E}

    @staticmethod
    def worst(classes: tuple[ReviewClass, ...]) -> ReviewClass:
        """Return the last of `classes` in the order A … E; A when there is none."""
        order = tuple(ReviewClass)
        return max(classes, key=order.index, default=ReviewClass.A)


class Accept(Enum):
    """What is carried without a person's look."""

    PROVEN = "proven"  # classes A, B and C
    REVIEW = "review"  # D and E too
