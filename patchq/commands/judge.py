"""`patchq judge PATCH --base TREE --tree TREE`: is this patch still needed there; no series, and for folders no git."""

from __future__ import annotations

from typing import IO, TYPE_CHECKING

import click

from patchq.commands.judge_batch import run_batch
from patchq.commands.judge_trees import judged
from patchq.commands.session import Output
from patchq.errors import ExitCode, UsageError
from patchq.report.jsonsafe import document
from patchq.report.judgement import judgement_fields, judgement_lines

if TYPE_CHECKING:
    from patchq.commands.session import Session


@click.command()
@click.argument("patch", required=False)
@click.option("--base", metavar="TREE", help="The tree that the patch was made for: a folder or a ref.")
@click.option("--tree", metavar="TREE", help="The tree that is asked about: a folder or a ref.")
@click.option(
    "--batch", type=click.File("rb"), help="Judge what FILE (or - for standard input) lists, a JSON object a line."
)
@click.pass_obj
def command(session: Session, *, patch: str | None, base: str | None, tree: str | None, batch: IO[bytes] | None) -> int:
    r"""Say whether PATCH (a file, or - for standard input), made for one tree, is still needed on another.

    Every edit is looked for, wherever the file or the function has moved to, and its line is printed with the reason.
    The last line is one word for the whole patch:

    \b
    needed      the tree has nothing of it
    partial     it has some of the edits, and others not
    absorbed    it has all of it, as it is or in other words
    superseded  it has the same thing with another content: look at it
    orphaned    what the patch changes is gone: look at it
    unknown     nothing of this could be shown

    A line of a batch is {"id": …, "patch": FILE, "base": TREE, "tree": TREE}, and gets one line as soon as it is done.

    Exit code 0: an answer, whatever it is. Exit code 1: something cannot be read, or the patch does not fit its base.

    \b
    Examples:
      patchq judge fix.patch --base v0.5.9 --tree origin/main
      patchq judge fix.patch --base old/ --tree venv/lib/python3.12/site-packages
      patchq judge --batch questions.jsonl
    """
    if batch is not None:
        if patch or base or tree:
            raise UsageError("--batch takes patches and trees from its lines only", hint="patchq judge --batch FILE")
        return run_batch(session, batch)
    if patch is None or base is None or tree is None:
        given = {"PATCH": patch, "--base": base, "--tree": tree}
        missing = [name for name, value in given.items() if value is None]
        raise UsageError(f"{' and '.join(missing)} missing", hint="patchq judge PATCH --base TREE --tree TREE")
    judgement = judged(session, patch, base, tree)
    for line in judgement_lines(judgement):
        session.say(line)
    if session.output is Output.JSON:
        session.document(document("judge", judgement_fields(judgement)))
    return ExitCode.DONE
