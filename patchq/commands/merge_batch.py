"""`patchq merge-file --batch`: one JSON object a line in, one a line out as soon as it is done."""

from __future__ import annotations

import json
import sys
import time
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from patchq.commands.merge_files import read_case, write_whole
from patchq.commands.merge_outcome import reason_of, summary
from patchq.errors import ExitCode, PatchqError
from patchq.queue.merging import Marking, Unmerged, merge_file
from patchq.report.jsonsafe import safe
from patchq.text.conflict import Labels

if TYPE_CHECKING:
    from collections.abc import Iterable

    from patchq.model.verdict import Accept
    from patchq.report.jsonsafe import Json, JsonObject

_KEYS = ("path", "base", "theirs", "ours", "out")


@dataclass(frozen=True, slots=True, kw_only=True)
class _Order:
    """One line: `id` is whatever the caller wants to see again."""

    id: Json
    path: str
    base: Path
    theirs: Path
    ours: Path
    out: Path


def run_batch(orders: Iterable[bytes], accept: Accept) -> int:
    """Merge line by line, each by itself: nothing is kept from one to the next.

    A refusal is an answer. What could not be tried (a bad line, a file that is not there, a text too deep or too large
    for this machine) gets a line with `error`, the rest goes on, and the exit code is 1.
    """
    bad = False
    for number, line in enumerate(orders, 1):
        if line.strip():
            answer = _answer(line, number, accept)
            bad |= "error" in answer
            sys.stdout.write(json.dumps(safe(answer), ensure_ascii=True) + "\n")
            sys.stdout.flush()
    return ExitCode.FINDINGS if bad else ExitCode.DONE


def _answer(line: bytes, number: int, accept: Accept) -> JsonObject:
    start = time.perf_counter()
    name: Json = None
    try:
        asked = _parsed(line)
        name = asked.get("id")
        answer = _merged(_order(asked), accept)
    except PatchqError as error:
        return {"id": name, "error": f"line {number}: {error}"}
    except (RecursionError, MemoryError) as error:
        return {"id": name, "error": f"line {number}: too deep or too large: {type(error).__name__}"}
    reason = {"reason": answer.pop("reason")} if "reason" in answer else {}
    return {"id": name, **answer, "seconds": round(time.perf_counter() - start, 4), **reason}


def _merged(order: _Order, accept: Accept) -> JsonObject:
    labels = Labels(ours=f"upstream {order.ours}", base=f"base {order.base}", theirs=f"patch {order.theirs}")
    case = read_case(order.path, order.base, order.theirs, order.ours)
    outcome = merge_file(case, Marking(labels=labels), accept=accept)
    write_whole(order.out, outcome.data)
    answer = summary(outcome)
    return {**answer, "reason": reason_of(outcome)} if isinstance(outcome, Unmerged) else answer


def _parsed(line: bytes) -> dict[str, Json]:
    try:
        asked: Json = json.loads(line)
    except ValueError as error:  # bad UTF-8, too
        raise PatchqError(f"no JSON: {error}") from error
    if not isinstance(asked, dict):
        raise PatchqError("no JSON object")
    return asked


def _order(asked: dict[str, Json]) -> _Order:
    missing = [key for key in ("id", *_KEYS) if key not in asked]
    if missing:
        raise PatchqError(f"without {', '.join(missing)}")
    path, base, theirs, ours, out = (_text(asked, key) for key in _KEYS)
    return _Order(id=asked["id"], path=path, base=Path(base), theirs=Path(theirs), ours=Path(ours), out=Path(out))


def _text(asked: dict[str, Json], key: str) -> str:
    value = asked[key]
    if not isinstance(value, str) or not value or "\0" in value:
        raise PatchqError(f"{key} is no name of a file")
    return value
