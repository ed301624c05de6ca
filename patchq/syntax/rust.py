"""Facts about Rust: items with their attributes, impls by trait and type, use lists, match arms."""

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
from patchq.syntax.facts import LanguageFacts, Order

if TYPE_CHECKING:
    from collections.abc import Callable

    from patchq.syntax.facts import Signature
    from patchq.syntax.node import Node

_ITEMS = {
    "associated_type": "type",
    "const_item": "value",
    "enum_item": "type",
    "function_item": "function",
    "function_signature_item": "function",
    "macro_definition": "macro",
    "mod_item": "module",
    "static_item": "value",
    "struct_item": "type",
    "trait_item": "type",
    "type_item": "type",
    "union_item": "type",
}
_MEMBERS = {"field_declaration": "field", "enum_variant": "variant"}
_HEADERS = {"if_expression": "condition", "while_expression": "condition", "match_expression": "value"}
# Macros are defined for what follows them, and `mod` may bring some in.
_FREE = (frozenset(_ITEMS) - {"macro_definition", "mod_item"}) | {"impl_item", "use_declaration"}
_LISTS = frozenset(
    {
        "arguments",
        "array_expression",
        "bracketed_type",
        "closure_parameters",
        "enum_variant_list",
        "field_declaration_list",
        "field_initializer_list",
        "ordered_field_declaration_list",
        "parameters",
        "slice_pattern",
        "tuple_expression",
        "tuple_type",
        "type_arguments",
        "type_parameters",
        "use_list",
    }
)
_BLOCKS = frozenset({"source_file", "block", "declaration_list", "match_block", ITEM})
# Elsewhere a member is a part of one construct, named already.
_CONTAINERS = _LISTS | _BLOCKS | {"where_clause"}
_COMMENTS = frozenset({"line_comment", "block_comment"})


def signature(node: Node, container: Node) -> Signature | None:
    """Name a member of `container`; equal keys of two trees of one forest mean the same member."""
    if container.kind == ITEM:
        return _attached(node)
    if container.kind not in _CONTAINERS:
        return None
    inner = meant(node)
    # `#[cfg(unix)] fn f` and `#[cfg(windows)] fn f` are two members of one name.
    conditions = [words(child) for child in node.children if child.kind == "attribute_item" and _is_cfg(child)]
    named = _item(inner, conditions)
    return named or _listed(inner, container) or _statement(inner)


def _attached(node: Node) -> Signature | None:
    if node.field == "definition":
        return strong("definition")
    if node.kind == "attribute_item":
        attribute = next((child for child in node.children if child.kind == "attribute"), node)
        return weak("attribute", words(attribute.children[0] if attribute.children else attribute))
    return None


def _is_cfg(attribute: Node) -> bool:
    return "".join(attribute.word.split()).startswith("#[cfg(")


def _item(node: Node, conditions: list[str]) -> Signature | None:
    match node.kind:
        case kind if kind in _ITEMS:
            name = words(node.child("name"))
            key = (_ITEMS[kind], name)
            return strong(*key, *conditions, step=name_step(name), family=key)
        case "impl_item":
            trait, of = words(node.child("trait")), words(node.child("type"))
            name = f"{trait} for {of}" if trait else of
            return strong("impl", name, "impl", *conditions, step=name_step(name), family=("impl", name))
        case "use_declaration":
            return _use(node, conditions)
        case kind if kind in _MEMBERS:
            name = words(node.child("name"))
            return strong(_MEMBERS[kind], name, *conditions, step=name_step(name))
        case _:
            return None


def _use(node: Node, conditions: list[str]) -> Signature | None:
    argument = node.child("argument")
    if argument is None:
        return None
    if argument.child("list") is not None or argument.kind == "use_list":
        return strong("use", words(argument.child("path")), "{}", *conditions)
    bound = argument.child("alias") or argument.child("name") or argument
    step = None if argument.kind == "use_wildcard" else name_step(words(bound))
    return strong("use", words(argument), *conditions, step=step)


def _listed(node: Node, container: Node) -> Signature | None:
    if container.kind == "use_list" and node.kind not in _COMMENTS | {"{", "}", ","}:
        bound = node.child("alias") or node.child("name") or node
        nested = node.kind in {"scoped_use_list", "use_list"}
        key = words(node.child("path")) if nested else words(node)
        return strong("name", key, step=None if nested else name_step(words(bound)))
    match node.kind:
        case "field_initializer" | "shorthand_field_initializer" | "field_pattern":
            name = words(node.child("field") or node.child("name") or node.children[-1])
            return strong("key", name, step=entry_step(name))
        case "base_field_initializer" | "remaining_field_pattern":
            return strong("base")
        case "parameter":
            pattern = words(node.child("pattern"))
            return strong("parameter", pattern, step=argument_step(pattern))
        case "self_parameter":
            return strong("parameter", "self")
        case "type_parameter" | "const_parameter" | "lifetime_parameter":
            return strong("parameter", words(node.child("name")))
        case "match_arm":
            pattern_node = node.child("pattern")
            return None if pattern_node is None else strong("arm", str(pattern_node.same))
        case "where_predicate":
            return strong("where", words(node.child("left")))
        case _:
            return None


