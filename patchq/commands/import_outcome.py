"""What `patchq import` tells when it is done: the new patches, the trailers it proposes, and what to type next."""

from __future__ import annotations

import shlex
from typing import TYPE_CHECKING

from patchq.commands.screen import style_of
from patchq.commands.workspace import short_path
from patchq.patchfile.intents import format_intent
from patchq.queue.adopt import Mirrors
from patchq.report.cells import decoded, visible, wrap
from patchq.report.inventory import import_document
from patchq.report.rows import Item, Row, entries, laid_out, room
from patchq.report.style import Tint
from patchq.report.table import joined
from patchq.report.words import Subject, counted

if TYPE_CHECKING:
    from collections.abc import Sequence

    from patchq.commands.session import Session
    from patchq.commands.workspace import Workspace
    from patchq.model.patch import Patch
    from patchq.queue.adopt import Adopted
    from patchq.report.style import Style

_FILES_SHOWN = 8


def tell_adopted(
    session: Session, workspace: Workspace, adopted: Adopted, mirrors: Mirrors, *, from_work_tree: bool
) -> None:
    """Print the outcome as text or as JSON. Of a patch from the work tree, which nobody has seen yet, the files too."""
    style = style_of(session)
    lines = {
        name: [f"{trailer.key}: {trailer.value}" for trailer in map(format_intent, copies)]
        for name, copies in adopted.mirrors.items()
    }
    rows = []
    for patch in adopted.patches:
        notes = [*_files(patch)] if from_work_tree else []
        notes += _mirror_notes(lines.get(patch.name, ()), mirrors, style)
        title, name = visible(patch.message.title), str(patch.name)
        rows.append(Row(sigil="+", name=name, word="added", detail=title, tint=Tint.GREEN, notes=tuple(notes)))
    ref = adopted.series.ref
    total = f"{counted(len(rows), 'patch', 'patches')} added to the series of {visible(ref)}, {workspace.folder(ref)}"
    session.say(
        joined(
            laid_out(rows, style),
            _next(workspace, adopted, style, from_work_tree=from_work_tree),
            wrap(total, style.columns),
        )
    )
    proposed = lines if mirrors is Mirrors.PROPOSED else {}
    session.document(import_document(ref=ref, patches=adopted.patches, proposed=proposed))


def _files(patch: Patch) -> list[str]:
    shown = [f"{change.kind.value} {visible(decoded(change.path))}" for change in patch.changes[:_FILES_SHOWN]]
    more = len(patch.changes) - _FILES_SHOWN
    return [*shown, f"... and {counted(more, 'more file', 'more files')}"] if more > 0 else shown


def _mirror_notes(lines: Sequence[str], mirrors: Mirrors, style: Style) -> list[str]:
    """Lay out trailers whole, wider than the screen if need be: they are there to be copied."""
    if not lines:
        return []
    if mirrors is Mirrors.ADDED:
        head = "copies a neighbour; this was added to the message:"
    else:
        head = "copies a neighbour; to let it follow that, add this to the message, or import it with --mirror:"
    return [*wrap(head, room(style)), *map(visible, lines)]


def _next(workspace: Workspace, adopted: Adopted, style: Style, *, from_work_tree: bool) -> list[str]:
    manifest, record = workspace.manifest, adopted.series.record
    items = []
    if from_work_tree:
        items.append(Item("note", "the change is in the series now; the work tree still has it, too"))
    top, root = workspace.repo.work_tree, workspace.store.root
    if top is not None and root.resolve().is_relative_to(top):
        items.append(Item("keep", "let git keep the series:", f"git add {shlex.quote(str(short_path(root)))}"))
    subject = Subject(ref=manifest.follow or "REF", program=style.program)
    if record is not None and record.branch is not None:
        items.append(
            Item("next", f"build {visible(record.branch)} with it:", f"{style.program} build {adopted.series.ref}")
        )
    else:
        items.append(Item("next", "carry it to another upstream:", subject.rebase()))
    return entries(items, style)
