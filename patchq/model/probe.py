"""Commands that a patch carries as proof, how they ended on two trees, and what that says of the patch."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum


class Ending(Enum):
    """How a command ended."""

    PASSED = "passed"
    FAILED = "failed"
    TIMED_OUT = "timed out"
    NOT_RUN = "cannot be run"


class ProbeVerdict(Enum):
    """What a probe says of its patch."""

    NEEDED = "needed"  # fails on upstream, passes with the patches
    ABSORBED = "probably absorbed"  # passes on both
    BROKEN = "broken probe"  # does not pass with the patches, so it shows nothing


@dataclass(frozen=True, slots=True, kw_only=True)
class Probe:
    """One trailer: its key, and its command as words, which no shell reads."""

    key: str
    words: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Ran:
    """One command on one tree: its ending, its exit code if it ended by itself, and the last of what it printed."""

    ending: Ending
    code: int | None = None
    tail: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Probed:
    """A probe run on both trees."""

    probe: Probe
    pristine: Ran
    patched: Ran

    @property
    def verdict(self) -> ProbeVerdict:
        """Weigh the two endings; a command that cannot be run on either tree shows nothing."""
        endings = self.pristine.ending, self.patched.ending
        if self.patched.ending is not Ending.PASSED or Ending.NOT_RUN in endings:
            return ProbeVerdict.BROKEN
        return ProbeVerdict.ABSORBED if self.pristine.ending is Ending.PASSED else ProbeVerdict.NEEDED
