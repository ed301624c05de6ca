"""Move code to another indentation without touching the lines inside its strings."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

    from patchq.syntax.facts import LanguageFacts
    from patchq.syntax.node import Node
    from patchq.syntax.outline import Row


def reindent(node: Node, source: bytes, target: bytes, facts: LanguageFacts) -> bytes:
    """Return the text of `node` with the indentation `source` of its lines replaced by `target`.

    The first line has no indentation of its own here. Lines inside a multi-line string keep theirs: it is data. A
    line that does not start with `source` (a continuation further left) is left alone.
    """
    text = node.text
    if source == target or b"\n" not in text:
        return text
    first, rest = text.split(b"\n", 1)
    return first + b"\n" + _moved(rest, node.start + len(first) + 1, source, target, _data_lines((node,), facts))


def reindent_rows(row: Row, target: bytes, facts: LanguageFacts) -> bytes:
    """Return the lines of `row` with its first indentation replaced by `target`, and that of the others with it."""
    if row.indent == target or row.blank:
        return row.text
    return _moved(row.text, row.start, row.indent, target, _data_lines(row.parts, facts))


def _moved(text: bytes, start: int, source: bytes, target: bytes, kept: set[int]) -> bytes:
    """Give the lines of `text`, which begins at `start`, another indentation, but those that begin at one of `kept`."""
    out: list[bytes] = []
    at = start
    for line in text.split(b"\n"):
        moves = at not in kept and line.startswith(source) and line.strip()
        out.append(target + line[len(source) :] if moves else line)
        at += len(line) + 1
    return b"\n".join(out)


def _data_lines(nodes: Iterable[Node], facts: LanguageFacts) -> set[int]:
    """Find the starts of the lines that lie inside a token of several lines, whose indentation is data."""
    kept: set[int] = set()
    for node in nodes:
        for leaf in node.tokens():
            fixed = leaf.kind in facts.strings or (b"\n" in leaf.text and leaf.kind not in facts.comments)
            if fixed and leaf.kind not in facts.moving:
                kept.update(leaf.start + offset + 1 for offset, byte in enumerate(leaf.text) if byte == ord("\n"))
    return kept
