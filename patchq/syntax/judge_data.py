"""The parsers of data languages as second judges: grammars let a key stand twice, these do not."""

from __future__ import annotations

import json
import tomllib
from typing import TYPE_CHECKING, Any

import yaml

from patchq.syntax.judge import Accepted, Judgement, Rejected

if TYPE_CHECKING:
    from collections.abc import Iterable


def judge_json(source: bytes) -> Judgement:
    """Ask the standard library's JSON parser, and refuse a key that stands twice in one object."""
    try:
        json.loads(source.decode("utf-8"), object_pairs_hook=_once)
    except (ValueError, RecursionError, MemoryError) as error:
        return Rejected(str(error))
    return Accepted(None)


def _once(pairs: list[tuple[str, Any]]) -> None:
    seen: set[str] = set()
    for key, _ in pairs:
        if key in seen:
            raise ValueError(f"the key {key!r} stands twice in one object")
        seen.add(key)


def judge_toml(source: bytes) -> Judgement:
    """Ask the standard library's TOML parser, which refuses keys and tables that stand twice."""
    try:
        tomllib.loads(source.decode("utf-8"))
    except (ValueError, RecursionError, MemoryError) as error:
        return Rejected(str(error))
    return Accepted(None)


def judge_yaml(source: bytes) -> Judgement:
    """Ask PyYAML's parser, which reads YAML 1.1, and refuse a scalar key that stands twice in one mapping.

    Only events are read: nothing is constructed and no alias is followed, so that a small text stays small.
    """
    loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
    try:
        twice = _key_twice(yaml.parse(source.decode("utf-8"), Loader=loader))
    except (yaml.YAMLError, ValueError, RecursionError, MemoryError) as error:
        return Rejected(" ".join(str(error).split()))
    return Accepted(None) if twice is None else Rejected(f"the key {twice!r} stands twice in one mapping")


def _key_twice(events: Iterable[yaml.Event]) -> str | None:
    """Find a key that a mapping has twice; `<<` may stand there for each mapping to merge."""
    mappings: list[set[str] | None] = []  # None for a sequence
    values: list[bool] = []  # whether the next node at this level is a value rather than a key
    for event in events:
        if isinstance(event, yaml.NodeEvent) and mappings and (keys := mappings[-1]) is not None:
            if not values[-1] and isinstance(event, yaml.ScalarEvent):
                if event.value in keys and event.value != "<<":
                    return event.value
                keys.add(event.value)
            values[-1] = not values[-1]
        match event:
            case yaml.MappingStartEvent():
                mappings.append(set())
                values.append(False)
            case yaml.SequenceStartEvent():
                mappings.append(None)
                values.append(False)
            case yaml.MappingEndEvent() | yaml.SequenceEndEvent():
                mappings.pop()
                values.pop()
            case _:
                pass
    return None
