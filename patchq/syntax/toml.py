"""Facts about TOML: tables hold keys in any order, arrays are ordered, sub-tables belong to their array's element."""

from __future__ import annotations

import re
from collections import Counter
from functools import lru_cache
from typing import TYPE_CHECKING

from patchq.syntax.facts import LanguageFacts, Order, Signature, Strength
from patchq.syntax.keys import NAMING, entry_step, keyed, unquoted
from patchq.syntax.raw import Raw, leading_comments, one_line

if TYPE_CHECKING:
    from collections.abc import Callable

    from patchq.syntax.node import Node

_KEYS = frozenset({"bare_key", "quoted_key", "dotted_key"})
_HEADED = frozenset({"table", "table_array_element"})
_BODY = "table_body"
_DEEPEST = 20  # arrays of tables in elements of arrays of tables
# A dependency as PEP 508 has it, such as `torch[opt]>=2,<3; python_version < "3.12"` or `pkg @ url`.
_REQUIREMENT = re.compile(
    r"(?P<name>[A-Za-z0-9](?:[\w.-]*[A-Za-z0-9])?)\s*(?:\[[^\]]*\])?\s*"
    r"(?P<version>(?:\(?(?:[=<>!~]=|[<>]|===)[^;@]*|@[^;]*))?\s*(?:;(?P<marker>.*))?"
)


def shape(raw: Raw, source: bytes) -> Raw:
    """Give every table a body, every key one token, and comments to what they are written at.

    The grammar puts the comment above a header into the table before it, and a table that extends an element of an
    array (`[a.b]` behind `[[a]]`) beside that element.
    """
    for node in raw.walk():
        if node.kind == "pair":
            _fields(node, source)
    members: list[Raw] = []
    for child in raw.children:
        table = _table(child, source) if child.kind in _HEADED else child
        body = members[-1].child(_BODY) if members and members[-1].kind in _HEADED else None
        if body is not None:
            leading = leading_comments(body.children, child.start, source)
            body.children = body.children[: len(body.children) - len(leading)]
            if body.children:
                body.end = body.children[-1].end
            if not body.children:
                members[-1].children.remove(body)
            members[-1].end = _end(members[-1])
            members.extend(leading)
        members.append(table)
    raw.children = _nested(members)
    return raw


def _fields(pair: Raw, source: bytes) -> None:
    key = pair.children[0]
    if key.kind in _KEYS:
        _key(key, source)
        key.field = "key"
        pair.children[-1].field = "value"


def _key(node: Raw, source: bytes) -> None:
    """Make one token of a key; `"a" . b` is `a.b`."""
    parts = [leaf for leaf in node.walk() if leaf.kind in {"bare_key", "quoted_key"}]
    words = [unquoted(source[part.start : part.end].decode("utf-8", "replace")) for part in parts]
    node.kind, node.children = "key", []
    node.means = ("key", ".".join(words))


def _table(table: Raw, source: bytes) -> Raw:
    """Put the members behind the header, and behind the comment beside it, into a body."""
    header, body = table.children[:3], table.children[3:]
    for node in header:
        if node.kind in _KEYS:
            _key(node, source)
            node.field = "key"
    if body and body[0].kind == "comment" and one_line(source, header[-1].end, body[0].start):
        header.append(body.pop(0))
    table.children = header
    if body:
        table.children = [*header, Raw(_BODY, body[0].start, body[-1].end, body, field="body")]
    table.end = table.children[-1].end
    return table


def _end(table: Raw) -> int:
    return table.children[-1].end


