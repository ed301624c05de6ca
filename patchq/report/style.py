"""How text is dressed for a terminal: colour or none, and how wide."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import assert_never

from patchq.model.verdict import Verdict

NARROWEST = 40


class Colour(Enum):
    """Whether ANSI sequences are written; the caller knows the terminal and the user's wishes."""

    OFF = "off"
    ON = "on"


class Tint(Enum):
    """A rendition, by its parameter in `ESC [ n m` (ECMA-48, 8.3.117, select graphic rendition)."""

    BOLD = "1"
    FAINT = "2"
    RED = "31"
    GREEN = "32"
    YELLOW = "33"
    CYAN = "36"


@dataclass(frozen=True, slots=True)
class Style:
    """Colour, and the width of the terminal in cells. Nothing is laid out for less than 40 cells.

    `program` is how patchq is called here, with the options that say where it works, for commands to type next.
    """

    colour: Colour = Colour.OFF
    width: int = 80
    program: str = "patchq"

    @property
    def columns(self) -> int:
        """The width that text is laid out for."""
        return max(self.width, NARROWEST)

    def paint(self, text: str, tint: Tint | None) -> str:
        """Put `tint` around `text`, which has been cut and padded before: sequences have no width."""
        match self.colour:
            case Colour.OFF:
                return text
            case Colour.ON:
                return f"\x1b[{tint.value}m{text}\x1b[0m" if text and tint is not None else text
            case _:
                assert_never(self.colour)


def verdict_tint(verdict: Verdict) -> Tint | None:
    """Green needs nothing, cyan is worth a look, yellow waits, red needs a person; absorbed steps back."""
    match verdict:
        case Verdict.CLEAN | Verdict.MOVED:
            return Tint.GREEN
        case Verdict.ADAPTED | Verdict.PARTIAL:
            return Tint.CYAN
        case Verdict.ABSORBED | Verdict.GUARDED:
            return Tint.FAINT
        case Verdict.BLOCKED:
            return Tint.YELLOW
        case Verdict.SUPERSEDED | Verdict.ORPHANED | Verdict.CONFLICT:
            return Tint.RED
        case _:
            assert_never(verdict)
