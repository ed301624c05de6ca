"""What a run of `patchq resolve` says: which patch lies open where, what to type next, and what was published."""

from __future__ import annotations

import shlex
from typing import TYPE_CHECKING

from patchq.commands.screen import program_of, style_of
from patchq.commands.sitting import where
from patchq.report.document import BuiltBranch, rebase_document
from patchq.report.resolving import OpenSitting, open_table, sitting_document
from patchq.report.table import replay_table
from patchq.report.todo import Stage

if TYPE_CHECKING:
    from collections.abc import Sequence

    from patchq.commands.publishing import Published
    from patchq.commands.replaying import Trip
    from patchq.commands.session import Session
    from patchq.commands.sitting import Sitting
    from patchq.model.names import PatchName
    from patchq.model.outcome import PatchOutcome, Replay


def told_of(session: Session, sitting: Sitting) -> OpenSitting | None:
    """Give what is told of an open run; None where no patch lies open."""
    if sitting.current is None:
        return None
    return OpenSitting(
        patch=str(sitting.current.name),
        onto=sitting.onto,
        place=where(sitting),
        folder=str(sitting.place),
        files=tuple(sitting.current.shown or ()),
        decided=len(sitting.decided.entries),
        skipped=tuple(map(str, sitting.skipped)),
        since=sitting.since,
        program=shlex.join(program_of(session)),
    )


def tell_open(session: Session, sitting: Sitting, outcome: PatchOutcome, left: Sequence[PatchName]) -> None:
    """Say which patch lies open now, why, and what to type."""
    told = told_of(session, sitting)
    if told is not None:
        session.say(open_table(told, outcome, len(left), style_of(session)))
        session.document(sitting_document(told, outcome, list(map(str, left))))


def tell_published(
    session: Session, sitting: Sitting, trip: Trip, replay: Replay, published: Published, folder: str
) -> None:
    """Say what was published, as rebase does."""
    table = replay_table(
        replay.outcomes,
        onto=trip.onto,
        style=style_of(session),
        stage=Stage.PUBLISHED,
        folder=folder,
        asked=replay.asked,
    )
    session.say(table)
    session.say(
        f"branch {published.branch} is at {published.commit[:12]}; the work tree {where(sitting)} is cleared away"
    )
    branch = BuiltBranch(published.branch, published.commit)
    session.document(
        rebase_document("resolve", dry_run=False, from_=trip.origin, onto=trip.onto, branch=branch, replay=replay)
    )
