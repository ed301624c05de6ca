"""`patchq judge --batch`: one JSON object a line in, one a line out as soon as it is done."""

from __future__ import annotations

import json
import sys
import time
from typing import TYPE_CHECKING

from patchq.commands.judge_trees import judged
from patchq.commands.progress import QUIET, progress
from patchq.errors import ExitCode, PatchqError
from patchq.report.jsonsafe import safe
from patchq.report.judgement import judgement_fields

if TYPE_CHECKING:
    from collections.abc import Iterable

    from patchq.commands.session import Session
    from patchq.report.jsonsafe import Json, JsonObject

_KEYS = ("patch", "base", "tree")


def run_batch(session: Session, questions: Iterable[bytes]) -> int:
    """Judge line by line, each by itself.

    Every verdict is an answer. What could not be tried (a bad line, a file that is not there, a patch that does not fit
    its base) gets a line with `error`, the rest goes on, and the exit code is 1.
    """
    bad = False
    # Answers on the same terminal are progress enough, and would stand behind the line that tells it.
    with progress(QUIET if sys.stdout.isatty() else session, "patches judged") as on:
        for number, line in enumerate(on.count(questions), 1):
            if line.strip():
                answer = _answer(session, line, number)
                bad |= "error" in answer
                sys.stdout.write(json.dumps(safe(answer), ensure_ascii=True) + "\n")
                sys.stdout.flush()
    return ExitCode.FINDINGS if bad else ExitCode.DONE


def _answer(session: Session, line: bytes, number: int) -> JsonObject:
    start = time.perf_counter()
    name: Json = None
    try:
        asked = _parsed(line)
        name = asked.get("id")
        _refuse_incomplete(asked)
        patch, base, tree = (_text(asked, key) for key in _KEYS)
        fields = judgement_fields(judged(session, patch, base, tree))
    except PatchqError as error:
        return {"id": name, "error": f"line {number}: {error}"}
    except (RecursionError, MemoryError) as error:
        return {"id": name, "error": f"line {number}: too deep or too large: {type(error).__name__}"}
    seconds = round(time.perf_counter() - start, 4)
    return {"id": name, "verdict": fields["verdict"], "seconds": seconds, "edits": fields["edits"]}


def _parsed(line: bytes) -> dict[str, Json]:
    try:
        asked: Json = json.loads(line)
    except (ValueError, RecursionError) as error:  # bad UTF-8, and nesting, too
        raise PatchqError(f"no JSON: {error}") from error
    if not isinstance(asked, dict):
        raise PatchqError("no JSON object")
    return asked


def _refuse_incomplete(asked: dict[str, Json]) -> None:
    missing = [key for key in ("id", *_KEYS) if key not in asked]
    if missing:
        raise PatchqError(f"without {', '.join(missing)}")


def _text(asked: dict[str, Json], key: str) -> str:
    value = asked[key]
    if not isinstance(value, str) or not value or "\0" in value or value == "-":
        raise PatchqError(f"{key} is no name of a file or a tree")
    return value
