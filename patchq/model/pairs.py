"""A patch in two states of a series: what a comparison puts side by side."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from patchq.model.series import Entry


@dataclass(frozen=True, slots=True)
class Placed:
    """A patch and its position in its series, from 1."""

    position: int
    entry: Entry


@dataclass(frozen=True, slots=True)
class Pair:
    """One patch in two series; None where one of them does not have it."""

    left: Placed | None
    right: Placed | None
