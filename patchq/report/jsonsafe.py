"""Documents that every JSON reader takes: no lone surrogates, whatever bytes a path, a patch or a remote had."""

from __future__ import annotations

from typing import TypeAlias

from patchq.model.series import SCHEMA
from patchq.report.cells import decoded, escape

Json: TypeAlias = "dict[str, Json] | list[Json] | str | int | float | bool | None"
JsonObject: TypeAlias = dict[str, Json]


def document(command: str, fields: JsonObject) -> JsonObject:
    r"""Put `schema` and `command` before `fields`, and make every text in it safe.

    Bytes that are not UTF-8 read as `\xff`, four characters, as `bytes.decode(errors="backslashreplace")` writes them:
    `json.dumps` would pass a lone surrogate on, which other readers refuse or replace (RFC 8259, section 8.2). It is
    for reading: a path that really has a backslash and `xff` in its name reads the same.
    """
    return {"schema": SCHEMA, "command": command, **{key: safe(value) for key, value in fields.items()}}


def text(data: bytes) -> str:
    """Decode bytes of unknown encoding for a document."""
    return _safe_text(decoded(data))


def safe(value: Json) -> Json:
    """Make every text in a value safe, as `document` does."""
    match value:
        case str():
            return _safe_text(value)
        case list():
            return [safe(item) for item in value]
        case dict():
            return {_safe_text(key): safe(item) for key, item in value.items()}
        case _:
            return value


def _safe_text(value: str) -> str:
    return value if value.isascii() else "".join(escape(it) if "\ud800" <= it <= "\udfff" else it for it in value)
