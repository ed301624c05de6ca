"""Facts about C, C++ and CUDA, whose grammars are one family: scopes, preprocessor branches, overloads, lists."""

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

_BRANCH = "preproc_body"
_CASE = "case_body"
_TYPES = frozenset({"struct_specifier", "class_specifier", "union_specifier", "enum_specifier", "concept_definition"})
_NAMED = {
    "alias_declaration": "alias",
    "namespace_alias_definition": "alias",
    "preproc_def": "define",
    "preproc_function_def": "define",
}
_SCOPES = frozenset({"translation_unit", "declaration_list", _BRANCH})
_LISTS = frozenset(
    {
        "argument_list",
        "enumerator_list",
        "initializer_list",
        "parameter_list",
        "preproc_params",
        "preproc_argument_list",
    }
)
_BLOCKS = frozenset(
    {
        "translation_unit",
        "compound_statement",
        "declaration_list",
        "field_declaration_list",
        _BRANCH,
        _CASE,
        ITEM,
    }
)
_CPP_LISTS = frozenset(
    {
        "field_initializer_list",
        "lambda_capture_specifier",
        "subscript_argument_list",
        "template_argument_list",
        "template_parameter_list",
    }
)
# Elsewhere a member is a part of one construct, named already.
_CONTAINERS = _LISTS | _CPP_LISTS | _BLOCKS
_CONDITIONS = frozenset({"preproc_if", "preproc_ifdef", "preproc_elif", "preproc_elifdef", "preproc_else"})
_HEADERS = {
    "if_statement": "condition",
    "while_statement": "condition",
    "switch_statement": "condition",
    "for_statement": "condition",
    "for_range_loop": "right",
}
# Types and constants may need one another, and a macro may need to stand before an include.
_LOOSE = _TYPES | {"declaration", "type_definition", "alias_declaration", "preproc_def", "preproc_function_def"}
_UNNAMED_DECLARATORS = frozenset({"reference_declarator", "parenthesized_declarator", "attributed_declarator"})


def signature(node: Node, container: Node) -> Signature | None:
    """Name a member of `container`; equal keys of two trees of one forest mean the same member."""
    if container.kind == ITEM:
        return strong("definition") if node.field == "definition" else None
    inner = meant(node)
    if container.kind not in _CONTAINERS:
        return _preprocessed(inner)
    return _definition(inner) or _preprocessed(inner) or _listed(inner, container) or _statement(inner)


def _definition(node: Node) -> Signature | None:
    match node.kind:
        case "function_definition":
            return _function("def", node)
        case "template_declaration":
            return _template(node)
        case "declaration" | "field_declaration":
            return _declaration(node)
        case "type_definition":
            name = words(node.child("declarator"))
            return strong("type", name, step=name_step(name))
        case "namespace_definition":
            # No step: a namespace that is wrapped around a file, or split in two, changes no address.
            return strong("namespace", words(node.child("name")))
        case "linkage_specification":
            return weak("linkage", words(node.child("value")))
        case "using_declaration":
            return strong("using", words(node))
        case kind if kind in _TYPES:
            name = words(node.child("name"))
            return strong("type" if node.child("body") else "forward", name, step=name_step(name)) if name else None
        case kind if kind in _NAMED:
            name = words(node.child("name"))
            return strong(_NAMED[kind], name, step=name_step(name))
        case _:
            return None


def _template(node: Node) -> Signature | None:
    """Name a template by what it is a template of; specialisations and overloads differ in their parameters."""
    inner = _definition(node.children[-1]) if node.children else None
    if inner is None or len(inner.key) < 2:  # noqa: PLR2004 - a kind and a name
        return inner
    return replace(inner, key=(*inner.key, words(node.child("parameters"))), family=inner.key[:2])


def _function(kind: str, node: Node) -> Signature | None:
    found = _declared(node)
    if found is None:
        return None
    name, function = found
    parameters = "" if function is None else _parameter_types(function)
    return strong(kind, name, parameters, step=name_step(name), family=(kind, name))


def _declaration(node: Node) -> Signature | None:
    declarators = [child for child in node.children if child.field == "declarator"]
    if not declarators:
        return None
    found = [_name_of(declarator) for declarator in declarators]
    names = [name for name, _ in found]
    step = name_step(names[0]) if len(names) == 1 else None
    if node.kind == "field_declaration" and not found[0][1]:
        return strong("field", *names, step=step)
    if len(found) == 1 and found[0][1] is not None and declarators[0].kind != "init_declarator":
        return strong("declared", names[0], _parameter_types(found[0][1]), step=step, family=("declared", names[0]))
    return weak("variable", *names, step=step)


