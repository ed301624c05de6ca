"""`patchq judge --batch`: one JSON object a line in, one a line out as soon as it is done."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

from patchq.commands.json_lines import answer_lines, named
from patchq.commands.judge_trees import judged
from patchq.commands.progress import QUIET, progress
from patchq.errors import PatchqError
from patchq.report.judgement import judgement_fields

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from patchq.commands.json_lines import Answered
    from patchq.commands.session import Session
    from patchq.report.jsonsafe import Json

_KEYS = ("patch", "base", "tree")
_KIND = "a file or a tree"


def run_batch(session: Session, questions: Iterable[bytes]) -> int:
    """Judge line by line; every verdict is an answer, and a patch that does not fit its base is an `error`."""

    def answer(asked: Mapping[str, Json]) -> Answered:
        patch, base, tree = (_name(asked, key) for key in _KEYS)
        fields = judgement_fields(judged(session, patch, base, tree))
        return {"verdict": fields["verdict"]}, {"edits": fields["edits"]}

    # Answers on the same terminal are progress enough, and would stand behind the line that tells it.
    with progress(QUIET if sys.stdout.isatty() else session, "patches judged") as on:
        return answer_lines(on.count(questions), _KEYS, answer)


def _name(asked: Mapping[str, Json], key: str) -> str:
    name = named(asked, key, _KIND)
    if name == "-":  # standard input has the questions
        raise PatchqError(f"{key} is no name of {_KIND}")
    return name
