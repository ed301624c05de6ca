"""`ledger.yaml`: the patches that upstream absorbed, each with its last text, so that a revert can bring it back."""

from __future__ import annotations

from patchq.model.series import SCHEMA, Ledger, LedgerEntry
from patchq.seriesstore.fields import Block, Document
from patchq.seriesstore.record import patch_name, plain_ref_point
from patchq.seriesstore.yamlread import parse
from patchq.seriesstore.yamlwrite import dump

_KEYS = ("entries",)
ENTRY_KEYS = ("name", "title", "seen_at", "how", "evidence", "after", "commit", "subject", "pull_request", "patch")
_COMMENT = "written by patchq: patches that upstream has absorbed, oldest first, each with its last text"


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
        seen_at=block.ref_point("seen_at"),
        how=block.text("how"),
        evidence=block.text_or_none("evidence") or "",
        after=patch_name(block, "after") if block.text_or_none("after") is not None else None,
        commit=block.object_id_or_none("commit"),
        subject=block.text_or_none("subject"),
        pull_request=block.integer_or_none("pull_request"),
        raw=block.text("patch").encode("utf-8", "surrogateescape"),
    )


def _plain_entry(entry: LedgerEntry) -> dict[str, object]:
    optional = {
        "after": entry.after and entry.after.value,
        "commit": entry.commit,
        "subject": entry.subject,
        "pull_request": entry.pull_request,
    }
    return {
        "name": entry.name.value,
        "title": entry.title,
        "seen_at": plain_ref_point(entry.seen_at),
        "how": entry.how,
        "evidence": entry.evidence,
        **{key: value for key, value in optional.items() if value is not None},
        "patch": entry.raw.decode("utf-8", "surrogateescape"),
    }
