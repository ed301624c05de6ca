"""`patchq hook install` and `uninstall`: the git hooks and the merge driver, told apart by an option."""

from __future__ import annotations

import os
import shutil
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

from patchq.commands.hook_driver import install_merge_driver, uninstall_merge_driver
from patchq.commands.hook_states import by_done, listed, states_document
from patchq.commands.locating import series_root
from patchq.commands.workspace import short_path
from patchq.errors import GitError, UsageError
from patchq.gitstore.hook_shims import HookName
from patchq.gitstore.hooks import Done, hooks_folder, install, uninstall
from patchq.gitstore.repository import Repository
from patchq.model.series import SCHEMA
from patchq.seriesstore.store import SeriesStore

if TYPE_CHECKING:
    from collections.abc import Sequence

    from patchq.commands.session import Session
    from patchq.gitstore.hooks import HooksFolder


_NAMES = click.Choice([name.value for name in HookName])


@click.command("install")
@click.argument("names", nargs=-1, type=_NAMES, metavar="[HOOK]...")
@click.option("--force", is_flag=True, help="Install into a folder that other repositories use, too.")
@click.option("--merge-driver", is_flag=True, help="Install the merge driver, and no hook.")
@click.pass_obj
def install_hook(session: Session, *, names: tuple[str, ...], force: bool, merge_driver: bool) -> None:
    r"""Make git ask patchq before each commit and push, and after each checkout, merge, pull and rebase.

    That is for this repository and its worktrees; with names, only these hooks. They go where git looks for them
    (core.hooksPath). A hook that is there already is kept beside ours and still runs, first. Installing again changes
    nothing.

    With --merge-driver it is no hook: git merge, rebase and cherry-pick call patchq for files that both sides
    have changed. What cannot be proved is an ordinary conflict. Nothing in the work tree changes.

    \b
    Examples:
      patchq hook install
      patchq hook install pre-commit pre-push
      patchq hook install --merge-driver
    """
    if merge_driver and names:
        raise UsageError("--merge-driver installs no hook", hint="patchq hook install, and once more with the option")
    repo = Repository.discover(session.repo_option)
    if merge_driver:
        install_merge_driver(session, repo, _program())
        return
    folder = hooks_folder(repo)
    if not folder.inside and not force:
        _refuse(folder)
    states = install(folder.path, _program(), _chosen(names))
    for done, found in by_done(states):
        word = "already installed" if done is Done.UNCHANGED else done.value
        session.say(f"{word}: {listed(found)}, in {folder.path}")
    for state in states:
        if state.chained is not None:
            session.say(f"the hook that was there before runs first: {state.chained}")
    root = series_root(session, repo)
    if repo.work_tree is not None and root.is_relative_to(repo.work_tree) and SeriesStore(root).exists():
        session.progress(f"note: branches without {short_path(root)} are not watched; a built branch is one of them.")
        session.progress("      Keep the series beside the repository: move it, then git config patchq.series PATH")
    session.document(states_document("hook install", states))


@click.command("uninstall")
@click.argument("names", nargs=-1, type=_NAMES, metavar="[HOOK]...")
@click.option("--merge-driver", is_flag=True, help="Take only the merge driver away.")
@click.pass_obj
def uninstall_hook(session: Session, *, names: tuple[str, ...], merge_driver: bool) -> None:
    r"""Take the hooks and the merge driver away; hooks that were there before come back as they were.

    With names, only these hooks.

    \b
    Examples:
      patchq hook uninstall
      patchq hook uninstall post-checkout
      patchq hook uninstall --merge-driver
    """
    if merge_driver and names:
        raise UsageError("--merge-driver takes no hook away", hint="patchq hook uninstall takes all away")
    repo = Repository.discover(session.repo_option)
    driver = None if names else uninstall_merge_driver(session, repo)
    if merge_driver:
        session.document({"schema": SCHEMA, "command": "hook uninstall", "merge_driver": driver})
        return
    folder = hooks_folder(repo).path
    states = uninstall(folder, _chosen(names))
    for done, found in by_done(states):
        match done:
            case Done.RESTORED:
                session.say(f"removed; the hooks from before are back: {listed(found)}, in {folder}")
            case Done.ABSENT if len(found) == len(states):
                session.say(f"there is no hook of patchq in {folder}; nothing to do")
            case Done.ABSENT:
                pass
            case _:
                session.say(f"{done.value}: {listed(found)}, in {folder}")
    session.document(states_document("hook uninstall", states, merge_driver=driver))


def _chosen(names: Sequence[str]) -> tuple[HookName, ...]:
    return tuple(name for name in HookName if not names or name.value in names)


def _refuse(folder: HooksFolder) -> None:
    raise GitError(
        f"hooks are taken from {folder.path}, outside of this repository (core.hooksPath in {folder.origin})",
        hint=(
            f"call `patchq hook pre-commit` from {folder.path / 'pre-commit'}, and the others likewise; or install "
            "there for every repository (they are silent where there is no series): patchq hook install --force"
        ),
    )


def _program() -> Path | None:
    """Find the patchq that is running: as it was called, else beside the interpreter, else on the PATH."""
    called = Path(sys.argv[0]).absolute()
    found = shutil.which("patchq")
    places = (called, Path(sys.executable).with_name("patchq"), *([Path(found).absolute()] if found else []))
    return next((place for place in places if place.name == "patchq" and os.access(place, os.X_OK)), None)
