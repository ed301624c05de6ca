"""`patchq export`: patches for quilt, for git am, or as one diff; the settings of git play no part in it."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import click

from patchq.commands.completing import PATCH, SERIES_REF
from patchq.commands.export_target import STANDARD_OUTPUT, Overwriting, write_file, write_folder
from patchq.commands.session import Output
from patchq.commands.workspace import open_workspace
from patchq.errors import SeriesError, UsageError, Where
from patchq.gitstore.objects import CommitTree, ObjectReader
from patchq.gitstore.partial import prefetch
from patchq.patchfile.mailing import write_mailbox
from patchq.patchfile.render import render_changes
from patchq.queue.departure import Choice, choose, combined, mails
from patchq.reapply.describe import HashAlgorithm
from patchq.report.inventory import export_document
from patchq.report.words import counted
from patchq.seriesstore.quilt import quilt_lines

if TYPE_CHECKING:
    from patchq.commands.session import Session
    from patchq.commands.workspace import Workspace
    from patchq.model.patch import Patch
    from patchq.model.series import Series


@dataclass(frozen=True, slots=True)
class Wanted:
    """One form and where it goes."""

    form: str
    to: str


@click.command()
@click.argument("patches", type=PATCH, nargs=-1, metavar="[PATCH | FIRST..LAST]...")
@click.option("--quilt", metavar="DIR", help="A folder for quilt: the patch files and their series file, as they are.")
@click.option("--format-patch", metavar="DIR", help="A folder of numbered mails, for git am and git send-email.")
@click.option("--mbox", metavar="FILE", help="One mailbox; - for standard output.")
@click.option("--diff", metavar="FILE", help="All of them as one diff; - for standard output.")
@click.option("--ref", type=SERIES_REF, metavar="REF", help="The series to take them from (default: the current one).")
@click.option("--force", is_flag=True, help="Replace files that are there; others in the folder stay.")
@click.pass_obj
def command(
    session: Session,
    *,
    patches: tuple[str, ...],
    quilt: str | None,
    format_patch: str | None,
    mbox: str | None,
    diff: str | None,
    ref: str | None,
    force: bool,
) -> None:
    r"""Write the series for other tools: quilt, git am, patch(1). patchq import reads all of it back.

    Without names it is every carried patch; --quilt writes those that are not carried as well, as the comments that
    they are. PATCH is a name or its beginning, FIRST..LAST a run of the series with both ends.

    \b
    Examples:
      patchq export --quilt debian/patches
      patchq export --mbox - | git am
      patchq export --format-patch out sm120-symm-mem-max-sizes..
      patchq export --diff ours.diff --ref v0.5.9
    """
    forms = {"quilt": quilt, "format-patch": format_patch, "mbox": mbox, "diff": diff}
    wanted = [Wanted(form, to) for form, to in forms.items() if to is not None]
    if len(wanted) != 1:
        raise UsageError(
            "export as what?" if not wanted else "one form at a time",
            hint="--quilt DIR, --format-patch DIR, --mbox FILE or --diff FILE",
        )
    (one,) = wanted
    if one.to == STANDARD_OUTPUT and (session.output is Output.JSON or one.form in {"quilt", "format-patch"}):
        raise UsageError(f"--{one.form} - cannot be written to standard output here", hint="name a file or folder")
    workspace = open_workspace(session)
    series = workspace.current(ref)
    choice = choose(series, patches)
    if one.form == "quilt" and not patches:
        choice = Choice(entries=series.entries)
    if not choice.entries:
        raise SeriesError(f"no patch of {series.ref} is carried", hint=f"patchq series {series.ref}")
    chosen = tuple(entry.patch for entry in choice.entries)
    files = _files(workspace, series, chosen, one.form)
    overwriting = Overwriting.ALLOWED if force else Overwriting.REFUSED
    if one.form in {"quilt", "format-patch"}:
        for name in write_folder(Path(one.to), files, overwriting, series=workspace.store.root):
            session.progress(f"note: {name} was there before and is not part of the export")
    else:
        write_file(one.to, next(iter(files.values())), overwriting)
    for entry in choice.left_out:
        session.progress(f"note: {entry.patch.name} is not carried and was left out")
    if one.to != STANDARD_OUTPUT:
        session.say(f"{counted(len(chosen), 'patch', 'patches')} of {series.ref} written to {one.to}")
    left_out = tuple(entry.patch.name for entry in choice.left_out)
    session.document(export_document(ref=series.ref, form=one.form, to=one.to, patches=chosen, left_out=left_out))


def _files(workspace: Workspace, series: Series, chosen: tuple[Patch, ...], form: str) -> dict[str, bytes]:
    """Return the bytes of what is written, by file name; what says that the folder is whole comes last."""
    if form == "quilt":
        names = {patch.name for patch in chosen}
        files = {patch.name.file_name: patch.raw for patch in chosen}
        return {**files, "series": quilt_lines(series, names)}
    if form == "format-patch":
        numbered = enumerate(zip(chosen, mails(chosen), strict=True), 1)
        return {f"{number:04d}-{patch.name.file_name}": mail for number, (patch, mail) in numbered}
    return {form: write_mailbox(mails(chosen)) if form == "mbox" else _diff(workspace, series, chosen)}


def _diff(workspace: Workspace, series: Series, chosen: tuple[Patch, ...]) -> bytes:
    base = workspace.base_of(series)
    carried = series.carried
    asleep = next((patch for patch in chosen if patch not in carried), None)
    if asleep is not None:
        raise SeriesError("is not carried, so it has no place in a diff", where=Where(patch=str(asleep.name)))
    before = carried[: carried.index(chosen[0])]
    with ObjectReader(workspace.repo) as reader:
        tree = CommitTree(reader, base.tree)
        touched = (change.old_path for patch in (*before, *chosen) for change in patch.changes)
        prefetch(workspace.repo, tree, {path for path in touched if path is not None})
        changes = combined(before, chosen, tree, HashAlgorithm(workspace.repo.object_format))
    if not changes:
        raise SeriesError("the patches change nothing together", hint="they undo one another")
    return render_changes(changes)
