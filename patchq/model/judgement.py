"""Whether a patch is still needed on a tree: the word, and what was found of each of its edits."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from patchq.model.patch import GitDate
    from patchq.model.verdict import AbsorbedHow


class Need(Enum):
    """What a tree makes of a patch, or of one edit of it."""

    NEEDED = "needed"  # the tree has nothing of it
    PARTIAL = "partial"  # some of its edits are there, the others are not
    ABSORBED = "absorbed"  # all of it is there, exactly or in other words
    SUPERSEDED = "superseded"  # the tree has the same thing with another content: a person decides
    ORPHANED = "orphaned"  # what it changes is gone: a person decides
    UNKNOWN = "unknown"  # nothing of this could be shown


@dataclass(frozen=True, slots=True, kw_only=True)
class EditFinding:
    """One edit of a patch on a tree.

    `path` is where the tree has the file (git path), `line` the first line (from 1) of the edit there or of where it
    would be, None where that is not known; `anchor` the address of what it changes, as far as there is one. `how` says
    by what an absorbed edit was recognised; `reason` is a phrase for people.
    """

    path: bytes
    anchor: str
    line: int | None
    need: Need
    how: AbsorbedHow | None
    reason: str


@dataclass(frozen=True, slots=True)
class Judgement:
    """The word for a whole patch, and its edits in the order of the patch."""

    need: Need
    edits: tuple[EditFinding, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class UpstreamCommit:
    """A commit of upstream as it is named to people: id in hex, subject, author date, pull request if one is known."""

    commit: str
    subject: str
    date: GitDate
    pull_request: int | None = None
