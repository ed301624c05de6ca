"""The checkout moved up and down the built branch, each of whose commits is one patch."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from patchq.commands.guarding import own_branch
from patchq.commands.screen import style_of
from patchq.commands.standing import Standing, standing_of, steps_of
from patchq.errors import ExitCode, GitError, SeriesError
from patchq.gitstore.branches import branch_commit
from patchq.gitstore.checkout import attach_head, held_elsewhere, switch_to
from patchq.queue.finding import find_patch
from patchq.report.edited import standing_document, standing_table

if TYPE_CHECKING:
    from patchq.commands.session import Session
    from patchq.commands.workspace import Workspace
    from patchq.model.series import Series


def current_standing(workspace: Workspace, series: Series) -> Standing:
    """Say where the checkout stands; SeriesError where it does not stand on the built branch."""
    standing = standing_of(workspace, series.record)
    if standing is None:
        built = built_steps(workspace, series)
        raise SeriesError(
            f"the checkout does not stand on {built.branch}",
            hint=f"git switch {built.branch}, or patchq goto PATCH",
        )
    return standing


def built_steps(workspace: Workspace, series: Series) -> Standing:
    """Return the built branch as if nothing of it were applied; SeriesError where none is built or it has moved."""
    record, repo = series.record, workspace.repo
    if record is None or record.branch is None or record.branch_commit is None:
        raise SeriesError(f"no branch is built of the series of {series.ref}", hint=f"patchq build {series.ref}")
    if repo.work_tree is None:
        raise GitError("a bare repository has no work tree", hint="run it in a worktree: git worktree add FOLDER")
    now = branch_commit(repo, record.branch)
    if now != record.branch_commit:
        if now is not None:
            own_branch(workspace, record.branch, record.branch_commit)
        raise SeriesError(f"{record.branch} is not where patchq left it", hint=f"patchq build {series.ref}")
    base = workspace.base_of(series).commit
    steps = steps_of(repo, base, record.branch_commit)
    if steps is None:
        raise SeriesError(f"{record.branch} has commits that are no patches", hint=f"patchq build {series.ref}")
    return Standing(branch=record.branch, base=base, steps=steps, applied=0, attached=False)


def place_of(standing: Standing, series: Series, typed: str) -> int:
    """Return how many patches are applied when the one that `typed` means is the topmost; SeriesError for none."""
    patch = find_patch(series, typed).patch
    names = [step.name for step in standing.steps]
    if patch.name not in names:
        raise SeriesError(f"{patch.name} is not in {standing.branch}", hint="patchq build makes it again, with it")
    return names.index(patch.name) + 1


def step_to(session: Session, workspace: Workspace, standing: Standing, applied: int, verb: str) -> int:
    """Let the checkout stand with the first `applied` patches and say so; on the branch itself when those are all.

    GitError, with what to type, where local changes would be lost; nothing has moved then.
    """
    repo = workspace.repo
    there = replace(standing, applied=applied, attached=False)
    switch_to(repo, there.head)
    if applied == len(standing.steps) and not held_elsewhere(repo, standing.branch):
        attach_head(repo, standing.branch)
        there = replace(there, attached=True)
    names, total = [str(name) for name in there.names], len(there.steps)
    branch = there.branch if there.attached else None
    session.say(standing_table(names, total, branch=there.branch, attached=there.attached, style=style_of(session)))
    session.document(standing_document(verb, names, total, branch=branch, commit=there.head))
    return ExitCode.DONE
