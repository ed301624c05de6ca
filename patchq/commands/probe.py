"""`patchq probe [PATCH…]`: run the commands that patches carry as proof, on upstream and on the patched branch."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from patchq.commands.completing import PATCH, SERIES_REF
from patchq.commands.probe_run import run_probe
from patchq.commands.screen import style_of
from patchq.commands.workspace import open_workspace
from patchq.errors import ExitCode, SeriesError
from patchq.gitstore.probe_tree import reset, temporary_tree
from patchq.gitstore.refs import resolve
from patchq.model.probe import Probed, ProbeVerdict
from patchq.patchfile.probes import parse_probes
from patchq.queue.finding import find_patch
from patchq.report.probes import probes_document, probes_text

if TYPE_CHECKING:
    from patchq.commands.session import Session
    from patchq.commands.workspace import Workspace
    from patchq.gitstore.repository import Repository
    from patchq.model.patch import Patch
    from patchq.model.probe import Probe, Ran
    from patchq.model.series import Series


@click.command()
@click.argument("patches", nargs=-1, metavar="[PATCH]...", type=PATCH)
@click.option("--ref", type=SERIES_REF, metavar="REF", help="The series to probe (default: the current one).")
@click.option(
    "--time-limit", type=click.FloatRange(min=0.1), default=60.0, show_default=True, help="Seconds a command."
)
@click.pass_obj
def command(session: Session, *, patches: tuple[str, ...], ref: str | None, time_limit: float) -> int:
    r"""Run the commands in the trailers `Needed-if:` and `Proves:` of patches (default: of all that have some).

    Each runs twice, in temporary work trees: on the upstream commit of the series, and on the patched branch built
    from it. No shell is involved: the value is split into words as a shell would, and nothing else. A command that
    exceeds its time is killed, with what it started, and has failed. Only this verb runs them, never a rebase,
    a hook or verify; read what a patch of someone else wants to run first: patchq show PATCH.

    \b
    needed             it fails on upstream and passes with the patches
    probably absorbed  it passes on both
    broken probe       it does not pass with the patches, or cannot be run: it shows nothing

    The answer is printed and not kept in the series: it is one of this machine and this day.

    Exit code 0: all say needed. 1: one does not.

    \b
    Examples:
      patchq probe
      patchq probe sm120-symm-mem --time-limit 300
      patchq probe --ref v0.5.9 --json
    """
    workspace = open_workspace(session)
    series = workspace.current(ref)
    chosen = {find_patch(series, name).patch.name for name in patches}
    wanted = [patch for patch in series.carried if not patches or patch.name in chosen]
    for name in chosen - {patch.name for patch in wanted}:
        raise SeriesError(f"{name} is not carried on {series.ref}", hint=f"patchq explain {name} tells why")
    asked = {patch: probes for patch in wanted if (probes := _probes(workspace, series, patch))}
    results: dict[Patch, list[Probed]] = {}
    pristine, patched = workspace.base_of(series).commit, _branch(workspace, series)
    if asked:
        with temporary_tree(workspace.repo, pristine) as below, temporary_tree(workspace.repo, patched) as above:
            for patch, probes in asked.items():
                for probe in probes:
                    session.detail(f"{patch.name}: {' '.join(probe.words)}")
                    ran = [_run(probe, *side, time_limit) for side in ((below, pristine), (above, patched))]
                    results.setdefault(patch, []).append(Probed(probe=probe, pristine=ran[0], patched=ran[1]))
    else:
        session.progress("note: no patch has a probe: write Proves: COMMAND among its trailers (patchq edit)")
    named = {patch.name: probed for patch, probed in results.items()}
    session.say(probes_text(named, series.ref, style_of(session)))
    session.document(probes_document(named, ref=series.ref, pristine=pristine, patched=patched))
    needed = all(one.verdict is ProbeVerdict.NEEDED for probed in results.values() for one in probed)
    return ExitCode.DONE if needed else ExitCode.FINDINGS


def _run(probe: Probe, tree: Repository, commit: str, seconds: float) -> Ran:
    reset(tree, commit)
    return run_probe(probe, tree.work_tree or tree.git_dir, seconds)


def _probes(workspace: Workspace, series: Series, patch: Patch) -> tuple[Probe, ...]:
    file = f"{workspace.folder(series.ref)}/{patch.name.file_name}"
    return parse_probes(patch.message, file=file, head=patch.raw)


def _branch(workspace: Workspace, series: Series) -> str:
    built = None if series.record is None else series.record.branch_commit
    if built is None:
        raise SeriesError(f"the patched branch of {series.ref} was never built here", hint=f"patchq build {series.ref}")
    return resolve(workspace.repo, built).commit