def _statement(node: Node) -> Signature | None:
    if node.kind == "expression_statement" and node.children:
        node = node.children[0]
    match node.kind:
        case "let_declaration":
            pattern = node.child("pattern")
            name = words(pattern)
            plain = pattern is not None and pattern.kind == "identifier"
            return weak("let", name, step=name_step(name) if plain else None)
        case "assignment_expression" | "compound_assignment_expr":
            return weak(node.kind, words(node.child("left")))
        case "call_expression":
            return call(node.child("function"))
        case "macro_invocation":
            return call(node.child("macro"), "!")
        case "return_expression":
            return weak(node.kind)
        case "else_clause":
            return strong("else")
        case "for_expression":
            said = node.child("pattern"), node.child("value")
            return weak(node.kind, *(str(part.same) for part in said if part is not None))
        case kind:
            return header(node, _HEADERS[kind]) if kind in _HEADERS else None


def takes(statement: Node) -> tuple[str, ...]:
    """Give the names that a `use` binds and the patterns that an arm of a `match` takes."""
    inner = meant(statement)
    if inner.kind == "use_declaration":
        names = (node for node in inner.walk() if node.kind == "use_list")
        bound = (_listed(member, group) for group in names for member in group.children)
        return tuple(str(found.step) for found in bound if found is not None and found.step is not None)
    pattern = inner.child("pattern") if inner.kind == "match_arm" else None
    if pattern is None or not pattern.children:
        return ()
    alternatives = [pattern.children[0]]
    while alternatives[0].kind == "or_pattern":
        alternatives[:1] = [child for child in alternatives[0].children if child.kind not in _COMMENTS | {"|"}]
    guard = pattern.child("condition")
    return tuple(" if ".join([words(one), *([] if guard is None else [words(guard)])]) for one in alternatives)


def order(container: Node, owner: Node | None) -> Callable[[Node], Order]:
    """Say of each member whether it may stand anywhere in `container`, the body or list of its owner.

    Items may, and names of a `use`; match arms and statements may not. Fields and variants seldom mean their place,
    but layout, derived order and serialisation do.
    """
    del owner
    match container.kind:
        case "source_file" | "declaration_list":
            return by_kind(_FREE, {"mod_item"})
        case "use_list":
            return lambda member: Order.ORDERED if member.kind in _COMMENTS else Order.FREE
        case "field_initializer_list":
            return by_kind({"field_initializer", "shorthand_field_initializer"})
        case "field_declaration_list" | "enum_variant_list":
            return by_kind((), {"field_declaration", "enum_variant"})
        case _:
            return ordered


RUST = LanguageFacts(
    name="Rust",
    suffixes=(b".rs",),
    root="source_file",
    comments=_COMMENTS,
    to_line_end=COMMENT_STARTS,
    brackets=BRACKETS | {"<", ">", "|"},
    lists=_LISTS,
    commaed=frozenset({"tuple_expression", "tuple_type"}),
    blocks=_BLOCKS,
    chains=frozenset({"binary_expression"}),
    joining=frozenset({"&&", "||"}),
    transparent=frozenset({"parenthesized_expression"}),
    strings=frozenset({"string_literal", "raw_string_literal", "char_literal"}),
    leads=frozenset({"attribute_item"}),
    leads_comments=True,
    wrapped=frozenset(_ITEMS) | frozenset(_MEMBERS) | {"impl_item", "use_declaration"},
    wrapper=ITEM,
    operators=frozenset(
        {
            "assignment_expression",
            "binary_expression",
            "compound_assignment_expr",
            "range_expression",
            "reference_expression",
            "unary_expression",
        }
    ),
    compounds=frozenset(
        {
            "assignment_expression",
            "binary_expression",
            "call_expression",
            "field_expression",
            "field_declaration",
            "index_expression",
            "let_declaration",
            "macro_invocation",
            "parameter",
            "range_expression",
            "token_tree",
            "type_cast_expression",
            "unary_expression",
        }
    ),
    signature=signature,
    takes=takes,
    order=order,
)
