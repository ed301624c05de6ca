"""The numbers that make constructs of several texts comparable: by structure, or by text where that is enough."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

    from patchq.syntax.facts import LanguageFacts

# What two ways to write one thing can differ in, beside the brackets of the language: white space, quotes, commas.
_LOOSE = b" \t\r\n\f\v,;\\\"'`()[]{}"
# Longer texts are read again instead of being kept as keys.
_LONGEST_KNOWN = 65_536


@dataclass(frozen=True, slots=True)
class Known:
    """What the first node with a text was found to be.

    `length` is without a line end that is not its own; it is nested no deeper than `levels`.
    """

    same: int
    exact: int
    length: int
    levels: int
    bare: bytes | None = None


@dataclass(slots=True)
class Identities:
    """Numbers for constructs: equal where `Node` says so, for all trees of one forest.

    Most constructs never meet another one that could be equal to them and is written differently. So a construct is
    numbered by its text, unread. `_forms` knows which reduced text (see `Reduction`) has been seen in which shape: when
    a second text with the same reduced form comes, the first one is read, its structure gets its number, and the
    structure of the second one decides.
    """

    _ids: dict[tuple[object, ...], int] = field(default_factory=dict)
    _forms: dict[tuple[str, int], Callable[[], None] | None] = field(default_factory=dict)
    _known: dict[tuple[object, ...], Known] = field(default_factory=dict)

    def intern(self, *key: object) -> int:
        """Return the number of a structure."""
        return self._ids.setdefault(key, len(self._ids))

    def known(self, key: tuple[object, ...]) -> Known | None:
        """Return what was found for a kind and a text."""
        return self._known.get(key)

    def learn(self, key: tuple[object, ...], text: bytes, found: Known) -> None:
        """Remember what a text is."""
        if len(text) <= _LONGEST_KNOWN:
            self._known[key] = found

    def by_text(self, form: tuple[str, int], structure: Callable[[], tuple[object, ...]]) -> int | None:
        """Give a number to a construct unread; None where another of the same reduced form must be told from it."""
        if form in self._forms:
            return None
        number = len(self._ids)
        self._ids["by text", form] = number

        def settle() -> None:
            self._ids.setdefault(structure(), number)

        self._forms[form] = settle
        return number

    def by_structure(self, form: tuple[str, int], structure: tuple[object, ...]) -> int:
        """Give a number to a construct that has been read, after the one of its reduced form that has not been."""
        settle = self._forms.get(form)
        self._forms[form] = None
        if settle is not None:
            settle()
        return self.intern(*structure)


@dataclass(frozen=True, slots=True)
class Reduction:
    """Brings texts to a form that two constructs share if one is a way to write the other; not the other way round."""

    dropped: bytes

    @classmethod
    def of(cls, facts: LanguageFacts) -> Reduction:
        """Drop what the identities of a language do not count."""
        marks = facts.brackets | facts.optional | facts.blanks
        return cls(_LOOSE + "".join(mark for mark in marks if len(mark) == 1).encode())

    def form(self, kind: str, text: bytes) -> tuple[str, int]:
        """Return a key for a text without comments; a collision costs a look inside, no more."""
        return kind, hash(text.lower().translate(None, self.dropped))
