"""`patchq hook pre-push`: silent unless a branch that patchq built is pushed as something that it did not build."""

from __future__ import annotations

import os
import shlex
import sys
from typing import TYPE_CHECKING

import click

from patchq.commands.hook_pushed import framework_push, pushes_of, refusals_of
from patchq.commands.hook_told import line_of, names_of
from patchq.errors import ExitCode
from patchq.model.series import SCHEMA

if TYPE_CHECKING:
    from collections.abc import Iterator

    from patchq.commands.hook_pushed import Refusal
    from patchq.commands.session import Session


@click.command("pre-push")
@click.argument("remote", nargs=-1, metavar="[NAME URL]")
@click.pass_obj
def pre_push(session: Session, remote: tuple[str, ...]) -> int:
    r"""Stop a push of a built branch that is not as patchq built it.

    Git says on standard input which refs it pushes. A branch that is on record in the series must be the commit that
    was built, and the series must be as it was then: else the next rebase would make another branch than the one that
    others have. Nothing is written or fetched. Silent (exit code 0) for all other branches, tags and deletions.

    \b
    Examples:
      echo "HEAD $(git rev-parse HEAD) refs/heads/patched/main 0000" | patchq hook pre-push origin
    """
    session.detail(f"push to {' '.join(remote) or 'a remote'}")
    pushes = tuple(pushes_of(sys.stdin.read())) or framework_push(os.environ)
    refusals = tuple(refusals_of(session, pushes)) if pushes else ()
    if refusals:
        lines = (line for refusal in refusals for line in (*_told(refusal), ""))
        session.say("\n".join([*lines, "past it, once: git push --no-verify"]))
    session.document({"schema": SCHEMA, "command": "hook pre-push", "findings": [_plain(one) for one in refusals]})
    return ExitCode.FINDINGS if refusals else ExitCode.DONE


def _told(refusal: Refusal) -> Iterator[str]:
    built, pushed, difference = refusal.built[:12], refusal.pushed[:12], refusal.difference
    yield f"error: branch {refusal.branch} is not what the series of {refusal.ref} builds"
    yield line_of("pushed", f"{pushed}; built as {built}")
    if refusal.beyond:
        count = "1 commit that is" if refusal.beyond == 1 else f"{refusal.beyond} commits that are"
        yield line_of("beyond", f"{count} in no patch")
    if refusal.beyond is None:
        yield line_of("history", f"{built} is not in it")
    for word, names in (("edited", difference.edited), ("dropped", difference.dropped), ("added", difference.added)):
        if names:
            yield line_of(word, f"since then: {names_of(names)}")
    ref = shlex.quote(refusal.ref)
    yield (
        "hint: take them into the series, build it, and push that:" if refusal.beyond else "hint: build, and push that:"
    )
    if refusal.here:
        yield f"    git branch -m {shlex.quote(refusal.branch)} NAME"
    if refusal.beyond:
        yield f"    patchq import --onto {ref} {built}..{pushed}"
    yield f"    patchq build {ref}"


def _plain(refusal: Refusal) -> dict[str, object]:
    difference = refusal.difference
    return {
        "kind": "not-as-built",
        "ref": refusal.ref,
        "branch": refusal.branch,
        "built": refusal.built,
        "pushed": refusal.pushed,
        "beyond": refusal.beyond,
        "edited": [str(name) for name in difference.edited],
        "dropped": [str(name) for name in difference.dropped],
        "added": [str(name) for name in difference.added],
    }
