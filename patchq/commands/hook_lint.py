"""The cheap rules of lint for staged patches: what is an error by their text alone, though every verb would go on."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from patchq.errors import SeriesError
from patchq.model.finding import Rule, Severity
from patchq.model.names import SUFFIX
from patchq.queue.arrival import name_of_file
from patchq.queue.lint import lint_patch

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from patchq.model.tree import TreeReader

# The faults of the series have these already.
_TOLD = frozenset({Rule.MALFORMED, Rule.WRONG_COUNT})


def lint_errors(tree: TreeReader, series: Sequence[str], prefix: str) -> Iterator[SeriesError]:
    """Yield the errors in the staged patches among `series`, paths relative to the series, which is at `prefix`."""
    for path in series:
        _, slash, file = path.partition("/")
        name = name_of_file(file)
        if not slash or "/" in file or not file.endswith(SUFFIX) or name is None:
            continue
        state = tree.read(os.fsencode(prefix + path))
        for one in () if state is None else lint_patch(name, state.data, file=prefix + path).findings:
            if one.severity is Severity.ERROR and one.rule not in _TOLD:
                yield SeriesError(one.message, hint=one.hint, where=one.where)
