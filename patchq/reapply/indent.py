"""Move code to another indentation without touching the lines inside its strings."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from patchq.syntax.facts import LanguageFacts
    from patchq.syntax.node import Node


def reindent(node: Node, source: bytes, target: bytes, facts: LanguageFacts) -> bytes:
    """Return the text of `node` with the indentation `source` of its lines replaced by `target`.

    The first line has no indentation of its own here. Lines inside a multi-line string keep theirs: it is data. A
    line that does not start with `source` (a continuation further left) is left alone.
    """
    text = node.text
    if source == target or b"\n" not in text:
        return text
    kept: set[int] = set()
    for leaf in node.leaves():
        if leaf.kind not in facts.moving and (leaf.kind in facts.strings or b"\n" in leaf.text):
            kept.update(leaf.start + offset + 1 for offset, byte in enumerate(leaf.text) if byte == ord("\n"))
    lines = text.split(b"\n")
    out = [lines[0]]
    at = node.start + len(lines[0]) + 1
    for line in lines[1:]:
        if at not in kept and line.startswith(source) and line.strip():
            out.append(target + line[len(source) :])
        else:
            out.append(line)
        at += len(line) + 1
    return b"\n".join(out)
