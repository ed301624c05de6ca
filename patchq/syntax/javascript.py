"""Facts about JavaScript and TypeScript, JSX included: modules, classes, object literals, types."""

from __future__ import annotations

from dataclasses import replace
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

_CASE = "case_body"
_DEFINITIONS = {
    "abstract_class_declaration": "class",
    "abstract_method_signature": "signature",
    "class_declaration": "class",
    "enum_declaration": "enum",
    "field_definition": "field",
    "function_declaration": "function",
    "function_signature": "signature",
    "generator_function_declaration": "function",
    "interface_declaration": "interface",
    "internal_module": "namespace",
    "method_definition": "method",
    "method_signature": "signature",
    "module": "namespace",
    "property_signature": "property",
    "public_field_definition": "field",
    "type_alias_declaration": "type",
}
# Overloads share a name; a getter and a setter do too.
_OVERLOADED = frozenset({"function_signature", "method_signature", "abstract_method_signature"})
_VARIABLES = frozenset({"lexical_declaration", "variable_declaration"})
_HEADERS = {
    "if_statement": "condition",
    "while_statement": "condition",
    "switch_statement": "value",
    "for_statement": "condition",
    "for_in_statement": "right",
}
# Functions and types are known in all of their scope; classes and constants from their line on.
_HOISTED = frozenset(
    {
        "function_declaration",
        "generator_function_declaration",
        "import_statement",
        "interface_declaration",
        "type_alias_declaration",
    }
)
_LOOSE = _VARIABLES | {"class_declaration", "abstract_class_declaration", "enum_declaration"}
_BLOCKS = frozenset({"program", "statement_block", "class_body", "switch_body", _CASE, ITEM})

_LISTS = frozenset(
    {
        "arguments",
        "array",
        "array_pattern",
        "export_clause",
        "formal_parameters",
        "named_imports",
        "object",
        "object_pattern",
    }
)
_TYPE_LISTS = frozenset({"enum_body", "tuple_type", "type_arguments", "type_parameters"})
_TYPE_BLOCKS = frozenset({"interface_body", "object_type"})
_ELEMENTS = frozenset({"jsx_opening_element", "jsx_self_closing_element"})
# Elsewhere a member is a part of one construct, named already.
_CONTAINERS = _BLOCKS | _LISTS | _TYPE_LISTS | _TYPE_BLOCKS | _ELEMENTS


def signature(node: Node, container: Node) -> Signature | None:
    """Name a member of `container`; equal keys of two trees of one forest mean the same member."""
    if container.kind == ITEM:
        return strong("definition") if node.field == "definition" else None
    if container.kind not in _CONTAINERS:
        return None
    inner = meant(node)
    if inner.kind == "export_statement":
        return _exported(inner)
    return _definition(inner, container) or _listed(inner, container) or _statement(inner)


def _exported(node: Node) -> Signature | None:
    declared = node.child("declaration")
    named = None if declared is None else _definition(declared, node)
    if named is not None:
        return named
    if any(child.kind == "default" for child in node.children):
        return strong("export", "default")
    return weak("export", words(node.child("source")))


def _definition(node: Node, container: Node) -> Signature | None:
    if node.kind == "expression_statement" and node.children:
        node = node.children[0]  # `namespace N { … }` is an expression to the grammar
    if node.kind == "ambient_declaration" and len(node.children) > 1:
        node = node.children[1]
    if node.kind in _VARIABLES:
        names = [words(child.child("name")) for child in node.children if child.kind == "variable_declarator"]
        return weak("variable", *names, step=name_step(names[0]) if len(names) == 1 else None)
    if node.kind not in _DEFINITIONS:
        return None
    name_node = node.child("name") or node.child("property")
    if name_node is None:
        return None
    name = words(name_node)
    how = [child.kind for child in node.children if child.kind in {"get", "set", "static"}]
    if container.kind == "object":
        return strong("key", _bare(name), *how, step=entry_step(_bare(name)))
    key = (_DEFINITIONS[node.kind], name)
    if node.kind in _OVERLOADED:
        return strong(*key, words(node.child("parameters")), step=name_step(name), family=key)
    return strong(*key, *how, step=name_step(name))


def _bare(key: str) -> str:
    """Take the quotes off a key that needs none."""
    inner = key[1:-1]
    return inner if key[:1] in {'"', "'"} and inner.isidentifier() else key.replace("'", '"')


def _listed(node: Node, container: Node) -> Signature | None:
    match node.kind:
        case "pair":
            key = _bare(words(node.child("key")))
            return strong("key", key, step=entry_step(key))
        case "shorthand_property_identifier":
            return strong("key", node.word, step=entry_step(node.word))
        case "spread_element":
            return strong("splat", str(node.same))
        case "import_specifier" | "export_specifier":
            bound = words(node.child("alias") or node.child("name"))
            return strong("name", words(node), step=name_step(bound))
        case "enum_assignment":
            name = words(node.child("name"))
            return strong("member", name, step=name_step(name))
        case "property_identifier" if container.kind == "enum_body":
            return strong("member", node.word, step=name_step(node.word))
        case "jsx_attribute":
            return strong("attribute", words(node.children[0]))
        case _:
            return _parameter(node) if container.kind in {"formal_parameters", "type_parameters"} else None


