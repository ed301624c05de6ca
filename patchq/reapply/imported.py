"""Whether a text lacks what an edit imports: an import says nothing by its place, only by the names that it binds."""

from __future__ import annotations

import re
from enum import Enum
from typing import TYPE_CHECKING

from patchq.syntax.judge import Accepted
from patchq.syntax.languages import language_of

if TYPE_CHECKING:
    from collections.abc import Sequence

_IMPORT = re.compile(rb"\s*(?:from\s+\S+\s+import|import|use|using)\s+(.+)")
_NAME = re.compile(rb"[A-Za-z_]\w*")


class Lack(Enum):
    """What a text makes of names that an edit imports."""

    MISSING = "missing"  # it uses one that nothing in it binds
    NONE = "none"  # it uses none of them, or binds those that it uses


def imported(lines: Sequence[bytes]) -> frozenset[bytes]:
    """Return the names that lines import, in the ways of Python, JavaScript, Java or Rust; none if one does not."""
    names: set[bytes] = set()
    for line in lines:
        found = _IMPORT.match(line.partition(b"#")[0].partition(b"//")[0])
        if found is None:
            return frozenset()
        for part in found[1].partition(b" from ")[0].split(b","):
            names.update(_NAME.findall(part)[-1:])
    return frozenset(names)


def mentions(name: bytes, text: bytes) -> bool:
    """Whether a text has this name as a word, also in strings and comments (`__all__` names things in strings)."""
    return re.search(rb"\b%s\b" % re.escape(name), text) is not None


def lacks(names: frozenset[bytes], path: bytes, text: bytes) -> Lack:
    """Ask the language's own parser which names a text uses and does not bind; no parser knows nothing."""
    language = language_of(path)
    if language is None or language.judge is None:
        return Lack.NONE
    judged = language.judge(text)
    unbound = judged.unbound if isinstance(judged, Accepted) else None
    return Lack.MISSING if unbound and any(name.decode() in unbound for name in names) else Lack.NONE
