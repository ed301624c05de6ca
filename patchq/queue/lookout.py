"""Which other files of the new upstream may hold what has gone from a patched one: a bounded look at what changed."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from patchq.model.tree import Mode
from patchq.reapply.elsewhere import Place, Scattered, Unfollowed, scatter, sought
from patchq.syntax.languages import language_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from patchq.model.attempt import Case
    from patchq.model.tree import TreeReader
    from patchq.syntax.definitions import Definition
    from patchq.syntax.parse import Forest

# Between two releases of a large project 1,500 files of one language differ, 30 MB of them; a definition's own names
# are in a handful. More of either is a change in which nobody can say what moved.
MOST_BYTES = 64 * 1024 * 1024
MOST_FILES = 4_000
MOST_PLACES = 24
MOST_PARSED = 6 * 1024 * 1024

_TEXT = (Mode.REGULAR, Mode.EXECUTABLE)
_NAME = re.compile(rb"[A-Za-z_]\w{5,}")
# A file that has most of what a definition says has most of its longer names.
_SHARE = 0.6


@dataclass(frozen=True, slots=True)
class Elsewhere:
    """Where to look: `changed` gives the paths that upstream has changed or added since `base`, when it is asked."""

    base: TreeReader
    changed: Callable[[TreeReader], Sequence[bytes]]


def look_out(case: Case, elsewhere: Elsewhere, new: TreeReader, forest: Forest) -> Scattered | Unfollowed | None:
    """Look for what has gone from the file of `case` in the files that differ between `elsewhere.base` and `new`.

    Only those of its language are read, and only those parsed that hold the name of what is sought and most of the
    longer names in it. None where there is no such file.
    """
    language = language_of(case.path)
    suffixes = () if language is None else language.facts.suffixes
    if not suffixes:
        return None
    traces = [_trace(one) for one in sought(case, forest)]
    if not traces:
        return None
    changed = elsewhere.changed(elsewhere.base)
    paths = [path for path in changed if path.endswith(suffixes) and path not in {case.path, case.ours_path}]
    if not paths:
        return None
    if len(paths) > MOST_FILES:
        return Unfollowed(f"upstream has changed {len(paths)} files: too many to look for it")
    places: list[Place] = []
    total = parsed = 0
    for path, data in _texts(paths, new):
        total += len(data)
        if total > MOST_BYTES:
            return Unfollowed(f"upstream has changed more than {MOST_BYTES:,} bytes: too many to look for it")
        if not any(_holds(data, name, others) for name, others in traces):
            continue
        old = elsewhere.base.read(path)
        before = None if old is None or old.mode not in _TEXT else old.data
        places.append(Place(path, before, data))
        parsed += len(data) + len(before or b"")
        if len(places) > MOST_PLACES or parsed > MOST_PARSED:
            return Unfollowed(f"its names stand in {len(places)} files that upstream has changed: too many to tell")
    if not places:
        return None
    return scatter(case, places, forest)


def _texts(paths: Sequence[bytes], tree: TreeReader) -> Iterator[tuple[bytes, bytes]]:
    for path in paths:
        state = tree.read(path)
        if state is not None and state.mode in _TEXT:
            yield path, state.data


def _trace(sought: Definition) -> tuple[bytes, frozenset[bytes]]:
    """Give the name of a definition, and the longer ones that it uses."""
    name = sought.name.text.encode()
    return name, frozenset(_NAME.findall(sought.node.text)) - {name}


def _holds(data: bytes, name: bytes, others: frozenset[bytes]) -> bool:
    return name in data and sum(other in data for other in others) >= _SHARE * len(others)