def _nested(members: list[Raw], depth: int = 0) -> list[Raw]:
    """Move tables into the element of an array of tables that they extend, the comments above them too."""
    out: list[Raw] = []
    at = 0
    while at < len(members):
        head = members[at]
        at += 1
        out.append(head)
        if head.kind != "table_array_element" or depth == _DEEPEST:
            continue
        end = at
        for row in range(at, len(members)):
            if members[row].kind in _HEADED:
                if not _extends(members[row], head):
                    break
                end = row + 1
        inside = _nested(members[at:end], depth + 1)
        at = end
        body = head.child(_BODY)
        if inside and body is None:
            body = Raw(_BODY, inside[0].start, inside[-1].end, [], field="body")
            head.children.append(body)
        if inside and body is not None:
            body.children.extend(inside)
            body.end = head.end = inside[-1].end
    return out


def _extends(table: Raw, element: Raw) -> bool:
    mine, its = (_header(node) for node in (table, element))
    return mine.startswith(its + ".")


def _header(table: Raw) -> str:
    key = table.child("key")
    return str(key.means[1]) if key is not None and key.means is not None else ""


def signature(node: Node, container: Node) -> Signature | None:
    """Name a key in its table, a table by its header, an element of an array of tables by its own `name`."""
    if container.kind == "array":
        return _requirement(node, container)
    key = node.child("key")
    if key is None:
        return None
    text = _plain(key)
    match node.kind:
        case "pair":
            return keyed("key", text)
        case "table":
            return keyed("table", text)
        case "table_array_element":
            name = _name(node)
            return None if name is None else keyed("element", f"{text}.{name}")
        case _:
            return None


def _requirement(node: Node, array: Node) -> Signature | None:
    """Name a dependency by its package, and by its marker where the array has the package more than once."""
    found = _REQUIREMENT.fullmatch(node.word[1:-1]) if node.kind == "string" else None
    packages = _packages(array)
    if found is None or not packages:
        return None
    name = _normal(found["name"])
    marker = "".join((found["marker"] or "").split()) if packages[name] > 1 else ""
    return Signature(Strength.STRONG, ("requirement", name, *([marker] if marker else [])), entry_step(name))


@lru_cache(maxsize=16)
def _packages(array: Node) -> Counter[str]:
    """Count the packages of an array of dependencies: all its strings may be packages, and one has a version."""
    strings = [child.word[1:-1] for child in array.children if child.kind == "string"]
    found = [match for text in strings if (match := _REQUIREMENT.fullmatch(text))]
    if len(found) < len(strings) or not any(match["version"] for match in found):
        return Counter()
    return Counter(_normal(match["name"]) for match in found)


def _normal(name: str) -> str:
    return re.sub(r"[-_.]+", "-", name).lower()


def _plain(key: Node) -> str:
    return ".".join(unquoted(part.strip()) for part in key.word.split("."))


def _name(element: Node) -> str | None:
    body = element.child("body")
    pairs = [] if body is None else [child for child in body.children if child.kind == "pair"]
    values = {pair.child("key").word: pair.child("value") for pair in pairs}  # type: ignore[union-attr]  # every pair
    found = next((values[name] for name in NAMING if name in values), None)
    return unquoted(found.word) if found is not None and found.kind == "string" else None


def order(container: Node, owner: Node | None) -> Callable[[Node], Order]:
    """Say that keys and tables stand in any order, elements of arrays in theirs."""
    del owner
    free = frozenset[str]()
    if container.kind in {"document", _BODY, "inline_table"}:
        free = frozenset({"pair", "table"})
    elif container.kind == "array" and _packages(container):
        free = frozenset({"string"})
    return lambda member: Order.FREE if member.kind in free else Order.ORDERED


TOML = LanguageFacts(
    name="TOML",
    suffixes=(b".toml",),
    names=(b"Pipfile", b"uv.lock", b"poetry.lock"),
    root="document",
    later_wins=True,
    brackets=frozenset({"[", "]", "[[", "]]", "{", "}"}),
    lists=frozenset({"array", "inline_table"}),
    elements=frozenset({"array"}),
    blocks=frozenset({"document", _BODY}),
    entries=frozenset({_BODY}),
    free_quotes=True,
    strings=frozenset({"string"}),
    signature=signature,
    order=order,
    shape=shape,
)
