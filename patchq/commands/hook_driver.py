"""`patchq hook install --merge-driver`: git's merges go through patchq; and the way back."""

from __future__ import annotations

from typing import TYPE_CHECKING

from patchq.gitstore.merge_driver import DriverDone, install_driver, uninstall_driver
from patchq.model.series import SCHEMA

if TYPE_CHECKING:
    from pathlib import Path

    from patchq.commands.session import Session
    from patchq.gitstore.merge_driver import DriverState
    from patchq.gitstore.repository import Repository


def install_merge_driver(session: Session, repo: Repository, program: Path | None) -> None:
    """Install it, and tell which lines of the user come before ours."""
    state = install_driver(repo, program)
    known = state.done is DriverDone.UNCHANGED
    session.say(f"{'already installed' if known else state.done.value}: the merge driver, in {state.attributes}")
    for line in state.other:
        session.progress(f"note: `{line}` stands in that file, too, and wins; take it out to let patchq merge")
    session.document({"schema": SCHEMA, "command": "hook install", **_plain(state), "other": [*state.other]})


def uninstall_merge_driver(session: Session, repo: Repository) -> dict[str, str]:
    """Take it away; return what is to be said of it in a document."""
    state = uninstall_driver(repo)
    if state.done is DriverDone.REMOVED:
        session.say(f"removed: the merge driver, from {state.attributes}")
    return _plain(state)


def _plain(state: DriverState) -> dict[str, str]:
    return {"done": state.done.value, "attributes": str(state.attributes)}
