"""A rung's result that has still to prove itself, with all four texts as trees where there is a grammar."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING

from patchq.model.attempt import EditFate
from patchq.model.verdict import ReviewClass
from patchq.reapply.texts import plain_text
from patchq.syntax.languages import language_of
from patchq.syntax.node import Unread
from patchq.syntax.parse import Forest
from patchq.syntax.residue import residue
from patchq.text.prose import Style, style_of

if TYPE_CHECKING:
    from collections.abc import Callable

    from patchq.model.attempt import Attempt, Case, Edit
    from patchq.model.verdict import Rung
    from patchq.syntax.facts import LanguageFacts
    from patchq.syntax.languages import Language
    from patchq.syntax.node import Tree


@dataclass(frozen=True, slots=True)
class Trees:
    """The four texts of a claim as trees of one forest, and what else is known about their language."""

    language: Language
    base: Tree
    theirs: Tree
    ours: Tree
    result: Tree

    @property
    def facts(self) -> LanguageFacts:
        """The facts of the language."""
        return self.language.facts


@dataclass(frozen=True, slots=True, kw_only=True)
class Claim:
    """`result` is what `rung` makes of `case`; `again` runs the same rung on another case.

    `is_there` tells whether the anchored rung finds every edit of another case in its ours, as the ladder asks first.
    `by_structure` is what the anchored rung says of the same case: a second opinion on a merge by lines.
    """

    case: Case
    rung: Rung
    result: bytes
    edits: tuple[Edit, ...]
    again: Callable[[Case], Attempt]
    is_there: Callable[[Case], bool]
    by_structure: Attempt
    forest: Forest
    trees: Trees | None

    @property
    def style(self) -> Style:
        """How the file is read where there is no tree."""
        return style_of(self.case.path) if language_of(self.case.path) is None else Style.LINES

    @property
    def absorbed_some(self) -> bool:
        """Whether upstream has some of the edits already, so that less than the patch is carried."""
        return any(edit.fate is EditFate.ABSORBED for edit in self.edits)

    @property
    def absorbed_all(self) -> bool:
        """Whether upstream has every edit."""
        return all(edit.fate is EditFate.ABSORBED for edit in self.edits)


@dataclass(frozen=True, slots=True)
class Passed:
    """The gate believes the claim, to be taken as `review` at best; `said` is a phrase for `explain`."""

    said: str
    review: ReviewClass = ReviewClass.A


@dataclass(frozen=True, slots=True)
class Failed:
    """The gate refuses the claim."""

    reason: str


GateAnswer = Passed | Failed


def settled(case: Case) -> Forest:
    """Make a forest for one case, whose trees do not go into what none of the three texts has touched."""
    forest = Forest()
    language = language_of(case.path)
    if language is None or case.ours == case.base:
        return forest
    base, theirs, ours = (plain_text(text) for text in (case.base, case.theirs, case.ours))
    if base is not None and theirs is not None and ours is not None:
        forest.settle(base, theirs, ours, language)
    return forest


def disturbs(trees: Trees) -> bool:
    """Whether the result has changed what was left unread since the case does not turn on it: then all must be read."""
    sides = residue(trees.ours.root, trees.result.root)
    ours, result = (Counter(part.same for part in side if part.whole is not None) for side in sides)
    return ours != result


def trees_of(case: Case, result: bytes, forest: Forest) -> Trees | None:
    """Parse the four texts; None where there is no grammar or one of them cannot be read as a tree."""
    language = language_of(case.path)
    if language is None:
        return None
    trees: list[Tree] = []
    for text in (case.base, case.theirs, case.ours, result):
        tree = forest.tree(plain_text(text) or text, language)
        if isinstance(tree, Unread):
            return None
        trees.append(tree)
    return Trees(language, *trees)
