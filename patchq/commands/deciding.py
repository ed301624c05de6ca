"""The commit point of every publish: the references move, and what is staged goes into its place, or nothing does."""

from __future__ import annotations

import signal
from contextlib import contextmanager, nullcontext
from typing import TYPE_CHECKING

from patchq.gitstore.branches import ref_commit
from patchq.gitstore.refs import update_refs
from patchq.seriesstore.publish import finish, recover

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from contextlib import AbstractContextManager

    from patchq.gitstore.refs import RefUpdate
    from patchq.gitstore.repository import Repository
    from patchq.seriesstore.publish import Staged

_ASKING_TO_STOP = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


def decide(
    repo: Repository,
    staged: Staged,
    updates: Sequence[RefUpdate],
    *,
    message: str,
    checkout: AbstractContextManager[None] | None = None,
) -> None:
    """Move the references and finish `staged`, whose journal names one of them; raises what `update_refs` raises.

    `checkout` goes along meanwhile (following.py). After a failure it is asked of the references themselves whether
    they have moved: a git that was stopped may have done its work.
    """
    try:
        with checkout or nullcontext(), _uninterrupted():
            update_refs(repo, updates, message=message)
            finish(staged)
    except BaseException:
        recover(staged.root, lambda ref: ref_commit(repo, ref))
        raise


@contextmanager
def _uninterrupted() -> Iterator[None]:
    """Let signals wait, those for git's processes as well (they inherit the mask); it is a matter of milliseconds."""
    before = signal.pthread_sigmask(signal.SIG_BLOCK, _ASKING_TO_STOP)
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)
