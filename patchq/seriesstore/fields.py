"""Typed reading of plain data, where every refusal names file, line and field, as in `patches[3].files[0].facts`."""

from __future__ import annotations

import difflib
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeVar

from patchq.errors import SeriesError, Where
from patchq.model.series import SCHEMA, RefPoint
from patchq.seriesstore.yamlread import Unquoted, find_line, is_null, resolve

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Mapping
    from enum import Enum

    from patchq.seriesstore.yamlread import Path

    Choice = TypeVar("Choice", bound=Enum)

_HEX = re.compile(r"[0-9a-f]{4,64}")
_DIGITS = re.compile(r"[0-9]{1,18}")


@dataclass(frozen=True, slots=True)
class Document:
    """Where data came from: the path for messages, and the YAML bytes, in which lines are looked up on an error."""

    file: str
    data: bytes

    def error(self, path: Path, message: str, *, hint: str | None = None) -> SeriesError:
        """Make the error for the value at `path`."""
        line = find_line(self.data, path, file=self.file)
        return SeriesError(message, hint=hint, where=Where(file=self.file, line=line, field=_show(path) or None))


@dataclass(frozen=True, slots=True)
class Block:
    """One mapping of a document; its methods read a key as the type they name, or raise SeriesError."""

    document: Document
    path: Path
    values: Mapping[str, object]

    @classmethod
    def top(cls, document: Document, value: object, known: Collection[str]) -> Block:
        """Open the whole document: a mapping with a `schema` that this version reads, and no key but `known` ones."""
        values = _mapping(document, (), value)
        block = cls(document, (), values)
        if "schema" not in values:
            raise document.error((), "'schema' is missing", hint=f"write 'schema: {SCHEMA}'")
        schema = block.integer_or_none("schema")
        if schema is None or schema < 1:
            raise document.error(("schema",), "is not a number from 1", hint=f"write 'schema: {SCHEMA}'")
        if schema > SCHEMA:
            raise document.error(
                ("schema",),
                f"is written in schema {schema}, and this patchq reads schema {SCHEMA}",
                hint="upgrade patchq",
            )
        _refuse_unknown(document, (), values, {"schema", *known})
        return block

    def error(self, key: str, message: str, *, hint: str | None = None) -> SeriesError:
        """Make the error for the value of `key`."""
        return self.document.error((*self.path, key), message, hint=hint)

    def text(self, key: str) -> str:
        """Read text that must be there; an unquoted `1.10` or `on` is the text it is written as."""
        found = self.text_or_none(key)
        if found is None:
            raise self.error(key, "is missing")
        return found

    def text_or_none(self, key: str) -> str | None:
        """Read text; None where the key is missing or null."""
        value = self.values.get(key)
        if is_null(value):
            return None
        if not isinstance(value, str):
            raise self.error(key, "is not text")
        return str(value)

    def texts(self, key: str) -> tuple[str, ...]:
        """Read a list of texts; empty where the key is missing."""
        found = []
        for index, item in enumerate(self._list(key)):
            if not isinstance(item, str) or is_null(item):
                raise self.document.error((*self.path, key, index), "is not text")
            found.append(str(item))
        return tuple(found)

    def integer_or_none(self, key: str) -> int | None:
        """Read a whole number from 0; None where the key is missing or null."""
        value = self.values.get(key)
        if is_null(value):
            return None
        if isinstance(value, Unquoted) and _DIGITS.fullmatch(value):
            return int(value)
        if isinstance(value, int) and not isinstance(value, bool):
            return value
        raise self.error(key, "is not a whole number")

    def choice(self, key: str, choices: type[Choice]) -> Choice:
        """Read one of the values of an enum."""
        found = self.choice_or_none(key, choices)
        if found is None:
            raise self.error(key, "is missing")
        return found

    def choice_or_none(self, key: str, choices: type[Choice]) -> Choice | None:
        """Read one of the values of an enum; None where the key is missing or null."""
        text = self.text_or_none(key)
        if text is None:
            return None
        try:
            return choices(text)
        except ValueError as error:
            legal = [str(choice.value) for choice in choices]
            raise self.error(
                key, f"is {text[:80]!r}, not one of {', '.join(legal)}", hint=_near(text, legal)
            ) from error

    def object_id_or_none(self, key: str) -> str | None:
        """Read a git object id in lower-case hex; None where the key is missing or null."""
        text = self.text_or_none(key)
        if text is not None and not _HEX.fullmatch(text):
            raise self.error(key, f"is {text[:80]!r}, not an object id in lower-case hex")
        return text

    def ref_point(self, key: str) -> RefPoint:
        """Read a ref with its commit and tree."""
        block = self.block(key, ("ref", "commit", "tree"))
        commit, tree = block.object_id_or_none("commit"), block.object_id_or_none("tree")
        if commit is None or tree is None:
            raise block.error("commit" if commit is None else "tree", "is missing")
        return RefPoint(block.text("ref"), commit, tree)

    def ref_point_or_none(self, key: str) -> RefPoint | None:
        """Return the upstream state at `key`, None where there is none."""
        return None if self.values.get(key) is None else self.ref_point(key)

    def block(self, key: str, known: Collection[str]) -> Block:
        """Read the mapping below `key`, which has no key but `known` ones."""
        if key not in self.values:
            raise self.error(key, "is missing")
        return self._block((*self.path, key), self.values[key], known)

    def blocks(self, key: str, known: Collection[str]) -> Iterator[Block]:
        """Read a list of mappings; nothing where the key is missing."""
        for index, item in enumerate(self._list(key)):
            yield self._block((*self.path, key, index), item, known)

    def free(self, key: str) -> dict[str, object]:
        """Read a mapping whose keys this version need not know."""
        value = self.values.get(key)
        if is_null(value):
            return {}
        values = _mapping(self.document, (*self.path, key), value)
        return {str(name): resolve(item) for name, item in values.items()}

    def _list(self, key: str) -> list[object]:
        value = self.values.get(key)
        if is_null(value):
            return []
        if not isinstance(value, list):
            raise self.error(key, "is not a list")
        return value

    def _block(self, path: Path, value: object, known: Collection[str]) -> Block:
        values = _mapping(self.document, path, value)
        _refuse_unknown(self.document, path, values, known)
        return Block(self.document, path, values)


def _mapping(document: Document, path: Path, value: object) -> dict[str, object]:
    if not isinstance(value, dict):
        raise document.error(path, "is not a mapping of keys to values")
    return value


def _refuse_unknown(document: Document, path: Path, values: Mapping[str, object], known: Collection[str]) -> None:
    for key in values:
        if key not in known:
            raise document.error((*path, key), "is not a known key", hint=_near(key, known))


def _near(word: str, legal: Collection[str]) -> str:
    close = difflib.get_close_matches(word, sorted(legal), n=1)
    return f"did you mean {close[0]!r}?" if close else f"known are {', '.join(sorted(legal))}"


def _show(path: Path) -> str:
    out = ""
    for part in path:
        out += f"[{part}]" if isinstance(part, int) else f".{part}" if out else part
    return out
