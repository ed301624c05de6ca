"""Keys of data languages: how an entry is called, and which entry names the record that it stands in."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from patchq.model.anchor import Step, StepKind
from patchq.syntax.facts import Signature, Strength

if TYPE_CHECKING:
    from collections.abc import Mapping

    from patchq.syntax.node import Node

# What people call a record by, best first: `- name: test`, `{"id": 3}`, `[[index]]` with a `name`.
NAMING = ("name", "id", "key")
_BARE = re.compile(r"[^\s\[\](){}\"'\\](?:[^\n\[\](){}\"'\\]*[^\s\[\](){}\"'\\])?")


def unquoted(word: str) -> str:
    """Take the quotes off a key in which nothing needs them."""
    inner = word[1:-1]
    quoted = len(word) > 2 and word[0] == word[-1] and word[0] in "\"'"  # noqa: PLR2004 - two quotes and something
    return inner if quoted and _BARE.fullmatch(inner) else word


def entry_step(key: str) -> Step:
    """Name an entry in an address; a key that an address could not hold is written as a string."""
    if _BARE.fullmatch(key) or (key[:1] in {'"', "'"} and key[-1:] == key[:1] and len(key) > 1):
        return Step(StepKind.ENTRY, key)
    escaped = key.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")
    return Step(StepKind.ENTRY, f'"{escaped}"')


def record(values: Mapping[str, Node]) -> Signature | None:
    """Sign a record of a list by its plain values: by what names it, or weakly by the first of them."""
    name = next((values[name] for name in NAMING if name in values), None)
    if name is not None:
        return keyed("record", unquoted(name.word))
    first = next(iter(values.items()), None)
    return None if first is None else Signature(Strength.WEAK, ("record", first[0], first[1].word))


def keyed(kind: str, key: str) -> Signature:
    """Sign an entry of a mapping: its key names it wherever it stands there."""
    return Signature(Strength.STRONG, (kind, key), entry_step(key))
