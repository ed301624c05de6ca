"""A text as blocks: headings, paragraphs, list items, table rows and lines, with the gaps between them."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from enum import Enum
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

_MARKDOWN = (b".md", b".markdown", b".mdx")
_PROSE = (*_MARKDOWN, b".rst", b".txt", b".adoc")
_PROSE_NAMES = (b"README", b"LICENSE", b"LICENCE", b"NOTICE", b"AUTHORS", b"CHANGELOG", b"CHANGES", b"CONTRIBUTING")
_FENCE = re.compile(rb"[ \t]*(?:`{3,}|~{3,})")
_HEADING = re.compile(rb"(#{1,6}[ \t]+)")
_ITEM = re.compile(rb"([ \t]*(?:[-*+]|\d{1,9}[.)])[ \t]+)(?=\S)")
_MARKUP = re.compile(rb"[ \t]*<[/!A-Za-z]")
_RULE = re.compile(rb"[ \t]*(?:[-=*_~^+][ \t]*){2,}$")
_INDENTED = (b" ", b"\t")
_WORD = re.compile(rb"\S+")
_CELL = re.compile(rb"\||[^\s|]+")


class Style(Enum):
    """How a file is to be read: words may be edited one by one in prose only."""

    MARKDOWN = "Markdown"
    PROSE = "prose"
    LINES = "lines"


class BlockKind(Enum):
    """What a block is; two blocks of different kinds are never one another's counterpart."""

    HEADING = "heading"
    PARAGRAPH = "paragraph"
    ITEM = "list item"
    ROW = "table row"
    LINE = "line"  # of code, or of a text that nothing is known about

    @property
    def worded(self) -> bool:
        """Whether two people may edit two words of one such block."""
        return self is not BlockKind.LINE


@dataclass(frozen=True, slots=True, kw_only=True)
class Block:
    """`lead` is the line end and the blank lines before the block, `mark` its `- ` or `## `, `text` the rest of it."""

    kind: BlockKind
    lead: bytes
    mark: bytes
    text: bytes

    @property
    def says(self) -> tuple[bytes, ...]:
        """The words, wherever the lines break; a line of code says its text, indentation included."""
        if self.kind is BlockKind.LINE:
            return (self.text.rstrip(),)
        return tuple(word[0] for word in self.words())

    def words(self) -> Iterator[re.Match[bytes]]:
        """Find the words of the text; in a table row the bars are words."""
        return (_CELL if self.kind is BlockKind.ROW else _WORD).finditer(self.text)


@dataclass(frozen=True, slots=True)
class Blocks:
    """A text cut into blocks: joined with `tail` they are the text."""

    blocks: tuple[Block, ...]
    tail: bytes

    @property
    def data(self) -> bytes:
        """All bytes."""
        return b"".join(block.lead + block.mark + block.text for block in self.blocks) + self.tail


def style_of(path: bytes) -> Style:
    """Choose by the file's name; an unknown one is read by lines, since it may be code."""
    name = path.rpartition(b"/")[2]
    if name.lower().endswith(_MARKDOWN):
        return Style.MARKDOWN
    if name.lower().endswith(_PROSE) and name.lower() != b"cmakelists.txt" and not name.startswith(b"requirements"):
        return Style.PROSE
    return Style.PROSE if name in _PROSE_NAMES else Style.LINES


def blocks_of(text: bytes, style: Style) -> Blocks:
    """Cut `text`, whose lines end with LF, into blocks; law: `blocks_of(text, style).data == text`."""
    made: list[Block] = []
    more: list[list[bytes]] = []  # the lines that follow the first one of each block
    lead = b""
    fenced = front = False
    lines = text.split(b"\n")
    for row, line in enumerate(lines):
        end = b"" if row + 1 == len(lines) else b"\n"
        if style is Style.MARKDOWN and row == 0 and line.rstrip() == b"---":
            front = True
        if not line.strip():
            lead += line + end
            continue
        verbatim = style is Style.LINES or fenced or front
        if style is Style.MARKDOWN and _FENCE.match(line):
            verbatim, fenced = True, not fenced
        if front and row and line.rstrip() == b"---":
            front = False
        block = _block(line, lead, made[-1] if made else None, verbatim=verbatim, style=style)
        if block is None:
            more[-1].extend((lead, line))
        else:
            made.append(block)
            more.append([])
        lead = end
    whole = (replace(block, text=b"".join((block.text, *lines))) for block, lines in zip(made, more, strict=True))
    return Blocks(tuple(whole), lead)


def _block(line: bytes, lead: bytes, last: Block | None, *, verbatim: bool, style: Style) -> Block | None:
    """Begin a block with `line`; None where it goes on with the last one."""
    plain = Block(kind=BlockKind.LINE, lead=lead, mark=b"", text=line)
    if verbatim:
        return plain
    heading, item = _HEADING.match(line) if style is Style.MARKDOWN else None, _ITEM.match(line)
    if heading is not None:
        return Block(kind=BlockKind.HEADING, lead=lead, mark=heading[1], text=line[heading.end() :])
    if _RULE.match(line):
        return plain
    if item is not None:
        return Block(kind=BlockKind.ITEM, lead=lead, mark=item[1], text=line[item.end() :])
    if line.lstrip().startswith(b"|"):
        return Block(kind=BlockKind.ROW, lead=lead, mark=b"", text=line)
    goes_on = lead == b"\n" and last is not None and last.kind in {BlockKind.PARAGRAPH, BlockKind.ITEM}
    if goes_on and not _MARKUP.match(line):
        return None
    if _MARKUP.match(line) or line.startswith(_INDENTED):
        return plain
    return Block(kind=BlockKind.PARAGRAPH, lead=lead, mark=b"", text=line)