def _declared(node: Node) -> tuple[str, Node | None] | None:
    declarator = node.child("declarator")
    return None if declarator is None else _name_of(declarator)


def _name_of(declarator: Node) -> tuple[str, Node | None]:
    """Return the name that a declarator declares, and its part with the parameters if it is a function's."""
    function: Node | None = None
    while True:
        if declarator.kind == "function_declarator":
            function = declarator
        inner = declarator.child("declarator")
        if inner is None and declarator.kind in _UNNAMED_DECLARATORS:
            inner = next(
                (child for child in declarator.children if child.kind.endswith(("identifier", "declarator"))), None
            )
        if inner is None:
            return words(declarator), function
        declarator = inner


def _parameter_types(function: Node) -> str:
    """Write what tells overloads apart: the types of the parameters and the qualifiers behind them."""
    parameters = function.child("parameters")
    types = (
        [] if parameters is None else [_type(child) for child in parameters.children if child.kind not in {"(", ")"}]
    )
    behind = [words(child) for child in function.children if child.field is None and child.kind != "comment"]
    return " ".join([*types, *behind])


def _type(parameter: Node) -> str:
    name = parameter.child("declarator")
    out: list[str] = []
    skip = False
    stack = [parameter]
    while stack:
        node = stack.pop()
        if node.field == "default_value" or node.kind in {"comment", "="}:
            continue
        skip = node.kind == "identifier" and name is not None and node.start >= name.start
        if node.children:
            stack.extend(reversed(node.children))
        elif not skip:
            out.append(node.word)
    return " ".join(out)


def _preprocessed(node: Node) -> Signature | None:
    match node.kind:
        case "preproc_include":
            path = words(node.child("path"))
            return strong("include", path, step=entry_step(path))
        case kind if kind in _CONDITIONS:
            head = next((child for child in node.children if child.field in {"name", "condition"}), None)
            directive = node.children[0].word if node.children else ""
            said = " ".join([directive, *([] if head is None else [words(head)])])
            return weak("branch", said, step=None if _guards(node) else entry_step(said))
        case "preproc_call":
            return weak("directive", words(node))
        case _:
            return None


def _guards(node: Node) -> bool:
    """Whether this is the guard around a header, which is no condition to a reader."""
    name, body = node.child("name"), node.child("members")
    first = None if body is None or not body.children else meant(body.children[0])
    if name is None or first is None or not node.children[0].word.endswith("ifndef"):
        return False
    return first.kind == "preproc_def" and words(first.child("name")) == words(name)


def _listed(node: Node, container: Node) -> Signature | None:
    match node.kind:
        case "enumerator":
            name = words(node.child("name"))
            return strong("enumerator", name, step=name_step(name))
        case "parameter_declaration" | "optional_parameter_declaration":
            found = _declared(node)
            return None if found is None else strong("parameter", found[0], step=argument_step(found[0]))
        case "type_parameter_declaration" | "optional_type_parameter_declaration":
            name = words(next((child for child in node.children if child.kind == "type_identifier"), None))
            return strong("parameter", name, step=argument_step(name)) if name else None
        case "initializer_pair":
            key = " ".join(words(child) for child in node.children if child.field == "designator") or words(
                node.children[0]
            )
            return strong("key", key, step=entry_step(key))
        case "field_initializer":
            return strong("member", words(node.children[0]))
        case "identifier" if container.kind == "preproc_params":
            return strong("parameter", node.word, step=argument_step(node.word))
        case _:
            return None


def _statement(node: Node) -> Signature | None:
    match node.kind:
        case "expression_statement":
            inner = node.children[0]
            if inner.kind == "assignment_expression":
                return weak(inner.kind, words(inner.child("left")))
            return call(inner.child("function")) if inner.kind == "call_expression" else None
        case "case_statement":
            value = node.child("value")
            return strong("case", "default" if value is None else str(value.same))
        case "return_statement" | "co_return_statement" | "throw_statement":
            return weak(node.kind)
        case "else_clause":
            return strong("else")
        case kind:
            return header(node, _HEADERS[kind]) if kind in _HEADERS else None


