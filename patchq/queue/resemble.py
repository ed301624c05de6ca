"""Which part of a long diff has to do with a patch: the hunks that share a changed line with it."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from patchq.model.change import LineKind, TextBody

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from patchq.model.change import FileChange

_SHORTEST = 3  # characters; a bracket alone is in every hunk


def related(changes: Sequence[FileChange], patch: Iterable[FileChange]) -> tuple[FileChange, ...]:
    """Return of `changes` the hunks that add or remove a line which `patch` does; all of them where none does.

    Blanks do not count: upstream may have the same code indented otherwise.
    """
    wanted = {line for change in patch for line in _changed(change)}
    found = []
    for change in changes:
        if not isinstance(change.body, TextBody):
            continue
        hunks = tuple(
            hunk for hunk in change.body.hunks if wanted & set(_changed(replace(change, body=TextBody((hunk,)))))
        )
        if hunks:
            found.append(replace(change, body=TextBody(hunks)))
    return tuple(found) or tuple(changes)


def _changed(change: FileChange) -> set[bytes]:
    if not isinstance(change.body, TextBody):
        return set()
    lines = (line for hunk in change.body.hunks for line in hunk.lines if line.kind is not LineKind.CONTEXT)
    texts = (b"".join(line.text.split()) for line in lines)
    return {text for text in texts if len(text) >= _SHORTEST}
