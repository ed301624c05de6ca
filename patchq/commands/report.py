"""`patchq report`: a series at all its refs as one page for a browser, as Markdown for a CI job, or as JSON."""

from __future__ import annotations

import json
import sys
from typing import TYPE_CHECKING

import click

from patchq.commands.report_input import read_input
from patchq.commands.report_output import write_report
from patchq.commands.screen import style_of
from patchq.commands.session import Output
from patchq.commands.whole_series import overview
from patchq.commands.workspace import open_workspace
from patchq.errors import UsageError
from patchq.report.markdown import SIGNATURE as MARKDOWN_SIGNATURE
from patchq.report.markdown_report import overview_markdown, run_markdown
from patchq.report.overview_document import overview_document
from patchq.report.page import SIGNATURE, page
from patchq.report.run_document import read_run

if TYPE_CHECKING:
    from patchq.commands.session import Session

_JSON_BEGINS = '{\n "schema": 1,\n "command": "report",'


@click.command()
@click.option("-o", "--output", metavar="FILE", help="Write to FILE; an older report there is replaced.")
@click.option("--markdown", is_flag=True, help="Write Markdown, short enough for a job summary or an issue.")
@click.option("--from-json", "run", metavar="FILE", help="Tell of a `rebase --json` instead (- for standard input).")
@click.pass_obj
def command(session: Session, *, output: str | None, markdown: bool, run: str | None) -> None:
    r"""Write a report on the series at all its refs: one HTML page that needs no network and no script.

    It has every patch at every ref, the ledger with the commits of upstream, and for each patch the reason, its diffs,
    how they differ from ref to ref, what is in its way, and what to type next. All of it is as recorded: nothing is
    replayed, nothing is fetched. --markdown is the short form, --json has everything.

    --from-json tells, in Markdown, what a `patchq rebase --json` or `patchq status REF --json` has just found, and
    nothing else; no repository is needed. A report is information: the exit code is 0, whatever it tells.

    \b
    Examples:
      patchq report -o report.html
      patchq report --markdown
      patchq report --json > report.json
      patchq rebase --dry-run --json > run.json
      patchq report --markdown --from-json run.json >> "$GITHUB_STEP_SUMMARY"
    """
    if run is not None:
        if not markdown or session.output is Output.JSON:
            raise UsageError("--from-json is told in Markdown", hint="patchq report --markdown --from-json FILE")
        told = run_markdown(read_run(read_input(run), file=run), program=style_of(session).program)
        return write_report(output, told, MARKDOWN_SIGNATURE)
    if markdown and session.output is Output.JSON:
        raise UsageError("--markdown and --json exclude each other", hint="choose one of them")
    whole = overview(session, open_workspace(session))
    program = style_of(session).program
    if session.output is Output.JSON:
        document = json.dumps(overview_document(whole, program), indent=1, ensure_ascii=True)
        return write_report(output, document + "\n", _JSON_BEGINS)
    if markdown:
        return write_report(output, overview_markdown(whole, program), MARKDOWN_SIGNATURE)
    if output is None and sys.stdout.isatty():
        raise UsageError("a page is for a browser, not for a terminal", hint="patchq report -o report.html")
    return write_report(output, page(whole, program), SIGNATURE)