def order(container: Node, owner: Node | None) -> Callable[[Node], Order]:
    """Say of each member whether it may stand anywhere in `container`, the body or list of its owner.

    Functions may, at file scope and in a namespace; in a class, `public:` and the like decide about what follows.
    Enumerators and fields may not: their places are their values and their layout.
    """
    del owner
    if container.kind not in _SCOPES or (container.kind == _BRANCH and _in_code(container)):
        return ordered
    plain = by_kind({"function_definition", "preproc_include"}, _LOOSE)

    def scope(member: Node) -> Order:
        inner = meant(member)
        if inner.kind == "template_declaration" and inner.children:
            return Order.FREE if inner.children[-1].kind == "function_definition" else Order.LOOSE
        return plain(member)

    return scope


def _in_code(branch: Node) -> bool:
    """Whether the lines between `#if` and `#endif` are statements, enumerators or fields."""
    return not any(meant(child).kind in _FILE_SCOPE for child in branch.children)


_FILE_SCOPE = frozenset({"function_definition", "template_declaration", "preproc_include", "namespace_definition"})


def _initializers(container: Node, owner: Node | None) -> Callable[[Node], Order]:
    """Add to C++'s orders that of C: an initializer that names each of its members may name them in any order."""
    pairs = [child for child in container.children if child.kind not in {"{", "}", ",", "comment"}]
    if container.kind == "initializer_list" and pairs and all(pair.kind == "initializer_pair" for pair in pairs):
        return lambda member: Order.ORDERED if member.kind == "comment" else Order.FREE
    return order(container, owner)


C = LanguageFacts(
    name="C",
    suffixes=(b".c",),
    root="translation_unit",
    to_line_end=COMMENT_STARTS,
    blanks=frozenset({"\n"}),
    brackets=BRACKETS,
    lists=_LISTS,
    blocks=_BLOCKS,
    separators=frozenset({";", ","}),
    chains=frozenset({"binary_expression"}),
    joining=frozenset({"&&", "||"}),
    transparent=frozenset({"parenthesized_expression"}),
    strings=frozenset({"string_literal", "char_literal", "raw_string_literal", "system_lib_string"}),
    groups={
        "preproc_if": Group("condition", _BRANCH, ends=frozenset({"#endif", "preproc_else", "preproc_elif"})),
        "preproc_ifdef": Group(
            "name", _BRANCH, ends=frozenset({"#endif", "preproc_else", "preproc_elif", "preproc_elifdef"})
        ),
        "preproc_elif": Group("condition", _BRANCH, ends=frozenset({"preproc_else", "preproc_elif"})),
        "preproc_elifdef": Group("name", _BRANCH, ends=frozenset({"preproc_else", "preproc_elif", "preproc_elifdef"})),
        "preproc_else": Group("#else", _BRANCH),
        "case_statement": Group(":", _CASE),
    },
    leads_comments=True,
    wrapped=_TYPES
    | {
        "alias_declaration",
        "declaration",
        "field_declaration",
        "function_definition",
        "preproc_def",
        "preproc_function_def",
        "template_declaration",
        "type_definition",
    },
    wrapper=ITEM,
    flush=frozenset(
        {
            "access_specifier",
            "preproc_call",
            "preproc_def",
            "preproc_function_def",
            "preproc_if",
            "preproc_ifdef",
            "preproc_include",
        }
    ),
    operators=frozenset(
        {"assignment_expression", "binary_expression", "pointer_expression", "unary_expression", "update_expression"}
    ),
    compounds=frozenset(
        {
            "assignment_expression",
            "binary_expression",
            "call_expression",
            "cast_expression",
            "conditional_expression",
            "declaration",
            "field_declaration",
            "field_expression",
            "for_statement",
            "parameter_declaration",
            "pointer_expression",
            "subscript_expression",
            "unary_expression",
        }
    ),
    signature=signature,
    order=_initializers,
)

CPP = replace(
    C,
    name="C++",
    suffixes=(b".cc", b".cpp", b".cxx", b".hpp", b".hh", b".hxx"),
    brackets=BRACKETS | {"<", ">", ":"},
    lists=C.lists | _CPP_LISTS,
    separators=C.separators | {":"},
    compounds=C.compounds | {"optional_parameter_declaration"},
    order=order,
)

# `.h` too: of 81 such files of a CUDA project this grammar reads 58 without an error, that of C++ 39, that of C 5; of
# its other C++ files both read the same.
CUDA = replace(
    CPP,
    name="CUDA",
    suffixes=(b".cu", b".cuh", b".h"),
    brackets=CPP.brackets | {"<<<", ">>>"},
    lists=CPP.lists | {"kernel_call_syntax"},
)
