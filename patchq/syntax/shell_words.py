"""A shell command inside another file, such as Dockerfile's `RUN`: a chain of commands, each a row of words."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from patchq.syntax.raw import Raw

if TYPE_CHECKING:
    from collections.abc import Iterator

_TOKEN = re.compile(
    rb"""
    (?P<space>(?:[ \t]|\\\r?\n)+)
    | (?P<blank>\n)
    | (?P<operator>&&|\|\||;;|[;|&])
    | (?P<word>(?: '[^']*' | "(?:[^"\\]|\\.)*" | \\. | [^\s'"\\;|&] )+)
    """,
    re.VERBOSE | re.DOTALL,
)
_MAX_BYTES = 64 * 1024  # a longer command is generated
# Where one of these stands, `&&` does not join plain commands.
_CONTROL = frozenset({b"if", b"then", b"for", b"while", b"do", b"case", b"{", b"}", b"||", b";", b";;", b"&"})


def shell_command(source: bytes, start: int, end: int) -> Raw | None:
    """Read `source[start:end]` as words; None where a heredoc, a substitution over words or a quote is in the way."""
    if end - start > _MAX_BYTES:
        return None
    found = list(_tokens(source, start, end))
    text = source[start:end]
    if not found or any(token is None for token in found) or b"<<" in text or b"$(" in text or b"`" in text:
        return None
    tokens = [token for token in found if token is not None]
    words = {source[token.start : token.end] for token in tokens if token.kind != "comment"}
    if words & _CONTROL or any(word.startswith((b"(", b")")) or word.endswith(b")") for word in words):
        return Raw("command", tokens[0].start, tokens[-1].end, tokens)
    return _chain(tokens)


def _tokens(source: bytes, start: int, end: int) -> Iterator[Raw | None]:
    """Yield words, operators and comments; None for what is none of them."""
    at = start
    while at < end:
        begun = source[source.rfind(b"\n", start, at) + 1 : at] if b"\n" in source[start:at] else b"RUN"
        if source.startswith(b"#", at) and not begun.strip():
            stop = source.find(b"\n", at, end)
            yield Raw("comment", at, stop if stop >= 0 else end)
            at = stop if stop >= 0 else end
            continue
        token = _TOKEN.match(source, at, end)
        if token is None or token.end() == at:
            yield None
            return
        kind = token.lastgroup or ""
        if kind == "operator":
            yield Raw(token[0].decode(), token.start(), token.end())
        elif kind == "word":
            yield Raw("word", token.start(), token.end())
        at = token.end()


def _chain(tokens: list[Raw]) -> Raw | None:
    """Split at `&&`; a comment between two commands belongs to the chain."""
    children: list[Raw] = []
    row: list[Raw] = []
    operators = 0
    for token in (*tokens, None):
        if token is not None and token.kind != "&&":
            row.append(token)
            continue
        behind: list[Raw] = []
        while row and row[-1].kind == "comment":
            behind.insert(0, row.pop())
        ahead: list[Raw] = []
        while row and row[0].kind == "comment":
            ahead.append(row.pop(0))
        if not row:
            return None
        children.extend([*ahead, Raw("command", row[0].start, row[-1].end, row), *behind])
        row = []
        if token is not None:
            token.field = "operator"
            operators += 1
            children.append(token)
    if not operators and len(children) == 1:
        return children[0]
    return Raw("list", children[0].start, children[-1].end, children)
