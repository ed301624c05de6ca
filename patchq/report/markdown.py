"""Markdown in which text from elsewhere is only ever a code span, and which ends where its room ends."""

from __future__ import annotations

import re
from itertools import groupby
from typing import TYPE_CHECKING

from patchq.report.cells import visible

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

# GitHub takes 65,536 characters for the text of an issue, and 1 MiB for a job summary.
MOST_BYTES = 60_000
_SPAN = 200
# A command is copied, so that it must be whole: two names, a ref and a folder have room in this.
COMMAND = 1000
# What begins a report, so that a later one may take its place; no renderer shows it.
SIGNATURE = "<!-- patchq report -->"

# No such word is markup, a link or a mention, wherever it stands in a line.
_WORD = re.compile(r"[A-Za-z]+(?:['-][A-Za-z]+)*[,;:.]?")
_BACKTICKS = re.compile(r"`+")


def span(text: str, most: int = _SPAN) -> str:
    """Write text from anywhere as a code span, on one line and bounded.

    In a code span nothing is markup, and what GitHub and GitLab would turn into links and messages to people
    (`@name`, `#12`, `!12`, a commit id, an address) stays text, which no escape outside of one achieves. The fence is
    one backtick longer than any inside (CommonMark 0.31, 6.1).
    """
    shown = _one_line(text, most)
    if not shown:
        return ""
    fence = "`" * (1 + max((len(run) for run in _BACKTICKS.findall(shown)), default=0))
    pad = " " if shown[0] == "`" or shown[-1] == "`" else ""
    return f"{fence}{pad}{shown}{pad}{fence}"


def prose(text: str, most: int = 3 * _SPAN) -> str:
    """Write a sentence, which may quote something: words of plain letters as they are, all else as code spans."""
    out: list[str] = []
    for is_word, words in groupby(_one_line(text, most).split(), key=lambda word: _WORD.fullmatch(word) is not None):
        run = " ".join(words)
        bare = run if is_word else run.rstrip(",;:")
        out.append(run if is_word else span(bare, most) + run[len(bare) :])
    return " ".join(out)


def _one_line(text: str, most: int) -> str:
    """Make a text visible on one line, runs of blanks as one; of a longer one the begin, and that there is more."""
    looked_at = text[: 8 * most]
    shown = " ".join(visible(" ".join(looked_at.split())).split())
    return shown if len(shown) <= most and len(looked_at) == len(text) else shown[: most - 3] + "..."


def table(heads: Sequence[str], rows: Iterable[Sequence[str]]) -> list[str]:
    """Lay out a table (GFM, 4.10): its head, then one line a row; a bar in a cell is escaped, also in a code span.

    Cells are legal names of patches and refs, and words of our own: none can have a backslash before a bar.
    """
    lines = [heads, ["---"] * len(heads), *rows]
    return ["| " + " | ".join(cell.replace("|", "\\|") for cell in line) + " |" for line in lines]


def bounded(blocks: Sequence[Sequence[str]], rest: str, most: int = MOST_BYTES) -> str:
    """Join blocks of lines by blank lines; where they have more than `most` bytes, cut at a line and say `rest`."""
    out: list[str] = []
    left = most - len(rest) - 2
    for block in filter(None, blocks):
        for line in ("", *block) if out else block:
            left -= len(line.encode("utf-8")) + 1
            if left < 0:
                return "\n".join([*out, "", rest]) + "\n"
            out.append(line)
    return "\n".join(out) + "\n"
