"""`patchq apply TREE`: the series onto a folder or an installed package, without git, as a whole, and back again."""

from __future__ import annotations

from contextlib import nullcontext
from pathlib import Path
from typing import TYPE_CHECKING

import click

from patchq.commands.apply_revert import revert, settle_interrupted
from patchq.commands.apply_site import bytecode_beside, changes_of, record_change, store_of
from patchq.commands.policing import default_need
from patchq.commands.screen import style_of
from patchq.commands.series_place import find_series
from patchq.commands.site_trees import TreeChoice, check_choice, open_tree
from patchq.commands.verify_outcome import asks_of, fit, paths_of, stale_in
from patchq.errors import ExitCode, UsageError
from patchq.model.verdict import Accept
from patchq.queue.applying import apply_series
from patchq.report.application import Told, application_document, application_text

if TYPE_CHECKING:
    from patchq.commands.session import Session


@click.command()
@click.argument("tree", required=False)
@click.option("--installed", metavar="NAME", help="Apply to an installed package instead.")
@click.option("--python", type=click.Path(path_type=Path), metavar="PATH", help="The interpreter that has it.")
@click.option("--ref", metavar="REF", help="The series to apply (default: the one that fits best).")
@click.option("--prefix", metavar="FOLDER", help="Where in TREE to work, if it has the same files at several places.")
@click.option("-n", "--dry-run", is_flag=True, help="Say what would happen; write nothing.")
@click.option("--record", is_flag=True, help="Bring the hashes in the installed package's RECORD up to date, too.")
@click.option("--accept", type=click.Choice(["review"]), help="Apply results of classes D and E, too.")
@click.option("--revert", "back", is_flag=True, help="Bring back what the last apply to TREE has changed.")
@click.pass_obj
def command(
    session: Session,
    *,
    tree: str | None,
    installed: str | None,
    python: Path | None,
    ref: str | None,
    prefix: str | None,
    dry_run: bool,
    record: bool,
    accept: str | None,
    back: bool,
) -> int:
    r"""Carry the series onto TREE, a folder, or onto an installed package: all of it or nothing.

    The patches are carried and proved as by rebase. Without git, the files have to be those of the upstream that the
    series was made for, or the patches have to fit in one place each and leave there what is on record; in a
    repository with that upstream commit the ladder can prove more. What is there already is left alone; nothing to do
    is a success.

    Files are written beside their place and renamed, never through symbolic links; modes and owners stay. Bytecode of
    changed sources is removed. What was there before is kept in .patchq-applied, for --revert. A run that was cut off
    is finished by the next one, or taken back with --revert.

    Exit code 3: a patch needs a person, and nothing is written.

    \b
    Examples:
      patchq apply --installed sglang --python /opt/venv/bin/python --record
      patchq --series ../my-fork-patches apply /opt/venv/lib/python3.12/site-packages --dry-run
      patchq apply --installed sglang --revert
    """
    choice = TreeChoice(tree=tree, installed=installed, python=python)
    check_choice(choice, "apply")
    if back:
        if ref or prefix or record or accept:
            raise UsageError("--revert brings back all of the last apply", hint="patchq apply TREE --revert")
        return revert(session, choice, dry_run=dry_run)
    place = find_series(session)
    need = default_need(place.store)
    candidates = place.candidates(ref)
    with open_tree(session, choice, paths_of(candidates)) as opened:
        store = store_of(opened)
        with nullcontext() if dry_run else store.locked():
            settle_interrupted(session, store, dry_run=dry_run)
            fitting = fit(candidates, opened, prefix)
            placed, series = fitting.placed, fitting.series
            with place.base_tree(series) as base:
                taken = Accept.REVIEW if accept == "review" else Accept.PROVEN
                done = apply_series(asks_of(series, need), placed, base, taken)
            changes = changes_of(done.writes, placed)
            stopped = done.replay.needs_person
            stale = {one.path for one in stale_in(opened, fitting)} | {*bytecode_beside(store.root, changes)}
            if record and not stopped:
                changes = {**changes, **record_change(opened, changes)}
            backup = None if dry_run or stopped else store.apply(changes, sorted(stale))
    told = Told(
        tree=opened.label,
        ref=series.ref,
        dry_run=dry_run,
        outcomes=done.replay.outcomes,
        before=done.before,
        after=done.after,
        written=tuple(changes),
        outside=done.outside,
        backup=None if backup is None else str(backup),
    )
    session.say(application_text(told, style_of(session)))
    session.document(application_document(told))
    if changes and not record and opened.package is not None and opened.package.record is not None:
        session.progress("note: RECORD has the hashes from before; --record brings it up to date")
    return ExitCode.NEEDS_PERSON if stopped else ExitCode.DONE
