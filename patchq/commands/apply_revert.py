"""The way back of `patchq apply`, and what a run of it that was cut off has left."""

from __future__ import annotations

from typing import TYPE_CHECKING

from patchq.commands.apply_site import bytecode_beside, store_of
from patchq.commands.site_trees import open_tree
from patchq.errors import ExitCode, PublishError
from patchq.report.jsonsafe import document, text
from patchq.treestore.swap import Recovered

if TYPE_CHECKING:
    from patchq.commands.session import Session
    from patchq.commands.site_trees import TreeChoice
    from patchq.treestore.swap import TreeStore


def revert(session: Session, choice: TreeChoice, *, dry_run: bool) -> int:
    """Bring back what the last apply has changed, or one that was cut off; the series is not needed.

    PublishError where nothing was applied, or files were changed since.
    """
    with open_tree(session, choice, ()) as opened:
        store = store_of(opened)
    with store.locked():
        if store.interrupted():
            if not dry_run:
                store.roll_back()
            session.say("an interrupted apply was taken back" if not dry_run else "an interrupted apply would go back")
            session.document(document("apply", {"tree": opened.label, "dry_run": dry_run, "reverted": []}))
            return ExitCode.DONE
        store.recover()
        paths = store.touched()
        if not dry_run or not paths:
            stale = tuple(bytecode_beside(store.root, paths))
            paths = store.revert(stale)
    for path in paths:
        session.say(f"{'would be ' if dry_run else ''}as it was: {text(path)}")
    reverted = [text(path) for path in paths]
    session.document(document("apply", {"tree": opened.label, "dry_run": dry_run, "reverted": [*reverted]}))
    return ExitCode.DONE


def settle_interrupted(session: Session, store: TreeStore, *, dry_run: bool) -> None:
    """Finish an apply that was cut off, and say so; a dry run refuses to look at such a tree."""
    if dry_run:
        if store.interrupted():
            raise PublishError(
                f"an apply to {store.root} was cut off half way",
                hint="patchq apply TREE finishes it, patchq apply TREE --revert takes it back",
            )
        return
    match store.recover():
        case Recovered.FINISHED:
            session.progress("an interrupted apply was decided already; it is finished now")
        case Recovered.DISCARDED:
            session.progress("an interrupted apply was not decided yet; its leftovers are gone")
        case Recovered.NOTHING:
            pass
