"""From a series of changes to commits: one fast-import process, the same ids on every machine, no reference touched."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from patchq.errors import PublishError
from patchq.gitstore.fastimport import Commit, import_commits
from patchq.gitstore.rawdiff import parse_raw

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from patchq.gitstore.fastimport import Written
    from patchq.gitstore.repository import Repository
    from patchq.model.patch import GitDate, Person
    from patchq.model.tree import FileState


@dataclass(frozen=True, slots=True, kw_only=True)
class CommitSpec:
    """What one commit says and does: `writes` maps each path to its new state, None deletes; all else stays.

    The committer is the author and commits at the author's date: nothing of the machine gets into the id.
    """

    message: bytes
    author: Person
    date: GitDate
    writes: Mapping[bytes, FileState | None]


def write_commits(repo: Repository, base_commit: str | None, specs: Sequence[CommitSpec]) -> tuple[Written, ...]:
    """Write `specs` as a chain on top of `base_commit` (full id; None: a root) and return the ids in order.

    The objects are complete but nothing refers to them: until a reference is moved there, `git gc` takes them away
    after its period of grace. PublishError where git refuses, and for paths that no checkout could survive.
    """
    root = () if base_commit is None else (base_commit,)
    written = import_commits(
        repo,
        [
            Commit(
                message=spec.message,
                person=spec.author,
                date=spec.date,
                writes=spec.writes,
                parents=root if index == 0 else None,
            )
            for index, spec in enumerate(specs)
        ],
    )
    _prove_nothing_else_changed(repo, written, specs)
    return written


def _prove_nothing_else_changed(repo: Repository, written: Sequence[Written], specs: Sequence[CommitSpec]) -> None:
    """Refuse a chain in which a commit touches a path it was not told to.

    A file written where the tree has a folder (or below where it has a file) makes fast-import drop what was there
    without a word. One diff of all commits finds that and anything like it: 100 commits in 12 ms.
    """
    told = {result.commit: spec.writes for result, spec in zip(written, specs, strict=True)}
    wanted = "".join(f"{commit}\n" for commit in told).encode()
    output = repo.git.run("diff-tree", "-r", "-z", "--raw", "--no-renames", "--root", "--stdin", stdin=wanted)
    for change in parse_raw(output):
        if change.commit is not None and change.old_path not in told[change.commit]:
            raise PublishError(
                f"writing the series would also change {change.old_path!r}",
                hint="a patch makes a file where the tree has a folder, or the reverse",
            )
