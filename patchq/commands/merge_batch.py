"""`patchq merge-file --batch`: one JSON object a line in, one a line out as soon as it is done."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from patchq.commands.json_lines import answer_lines, named
from patchq.commands.merge_files import read_case, write_whole
from patchq.commands.merge_outcome import reason_of, summary
from patchq.queue.merging import Marking, Unmerged, merge_file
from patchq.text.conflict import Labels

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from patchq.commands.json_lines import Answered
    from patchq.model.verdict import Accept
    from patchq.report.jsonsafe import Json

_KEYS = ("path", "base", "theirs", "ours", "out")


def run_batch(orders: Iterable[bytes], accept: Accept) -> int:
    """Merge line by line, nothing is kept from one to the next; a refusal is an answer."""

    def answer(asked: Mapping[str, Json]) -> Answered:
        path, base, theirs, ours, out = (named(asked, key, "a file") for key in _KEYS)
        labels = Labels(ours=f"upstream {Path(ours)}", base=f"base {Path(base)}", theirs=f"patch {Path(theirs)}")
        case = read_case(path, Path(base), Path(theirs), Path(ours))
        outcome = merge_file(case, Marking(labels=labels), accept=accept)
        write_whole(Path(out), outcome.data)
        return summary(outcome), {"reason": reason_of(outcome)} if isinstance(outcome, Unmerged) else {}

    return answer_lines(orders, _KEYS, answer)
