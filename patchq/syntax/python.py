"""Facts about Python: what its lists, blocks and chains are, and what their members are called."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

from patchq.model.anchor import Step, StepKind
from patchq.syntax.facts import Group, LanguageFacts, Order, Signature, Strength
from patchq.syntax.tokens import flat

if TYPE_CHECKING:
    from collections.abc import Callable

    from patchq.syntax.node import Node

_IMPORT_NAMES = "import_names"
_IMPORTED = frozenset({"dotted_name", "aliased_import"})
_PARAMETERS = frozenset({"parameters", "lambda_parameters"})
_COMPOUND_HEADERS = {
    "if_statement": "condition",
    "elif_clause": "condition",
    "while_statement": "condition",
    "for_statement": "left",
    "match_statement": "subject",
}


def _strong(*key: str, step: Step | None = None) -> Signature:
    return Signature(Strength.STRONG, key, step)


def _weak(*key: str, step: Step | None = None) -> Signature:
    return Signature(Strength.WEAK, key, step)


def _name(node: Node) -> Step:
    return Step(StepKind.NAME, " ".join(node.word.split()))


def _entry(key: Node) -> Step:
    """Name an entry by its text, with the same quotes for all."""
    return Step(StepKind.ENTRY, flat(key, PYTHON).replace("'", '"'))


def signature(node: Node, container: Node) -> Signature | None:
    """Name a member of `container`; equal keys of two trees of one forest mean the same member."""
    found = _statement_signature(node, container)
    if found is not None:
        return found
    if container.kind == _IMPORT_NAMES and node.kind in _IMPORTED:
        bound = node.child("alias") or node
        return _strong("name", node.word, step=_name(bound))
    if container.kind in _PARAMETERS:
        return _parameter_signature(node)
    if container.kind == "set" and node.kind not in {",", "{", "}", "comment"}:
        return _strong("element", str(node.same), step=_entry(node))
    match node.kind:
        case "pair":
            key = node.child("key")
            return None if key is None else _strong("key", str(key.same), step=_entry(key))
        case "keyword_argument":
            name = node.child("name")
            return None if name is None else _strong("kw", name.word, step=Step(StepKind.ARGUMENT, name.word))
        case "dictionary_splat" | "list_splat":
            return _strong("splat", str(node.same))
        case _:
            return None


def _statement_signature(node: Node, container: Node) -> Signature | None:
    match node.kind:
        case "decorated_definition":
            return _definition_signature(node)
        case "function_definition" | "class_definition" if container.kind == "decorated_definition":
            return _strong("definition")
        case "decorator":
            call = node.children[1] if len(node.children) > 1 else node
            return _weak("decorator", (call.child("function") or call).word)
        case "expression_statement":
            return _expression_signature(node)
        case "import_from_statement":
            module = node.child("module_name")
            return None if module is None else _strong("from", module.word)
        case "else_clause" | "finally_clause":
            return _strong(node.kind)
        case "return_statement" | "raise_statement":
            return _weak(node.kind)
        case _:
            header = node.child(_COMPOUND_HEADERS.get(node.kind, "")) if node.kind in _COMPOUND_HEADERS else None
            return None if header is None else _weak(node.kind, str(header.same))


def _definition_signature(node: Node) -> Signature | None:
    inner = node.child("definition")
    name = inner.child("name") if inner is not None else None
    if name is None:
        return None
    # `@x.setter def x` and `@x.getter def x` share a name with the property but are other members.
    accessors = [
        child.word.rpartition(".")[2]
        for child in node.children
        if child.kind == "decorator" and child.word.endswith((".setter", ".getter", ".deleter"))
    ]
    return _strong("def", name.word, *accessors, step=_name(name))


def _expression_signature(node: Node) -> Signature | None:
    inner = node.children[0] if node.children else None
    if inner is None:
        return None
    if inner.kind in {"assignment", "augmented_assignment"}:
        left = inner.child("left")
        if left is None:
            return None
        # Two plain assignments to one name are one member; `x += 1` is told from `x = 1` by its kind.
        return _weak(inner.kind, left.word, step=_name(left) if left.kind == "identifier" else None)
    if inner.kind == "call":
        function = inner.child("function")
        return None if function is None else _weak("call", function.word)
    if inner.kind == "string":
        return _weak("docstring")
    return None


def _parameter_signature(node: Node) -> Signature | None:
    if node.kind in {"identifier", "list_splat_pattern", "dictionary_splat_pattern"}:
        name: Node | None = node
    elif node.kind in {"default_parameter", "typed_default_parameter"}:
        name = node.child("name")
    elif node.kind == "typed_parameter":
        name = node.children[0] if node.children else None
    elif node.kind in {"keyword_separator", "positional_separator"}:
        return _strong(node.kind)
    else:
        name = None
    if name is None:
        return None
    return _strong("parameter", name.word.lstrip("*"), step=Step(StepKind.ARGUMENT, name.word.lstrip("*")))


def imported(statement: Node) -> tuple[str, ...]:
    """Name what an import statement binds in its block; several statements may bind one name."""
    if statement.kind not in PYTHON.groups:
        return ()
    names = (member for group in statement.children if group.kind == _IMPORT_NAMES for member in group.children)
    return tuple(
        " ".join((member.child("alias") or member).word.split()) for member in names if member.kind in _IMPORTED
    )


def rank(statement: Node) -> tuple[tuple[int, bool, str], ...] | None:
    """Say where isort puts an import: future, standard library, others, relative; `import` first, then by module.

    The second order, which is a custom too, has `import` and `from` mixed.
    """
    match statement.kind:
        case "future_import_statement":
            return ((0, True, ""),) * 2
        case "import_statement":
            names = next((group for group in statement.children if group.kind == _IMPORT_NAMES), None)
            module = None if names is None or not names.children else names.children[0]
        case "import_from_statement":
            module = statement.child("module_name")
        case _:
            return None
    if module is None:
        return None
    name = "".join((module.child("name") or module).word.split())
    group = 3 if name.startswith(".") else 1 if name.partition(".")[0] in sys.stdlib_module_names else 2
    return (group, statement.kind != "import_statement", name.lower()), (group, False, name.lower())


def order(container: Node, owner: Node | None) -> Callable[[Node], Order]:
    """Say of each member whether it may stand anywhere in `container`, the body or list of `owner`."""
    free = frozenset[str]()
    if container.kind in {_IMPORT_NAMES, "set"}:
        return lambda _: Order.FREE
    if container.kind in {"list", "tuple"}:
        return lambda member: Order.ORDERED if member.children else Order.LOOSE
    if container.kind in {"dictionary", "argument_list"}:
        # A `**splat` overrides what stands before it, so only plain entries move freely.
        if not any(child.kind == "dictionary_splat" for child in container.children):
            free = frozenset({"pair", "keyword_argument"})
    elif container.kind == "module" or (owner is not None and owner.kind == "class_definition"):
        free = frozenset({"decorated_definition", "import_from_statement", "import_statement", "assignment"})
    return lambda member: Order.FREE if _plain_kind(member) in free else Order.ORDERED


def _plain_kind(member: Node) -> str:
    return member.children[0].kind if member.kind == "expression_statement" and member.children else member.kind


PYTHON = LanguageFacts(
    name="Python",
    suffixes=(b".py", b".pyi"),
    root="module",
    later_wins=True,
    offside=True,
    optional=frozenset({",", "(", ")", ";"}),
    blanks=frozenset({"line_continuation"}),
    lists=frozenset(
        {
            _IMPORT_NAMES,
            "argument_list",
            "dictionary",
            "expression_list",
            "lambda_parameters",
            "list",
            "list_pattern",
            "parameters",
            "pattern_list",
            "set",
            "tuple",
            "tuple_pattern",
            "type_parameter",
            "with_clause",
        }
    ),
    commaed=frozenset({"tuple", "tuple_pattern"}),
    alike={"expression_list": "tuple", "pattern_list": "tuple_pattern"},
    blocks=frozenset({"module", "block", "decorated_definition"}),
    chains=frozenset({"boolean_operator"}),
    elements=frozenset({"list", "tuple"}),
    transparent=frozenset({"parenthesized_expression"}),
    strings=frozenset({"string"}),
    free_quotes=True,
    groups={
        "import_from_statement": Group("import", _IMPORT_NAMES),
        "import_statement": Group("import", _IMPORT_NAMES),
        "future_import_statement": Group("import", _IMPORT_NAMES),
    },
    wrapped=frozenset({"function_definition", "class_definition"}),
    wrapper="decorated_definition",
    operators=frozenset(
        {"comparison_operator", "binary_operator", "unary_operator", "not_operator", "augmented_assignment"}
    ),
    compounds=frozenset(
        {
            "attribute",
            "binary_operator",
            "boolean_operator",
            "call",
            "comparison_operator",
            "conditional_expression",
            "not_operator",
            "subscript",
            "unary_operator",
        }
    ),
    signature=signature,
    takes=imported,
    order=order,
    rank=rank,
)
