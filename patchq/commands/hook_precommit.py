"""`patchq hook pre-commit`: silent for a commit that concerns no patch, and for the others what is wrong with it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from patchq.commands.hook_concern import concern_of
from patchq.commands.session import Output
from patchq.errors import ExitCode

if TYPE_CHECKING:
    from collections.abc import Sequence

    from patchq.commands.hook_findings import Finding
    from patchq.commands.session import Session


@click.command("pre-commit")
@click.pass_obj
def pre_commit(session: Session) -> int:
    r"""Stop a commit that would lose what a carried patch put into a file.

    What is staged is compared with HEAD; nothing is written, stashed or fetched. Silent (exit code 0) when all is well,
    and where there is no series. It stops the commit (exit code 1) when a staged file loses what a carried patch put
    there, when a staged patch or file of the series is malformed, and when the branch was not built from the series
    that is on record for it.

    \b
    Examples:
      patchq hook pre-commit
      patchq hook pre-commit --json
    """
    concern = concern_of(session)
    findings: Sequence[Finding] = ()
    # Trees, patches and reports take 100 ms to import, and most commits do not need them.
    if concern is not None and concern.serious:
        from patchq.commands.hook_findings import look_closely  # noqa: PLC0415 - see above

        findings = look_closely(concern)
    if findings or session.output is Output.JSON:
        from patchq.commands.hook_document import findings_document  # noqa: PLC0415 - see above
        from patchq.commands.hook_report import findings_text  # noqa: PLC0415 - see above

        session.say(findings_text(findings))
        session.document(findings_document(findings))
    return ExitCode.FINDINGS if findings else ExitCode.DONE
