"""A judgement for people, line by line and the word last, and for programs."""

from __future__ import annotations

from typing import TYPE_CHECKING

from patchq.report.cells import visible
from patchq.report.jsonsafe import text

if TYPE_CHECKING:
    from collections.abc import Iterator

    from patchq.model.judgement import EditFinding, Judgement
    from patchq.report.jsonsafe import Json, JsonObject


def judgement_lines(judgement: Judgement) -> Iterator[str]:
    """Yield one line an edit (its word, where it is in the tree, what it is in, why), and the patch's word last."""
    words = [edit.need.value for edit in judgement.edits]
    places = [visible(_place(edit)) for edit in judgement.edits]
    width = max((len(word) for word in words), default=0)
    reach = max((len(place) for place in places), default=0)
    for edit, word, place in zip(judgement.edits, words, places, strict=True):
        within = text(edit.path)
        inside = edit_scope(edit).removeprefix(f"{within}::")
        where = f" (in `{visible(inside)}`)" if inside else ""
        yield f"{word:<{width}}  {place:<{reach}}  {visible(edit.reason)}{where}"
    yield judgement.need.value


def edit_scope(edit: EditFinding) -> str:
    """Give the anchor as text that can be printed."""
    return edit.anchor.encode("utf-8", "surrogateescape").decode("utf-8", "backslashreplace")


def edit_entries(judgement: Judgement) -> list[Json]:
    """Give the edits as they stand in documents."""
    return [_entry(edit) for edit in judgement.edits]


def judgement_fields(judgement: Judgement) -> JsonObject:
    """Give the fields of a document, and of a line of a batch."""
    return {"verdict": judgement.need.value, "edits": edit_entries(judgement)}


def _entry(edit: EditFinding) -> JsonObject:
    return {
        "verdict": edit.need.value,
        "path": text(edit.path),
        "line": edit.line,
        "anchor": edit_scope(edit),
        "how": None if edit.how is None else edit.how.value,
        "reason": edit.reason,
    }


def _place(edit: EditFinding) -> str:
    path = text(edit.path)
    return path if edit.line is None else f"{path}:{edit.line}"
