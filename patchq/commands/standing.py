"""Where the checkout stands on the built branch: HEAD is one of its commits; the patches up to there are applied."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from patchq.gitstore.branches import is_ancestor
from patchq.gitstore.history import commits
from patchq.model.names import PatchName
from patchq.patchfile.trailers import split_trailers, trim_blank_lines
from patchq.queue.settle import PATCH_TRAILER

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from patchq.commands.workspace import Workspace
    from patchq.gitstore.repository import Repository
    from patchq.model.series import Record


@dataclass(frozen=True, slots=True)
class Step:
    """A commit of a built branch, and the patch that it is."""

    name: PatchName
    commit: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Standing:
    """HEAD of this checkout on the built branch: on the branch itself (`attached`), or detached at one of its commits.

    `steps` are the commits of the branch on top of `base`, of which the first `applied` are those up to HEAD.
    """

    branch: str
    base: str
    steps: tuple[Step, ...]
    applied: int
    attached: bool

    @property
    def head(self) -> str:
        """The commit of HEAD."""
        return self.steps[self.applied - 1].commit if self.applied else self.base

    @property
    def tip(self) -> str:
        """The commit of the branch."""
        return self.steps[-1].commit if self.steps else self.base

    @property
    def names(self) -> tuple[PatchName, ...]:
        """The applied patches, in order."""
        return tuple(step.name for step in self.steps[: self.applied])


def standing_of(workspace: Workspace, record: Record | None) -> Standing | None:
    """Say where the checkout stands on the branch of `record`; None where it does not, or nothing is built."""
    repo = workspace.repo
    if record is None or record.branch is None or record.branch_commit is None or repo.work_tree is None:
        return None
    branch, head = repo.current_branch, repo.head
    base = workspace.find(record.base)
    if head is None or base is None or branch not in {None, record.branch}:
        return None
    if not is_ancestor(repo, head, record.branch_commit) or not is_ancestor(repo, base.commit, head):
        return None
    steps = steps_of(repo, base.commit, record.branch_commit)
    places = [base.commit, *(step.commit for step in steps or ())]
    if steps is None or head not in places:
        return None
    return Standing(
        branch=record.branch,
        base=base.commit,
        steps=steps,
        applied=places.index(head),
        attached=branch is not None,
    )


def where_undone(repo: Repository, standing: Standing | None, branch: str, tip: str | None) -> str | None:
    """Say where HEAD, which is on `branch`, belongs when the branch is back at `tip`; None where it does not follow."""
    if standing is None or standing.branch != branch or tip is None or not is_ancestor(repo, standing.base, tip):
        return None
    steps = steps_of(repo, standing.base, tip)
    return None if steps is None else place_after(standing, steps, {})


def steps_of(repo: Repository, base: str, tip: str) -> tuple[Step, ...] | None:
    """Read the commits of a built branch, oldest first; None where one of them is not of patchq's making."""
    steps = []
    for info in commits(repo, f"{base}..{tip}"):
        _, trailers = split_trailers(trim_blank_lines(info.message))
        told = [trailer.value.strip() for trailer in trailers if trailer.key == PATCH_TRAILER]
        if not told or not PatchName.is_legal(told[-1]):
            return None
        steps.append(Step(PatchName(told[-1]), info.commit))
    return tuple(steps)


def place_after(
    standing: Standing, steps: Sequence[Step], heirs: Mapping[PatchName, PatchName], top: PatchName | None = None
) -> str:
    """Find the commit among the new `steps` where HEAD belongs: `top`, the tip, or the topmost patch that was applied.

    `heirs` maps names of old patches to those that have taken their place.
    """
    commit_of = {step.name: step.commit for step in steps}
    if top is not None:
        return commit_of[top]
    if standing.applied == len(standing.steps):
        return steps[-1].commit if steps else standing.base
    for name in reversed(standing.names):
        heir = heirs.get(name, name)
        if heir in commit_of:
            return commit_of[heir]
    return standing.base