def _parameter(node: Node) -> Signature | None:
    field = {"assignment_pattern": "left", "type_parameter": "name"}.get(node.kind, "pattern")
    name = node.word if node.kind == "identifier" else words(node.child(field))
    return strong("parameter", name, step=argument_step(name)) if name else None


def _statement(node: Node) -> Signature | None:
    match node.kind:
        case "import_statement":
            source = words(node.child("source")).replace("'", '"')
            types = [child.kind for child in node.children if child.kind in {"type", "typeof"}]
            return strong("import", source, *types)
        case "expression_statement" if node.children:
            return _expression(node.children[0])
        case "switch_case":
            value = node.child("value")
            return None if value is None else strong("case", str(value.same))
        case "switch_default" | "else_clause" | "catch_clause" | "finally_clause":
            return strong(node.kind)
        case "return_statement" | "throw_statement":
            return weak(node.kind)
        case kind:
            return header(node, _HEADERS[kind]) if kind in _HEADERS else None


def _expression(node: Node) -> Signature | None:
    if node.kind in {"assignment_expression", "augmented_assignment_expression"}:
        return weak(node.kind, words(node.child("left")))
    if node.kind == "await_expression" and len(node.children) > 1:
        node = node.children[1]
    if node.kind != "call_expression":
        return None
    # `it("does this", …)` is told from the others by what it says.
    arguments = node.child("arguments")
    said = [] if arguments is None else [words(child) for child in arguments.children[1:2] if child.kind == "string"]
    return call(node.child("function"), *said)


def takes(statement: Node) -> tuple[str, ...]:
    """Give the names that an `import` binds."""
    if statement.kind != "import_statement":
        return ()
    names = (node for node in statement.walk() if node.kind == "import_specifier")
    return tuple(words(name.child("alias") or name.child("name")) for name in names)


def order(container: Node, owner: Node | None) -> Callable[[Node], Order]:
    """Say of each member whether it may stand anywhere in `container`, the body or list of its owner."""
    del owner
    match container.kind:
        case "program":
            return _at_top
        case "class_body":
            return by_kind({"method_definition"})
        case "object":
            # A `...splat` overrides what stands before it, so only plain entries move freely.
            if any(child.kind == "spread_element" for child in container.children):
                return ordered
            return by_kind({"pair", "shorthand_property_identifier", "method_definition"})
        case "named_imports" | "export_clause":
            return by_kind({"import_specifier", "export_specifier"})
        case "interface_body" | "object_type":
            return by_kind({"property_signature"})
        case "array":
            return lambda member: Order.ORDERED if member.children or member.kind == "comment" else Order.LOOSE
        case _:
            return ordered


def _at_top(member: Node) -> Order:
    inner = meant(member)
    if inner.kind == "export_statement":
        inner = inner.child("declaration") or inner
    return Order.FREE if inner.kind in _HOISTED else Order.LOOSE if inner.kind in _LOOSE else Order.ORDERED


JAVASCRIPT = LanguageFacts(
    name="JavaScript",
    suffixes=(b".js", b".mjs", b".cjs", b".jsx"),
    root="program",
    later_wins=True,
    comments=frozenset({"comment", "html_comment"}),
    to_line_end=COMMENT_STARTS,
    brackets=BRACKETS,
    lists=_LISTS,
    blocks=_BLOCKS,
    separators=frozenset({";", ","}),
    chains=frozenset({"binary_expression"}),
    joining=frozenset({"&&", "||", "??"}),
    transparent=frozenset({"parenthesized_expression"}),
    strings=frozenset({"string", "template_string", "regex"}),
    hole="template_substitution",
    free_quotes=True,
    groups={"switch_case": Group(":", _CASE), "switch_default": Group(":", _CASE)},
    leads_comments=True,
    wrapped=(frozenset(_DEFINITIONS) - {"internal_module", "module"})
    | _VARIABLES
    | {"ambient_declaration", "export_statement"},
    wrapper=ITEM,
    operators=frozenset(
        {
            "assignment_expression",
            "augmented_assignment_expression",
            "binary_expression",
            "unary_expression",
            "update_expression",
        }
    ),
    compounds=frozenset(
        {
            "assignment_expression",
            "binary_expression",
            "call_expression",
            "for_statement",
            "member_expression",
            "new_expression",
            "optional_parameter",
            "required_parameter",
            "subscript_expression",
            "ternary_expression",
            "unary_expression",
            "variable_declarator",
        }
    ),
    signature=signature,
    takes=takes,
    order=order,
)

TYPESCRIPT = replace(
    JAVASCRIPT,
    name="TypeScript",
    suffixes=(b".ts", b".mts", b".cts"),
    brackets=BRACKETS | {"<", ">"},
    lists=_LISTS | _TYPE_LISTS,
    blocks=_BLOCKS | _TYPE_BLOCKS,
)

# JSX is another grammar: `<T>x` is a cast in one and an element in the other.
TSX = replace(TYPESCRIPT, name="TSX", suffixes=(b".tsx",))
