"""`patchq lint`: what is wrong with patches and series, place by place; `--fix` mends what needs no guess."""

from __future__ import annotations

from contextlib import ExitStack
from typing import TYPE_CHECKING

import click

from patchq.commands.completing import PATCH, SERIES_REF
from patchq.commands.lint_look import is_path, look_at_file, look_at_series
from patchq.commands.lint_mend import mend_file, mend_series, named
from patchq.commands.screen import style_of
from patchq.commands.workspace import open_for_writing, open_workspace
from patchq.errors import ExitCode, SeriesError
from patchq.model.finding import Rule, Severity
from patchq.report.findings import findings_document, findings_text

if TYPE_CHECKING:
    from collections.abc import Collection

    from patchq.commands.session import Session
    from patchq.model.finding import Finding
    from patchq.model.names import PatchName


@click.command()
@click.argument("patches", type=PATCH, nargs=-1, metavar="[PATCH | FILE]...")
@click.option("--fix", is_flag=True, help="Mend wrong counts and trimmed blanks; patchq undo takes it back.")
@click.option("--ref", type=SERIES_REF, metavar="REF", help="The series to look at (default: the current one).")
@click.option(
    "--ignore",
    multiple=True,
    type=click.Choice([rule.value for rule in Rule]),
    metavar="RULE",
    help="Leave a rule out; may be given again.",
)
@click.pass_obj
def command(session: Session, *, patches: tuple[str, ...], fix: bool, ref: str | None, ignore: tuple[str, ...]) -> int:
    r"""Look for what is wrong with the patches of a series, with some of them, or with patch FILEs anywhere.

    Each finding names file, line, patch and hunk, its [rule], and what to do. The exit code is 1 if there is an error
    or a warning; notes are worth knowing. --fix counts hunks anew and puts back the blanks that editors trim, nothing
    else: what may be cut off, or could be meant in two ways, is left to you. FILEs outside of a series are mended in
    place.

    \b
    Examples:
      patchq lint
      patchq lint sm120-symm-mem-max-sizes --ignore no-status
      patchq lint --fix
      patchq lint --fix ~/Downloads/fix.patch && patchq import ~/Downloads/fix.patch
    """
    files = [text for text in patches if is_path(text)]
    names = [text for text in patches if not is_path(text)]
    found: list[Finding] = []
    fixed: list[Finding] = []
    for text in files:
        linted = look_at_file(text)
        if fix and mend_file(text, linted):
            fixed += [one for one in linted.findings if one.fixable]
            linted = look_at_file(text)
        found += linted.findings
    shown = None
    if names or not files:
        with ExitStack() as stack:
            workspace = stack.enter_context(open_for_writing(session, "lint")) if fix else open_workspace(session)
            shown = ref or workspace.manifest.current
            if shown is None:
                raise SeriesError("the series has no patches yet", hint="patchq import FILE, or patchq import A..B")
            looked = look_at_series(workspace, shown)
            chosen = named(looked, names)
            if fix and mend_series(workspace, looked, chosen):
                fixed += [one for one in looked.findings if one.fixable and _is_about(one, chosen)]
                looked = look_at_series(workspace, shown)
            found += [one for one in looked.findings if not names or _is_about(one, chosen)]
            if looked.note is not None:
                session.progress(f"note: {looked.note}")
    left = [one for one in found if one.rule.value not in ignore]
    session.say(findings_text(left, fixed, style_of(session)))
    session.document(findings_document(shown, left, fixed))
    return ExitCode.FINDINGS if any(one.severity is not Severity.NOTE for one in left) else ExitCode.DONE


def _is_about(finding: Finding, names: Collection[PatchName]) -> bool:
    return finding.where.patch in set(map(str, names))
