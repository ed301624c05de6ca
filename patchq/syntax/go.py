"""Facts about Go: declarations and their groups, methods by receiver, composite literals, switch cases."""

from __future__ import annotations

from typing import TYPE_CHECKING

from patchq.syntax.brace import (
    BRACKETS,
    COMMENT_STARTS,
    ITEM,
    argument_step,
    by_kind,
    call,
    entry_step,
    header,
    meant,
    name_step,
    ordered,
    strong,
    weak,
    words,
)
from patchq.syntax.facts import Group, LanguageFacts, Order

if TYPE_CHECKING:
    from collections.abc import Callable

    from patchq.syntax.facts import Signature
    from patchq.syntax.node import Node

_CASES = "cases"
_ELEMENTS = "interface_elements"

_DECLARATIONS = frozenset({"const_declaration", "type_declaration", "var_declaration"})
_DEFINITIONS = frozenset({"function_declaration", "method_declaration"})
_SPEC_KINDS = {"const_spec": "value", "var_spec": "value", "type_spec": "type", "type_alias": "type"}
_HEADERS = {"if_statement": "condition", "expression_switch_statement": "value", "type_switch_statement": "value"}

_LISTS = frozenset({"argument_list", "expression_list", "literal_value", "parameter_list", "type_arguments"})
_BLOCKS = frozenset(
    {
        "source_file",
        "block",
        "field_declaration_list",
        "import_spec_list",
        "statement_list",
        "var_spec_list",
        "const_specs",
        "type_specs",
        _CASES,
        _ELEMENTS,
        ITEM,
    }
)
# Elsewhere a member is a part of one construct, named already.
_CONTAINERS = _LISTS | _BLOCKS


def signature(node: Node, container: Node) -> Signature | None:
    """Name a member of `container`; equal keys of two trees of one forest mean the same member."""
    if container.kind == ITEM:
        return strong("definition") if node.field == "definition" else None
    if container.kind not in _CONTAINERS:
        return None
    inner = meant(node)
    return _definition(inner) or _listed(inner) or _statement(inner)


def _definition(node: Node) -> Signature | None:
    match node.kind:
        case "function_declaration":
            name = words(node.child("name"))
            return strong("function", name, step=name_step(name))
        case "method_declaration":
            # An address has dots between names, so a method is written as other languages write a member.
            name = f"{_receiver(node.child('receiver'))}::{words(node.child('name'))}"
            return strong("method", name, step=name_step(name))
        case kind if kind in _DECLARATIONS:
            only = next((child for child in node.children if child.kind in _SPEC_KINDS), None)
            return weak(node.kind) if only is None else _spec(only)
        case kind if kind in _SPEC_KINDS:
            return _spec(node)
        case "field_declaration" | "method_elem":
            names = [words(child) for child in node.children if child.field == "name"] or [words(node.child("type"))]
            return strong(node.kind, *names, step=name_step(names[0]) if len(names) == 1 else None)
        case _:
            return None


def _receiver(receiver: Node | None) -> str:
    """Give the type of a method without its pointer and its parameters."""
    stack = [] if receiver is None else [receiver]
    while stack:
        node = stack.pop()
        if node.kind == "type_identifier":
            return node.word
        stack.extend(reversed(node.children))
    return ""


def _spec(node: Node) -> Signature | None:
    names = [words(child) for child in node.children if child.field == "name"]
    return strong(_SPEC_KINDS[node.kind], *names, step=name_step(names[0]) if len(names) == 1 else None)


def _listed(node: Node) -> Signature | None:
    match node.kind:
        case "import_spec":
            path, name = words(node.child("path")), words(node.child("name"))
            return strong("import", path, name, step=entry_step(path))
        case "import_declaration":
            only = next((child for child in node.children if child.kind == "import_spec"), None)
            return weak(node.kind) if only is None else _listed(only)
        case "keyed_element":
            key = node.child("key")
            return None if key is None else strong("key", str(key.same), step=entry_step(words(key)))
        case "parameter_declaration" | "variadic_parameter_declaration":
            names = [words(child) for child in node.children if child.field == "name"]
            return strong("parameter", *names, step=argument_step(names[0])) if names else None
        case _:
            return None


