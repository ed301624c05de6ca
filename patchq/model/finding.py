"""Findings of lint: a rule by name, how bad it is, where, what is wrong, and what to type."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from patchq.errors import Where


class Severity(Enum):
    """How bad a finding is; a note is worth knowing and no reason to fail."""

    ERROR = "error"
    WARNING = "warning"
    NOTE = "note"


class Rule(Enum):
    """Every rule of `patchq lint` by the name that people type."""

    MALFORMED = "malformed"  # no verb can read it
    WRONG_COUNT = "wrong-count"  # an @@ line promises other lines than follow
    TRIMMED_BLANK = "trimmed-blank"  # blank context lines without their blank
    LINE_ENDS = "line-ends"  # added lines end otherwise than the lines around them
    NO_REASON = "no-reason"  # a subject and nothing that says why
    NO_STATUS = "no-status"  # nothing says whether upstream was asked
    UNKNOWN_TRAILER = "unknown-trailer"  # nearly a known one
    MISSPELT_INTENT = "misspelt-intent"  # nearly Expect: or Mirror:, and so without effect
    MALFORMED_POLICY = "malformed-policy"  # a trailer of its policy, or a probe, that cannot be meant
    UNCLEAR_STATUS = "unclear-status"  # Forwarded: says neither where nor why not
    CHANGES_NOTHING = "changes-nothing"
    SAME_CHANGE = "same-change"  # two patches do the same
    CASE_TWINS = "case-twins"  # names that are one on some file systems
    SERIES_LINE = "series-line"  # a line of `series` that cannot be read
    MISSING_FILE = "missing-file"  # `series` names a file that is not there
    STRAY_FILE = "stray-file"  # a patch file that `series` does not name
    DOES_NOT_APPLY = "does-not-apply"  # on its base with the patches before it
    WRONG_ORDER = "wrong-order"  # it applies only behind a later one
    DAMAGED_CONTEXT = "damaged-context"  # its lines are the file's but for white space at their ends
    LEANS_ON = "leans-on"  # its context is another patch's, which it does not change
    APART = "apart"  # it changes lines of a patch that is not its neighbour


_NOTES = frozenset({Rule.LEANS_ON, Rule.APART})
_WARNINGS = frozenset(
    {
        Rule.TRIMMED_BLANK,
        Rule.LINE_ENDS,
        Rule.NO_REASON,
        Rule.NO_STATUS,
        Rule.UNKNOWN_TRAILER,
        Rule.UNCLEAR_STATUS,
        Rule.CHANGES_NOTHING,
        Rule.SAME_CHANGE,
        Rule.STRAY_FILE,
    }
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding:
    """One thing that is wrong, where, and what to do; `fixable` is what `--fix` repairs."""

    rule: Rule
    message: str
    where: Where
    hint: str | None = None
    fixable: bool = False

    @property
    def severity(self) -> Severity:
        """How bad it is, which the rule decides."""
        if self.rule in _NOTES:
            return Severity.NOTE
        return Severity.WARNING if self.rule in _WARNINGS else Severity.ERROR
