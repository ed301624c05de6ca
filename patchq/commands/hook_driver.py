"""`patchq hook install --merge-driver`: git's merges go through patchq; and the way back."""

from __future__ import annotations

from typing import TYPE_CHECKING

from patchq.gitstore.merge_driver import DriverDone, install_driver, uninstall_driver
from patchq.report.cells import visible
from patchq.report.jsonsafe import document

if TYPE_CHECKING:
    from pathlib import Path

    from patchq.commands.session import Session
    from patchq.gitstore.merge_driver import DriverState
    from patchq.gitstore.repository import Repository
    from patchq.report.jsonsafe import Json, JsonObject


def install_merge_driver(session: Session, repo: Repository, program: Path | None) -> None:
    """Install it, and tell which choices of the user and of the project come before it or no longer count."""
    state = install_driver(repo, program)
    known = state.done is DriverDone.UNCHANGED
    session.say(f"{'already installed' if known else state.done.value}: the merge driver, in {state.attributes}")
    for line in state.before:
        session.progress(f"note: `{visible(line)}` stands in that file, too, and comes first")
    for name, line in state.behind:
        session.progress(f"note: `{visible(line)}` in {visible(name)} does not count any more")
    if state.behind:
        session.progress("      To keep such a choice, put the line at the end of the file above.")
    behind: list[Json] = [{"file": name, "line": line} for name, line in state.behind]
    session.document(document("hook install", {**_plain(state), "before": [*state.before], "behind": behind}))


def uninstall_merge_driver(session: Session, repo: Repository) -> JsonObject:
    """Take it away; return what is to be said of it in a document."""
    state = uninstall_driver(repo)
    if state.done is DriverDone.REMOVED:
        session.say(f"removed: the merge driver, from {state.attributes}")
    return _plain(state)


def _plain(state: DriverState) -> JsonObject:
    return {"done": state.done.value, "attributes": str(state.attributes)}
