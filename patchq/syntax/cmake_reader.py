"""A reader of CMake files: commands with arguments, comments, and blocks between `if()` and `endif()`.

The grammar is that of the manual, "cmake-language(7), Syntax". No wheel of a CMake grammar is built for Linux.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from patchq.syntax.raw import Raw, one_line

BLOCKS = frozenset({"if", "foreach", "while", "function", "macro", "block"})
_CLAUSES = frozenset({"elseif", "else"})
_DEEPEST = 100
_BRACKET = re.compile(rb"\#?\[(=*)\[")
_TOKEN = re.compile(
    rb"""
    (?P<space>\s+)
    | (?P<comment>\#[^\n]*)
    | (?P<paren>[()])
    | (?P<quoted>"(?:[^"\\]|\\.)*")
    | (?P<word>(?:[^\s()\#"\\]|\\.|"(?:[^"\\]|\\.)*")+)
    """,
    re.VERBOSE | re.DOTALL,
)


@dataclass(slots=True)
class _Open:
    """A block that is being read: its parts so far, and the statements of the part it is in."""

    name: str
    parts: list[Raw] = field(default_factory=list)
    inside: list[Raw] = field(default_factory=list)

    def settle(self, source: bytes) -> None:
        """Put the statements read so far into a block of their own; a comment beside the opening stays with it."""
        while self.inside and self.inside[0].kind == "comment":
            if not one_line(source, self.parts[-1].end, self.inside[0].start):
                break
            self.parts.append(self.inside.pop(0))
        if self.inside:
            self.parts.append(Raw("block", self.inside[0].start, self.inside[-1].end, self.inside, field="block"))
        self.inside = []


def read_cmake(source: bytes) -> Raw:
    """Read a file; what is no command, and a block that is not closed, is an error node."""
    levels = [_Open("")]
    for statement in _statements(source):
        name = statement.means[1] if statement.means is not None else ""
        top = levels[-1]
        if name in BLOCKS and len(levels) < _DEEPEST:
            levels.append(_Open(str(name), [statement]))
        elif name in _CLAUSES and top.name == "if":
            top.settle(source)
            top.parts.append(statement)
        elif top.name and name == f"end{top.name}":
            levels.pop()
            levels[-1].inside.append(_closed(top, statement, source))
        else:
            top.inside.append(statement)
    while len(levels) > 1:
        top = levels.pop()
        top.settle(source)
        levels[-1].inside.append(Raw("ERROR", top.parts[0].start, top.parts[-1].end, top.parts))
    return Raw("file", 0, len(source), levels[0].inside)


def _closed(block: _Open, end: Raw, source: bytes) -> Raw:
    """Make one construct; the part of each `elseif()` and `else()` becomes a clause of its own."""
    block.settle(source)
    parts: list[Raw] = []
    for part in block.parts:
        if part.means is not None and part.means[1] in _CLAUSES:
            parts.append(Raw("clause", part.start, part.end, [part]))
        elif parts and parts[-1].kind == "clause":
            parts[-1].children.append(part)
            parts[-1].end = part.end
        else:
            parts.append(part)
    for part in block.parts:
        part.means = None
    end.means = None
    return Raw(f"{block.name}_block", block.parts[0].start, end.end, [*parts, end])


def _statements(source: bytes) -> list[Raw]:
    """Read commands and comments; a command carries its name, lower case, in `means` until it is put in its place."""
    found: list[Raw] = []
    name: Raw | None = None
    open_groups: list[Raw] = []
    unclosed: set[bytes] = set()
    at = 0
    while at < len(source):
        token = _TOKEN.match(source, at)
        if token is None:
            found.append(Raw("ERROR", at, len(source), wrong=True))
            return found
        at = max(token.end(), _bracket_end(source, at, unclosed))
        kind, start = token.lastgroup or "", token.start()
        leaf = Raw("argument", start, at)
        if token["space"] is not None:
            continue
        if token["comment"] is not None:
            comment = Raw("comment", start, at)
            (open_groups[-1].children if open_groups else found).append(comment)
        elif open_groups:
            _argument(leaf, token[0], open_groups, name, found)
            name = name if open_groups else None
        elif name is not None and token[0] == b"(":
            open_groups.append(Raw("arguments", at, at, field="arguments"))
            name.children.append(Raw("(", start, at))
        elif name is None and kind == "word" and re.fullmatch(rb"[A-Za-z_]\w*", token[0]):
            word = token[0].decode().lower()
            identifier = Raw("identifier", start, at, field="name", means=("identifier", word))
            name = Raw("command", start, at, [identifier], means=("command", word))
        else:
            found.append(Raw("ERROR", start, len(source), wrong=True))
            return found
    if name is not None:
        found.append(Raw("ERROR", name.start, len(source), wrong=True))
    return found


def _bracket_end(source: bytes, at: int, unclosed: set[bytes]) -> int:
    """Return where a bracket argument or comment that begins at `at` ends; 0 where none does.

    What has no end once has none further down, so that no text is searched twice for it.
    """
    opening = _BRACKET.match(source, at)
    if opening is None or opening[1] in unclosed:
        return 0
    closing = b"]" + opening[1] + b"]"
    end = source.find(closing, opening.end())
    if end < 0:
        unclosed.add(opening[1])
        return 0
    return end + len(closing)


def _argument(leaf: Raw, text: bytes, groups: list[Raw], name: Raw | None, found: list[Raw]) -> None:
    """Add one token between the brackets of a command."""
    if text == b")":
        _end_group(groups, leaf, name, found)
    elif text == b"(" and len(groups) < _DEEPEST:
        groups.append(Raw("group", leaf.start, leaf.end, [Raw("(", leaf.start, leaf.end)]))
    else:
        groups[-1].children.append(leaf)


def _end_group(groups: list[Raw], paren: Raw, name: Raw | None, found: list[Raw]) -> None:
    group = groups.pop()
    paren.kind = ")"
    if groups or name is None:
        group.children.append(paren)
        group.end = paren.end
        groups[-1].children.append(group)
        return
    if group.children:
        group.start, group.end = group.children[0].start, group.children[-1].end
        name.children.append(group)
    name.children.append(paren)
    name.end = paren.end
    found.append(name)
