"""Anchors: structural addresses such as `path::Class.attribute[12]`, independent of lines and formatting."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum


class StepKind(Enum):
    """How a step goes from a node to one below it."""

    NAME = "name"  # .name        a definition, an assigned name, an imported name
    ENTRY = "entry"  # [key]      a dict entry by its key, a list, tuple or set element by its text
    ARGUMENT = "argument"  # (name)  a parameter or a keyword argument


@dataclass(frozen=True, slots=True)
class Step:
    """One step of an address; `text` is the name, or the key as normalised source text."""

    kind: StepKind
    text: str

    def __str__(self) -> str:
        """Write the step as it stands in an address, a name without its dot."""
        match self.kind:
            case StepKind.NAME:
                return self.text
            case StepKind.ENTRY:
                return f"[{self.text}]"
            case StepKind.ARGUMENT:
                return f"({self.text})"


@dataclass(frozen=True, slots=True)
class Anchor:
    """A file and a way down into it; no steps means the file itself. `path` is decoded with surrogateescape."""

    path: str
    steps: tuple[Step, ...] = ()

    def __str__(self) -> str:
        """Write `path::A.b[12]`; the reader is `patchq.patchfile.intents.parse_anchor`."""
        out = f"{self.path}::"
        for index, step in enumerate(self.steps):
            if step.kind is StepKind.NAME and index:
                out += "."
            out += str(step)
        return out


@dataclass(frozen=True, slots=True)
class Expect:
    """`Expect: ANCHOR`: this node must exist after application, wherever its file has moved to."""

    anchor: Anchor


@dataclass(frozen=True, slots=True)
class Mirror:
    """`Mirror: ANCHOR = [SIBLING]`: the anchor's last step is an entry that copies its sibling's value."""

    anchor: Anchor
    sibling: Step


Intent = Expect | Mirror


@dataclass(frozen=True, slots=True, kw_only=True)
class Fact:
    """What a carried patch put at an anchor: token texts that must (`holds`) and must not (`lacks`) stand there.

    Each entry is the source of one edit with comments dropped and white space reduced to single blanks, so that
    it can be checked in any tree without git, by people too. `anchor` is written out as text for the record.
    """

    anchor: str
    holds: tuple[str, ...] = ()
    lacks: tuple[str, ...] = ()
