"""`patchq hook …`: install and uninstall the git hook and the merge driver, and what the hook calls."""

from __future__ import annotations

import os
import shutil
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

from patchq.commands.hook_driver import install_merge_driver, uninstall_merge_driver
from patchq.commands.hook_precommit import pre_commit
from patchq.commands.locating import series_root
from patchq.commands.workspace import short_path
from patchq.errors import GitError
from patchq.gitstore.hooks import Done, hooks_folder, install, uninstall
from patchq.gitstore.repository import Repository
from patchq.model.series import SCHEMA
from patchq.seriesstore.store import SeriesStore

if TYPE_CHECKING:
    from patchq.commands.session import Session
    from patchq.gitstore.hooks import HooksFolder, HookState


@click.group()
def command() -> None:
    r"""Install and run the git hook that stops a commit which would lose a patch, or let git merge through patchq.

    \b
    Examples:
      patchq hook install
      patchq hook install --merge-driver
      patchq hook pre-commit
      patchq hook uninstall
    """


command.add_command(pre_commit)


@command.command("install")
@click.option("--force", is_flag=True, help="Install into a folder that other repositories use, too.")
@click.option("--merge-driver", is_flag=True, help="Install the merge driver, and not the hook.")
@click.pass_obj
def install_hook(session: Session, *, force: bool, merge_driver: bool) -> None:
    r"""Make git ask patchq before each commit in this repository and its worktrees.

    The hook goes where git looks for it (core.hooksPath). A hook that is there already is kept beside it and
    still runs, first. Installing again changes nothing.

    With --merge-driver it is not the hook: git merge, rebase and cherry-pick call patchq for files that both sides
    have changed. What cannot be proved is an ordinary conflict. Nothing in the work tree changes.

    \b
    Examples:
      patchq hook install
      patchq hook install --merge-driver
    """
    repo = Repository.discover(session.repo_option)
    if merge_driver:
        install_merge_driver(session, repo, _program())
        return
    folder = hooks_folder(repo)
    if not folder.inside and not force:
        _refuse(folder)
    state = install(folder.path, _program())
    match state.done:
        case Done.UNCHANGED:
            session.say(f"already installed: {state.hook}")
        case _:
            session.say(f"{state.done.value}: {state.hook}")
    if state.chained is not None:
        session.say(f"the hook that was there before runs first: {state.chained}")
    root = series_root(session, repo)
    if repo.work_tree is not None and root.is_relative_to(repo.work_tree) and SeriesStore(root).exists():
        session.progress(f"note: branches without {short_path(root)} are not watched; a built branch is one of them.")
        session.progress("      Keep the series beside the repository: move it, then git config patchq.series PATH")
    _document(session, "hook install", state)


@command.command("uninstall")
@click.option("--merge-driver", is_flag=True, help="Take only the merge driver away.")
@click.pass_obj
def uninstall_hook(session: Session, *, merge_driver: bool) -> None:
    r"""Take the hook and the merge driver away; a hook that was there before comes back as it was.

    \b
    Examples:
      patchq hook uninstall
      patchq hook uninstall --merge-driver
    """
    repo = Repository.discover(session.repo_option)
    driver = uninstall_merge_driver(session, repo)
    if merge_driver:
        session.document({"schema": SCHEMA, "command": "hook uninstall", "merge_driver": driver})
        return
    state = uninstall(hooks_folder(repo).path)
    match state.done:
        case Done.RESTORED:
            session.say(f"removed; the hook from before is back: {state.hook}")
        case Done.REMOVED:
            session.say(f"removed: {state.hook}")
        case _:
            session.say(f"there is no hook in {state.hook.parent}; nothing to do")
    _document(session, "hook uninstall", state, merge_driver=driver)


def _refuse(folder: HooksFolder) -> None:
    raise GitError(
        f"hooks are taken from {folder.path}, outside of this repository (core.hooksPath in {folder.origin})",
        hint=(
            f"call `patchq hook pre-commit` from {folder.path / 'pre-commit'}; or install there for every repository "
            "(it is silent where there is no series): patchq hook install --force"
        ),
    )


def _program() -> Path | None:
    """Find the patchq that is running: as it was called, else beside the interpreter, else on the PATH."""
    called = Path(sys.argv[0]).absolute()
    found = shutil.which("patchq")
    places = (called, Path(sys.executable).with_name("patchq"), *([Path(found).absolute()] if found else []))
    return next((place for place in places if place.name == "patchq" and os.access(place, os.X_OK)), None)


def _document(session: Session, name: str, state: HookState, **more: object) -> None:
    session.document(
        {
            "schema": SCHEMA,
            "command": name,
            "done": state.done.value,
            "hook": str(state.hook),
            "chained": None if state.chained is None else str(state.chained),
            **more,
        }
    )
