"""What a commit may not lose: the facts that carried patches promise, and whether a branch is the one on record."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping

    from patchq.model.anchor import Fact
    from patchq.model.names import PatchName
    from patchq.model.series import Record

# Nothing in here parses source: a commit that touches no patched file does not pay for importing what does (50 ms).
# What it asks of those that do is in `losses`.


@dataclass(frozen=True, slots=True, kw_only=True)
class Promise:
    """A fact that `patch` has put into the file at `path` (bytes, git's path), as the folder of `ref` records it."""

    ref: str
    patch: PatchName
    path: bytes
    fact: Fact


@dataclass(frozen=True, slots=True, kw_only=True)
class OtherBuild:
    """A branch that was not built from the series as it is now.

    `commit` is what it was built as. If it is no longer in the branch's history, `edited` and `dropped` are empty; else
    they say which patches have another text by now, and which the series no longer carries.
    """

    ref: str
    branch: str
    commit: str
    edited: tuple[PatchName, ...] = ()
    dropped: tuple[PatchName, ...] = ()


def promises(ref: str, record: Record, carried: Collection[PatchName]) -> tuple[Promise, ...]:
    """Return every fact in the record of `ref` that a patch still `carried` by its series put there, in order."""
    return tuple(
        Promise(ref=ref, patch=patch.name, path=file.path.encode("utf-8", "surrogateescape"), fact=fact)
        for patch in record.patches
        if patch.verdict.carried and patch.name in carried
        for file in patch.files
        for fact in file.facts
    )


def changed_since(ref: str, record: Record, digests: Mapping[PatchName, str | None]) -> OtherBuild | None:
    """Compare the record of a built branch with the carried patches as they are now (SHA-256, None: no such file).

    A patch that is new in the series is no difference: nothing that the branch has is lost by it.
    """
    built = [patch for patch in record.patches if patch.verdict.carried]
    dropped = tuple(patch.name for patch in built if patch.name not in digests)
    edited = tuple(patch.name for patch in built if patch.name in digests and digests[patch.name] != patch.digest)
    if record.branch is None or record.branch_commit is None or not (dropped or edited):
        return None
    return OtherBuild(ref=ref, branch=record.branch, commit=record.branch_commit, edited=edited, dropped=dropped)
