"""PyYAML's parser as second judge: the grammar lets a key stand twice, this does not."""

from __future__ import annotations

from typing import TYPE_CHECKING

import yaml

from patchq.syntax.judge import Accepted, Judgement, Rejected

if TYPE_CHECKING:
    from collections.abc import Iterable


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
