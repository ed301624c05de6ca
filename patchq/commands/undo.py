"""`patchq undo`: publishing commands taken back, branch and series together; and the list of them."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from patchq.commands.retracing import Way, retrace, tell_retraced, workspace_of
from patchq.commands.screen import style_of
from patchq.commands.workspace import tidy
from patchq.errors import GitError, PublishError, UsageError
from patchq.gitstore.lock import lock
from patchq.gitstore.operations import changed_in_series, gap_below, operations, undone_operations
from patchq.model.names import SUFFIX
from patchq.report.operations import Listed, operations_document, operations_table

if TYPE_CHECKING:
    from patchq.commands.session import Session
    from patchq.gitstore.operations import Recorded
    from patchq.gitstore.repository import Repository


@click.command()
@click.argument("to", required=False, metavar="[TO]", type=click.IntRange(min=0))
@click.option("--list", "listing", is_flag=True, help="List the operations, the newest first; take nothing back.")
@click.pass_obj
def command(session: Session, *, to: int | None, listing: bool) -> None:
    r"""Take back the last command that published: the branch and the series folder are as before it.

    With TO, a number of --list, take back all that came after that operation; 0 is the state before the first one. Each
    is taken back as a whole, and patchq redo does it again. A checkout that stands on the branch goes along; what
    refresh or new took from it is a change there again. Only what patchq did is undone. When the branch has moved or
    the series was edited since, nothing is touched.

    \b
    Examples:
      patchq undo
      patchq undo --list
      patchq undo 3
    """
    workspace = workspace_of(session)
    if listing:
        if to is not None:
            raise UsageError("a number, or --list?", hint=f"patchq undo {to}, or patchq undo --list")
        listed = _listed(workspace.repo)
        session.say(operations_table(listed, style_of(session)))
        session.document(operations_document(listed))
        return
    with lock(workspace.repo, "undo"):
        tidy(session, workspace)
        chosen = _chosen(workspace.repo, to)
        for recorded in chosen:
            retrace(workspace, recorded, Way.BACK)
    tell_retraced(session, workspace, chosen, Way.BACK)


def _chosen(repo: Repository, to: int | None) -> tuple[Recorded, ...]:
    """Return what is to be taken back, newest first; GitError where there is nothing, or not all of it could be."""
    log = tuple(operations(repo))
    if not log:
        raise GitError("there is nothing to undo", hint="patchq status shows what is recorded")
    if to is None:
        return log[:1]
    if to >= len(log):
        undone = to < len(log) + len(undone_operations(repo)) + 1
        what = "is the last one, or undone already" if undone else "is no operation"
        raise GitError(f"{to} {what}: there is nothing after it to undo", hint="patchq undo --list")
    chosen = log[: len(log) - to]
    gap = gap_below(repo, chosen)
    if gap is not None:
        number = len(log) - log.index(gap)
        raise PublishError(
            f"the series or the branch was changed by hand between {number - 1} and {number} ({gap.verb}); "
            "to go back over that would lose it",
            hint=f"patchq undo {number - 1} goes as far as that, if it is not the last one; patchq undo takes back one",
        )
    return chosen


def _listed(repo: Repository) -> tuple[Listed, ...]:
    """Return all operations, the newest first, numbered from the oldest; those that are undone are among them."""
    log, undone = tuple(operations(repo)), undone_operations(repo)
    every = (*reversed(undone), *log)
    changed = changed_in_series(repo, every) if every else ()
    return tuple(
        Listed(
            number=len(every) - at,
            verb=one.verb,
            seconds=one.seconds,
            undone=at < len(undone),
            moves=tuple((move.ref.removeprefix("refs/heads/"), move.old, move.new) for move in one.moves),
            series=tuple(dict.fromkeys(path.partition("/")[0] for path in paths)),
            patches=tuple(dict.fromkeys(_stem(path) for path in paths if path.endswith(SUFFIX))),
        )
        for at, (one, paths) in enumerate(zip(every, changed, strict=True))
    )


def _stem(path: str) -> str:
    return path.rpartition("/")[2].removesuffix(SUFFIX)
