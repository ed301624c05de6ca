"""`patchq merge-file BASE THEIRS OURS`: the ladder on three files; also a batch of them, and git's merge driver."""

from __future__ import annotations

import shlex
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import IO, TYPE_CHECKING

import click

from patchq.commands.merge_batch import run_batch
from patchq.commands.merge_files import read_case, write_whole
from patchq.commands.merge_outcome import told
from patchq.commands.session import Output
from patchq.errors import ExitCode, UsageError
from patchq.model.verdict import Accept
from patchq.queue.merging import Marking, Merged, Ways, merge_file
from patchq.text.conflict import Labels

if TYPE_CHECKING:
    from patchq.commands.session import Session

_FILES = ("BASE", "THEIRS", "OURS")
_FILE = click.Path(path_type=Path, exists=True, dir_okay=False)


@click.command()
@click.argument("base", type=_FILE, required=False)
@click.argument("theirs", type=_FILE, required=False)
@click.argument("ours", type=_FILE, required=False)
@click.option("--path", metavar="P", help="What the file is called in its repository; the suffix chooses the language.")
@click.option("-o", "--output", type=click.Path(path_type=Path, dir_okay=False), help="Where the result goes.")
@click.option("--accept", type=click.Choice(["review"]), help="Take results of classes D and E, too.")
@click.option("-L", "--label", "--labels", "labels", multiple=True, help="Words for a marker: of OURS, BASE, THEIRS.")
@click.option("--marker-size", type=click.IntRange(1, 1000), help="Characters of a conflict marker (default: 7).")
@click.option(
    "--batch", type=click.File("rb"), help="Merge what FILE (or - for standard input) lists, a JSON object a line."
)
@click.option("--driver", is_flag=True, help="Be the merge driver that `patchq hook install --merge-driver` sets up.")
@click.pass_obj
def command(
    session: Session,
    *,
    base: Path | None,
    theirs: Path | None,
    ours: Path | None,
    path: str | None,
    output: Path | None,
    accept: str | None,
    labels: tuple[str, ...],
    marker_size: int | None,
    batch: IO[bytes] | None,
    driver: bool,
) -> int:
    r"""Carry what changed between BASE and THEIRS to OURS, and print the merged file.

    BASE is a file before a patch, THEIRS the same file with the patch, OURS the file in the new upstream. Exit code 0:
    the whole result, proved. Exit code 1: every change that was not proved stands between conflict markers. A result of
    class D or E is such a conflict, unless --accept review takes it.

    Labels have git's order: -L OURS -L BASE -L THEIRS.

    A line of a batch is {"id": …, "path": …, "base": FILE, "theirs": FILE, "ours": FILE, "out": FILE}. Each gets one
    line, as soon as it is done. Exit code 1: a line could not be tried; a refusal is an answer.

    \b
    Examples:
      patchq merge-file base.py patched.py new.py --path src/engine.py -o merged.py
      patchq merge-file a b c --path x.py -L 'upstream v0.5.23' -L v0.5.9 -L 'patch sm120'
      patchq merge-file --batch cases.jsonl
    """
    accepted = Accept.REVIEW if accept == "review" else Accept.PROVEN
    if batch is not None:
        _refuse_with_batch(base, path, output, labels)
        return run_batch(batch, accepted)
    if base is None or theirs is None or ours is None:
        missing = _FILES[sum(file is not None for file in (base, theirs)) :]
        raise UsageError(f"{' and '.join(missing)} missing", hint=_typed(path or "src/name.py"))
    if path is None:
        raise UsageError(
            "--path is missing: the suffix of a name says which language it is, and files to be merged may have none",
            hint=_typed("src/name.py", base, theirs, ours),
        )
    if session.output is Output.JSON and output is None:
        hint = _typed(path, base, theirs, ours, "-o", "FILE", "--json")
        raise UsageError("--json needs -o: the document and the merged file cannot both be printed", hint=hint)
    case = read_case(path, base, theirs, ours)
    call = _git_call() if driver else _asked(base, theirs, ours)
    marking = Marking(labels=_labels(labels, call.labels), size=marker_size)
    outcome = merge_file(case, marking, accept=accepted, ways=call.ways)
    if output is not None:
        write_whole(output, outcome.data)
    else:
        sys.stdout.buffer.write(outcome.data)
        sys.stdout.buffer.flush()
    for line in told(outcome, case):
        session.progress(line)
    if outcome.result is not None and not isinstance(outcome, Merged):
        again = _typed(path, base, theirs, ours, "--accept", "review")
        session.progress(f"hint: if it is right, {'take the second side of the marks' if driver else again}")
    if session.output is Output.JSON:
        from patchq.commands.merge_document import merge_document  # noqa: PLC0415 - 20 ms that no merge of git pays

        session.document(merge_document(outcome))
    return ExitCode.DONE if isinstance(outcome, Merged) else ExitCode.FINDINGS


@dataclass(frozen=True, slots=True)
class _Call:
    labels: Labels
    ways: Ways


def _asked(base: Path, theirs: Path, ours: Path) -> _Call:
    return _Call(Labels(ours=f"upstream {ours}", base=f"base {base}", theirs=f"patch {theirs}"), Ways.PATCH)


def _git_call() -> _Call:
    from patchq.gitstore.merge_call import merge_call  # noqa: PLC0415 - 10 ms for what only a driver asks

    call = merge_call()
    return _Call(call.labels, Ways.BRANCHES if call.of_branches else Ways.PATCH)


def _refuse_with_batch(*others: object) -> None:
    if any(others):
        hint = "patchq merge-file --batch FILE [--accept review]"
        raise UsageError("--batch takes files, paths and outputs from its lines only", hint=hint)


def _labels(given: tuple[str, ...], defaults: Labels) -> Labels:
    """Put the labels that are given in git's order (ours, base, theirs) before the defaults.

    `%X`, `%S` and `%Y` are what git before 2.44 leaves in the driver's command line.
    """
    if len(given) > len(_FILES):
        raise UsageError(f"{len(given)} labels for three sides", hint="-L OURS -L BASE -L THEIRS")
    words = [None if word in {"", "%X", "%S", "%Y"} else word for word in (*given, "", "", "")]
    return Labels(ours=words[0] or defaults.ours, base=words[1] or defaults.base, theirs=words[2] or defaults.theirs)


def _typed(path: str, *words: Path | str) -> str:
    files = [str(word) for word in words] or [*_FILES]
    return f"patchq merge-file {shlex.join(files)} --path {shlex.quote(path)}"
