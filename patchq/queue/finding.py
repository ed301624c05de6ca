"""Find the patch that a person means: by its whole name or a unique beginning, with near misses when there is none."""

from __future__ import annotations

import difflib
from typing import TYPE_CHECKING

from patchq.errors import SeriesError

if TYPE_CHECKING:
    from patchq.model.series import Entry, Series


def find_patch(series: Series, text: str) -> Entry:
    """Return the entry whose name is `text` or, as the only one, starts with it; SeriesError names the candidates."""
    wanted = text.removesuffix(".patch")
    names = {str(entry.patch.name): entry for entry in series.entries}
    if wanted in names:
        return names[wanted]
    starting = [name for name in names if wanted and name.startswith(wanted)]
    if len(starting) == 1:
        return names[starting[0]]
    if starting:
        raise SeriesError(f"{text!r} could be {', '.join(starting)}", hint="type more of the name")
    near = difflib.get_close_matches(wanted, names, n=3)
    hint = f"did you mean {' or '.join(near)}?" if near else "patchq series lists the names"
    raise SeriesError(f"there is no patch {text!r} in the series for {series.ref}", hint=hint)