def _statement(node: Node) -> Signature | None:
    match node.kind:
        case "short_var_declaration" | "assignment_statement":
            left = words(node.child("left"))
            return weak(node.kind, left, step=name_step(left) if left.isidentifier() else None)
        case "expression_statement" if node.children:
            inner = node.children[0]
            return call(inner.child("function")) if inner.kind == "call_expression" else None
        case "expression_case" | "type_case" | "communication_case":
            said = [child for child in node.children if child.field in {"value", "type", "communication"}]
            return strong("case", *(str(child.same) for child in said))
        case "default_case":
            return strong("default")
        case "return_statement":
            return weak(node.kind)
        case "for_statement":
            clause = node.children[1] if len(node.children) > 1 else node
            return weak(node.kind, str(clause.same))
        case kind:
            return header(node, _HEADERS[kind]) if kind in _HEADERS else None


def takes(statement: Node) -> tuple[str, ...]:
    """Give the values that a case takes."""
    values = statement.child("value") if statement.kind == "expression_case" else None
    return (
        () if values is None else tuple(words(value) for value in values.children if value.kind not in {",", "comment"})
    )


def order(container: Node, owner: Node | None) -> Callable[[Node], Order]:
    """Say of each member whether it may stand anywhere in `container`, the body or list of its owner."""
    del owner
    match container.kind:
        case "source_file":
            return by_kind(_DEFINITIONS | {"type_declaration"}, {"const_declaration", "var_declaration"})
        case "import_spec_list":
            return by_kind({"import_spec"})
        case "literal_value":
            elements = [child for child in container.children if child.kind not in {"{", "}", ",", "comment"}]
            keyed = all(child.kind == "keyed_element" for child in elements)
            return by_kind({"keyed_element"}) if keyed else ordered
        case "const_specs":
            # With `iota`, or a value taken from the line above, the place is the value.
            specs = [child for child in (meant(child) for child in container.children) if child.kind == "const_spec"]
            counted = any(leaf.kind == "iota" for leaf in container.leaves())
            plain = not counted and all(spec.child("value") is not None for spec in specs)
            return by_kind((), {"const_spec"}) if plain else ordered
        case "var_spec_list" | "type_specs":
            return by_kind({"type_spec", "type_alias"}, {"var_spec"})
        case "field_declaration_list":
            return by_kind((), {"field_declaration"})
        case kind if kind == _ELEMENTS:
            return by_kind({"method_elem"})
        case _:
            return ordered


GO = LanguageFacts(
    name="Go",
    suffixes=(b".go",),
    root="source_file",
    to_line_end=COMMENT_STARTS,
    blanks=frozenset({"\n"}),
    brackets=BRACKETS,
    lists=_LISTS,
    blocks=_BLOCKS,
    chains=frozenset({"binary_expression"}),
    joining=frozenset({"&&", "||"}),
    transparent=frozenset({"parenthesized_expression"}),
    strings=frozenset({"interpreted_string_literal", "raw_string_literal", "rune_literal"}),
    groups={
        "const_declaration": Group("const", "const_specs", opener="("),
        "type_declaration": Group("type", "type_specs", opener="("),
        "interface_type": Group("interface", _ELEMENTS, opener="{"),
        "expression_switch_statement": Group("switch", _CASES, opener="{"),
        "type_switch_statement": Group("switch", _CASES, opener="{"),
        "select_statement": Group("select", _CASES, opener="{"),
    },
    leads_comments=True,
    wrapped=_DECLARATIONS
    | _DEFINITIONS
    | frozenset(_SPEC_KINDS)
    | {"field_declaration", "import_declaration", "import_spec", "method_elem"},
    wrapper=ITEM,
    operators=frozenset(
        {"assignment_statement", "binary_expression", "inc_statement", "dec_statement", "unary_expression"}
    ),
    compounds=frozenset(
        {
            "assignment_statement",
            "binary_expression",
            "call_expression",
            "const_spec",
            "field_declaration",
            "index_expression",
            "parameter_declaration",
            "selector_expression",
            "short_var_declaration",
            "slice_expression",
            "unary_expression",
            "var_spec",
        }
    ),
    signature=signature,
    takes=takes,
    order=order,
)
