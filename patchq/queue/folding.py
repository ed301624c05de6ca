"""Patches folded into one: moved beside each other, their messages joined, their changes one diff."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from patchq.patchfile.read import read_patch
from patchq.patchfile.rehead import replace_text, text_of
from patchq.queue.compose import after, before, relabelled, rewritten
from patchq.queue.edited import Edited
from patchq.queue.order import replaced, without

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from patchq.model.names import PatchName
    from patchq.model.patch import Message, Patch
    from patchq.model.series import Entry
    from patchq.queue.adopt import Ground
    from patchq.queue.layers import Layer


def folded(
    order: Sequence[Entry],
    layers: Sequence[Layer],
    names: Collection[PatchName],
    into: PatchName,
    patch: Patch,
    ground: Ground,
) -> Edited:
    """Fold the patches `names`, which stand around `into` in `order` and `layers`, into `patch`, which has its name.

    SeriesError where together they change nothing, ApplyError where an `Expect:` of one of them does not hold at the
    end. The other layers stay as they are, for the trees around the folded ones do.
    """
    members = [layer for layer in layers if layer.patch.name in names or layer.patch.name == into]
    whole = rewritten(patch, before(members[0]), after(members[-1]), ground)
    whole = relabelled(whole, whole.patch, ground)
    kept: list[Layer] = []
    for layer in layers:
        if layer.patch.name == into:
            kept.append(whole)
        elif layer.patch.name not in names:
            kept.append(layer)
    entry = next(entry for entry in order if entry.patch.name == into)
    rest = replaced(without(order, names), into, [replace(entry, patch=whole.patch)])
    return Edited(order=rest, layers=tuple(kept))


def joined(into: Patch, others: Sequence[Patch], message: Message | None = None) -> Patch:
    """Return `into` with the messages of `others` behind its own, or with `message` for all of them.

    Trailers of all are kept, each once, and so are author, date and head of `into`. The diff is that of `into` still.
    """
    file = into.name.file_name
    text = text_of(into.raw, file=file)
    parts = [text.body, *(part for other in others for part in (other.message.subject, other.message.body))]
    told = replace(text, body=b"\n\n".join(part for part in parts if part))
    if message is not None:
        told = replace(told, subject=message.subject, body=message.body)
    trailers = list(told.trailers)
    new = [] if message is None else list(message.trailers)
    for trailer in (*(it for other in others for it in other.message.trailers), *new):
        if trailer not in trailers and trailer not in into.message.trailers:
            trailers.append(trailer)
    raw = replace_text(into.raw, replace(told, trailers=tuple(trailers)), file=file)
    return read_patch(into.name, raw, file=file)
