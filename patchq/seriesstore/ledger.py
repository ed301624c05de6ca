"""`ledger.yaml`: the patches that have left the series, each with its last text, so that a revert can bring it back."""

from __future__ import annotations

from patchq.model.series import SCHEMA, Ledger, LedgerEntry, Retirement, Seen, Sighting
from patchq.seriesstore.fields import Block, Document
from patchq.seriesstore.record import patch_name, plain_ref_point
from patchq.seriesstore.yamlread import parse
from patchq.seriesstore.yamlwrite import dump

_KEYS = ("entries",)
_COMMIT_KEYS = ("commit", "subject", "pull_request")
_OWN_KEYS = ("name", "title", "part_of", "reason", "seen_at", "how", "evidence", "after", "found_in")
ENTRY_KEYS = (*_OWN_KEYS, *_COMMIT_KEYS, "history", "made_for", "stands_on", "patch")
SIGHTING_KEYS = ("seen", "at", *_COMMIT_KEYS)
_COMMENT = "written by patchq: patches that have left the series, oldest first, each with its last text"


def read_ledger(data: bytes, *, file: str) -> Ledger:
    """Return the ledger in `data`; SeriesError with file, line and field where it is not one."""
    return ledger_of(parse(data, file=file), Document(file, data))


def write_ledger(ledger: Ledger) -> bytes:
    """Return the file for `ledger`."""
    return dump(plain_ledger(ledger), comment=_COMMENT)


def ledger_of(value: object, document: Document) -> Ledger:
    """Return the ledger in plain data."""
    block = Block.top(document, value, _KEYS)
    return Ledger(tuple(_entry(item) for item in block.blocks("entries", ENTRY_KEYS)))


def plain_ledger(ledger: Ledger) -> dict[str, object]:
    """Return the ledger as plain data in the order of the file; patch bytes are text with surrogateescape."""
    return {"schema": SCHEMA, "entries": [_plain_entry(entry) for entry in ledger.entries]}


def _entry(block: Block) -> LedgerEntry:
    return LedgerEntry(
        name=patch_name(block, "name"),
        title=block.text_or_none("title") or "",
        part_of=patch_name(block, "part_of") if block.text_or_none("part_of") is not None else None,
        reason=block.choice_or_none("reason", Retirement) or Retirement.ABSORBED,
        seen_at=block.ref_point("seen_at"),
        how=block.text("how"),
        evidence=block.text_or_none("evidence") or "",
        after=patch_name(block, "after") if block.text_or_none("after") is not None else None,
        found_in=block.texts("found_in"),
        commit=block.object_id_or_none("commit"),
        subject=block.text_or_none("subject"),
        pull_request=block.integer_or_none("pull_request"),
        history=tuple(_sighting(item) for item in block.blocks("history", SIGHTING_KEYS)),
        made_for=block.ref_point_or_none("made_for"),
        stands_on=tuple(text.encode("utf-8", "surrogateescape") for text in block.texts("stands_on")),
        raw=block.text("patch").encode("utf-8", "surrogateescape"),
    )


def _sighting(block: Block) -> Sighting:
    return Sighting(
        seen=block.choice("seen", Seen),
        at=block.ref_point("at"),
        commit=block.object_id_or_none("commit"),
        subject=block.text_or_none("subject"),
        pull_request=block.integer_or_none("pull_request"),
    )


def _plain_entry(entry: LedgerEntry) -> dict[str, object]:
    """Write what people look for first; the reason only where it is not the usual one, and texts last."""
    fields = {
        "name": entry.name.value,
        "title": entry.title,
        "part_of": entry.part_of and entry.part_of.value,
        "reason": None if entry.reason is Retirement.ABSORBED else entry.reason.value,
        "seen_at": plain_ref_point(entry.seen_at),
        "how": entry.how,
        "evidence": entry.evidence,
        "after": entry.after and entry.after.value,
        "found_in": list(entry.found_in) or None,
        **_plain_commit(entry),
        "history": [_plain_sighting(sighting) for sighting in entry.history] or None,
        "made_for": None if entry.made_for is None else plain_ref_point(entry.made_for),
        "stands_on": [raw.decode("utf-8", "surrogateescape") for raw in entry.stands_on] or None,
        "patch": entry.raw.decode("utf-8", "surrogateescape"),
    }
    return _known(fields)


def _plain_sighting(sighting: Sighting) -> dict[str, object]:
    return _known({"seen": sighting.seen.value, "at": plain_ref_point(sighting.at), **_plain_commit(sighting)})


def _plain_commit(brought: LedgerEntry | Sighting) -> dict[str, object]:
    return {"commit": brought.commit, "subject": brought.subject, "pull_request": brought.pull_request}


def _known(fields: dict[str, object]) -> dict[str, object]:
    return {key: value for key, value in fields.items() if value is not None}
