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


@dataclass(frozen=True, slots=True, kw_only=True)
class Difference:
    """What is other in a series than in the branch that was built from it; false where there is nothing."""

    edited: tuple[PatchName, ...]
    dropped: tuple[PatchName, ...]
    added: tuple[PatchName, ...]

    def __bool__(self) -> bool:
        """Whether anything is other."""
        return bool(self.edited or self.dropped or self.added)


def not_built_from(record: Record, digests: Mapping[PatchName, str | None]) -> Difference:
    """Compare what a record says was built with the carried patches as they are now (SHA-256, None: no such file)."""
    built = {patch.name: patch.digest for patch in record.patches if patch.verdict.carried}
    return Difference(
        edited=tuple(name for name, digest in built.items() if name in digests and digests[name] != digest),
        dropped=tuple(name for name in built if name not in digests),
        added=tuple(name for name in digests if name not in built),
    )


def changed_since(ref: str, record: Record, digests: Mapping[PatchName, str | None]) -> OtherBuild | None:
    """Say what of a built branch the series no longer has, None where that is nothing.

    A patch that is new in the series is no difference: nothing that the branch has is lost by it.
    """
    found = not_built_from(record, digests)
    if record.branch is None or record.branch_commit is None or not (found.dropped or found.edited):
        return None
    commit = record.branch_commit
    return OtherBuild(ref=ref, branch=record.branch, commit=commit, edited=found.edited, dropped=found.dropped)
