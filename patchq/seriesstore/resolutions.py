"""`resolutions.yaml`: what people have decided about patches that could not be carried, by the contents in question."""

from __future__ import annotations

import re

from patchq.model.resolution import Decision, Resolution, Resolutions
from patchq.model.series import SCHEMA
from patchq.seriesstore.fields import Block, Document
from patchq.seriesstore.record import patch_name
from patchq.seriesstore.yamlread import parse
from patchq.seriesstore.yamlwrite import dump

ENTRY_KEYS = ("key", "patch", "ref", "decision", "kept", "also", "unparsed", "diff")
_COMMENT = "written by patchq: how people resolved what could not be carried, used again where the same is in question"
_KEY = re.compile(r"[0-9a-f]{64}")


def read_resolutions(data: bytes, *, file: str) -> Resolutions:
    """Return the resolutions in `data`; SeriesError with file, line and field where it is no such file."""
    return resolutions_of(parse(data, file=file), Document(file, data))


def write_resolutions(resolutions: Resolutions) -> bytes:
    """Return the file for `resolutions`."""
    return dump(plain_resolutions(resolutions), comment=_COMMENT)


def resolutions_of(value: object, document: Document) -> Resolutions:
    """Return the resolutions in plain data; SeriesError with file, line and field where it is none."""
    block = Block.top(document, value, ("entries",))
    return Resolutions(tuple(_entry(item) for item in block.blocks("entries", ENTRY_KEYS)))


def plain_resolutions(resolutions: Resolutions) -> dict[str, object]:
    """Return the resolutions as plain data in the order of the file; diffs are text with surrogateescape."""
    return {"schema": SCHEMA, "entries": [_plain(entry) for entry in resolutions.entries]}


def _entry(block: Block) -> Resolution:
    key = block.text("key")
    if not _KEY.fullmatch(key):
        raise block.error("key", f"is {key[:80]!r}, not a SHA-256 in lower-case hex")
    return Resolution(
        key=key,
        name=patch_name(block, "patch"),
        ref=block.text("ref"),
        decision=block.choice_or_none("decision", Decision) or Decision.RESULT,
        kept=block.texts("kept"),
        also=block.texts("also"),
        unparsed=block.texts("unparsed"),
        diff=(block.text_or_none("diff") or "").encode("utf-8", "surrogateescape"),
    )


def _plain(entry: Resolution) -> dict[str, object]:
    fields = {
        "key": entry.key,
        "patch": entry.name.value,
        "ref": entry.ref,
        "decision": None if entry.decision is Decision.RESULT else entry.decision.value,
        "kept": list(entry.kept) or None,
        "also": list(entry.also) or None,
        "unparsed": list(entry.unparsed) or None,
        "diff": entry.diff.decode("utf-8", "surrogateescape") or None,
    }
    return {key: value for key, value in fields.items() if value is not None}
