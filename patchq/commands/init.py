"""`patchq init`: a series starts in this repository, with what it follows, in one file."""

from __future__ import annotations

import shlex
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import click

from patchq.commands.import_span import commits_ahead
from patchq.commands.init_place import chosen_place, note_place, place_to_note
from patchq.commands.init_upstream import checked_follow, checked_pattern, named_upstream, suggested_upstream
from patchq.commands.publishing import publish
from patchq.commands.screen import style_of
from patchq.commands.workspace import Workspace, short_path, tidy
from patchq.errors import GitError, SeriesError
from patchq.gitstore.lock import lock
from patchq.gitstore.refs import resolve
from patchq.gitstore.repository import Repository
from patchq.model.series import Manifest
from patchq.report.cells import visible
from patchq.report.inventory import init_document
from patchq.report.rows import Item, entries
from patchq.report.table import joined
from patchq.seriesstore.layout import MANIFEST
from patchq.seriesstore.publication import Publication
from patchq.seriesstore.store import SeriesStore

if TYPE_CHECKING:
    from patchq.commands.session import Session
    from patchq.model.series import RefPoint


@click.command()
@click.option("--upstream", metavar="URL|REMOTE|pypi:NAME", help="Where releases come from (default: a remote).")
@click.option("--follow", metavar="BRANCH", help="What a bare rebase goes to (default: upstream's default branch).")
@click.option("--dir", "folder", type=click.Path(path_type=Path), metavar="DIR", help="Its folder (default: series/).")
@click.option("--branch", metavar="PATTERN", help="The name of built branches (default: patched/{ref}).")
@click.pass_obj
def command(
    session: Session, *, upstream: str | None, follow: str | None, folder: Path | None, branch: str | None
) -> None:
    r"""Start a series in this repository: patchq.yaml is written into its folder, and nothing is committed.

    Where there is a series already, only what an option names is changed in it.

    \b
    Examples:
      patchq init
      patchq init --upstream upstream --follow upstream/release
      patchq init --upstream pypi:sglang --dir patches
    """
    repo = Repository.discover(session.repo_option)
    root = chosen_place(session, repo, folder)
    workspace = Workspace(repo, SeriesStore(root, cache=repo.state_dir / "cache"))
    with lock(repo, "init"):
        tidy(session, workspace)
        old = workspace.manifest if workspace.store.exists() else None
        note = place_to_note(repo, root)
        if old is not None and (upstream, follow, branch, note) == (None, None, None, None):
            raise SeriesError(
                f"there is a series in {short_path(root)} already",
                hint="patchq status; or change what it follows: patchq init --follow BRANCH",
            )
        manifest = _first(workspace, upstream) if old is None else _with_upstream(repo, old, upstream)
        if follow is not None:
            manifest = replace(manifest, follow=checked_follow(repo, follow, manifest.upstream))
        if branch is not None:
            manifest = replace(manifest, branch=checked_pattern(repo, branch))
        publish(workspace, Publication(manifest=manifest), verb="init")
        if note is not None:
            note_place(repo, note)
    session.say(_told(session, workspace, old, manifest))
    base = _find_base(repo, manifest)
    session.document(init_document(folder=str(short_path(root)), manifest=manifest, base=base))


def _first(workspace: Workspace, upstream: str | None) -> Manifest:
    """Fill in what nobody says; a folder that holds the patches of one ref already is worked on."""
    repo = workspace.repo
    found = suggested_upstream(repo) if upstream is None else named_upstream(repo, upstream)
    refs = workspace.store.refs() if workspace.store.root.exists() else ()
    return Manifest(upstream=found.name, follow=found.follow, current=refs[0] if len(refs) == 1 else None)


def _with_upstream(repo: Repository, old: Manifest, upstream: str | None) -> Manifest:
    return old if upstream is None else replace(old, upstream=named_upstream(repo, upstream).name)


def _find_base(repo: Repository, manifest: Manifest) -> RefPoint | None:
    try:
        return None if manifest.follow is None else resolve(repo, manifest.follow)
    except GitError:
        return None


def _told(session: Session, workspace: Workspace, old: Manifest | None, new: Manifest) -> str:
    """Say what stands in the file now, or what was changed in it, and what to type next."""
    style, file = style_of(session), short_path(workspace.store.root) / MANIFEST
    before = old or Manifest(upstream=None, follow=None, current=None, branch="")
    shown = (
        ("upstream", before.upstream, new.upstream),
        ("follow", before.follow, new.follow),
        ("branch", before.branch, new.branch),
    )
    items = [Item(label, visible(now or "not known")) for label, was, now in shown if old is None or was != now]
    if old is not None:
        changed = "changed in it:" if items else "nothing to change in it"
        return joined([f"{file} was there already; {changed}", *entries(items, style)])
    return joined([f"started a series: {file}", *entries(items, style)], entries(_steps(workspace, new), style))


def _steps(workspace: Workspace, manifest: Manifest) -> list[Item]:
    top, root = workspace.repo.work_tree, workspace.store.root
    ahead = commits_ahead(workspace.repo, manifest.follow)
    source = f"{manifest.follow}..HEAD" if ahead else "FILE..."
    steps = []
    if manifest.follow is None:
        steps.append(Item("maybe", "say what a bare rebase goes to:", "patchq init --follow BRANCH"))
    if manifest.current is None:
        steps.append(Item("next", "import your patches:", f"patchq import {source}"))
    if top is not None and root.is_relative_to(top):
        steps.append(Item("keep", "let git keep the series:", f"git add {shlex.quote(str(short_path(root)))}"))
    return steps
