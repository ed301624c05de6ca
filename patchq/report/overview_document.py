"""A whole series as JSON: what the page of `patchq report` shows, with nothing cut."""

from __future__ import annotations

from typing import TYPE_CHECKING

from patchq.patchfile.dates import iso_date
from patchq.patchfile.render import render_changes
from patchq.report.document import ref_point
from patchq.report.jsonsafe import Json, JsonObject, document, text
from patchq.report.ledger import held_fields
from patchq.report.matrix import ref_entries, told

if TYPE_CHECKING:
    from patchq.model.patch import Patch
    from patchq.model.series import PatchRecord
    from patchq.report.overview import Life, Overview, Version


def overview_document(overview: Overview, program: str) -> JsonObject:
    """Give the refs, newest first, every patch with its texts, the ledger, and what is to be done next."""
    steps = overview.steps(program)
    fields: JsonObject = {
        "upstream": overview.upstream,
        "current": overview.current,
        "refs": ref_entries(overview.columns, overview.current),
        "patches": [_life(life, overview) for life in overview.lives],
        "ledger": [held_fields(held) for held in overview.ledger],
        "author_dates": {commit: iso_date(date) for commit, date in sorted(overview.dates.items())},
        "next": [{"about": step.label, "text": step.text, "command": step.command or None} for step in steps],
    }
    return document("report", fields)


def _life(life: Life, overview: Overview) -> Json:
    refs = {column.ref: told(column, life.name) for column in overview.columns}
    known = {ref: _recorded(record) for ref, record in life.records.items()}
    return {
        "name": str(life.name),
        **_head(life.newest),
        "refs": {ref: {**said, **known.get(ref, {})} for ref, said in refs.items() if isinstance(said, dict)},
        "versions": [_version(version) for version in life.versions],
        "in_ledger": life.held is not None,
        "last_text": None if life.kept is None else text(render_changes(life.kept.changes)),
    }


def _head(patch: Patch | None) -> JsonObject:
    """Give who, when and why; null for what nobody wrote down."""
    if patch is None:
        return {"title": None, "author": None, "date": None, "reason": None, "trailers": []}
    message = patch.message
    author = message.author
    return {
        "title": message.title,
        "author": None if author is None else {"name": text(author.name), "email": text(author.email)},
        "date": None if message.date is None else iso_date(message.date),
        "reason": text(message.body),
        "trailers": [{"key": trailer.key, "value": trailer.value} for trailer in message.trailers],
    }


def _recorded(record: PatchRecord) -> JsonObject:
    return {
        "rung": record.rung.value if record.rung is not None else None,
        "class": record.review.value if record.review is not None else None,
        "made_for": ref_point(record.made_for),
        "evidence": record.evidence,
        "notes": [*record.notes],
        "files": [
            {"path": file.path, "old_path": file.old_path, "verdict": file.verdict.value, "evidence": file.evidence}
            for file in record.files
        ],
    }


def _version(version: Version) -> Json:
    """Give the refs that have it, the diff as at the first of them, and the interdiff from the next older version."""
    return {
        "refs": [*version.refs],
        "diff": text(render_changes(version.patch.changes)),
        "interdiff": [line.mark.value + line.text for line in version.since],
        "notes": [*version.notes],
    }
