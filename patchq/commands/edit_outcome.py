"""What a verb that edits the series tells when it is done, and what it tells when a patch cannot follow."""

from __future__ import annotations

from typing import TYPE_CHECKING

from patchq.commands.screen import style_of
from patchq.errors import ExitCode, SeriesError, Where
from patchq.model.need import NeedKind
from patchq.model.verdict import Verdict
from patchq.queue.layers import differing, top_of
from patchq.queue.needs import broken_by, needs
from patchq.report.edited import EditReport, edit_document, edit_table, refused_document, refused_table
from patchq.report.rows import Item

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from patchq.commands.editing import Desk, Outcome
    from patchq.commands.session import Session
    from patchq.model.names import PatchName
    from patchq.model.outcome import PatchOutcome
    from patchq.queue.edited import Edited
    from patchq.queue.layers import Layer


def tell_edited(
    session: Session,
    edited: Edited,
    outcome: Outcome,
    *,
    verb: str,
    done: Sequence[str],
    made: Collection[PatchName] = (),
    hints: Sequence[Item] = (),
) -> int:
    """Print what an edit did: `done` in words, the patches that were carried again, and the branch; the exit code.

    `made` are the patches that were written anew on purpose: `done` tells of those.
    """
    carried = [layer.outcome for layer in edited.layers if layer.outcome is not None and layer.patch.name not in made]
    report = EditReport(
        verb=verb,
        ref=outcome.series.ref,
        done=tuple(done),
        branch=outcome.branch,
        carried=tuple(carried),
        hints=tuple(hints),
    )
    session.say(edit_table(report, style_of(session)))
    session.document(edit_document(report))
    return ExitCode.DONE


def name_notes(desk: Desk, edited: Edited) -> list[Item]:
    """Warn of patches that can follow as texts, but use a name that an earlier patch has defined and no longer does."""
    order = [layer.patch.name for layer in edited.layers]
    broken = [need for need in broken_by(needs(desk.layers), order) if need.kind is NeedKind.NAME]
    return [Item("note", f"{need.patch} uses {need.what}, which {need.on} defines: look at it") for need in broken]


def refuse_other_whole(desk: Desk, layers: Sequence[Layer]) -> None:
    """Refuse an order of the same patches in which all of them together would make other files than they do now."""
    changed = differing(top_of(layers, desk.ground), top_of(desk.layers, desk.ground))
    if changed:
        raise SeriesError(
            "in that order all patches together would make another file than they do now",
            hint="fold the patches that touch the same place: patchq fold PATCH INTO; patchq files lists them",
            where=Where(file=changed[0].decode("utf-8", "replace")),
        )


def tell_refused(
    session: Session, desk: Desk, failures: Sequence[PatchOutcome], *, verb: str, hints: Sequence[Item], accept: str
) -> int:
    """Print which patches cannot follow and what to type instead; `accept` is the command that takes D and E."""
    held = all(outcome.needs_review and outcome.verdict is not Verdict.ABSORBED for outcome in failures)
    told = [Item("review", "look at it, and if it is right:", accept)] if held else hints
    session.say(refused_table(failures, told, style_of(session)))
    session.document(refused_document(verb, desk.series.ref, failures))
    return ExitCode.NEEDS_PERSON
