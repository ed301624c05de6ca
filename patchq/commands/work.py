"""What is changed in a checkout that stands on the built branch, as a layer on top of the applied patches."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from patchq.commands.guarding import own_branch
from patchq.commands.import_sources import series_paths
from patchq.errors import SeriesError, Where
from patchq.gitstore.objects import CommitTree, ObjectReader
from patchq.gitstore.refs import resolve
from patchq.gitstore.workdiff import work_tree_diff
from patchq.model.names import PatchName
from patchq.queue.arrival import from_diff
from patchq.queue.finding import numbered_name
from patchq.queue.layers import Layer, layers_of, top_of
from patchq.queue.sides import Misfit, sides_of, writes_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from patchq.commands.editing import Desk
    from patchq.commands.standing import Standing
    from patchq.gitstore.pathspec import Pathspecs
    from patchq.gitstore.repository import Repository
    from patchq.model.change import FileChange
    from patchq.model.patch import Message

_LISTED = 12


@dataclass(frozen=True, slots=True, kw_only=True)
class Work:
    """The changes of the work tree as a patch on top of the `applied` layers; `paths` are the files in it."""

    standing: Standing
    applied: tuple[Layer, ...]
    layer: Layer
    paths: tuple[bytes, ...]


def work_of(desk: Desk, message: Message, only: Pathspecs) -> Work:
    """Read what is changed, new files that are not ignored included; `only` these, if any are typed.

    SeriesError where the checkout does not stand on the built branch, where that is not what the series makes, and
    where nothing is changed.
    """
    standing = _standing(desk)
    applied = desk.layers[: standing.applied]
    _refuse_other_branch(desk, standing, applied)
    workspace = desk.workspace
    series = series_paths(workspace.repo, workspace.store.root.resolve())
    diff = work_tree_diff(workspace.repo, without=series, submodules=only if only.typed else None)
    patch = from_diff(message, diff, file="the work tree") if diff else None
    changes = () if patch is None else _selected(workspace.repo, patch.changes, only)
    if patch is None or not changes:
        what = f"nothing is changed in {', '.join(only.typed)}" if patch is not None else "the work tree has no changes"
        raise SeriesError(f"{what}, and a patch without any cannot be kept", hint="edit the files first, then again")
    patch = replace(patch, name=numbered_name(desk.series, PatchName("work-tree")), changes=changes)
    below = layers_of((layer.patch for layer in applied), desk.ground)
    stack = top_of(below, desk.ground)
    sides = sides_of(patch, stack)
    if isinstance(sides, Misfit):
        raise sides.error
    origins = below[-1].origins_after if below else {}
    layer = Layer(patch=patch, before=stack, writes=writes_of(sides), origins=origins)
    paths = {path for change in changes for path in (change.old_path, change.new_path) if path is not None}
    return Work(standing=standing, applied=applied, layer=layer, paths=tuple(sorted(paths)))


def listed(paths: Sequence[bytes]) -> str:
    """Name files in a sentence; `patchq files` lists them all."""
    more = f" and {len(paths) - _LISTED} more" if len(paths) > _LISTED else ""
    return ", ".join(path.decode("utf-8", "surrogateescape") for path in paths[:_LISTED]) + more


def _selected(repo: Repository, changes: Sequence[FileChange], only: Pathspecs) -> tuple[FileChange, ...]:
    """Take a rename as a whole when one of its names is meant."""
    if not only.typed:
        return tuple(changes)
    meant = only.select(repo, {path for it in changes for path in (it.old_path, it.new_path) if path is not None})
    return tuple(it for it in changes if it.old_path in meant or it.new_path in meant)


def _standing(desk: Desk) -> Standing:
    if desk.standing is not None:
        return desk.standing
    record = desk.series.record
    if record is None or record.branch is None or record.branch_commit is None:
        raise SeriesError(
            "no branch is built of the series, so the work tree cannot be compared with it",
            hint=f"patchq build, then git switch {desk.workspace.manifest.branch.replace('{ref}', desk.series.ref)}; "
            "or make a patch of the work tree as it is: patchq import --worktree -m MESSAGE",
        )
    if desk.workspace.repo.current_branch == record.branch:
        own_branch(desk.workspace, record.branch, record.branch_commit)
        raise SeriesError(
            f"the series has changed since {record.branch} was built of it",
            hint=f"git switch --detach; patchq build; git switch {record.branch} (your changes come along)",
        )
    raise SeriesError(
        f"the checkout does not stand on {record.branch}, which is built of the series",
        hint=f"git switch {record.branch} (git takes your changes along, or says why not); "
        "or patchq import --worktree -m MESSAGE",
    )


def _refuse_other_branch(desk: Desk, standing: Standing, applied: Sequence[Layer]) -> None:
    """Refuse where the branch was built of another series than the one in the folder now."""
    same = [layer.patch.name for layer in desk.layers] == [step.name for step in standing.steps]
    repo = desk.workspace.repo
    with ObjectReader(repo) as reader:
        head = CommitTree(reader, resolve(repo, standing.head).tree)
        top = top_of(applied, desk.ground)
        same = same and all(head.read(path) == state for path, state in top.changes.items())
    if not same:
        raise SeriesError(
            f"the series was edited after {standing.branch} was built of it",
            hint="keep your changes (git stash), leave the branch (git switch --detach), and patchq build",
            where=Where(file=desk.workspace.folder(desk.series.ref)),
        )
