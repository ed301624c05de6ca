"""`patchq demo`: the main job from nothing, on the shipped series and real releases, or offline on a small upstream."""

from __future__ import annotations

import shlex
import shutil
import tempfile
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

import click

from patchq.commands import rebase, show, snapshot
from patchq.commands.demo_upstream import OFFLINE_SERIES, make_offline_upstream, shipped_series
from patchq.commands.screen import program_of
from patchq.commands.session import Output
from patchq.commands.workspace import short_path
from patchq.errors import ExitCode, SeriesError
from patchq.model.verdict import Verdict
from patchq.seriesstore.publication import Publication
from patchq.seriesstore.publish import finish, stage
from patchq.seriesstore.store import SeriesStore

if TYPE_CHECKING:
    from patchq.commands.session import Session

_PYPI = "pypi:"


@dataclass(frozen=True, slots=True)
class _Scene:
    """The scratch folder, a repository with its series, and the verbs that are shown in it."""

    context: click.Context
    folder: Path

    def show(self, command: click.Command, *words: str, **parameters: object) -> int:
        """Write a command line as a person would type it, and run it."""
        session: Session = self.context.obj
        session.say(f"\n$ {shlex.join([*program_of(session), *words])}\n")
        return int(self.context.invoke(command, **parameters) or ExitCode.DONE)


@click.command()
@click.option("--offline", is_flag=True, help="Use a small upstream that ships with patchq; no network.")
@click.option("--dir", "folder", type=click.Path(path_type=Path), metavar="DIR", help="Where (default: a new folder).")
@click.pass_context
def command(context: click.Context, *, offline: bool, folder: Path | None) -> None:
    r"""Carry the shipped series over two real releases from PyPI, in a scratch folder.

    Shows the table, the first adapted patch, and where the built branch is. Nothing outside the folder is
    touched, and it stays there for you to look at. With --json the document of the rebase is printed.

    \b
    Examples:
      patchq demo
      patchq demo --offline --dir /tmp/kiln
    """
    session: Session = context.obj
    place = Path(tempfile.mkdtemp(prefix="patchq-demo-")) if folder is None else folder.absolute()
    if place.exists() and (not place.is_dir() or any(place.iterdir())):
        raise SeriesError(f"{short_path(place)} is not an empty folder", hint="name a new one: patchq demo --dir DIR")
    place.mkdir(parents=True, exist_ok=True)
    root = place / "series"
    scene = _Scene(context, place)
    quiet = replace(session, repo_option=place, series_option=root)
    if session.output is Output.JSON:
        quiet = replace(quiet, output=Output.SILENT)
    context.obj = quiet
    start, goal = _set_up(scene, OFFLINE_SERIES if offline else shipped_series(), root, offline=offline)
    context.obj = replace(quiet, output=session.output)
    scene.show(rebase.command, "rebase", goal, "--skip-conflicts", ref=goal, skip_conflicts=True)
    context.obj = quiet
    record = SeriesStore(root).record(goal)
    adapted = [] if record is None else [patch.name for patch in record.patches if patch.verdict is Verdict.ADAPTED]
    if adapted:
        scene.show(show.command, "show", str(adapted[0]), patch=str(adapted[0]))
    where, program = shlex.quote(str(short_path(place))), shlex.join(program_of(quiet))
    branch = "" if record is None else record.branch or ""
    quiet.say(f"\n{start} -> {goal}: the repository is {where}, its branch {branch}; look at it with")
    quiet.say(f"  git -C {where} log -p --reverse {goal}..{branch}")
    quiet.say(f"  {program} status")
    quiet.say("".join(f"  {program} explain {name}" for name in adapted[:1]))


def _set_up(scene: _Scene, shipped: Path, root: Path, *, offline: bool) -> tuple[str, str]:
    """Make the upstream and put the first ref's series beside it; return the first and the last ref."""
    store = SeriesStore(shipped)
    manifest = store.manifest()
    start = store.refs()[0]
    if offline:
        goal = make_offline_upstream(scene.folder)
    else:
        goal = store.refs()[-1]
        name = (manifest.upstream or "").removeprefix(_PYPI)
        prefix = str(manifest.policy.get("snapshot-prefix", ""))
        releases = tuple(f"{name}=={ref.removeprefix('v')}" for ref in (start, goal))
        scene.show(snapshot.command, "snapshot", *releases, "--prefix", prefix, releases=releases, prefix=prefix)
    shutil.copytree(store.folder(start), root / store.folder(start).name)
    finish(stage(root, Publication(manifest=replace(manifest, current=start))))
    return start, goal
