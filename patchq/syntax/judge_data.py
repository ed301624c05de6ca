"""The standard library's parsers as second judges: grammars let a key stand twice, these do not."""

from __future__ import annotations

import json
import tomllib
from typing import Any

from patchq.syntax.judge import Accepted, Judgement, Rejected


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
