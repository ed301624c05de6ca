"""`patchq hook post-checkout`, `post-merge`, `post-rewrite`: one line when patches are missing in what is there."""

from __future__ import annotations

import shlex
from typing import TYPE_CHECKING

import click

from patchq.commands.hook_missing import missing_in_head
from patchq.commands.hook_told import names_of
from patchq.gitstore.staged import find_staging
from patchq.model.series import SCHEMA

if TYPE_CHECKING:
    from patchq.commands.hook_missing import Missing
    from patchq.commands.session import Session

# The pre-commit framework (https://pre-commit.com) gives no arguments, but these variables with the same contents.
_FILES_ONLY = "0"
_SQUASH = "1"
_MANY = 10  # from here on they are not all looked for


@click.command("post-checkout")
@click.argument("before", envvar="PRE_COMMIT_FROM_REF")
@click.argument("after", envvar="PRE_COMMIT_TO_REF")
@click.argument("flag", envvar="PRE_COMMIT_CHECKOUT_TYPE")
@click.pass_obj
def post_checkout(session: Session, before: str, after: str, flag: str) -> None:
    r"""Say in one line which patches are missing in what was checked out; the exit code is 0.

    Git gives HEAD before and after, and 1 for a branch or commit, 0 for files. Silent for files, where HEAD is as it
    was, amid a rebase or bisection, and where the commit has nothing to do with the series.

    \b
    Examples:
      patchq hook post-checkout "$(git rev-parse HEAD~1)" "$(git rev-parse HEAD)" 1
    """
    staging = None if flag == _FILES_ONLY or before == after else find_staging(session.repo_option)
    _tell(
        session, "post-checkout", None if staging is None or staging.is_between else missing_in_head(session, staging)
    )


@click.command("post-merge")
@click.argument("squash", envvar="PRE_COMMIT_IS_SQUASH_MERGE")
@click.pass_obj
def post_merge(session: Session, squash: str) -> None:
    r"""Say in one line which patches are missing after a merge or pull; the exit code is 0.

    Git gives 1 for a squash, which moves no HEAD yet, else 0.

    \b
    Examples:
      patchq hook post-merge 0
    """
    staging = None if squash == _SQUASH else find_staging(session.repo_option)
    _tell(session, "post-merge", None if staging is None else missing_in_head(session, staging))


@click.command("post-rewrite")
@click.argument("cause", envvar="PRE_COMMIT_REWRITE_COMMAND")
@click.pass_obj
def post_rewrite(session: Session, cause: str) -> None:
    r"""Say in one line which patches are missing after a rebase; the exit code is 0.

    Git gives `rebase` or `amend`; an amended commit was looked at before it was made.

    \b
    Examples:
      patchq hook post-rewrite rebase
    """
    staging = find_staging(session.repo_option) if cause == "rebase" else None
    _tell(session, "post-rewrite", None if staging is None else missing_in_head(session, staging))


def _tell(session: Session, hook: str, missing: Missing | None) -> None:
    if missing is not None:
        session.say(_line(missing))
    names = [] if missing is None else [str(name) for name in missing.names]
    ref = None if missing is None else missing.ref
    session.document({"schema": SCHEMA, "command": f"hook {hook}", "ref": ref, "missing": names})


def _line(missing: Missing) -> str:
    count = len(missing.names)
    ref = shlex.quote(missing.ref)
    if count == missing.total:
        what = "the one patch" if count == 1 else f"all {count} patches"
        what = f"{what} of {missing.ref} {'is' if count == 1 else 'are'} missing here"
    else:
        least = "at least " if count >= _MANY else ""
        what = (
            f"{least}{count} of {missing.total} patches of {missing.ref} {'is' if count == 1 else 'are'} missing here"
        )
        what = f"{what} ({names_of(missing.names)})"
    if missing.branch is not None:
        return f"patchq: {what}; with them: git switch {shlex.quote(missing.branch)}"
    if not missing.built:
        return f"patchq: {what}; to build them: patchq build {ref}"
    return f"patchq: {what}; look: patchq verify HEAD --ref {ref}"
