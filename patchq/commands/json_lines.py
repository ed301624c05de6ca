"""Batches: one JSON object a line in, one a line out as soon as it is done, each by itself."""

from __future__ import annotations

import json
import sys
import time
from typing import TYPE_CHECKING

from patchq.errors import ExitCode, PatchqError
from patchq.report.jsonsafe import safe

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from patchq.report.jsonsafe import Json, JsonObject

    # The fields of an answer that stand before the time it took, and those behind it.
    Answered = tuple[JsonObject, JsonObject]


def answer_lines(
    lines: Iterable[bytes], keys: Sequence[str], answer: Callable[[Mapping[str, Json]], Answered]
) -> ExitCode:
    """Answer line by line; each needs `id`, whatever the caller wants to see again, and `keys`.

    What could not be tried (a bad line, a file that is not there, a text too deep or too large for this machine) gets a
    line with `error`, the rest goes on, and the exit code is 1.
    """
    bad = False
    for number, line in enumerate(lines, 1):
        if line.strip():
            told = _answered(number, line, keys, answer)
            bad |= "error" in told
            sys.stdout.write(json.dumps(safe(told), ensure_ascii=True) + "\n")
            sys.stdout.flush()
    return ExitCode.FINDINGS if bad else ExitCode.DONE


def named(asked: Mapping[str, Json], key: str, kind: str) -> str:
    """Return a field that names something of this kind; PatchqError for what cannot be a name."""
    value = asked[key]
    if not isinstance(value, str) or not value or "\0" in value:
        raise PatchqError(f"{key} is no name of {kind}")
    return value


def _answered(
    number: int, line: bytes, keys: Sequence[str], answer: Callable[[Mapping[str, Json]], Answered]
) -> JsonObject:
    start = time.perf_counter()
    name: Json = None
    try:
        asked = _parsed(line)
        name = asked.get("id")
        _refuse_incomplete(asked, keys)
        first, rest = answer(asked)
    except PatchqError as error:
        return {"id": name, "error": f"line {number}: {error}"}
    except (RecursionError, MemoryError) as error:
        return {"id": name, "error": f"line {number}: too deep or too large: {type(error).__name__}"}
    return {"id": name, **first, "seconds": round(time.perf_counter() - start, 4), **rest}


def _refuse_incomplete(asked: Mapping[str, Json], keys: Sequence[str]) -> None:
    missing = [key for key in ("id", *keys) if key not in asked]
    if missing:
        raise PatchqError(f"without {', '.join(missing)}")


def _parsed(line: bytes) -> dict[str, Json]:
    try:
        asked: Json = json.loads(line)
    except (ValueError, RecursionError) as error:  # bad UTF-8, and nesting, too
        raise PatchqError(f"no JSON: {error}") from error
    if not isinstance(asked, dict):
        raise PatchqError("no JSON object")
    return asked
