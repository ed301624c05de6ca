"""`patchq verify TREE`: whether every patch of the series is in a tree, wherever that is; nothing of it is run."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from patchq.commands.screen import style_of
from patchq.commands.series_place import find_series
from patchq.commands.shared_options import inspected_tree
from patchq.commands.site_trees import TreeChoice, check_choice, open_tree
from patchq.commands.verify_outcome import fit, look, paths_of
from patchq.errors import ExitCode
from patchq.model.verification import Staleness
from patchq.report.verification import TreeSight, verification_document, verification_text
from patchq.treestore.swap import stores_in

if TYPE_CHECKING:
    from pathlib import Path

    from patchq.commands.session import Session


@click.command()
@inspected_tree
@click.option("--ref", metavar="REF", help="The series to look for (default: the one that fits best).")
@click.option("--prefix", metavar="FOLDER", help="Where in TREE to look, if it has the same files at several places.")
@click.pass_obj
def command(
    session: Session,
    *,
    tree: str | None,
    installed: str | None,
    python: Path | None,
    ref: str | None,
    prefix: str | None,
) -> int:
    r"""Say of each patch whether its effect is in TREE.

    TREE is a ref, a folder (a checkout, site-packages, the root of an image), a wheel, an sdist, a tar (a layer of a
    container image), or - for a tar on standard input. Prefixes such as python/ and site-packages/ are found. No code
    of it is run or imported. What a patch does is looked for at its anchors; git and the upstream commit help where
    they are at hand, but --series DIR is enough.

    \b
    present      the tree has it
    absent       the tree has the state from before the patch
    partial      it has some of it
    diverged     it has another value in its place
    target-gone  it lacks what the patch changes

    Bytecode that does not fit its source, and a package that is installed twice, are named below the patches.

    Exit code 0: all required patches are present. 1: one is not, or stale bytecode hides one.

    \b
    Examples:
      patchq verify --installed sglang --python /opt/venv/bin/python
      patchq verify patched/v0.5.9
      patchq verify dist/sglang-0.5.9-py3-none-any.whl --ref v0.5.9
      ssh server tar c -C /opt/venv/lib . | patchq --series series verify -
    """
    choice = TreeChoice(tree=tree, installed=installed, python=python)
    check_choice(choice, "verify")
    place = find_series(session)
    candidates = place.candidates(ref)
    with open_tree(session, choice, paths_of(candidates)) as opened:
        found = look(place, opened, fit(candidates, opened, prefix))
    sight = TreeSight(
        tree=opened.label,
        ref=found.fitting.series.ref,
        patches=found.patches,
        stale=found.stale,
        doubles=tuple(map(str, found.doubles)),
    )
    session.say(verification_text(sight, style_of(session)))
    session.document(verification_document(sight))
    if not opened.files:
        session.progress("note: nothing of what the series patches is in there; is it the right tree?")
    if opened.root is not None and any(store.interrupted() for store in stores_in(opened.root)):
        session.progress("note: an apply to this tree was cut off; patchq apply finishes it, --revert takes it back")
    hidden = any(one.staleness is Staleness.USED for one in found.stale)
    missing = any(patch.missing for patch in found.patches)
    return ExitCode.FINDINGS if missing or hidden else ExitCode.DONE
