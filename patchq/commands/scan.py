"""`patchq scan [TREE]`: other places that lack what the patches add, such as tables and conditions like the patched."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from patchq.commands.scan_outcome import TreeFiles, ignored, learned, look, older
from patchq.commands.screen import style_of
from patchq.commands.series_place import find_series
from patchq.commands.shared_options import inspected_tree
from patchq.commands.site_trees import TreeChoice, check_choice, open_tree
from patchq.commands.verify_outcome import fit, paths_of
from patchq.errors import ExitCode
from patchq.queue.scanning import aged, passed_over
from patchq.report.scan import Scanned, scan_document, scan_text
from patchq.syntax.languages import language_of

if TYPE_CHECKING:
    from pathlib import Path

    from patchq.commands.session import Session


@click.command()
@inspected_tree
@click.option("--ref", metavar="REF", help="The series to learn from (default: the one that fits best).")
@click.option("--prefix", metavar="FOLDER", help="Where in TREE to look, if it has the same files at several places.")
@click.option("--since", metavar="REF", help="What REF lacks, too, is not new (default: upstream of the ref before).")
@click.option("--fail", is_flag=True, help="Exit with 1 if a place is found, with --since or a ref before: a new one.")
@click.pass_obj
def command(
    session: Session,
    *,
    tree: str | None,
    installed: str | None,
    python: Path | None,
    ref: str | None,
    prefix: str | None,
    since: str | None,
    fail: bool,
) -> int:
    r"""Find places in TREE which list the siblings of what a patch adds, and not what it adds.

    What a sibling is comes from the patches' own edits: a patch that adds 12 to a table with 9 and 10 asks for other
    tables, lists and branches with 9 and 10 and no 12; one that adds `is_c()` to `is_a() or is_b()` asks for other
    conditions with these two; likewise arguments, cases and statements. In every language with a grammar.

    TREE is as for `patchq verify`; without it, the upstream commit of the current series is looked at. Places that
    the patches change themselves are none. New ones come first, then those most like a patched place. To say that a
    place is fine, put its path or address (* is a wildcard) into patchq.yaml: policy: {scan-fine: [ADDRESS, …]}

    Exit code 0, whatever is found; with --fail 1 if there is something.

    \b
    Examples:
      patchq scan
      patchq scan upstream/main --since v0.5.9 --fail
      patchq scan dist/sglang-0.5.9-py3-none-any.whl --ref v0.5.9 --json
      patchq scan --installed sglang --python /opt/venv/bin/python
    """
    place = find_series(session)
    candidates = place.candidates(ref)
    if tree is None and installed is None:
        candidates = candidates[:1]
        point = place.base_of(candidates[0])
        tree = None if point is None else point.commit
    choice = TreeChoice(tree=tree, installed=installed, python=python)
    check_choice(choice, "scan")
    with open_tree(session, choice, paths_of(candidates), lambda path: language_of(path) is not None) as opened:
        fitting = fit(candidates, opened, prefix)
        put = fitting.placed.way.put
        files = TreeFiles(opened.reader, tuple(path for path in opened.files if path.startswith(put)))
        lore = learned(place, fitting)
        found, count = passed_over(look(fitting, lore, files), ignored(place.store))
        before = older(session, place, fitting, since)
        if before is not None:
            with before as (label, reader):
                held = tuple(dict.fromkeys(one.path for one in found))
                found = aged(found, look(fitting, lore, TreeFiles(reader, held)))
        else:
            label = None
    scanned = Scanned(
        tree=opened.label,
        ref=fitting.series.ref,
        places=found,
        fine=count,
        since=label,
        unread=lore.unread,
        files=len(files.paths),
    )
    session.say(scan_text(scanned, style_of(session)))
    session.document(scan_document(scanned))
    if lore.unread:
        names = ", ".join(map(str, lore.unread))
        session.progress(f"note: nothing is learned from {names}: the tree has not what they change, as they know it")
    return ExitCode.FINDINGS if fail and scanned.fresh else ExitCode.DONE
