"""`patchq import SOURCE…`: patches from files, commits or the work tree join the series; all of them or none."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import click

from patchq.commands.import_folder import with_lines
from patchq.commands.import_outcome import tell_adopted
from patchq.commands.import_refusal import refusal
from patchq.commands.import_sources import Reading, gather, gather_work_tree
from patchq.commands.import_target import Wish, choose_target
from patchq.commands.progress import progress
from patchq.commands.publishing import publish
from patchq.commands.workspace import open_for_writing
from patchq.errors import UsageError
from patchq.gitstore.objects import CommitTree, ObjectReader
from patchq.gitstore.partial import prefetch
from patchq.model.names import PatchName
from patchq.pypi.paths import parse_prefix
from patchq.queue.adopt import Ground, Mirrors, Unfit, adopt
from patchq.reapply.describe import HashAlgorithm
from patchq.report.words import counted
from patchq.seriesstore.publication import Publication

if TYPE_CHECKING:
    from collections.abc import Iterator

    from patchq.commands.import_sources import Gathered
    from patchq.commands.import_target import Target
    from patchq.commands.session import Session
    from patchq.commands.workspace import Workspace
    from patchq.model.series import Series
    from patchq.queue.adopt import Adopted


@click.command("import")
@click.argument("sources", nargs=-1, metavar="[SOURCE...]")
@click.option("--worktree", is_flag=True, help="Take what is changed in the work tree, staged and new files included.")
@click.option("-m", "--message", multiple=True, metavar="TEXT", help="The message of the patch; again for a paragraph.")
@click.option("--name", metavar="NAME", help="The name of the patch (default: from its subject or file).")
@click.option(
    "-p", "strip", type=click.IntRange(0), default=1, metavar="N", help="Remove N leading parts of names (1)."
)
@click.option("--prefix", default="", metavar="DIR/", help="Put this folder in front of all paths, such as python/.")
@click.option("--onto", metavar="REF", help="The series to put them in (default: the current one).")
@click.option("--base", metavar="REF", help="The upstream commit that they were made for, for a new series.")
@click.option(
    "--mirror/--no-mirror", default=None, help="Add Mirror: for copies of a neighbour, or do not look for any."
)
@click.pass_obj
def command(
    session: Session,
    *,
    sources: tuple[str, ...],
    worktree: bool,
    message: tuple[str, ...],
    name: str | None,
    strip: int,
    prefix: str,
    onto: str | None,
    base: str | None,
    mirror: bool | None,
) -> None:
    r"""Add patches to the series: files, folders, - for standard input, commits A..B, or the dirty work tree.

    A file is a plain diff, a mail or mailbox of git format-patch, or the output of git show. A folder is quilt's, with
    its series file there, in patches/ or in debian/patches/: order, names and comments are kept; without one its files
    are taken by number. stgit:BRANCH is a stack of StGit, A..patch-queue/A a branch of gbp pq: both keep their names.

    Every patch must apply on top of the series so far, without fuzz; else nothing is imported. A first import starts a
    series for the upstream commit that the patches stand on. Work tree, index and branches stay as they are, and patchq
    undo takes it back.

    \b
    Examples:
      patchq import fix.patch more/*.patch
      patchq import v0.5.9..my-branch
      patchq import ../package/debian/patches --base v0.5.9
      patchq import stgit:my-branch
      patchq import --worktree -m "Let SM120 through the gate"
      git diff | patchq import - --name sm120-gate --prefix python/
    """
    if bool(sources) is worktree:
        what = "--worktree and other sources exclude each other" if worktree else "import what?"
        raise UsageError(what, hint="patchq import FILE, patchq import A..B, or patchq import --worktree -m MESSAGE")
    reading = Reading(
        strip=strip,
        prefix=parse_prefix(prefix),
        name=None if name is None else PatchName(name),
        message="\n\n".join(message).encode("utf-8", "surrogateescape") if message else None,
    )
    mirrors = {None: Mirrors.PROPOSED, True: Mirrors.ADDED, False: Mirrors.IGNORED}[mirror]
    with open_for_writing(session, "import") as workspace:
        gathered = gather_work_tree(workspace, reading) if worktree else gather(workspace.repo, sources, reading)
        wish = Wish(onto=onto, base=base, span=gathered.span, from_work_tree=worktree)
        target = choose_target(workspace, wish)
        session.progress(f"base: {target.base.ref} ({target.base.commit[:12]}), {target.why}")
        with ObjectReader(workspace.repo) as reader:
            tree = CommitTree(reader, target.base.tree)
            prefetch(workspace.repo, tree, _paths(target, gathered))
            ground = Ground(base=target.base, tree=tree, algorithm=HashAlgorithm(workspace.repo.object_format))
            with progress(session, f"adding {counted(len(gathered.arrivals), 'patch', 'patches')}"):
                answer = adopt(target.series, gathered.arrivals, ground, mirrors)
            if isinstance(answer, Unfit):
                raise refusal(workspace, target, wish, answer, reading)
        series = with_lines(target.series, answer.series, gathered.arrivals, gathered.below)
        _publish(workspace, target, series)
        for note in (*gathered.notes, *_renamed(target, answer, gathered)):
            session.progress(f"note: {note}")
        if target.ahead:
            follow, ahead = workspace.manifest.follow, counted(target.ahead, "commit")
            session.progress(f"note: HEAD has {ahead} more than {follow}; to carry those: patchq import {follow}..HEAD")
        tell_adopted(session, workspace, answer, mirrors, from_work_tree=worktree)


def _paths(target: Target, gathered: Gathered) -> set[bytes]:
    patches = (*target.series.carried, *(arrival.patch for arrival in gathered.arrivals))
    return {change.old_path for patch in patches for change in patch.changes if change.old_path is not None}


def _renamed(target: Target, adopted: Adopted, gathered: Gathered) -> Iterator[str]:
    """Tell of patches whose names were taken."""
    entries = adopted.series.entries[len(target.series.entries) :]
    for arrival, entry in zip(gathered.arrivals, entries, strict=True):
        if entry.patch.name != arrival.patch.name:
            yield f"{arrival.patch.name} is called {entry.patch.name} here, because that name is taken"


def _publish(workspace: Workspace, target: Target, series: Series) -> None:
    manifest = workspace.manifest
    first = manifest.current is None
    publish(
        workspace,
        Publication(
            series=(series,),
            manifest=replace(manifest, current=target.series.ref) if first else None,
            expect={target.series.ref: target.state},
        ),
        verb="import",
    )
