"""What its trailers say must become of a patch: whether it is needed, where it belongs, whose it is, until when."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import Enum
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from datetime import date

    from packaging.version import Version


class Need(Enum):
    """What a rebase does when a patch cannot be carried."""

    REQUIRED = "required"  # nothing is published without it
    USUAL = "usual"  # nothing is published without it, unless that is asked for
    OPTIONAL = "optional"  # the others are published without it


@dataclass(frozen=True, slots=True, kw_only=True)
class Policy:
    """The policy of one patch.

    It is carried on versions from `since` on and before `until` (None: no bound). `forwarded` is DEP-3's field as it
    stands; `expires` the last day on which nobody asks whether the patch is still needed.
    """

    need: Need = Need.USUAL
    since: Version | None = None
    until: Version | None = None
    owners: tuple[str, ...] = ()
    forwarded: str | None = None
    expires: date | None = None

    @property
    def condition(self) -> str:
        """The condition as its trailers; empty where there is none."""
        bounds = (("Since", self.since), ("Until", self.until))
        return ", ".join(f"{key}: {bound}" for key, bound in bounds if bound is not None)

    def overdue(self, today: date) -> bool:
        """Whether the patch was to be gone by now."""
        return self.expires is not None and today > self.expires


@dataclass(frozen=True, slots=True)
class Ruling:
    """What a policy means for one replay.

    `guard` says why the patch is not carried there at all, empty where it is; `note` is what a person should know.
    """

    policy: Policy = field(default_factory=Policy)
    guard: str = ""
    note: str = ""
