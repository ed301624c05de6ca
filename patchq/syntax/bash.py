"""Facts about Bash: statements in blocks, functions and variables by name, arms by pattern, heredocs as data."""

from __future__ import annotations

from typing import TYPE_CHECKING

from patchq.model.anchor import Step, StepKind
from patchq.syntax.facts import LanguageFacts, Signature, Strength
from patchq.syntax.keys import entry_step
from patchq.syntax.raw import Raw, one_line

if TYPE_CHECKING:
    from patchq.syntax.node import Node

# Constructs without a block of their own in the grammar: statements stand between one of these tokens and the next.
_OPENERS = frozenset({"{", "then", "else", "do"})
_CLOSERS = frozenset({"}", "elif_clause", "else_clause", "fi", "done", ";;", ";&", ";;&"})
_BLOCKED = frozenset({"compound_statement", "if_statement", "elif_clause", "else_clause", "do_group", "case_item"})
# What is inside is data, or a computation that only makes sense whole.
_WHOLE = frozenset(
    {
        "string",
        "raw_string",
        "ansi_c_string",
        "translated_string",
        "concatenation",
        "expansion",
        "simple_expansion",
        "command_substitution",
        "process_substitution",
        "arithmetic_expansion",
        "heredoc_body",
        "test_command",
        "command_name",
    }
)
_CHAINS = {"list": frozenset({"&&", "||"}), "pipeline": frozenset({"|", "|&"})}
_ARRAY = "array"


def shape(raw: Raw, source: bytes) -> Raw:
    """Give every construct its block, make strings whole, and mark what the grammar has read across a line's end.

    tree-sitter-bash takes the lines behind some continued pipelines for arguments of their last command, without an
    error node.
    """
    if raw.kind in _WHOLE:
        return Raw(raw.kind, raw.start, raw.end, field=raw.field, wrong=any(node.wrong for node in raw.walk()))
    raw.children = [shape(child, source) for child in raw.children]
    if raw.kind == "command" and _crosses_a_line(raw, source):
        raw.kind = "ERROR"
    for child in raw.children:
        if child.kind in _CHAINS.get(raw.kind, ()):
            child.field = "operator"
    raw.children = _statements(raw)
    if raw.kind in _BLOCKED:
        raw.children = _blocked(raw, source)
    if raw.kind == "case_statement":
        raw.children = _arms(raw)
    return raw


def _crosses_a_line(command: Raw, source: bytes) -> bool:
    gaps = zip(command.children, command.children[1:], strict=False)
    return any(b"\n" in source[a.end : b.start].replace(b"\\\n", b"") for a, b in gaps)


def _statements(raw: Raw) -> list[Raw]:
    """Drop `;`, which a line end replaces, and take `&` into the statement before it."""
    kept: list[Raw] = []
    for child in raw.children:
        if child.kind == "&" and kept:
            before = kept.pop()
            kept.append(Raw("background", before.start, child.end, [before, child], field=before.field))
        elif child.kind != ";":
            kept.append(child)
    return kept


def _blocked(raw: Raw, source: bytes) -> list[Raw]:
    """Put the statements behind the opening token into a block; a comment beside that token stays with it."""
    opener = ")" if raw.kind == "case_item" else None
    at = next((k for k, c in enumerate(raw.children) if c.kind == opener or (not opener and c.kind in _OPENERS)), None)
    if at is None:
        return raw.children
    start = at + 1
    while start < len(raw.children) and raw.children[start].kind == "comment":
        if not one_line(source, raw.children[at].end, raw.children[start].start):
            break
        start += 1
    end = next((k for k in range(start, len(raw.children)) if raw.children[k].kind in _CLOSERS), len(raw.children))
    inside = raw.children[start:end]
    if not inside:
        return raw.children
    block = Raw("block", inside[0].start, inside[-1].end, inside, field="block")
    return [*raw.children[:start], block, *raw.children[end:]]


def _arms(raw: Raw) -> list[Raw]:
    at = next((k for k, child in enumerate(raw.children) if child.kind == "in"), None)
    inside = [] if at is None else raw.children[at + 1 : -1]
    if at is None or not inside or raw.children[-1].kind != "esac":
        return raw.children
    arms = Raw("case_arms", inside[0].start, inside[-1].end, inside, field="block")
    return [*raw.children[: at + 1], arms, raw.children[-1]]


def signature(node: Node, container: Node) -> Signature | None:
    """Name a function, a variable or an arm of a case; tell commands from their neighbours."""
    if container.kind not in {"program", "block", "case_arms"}:
        return None
    match node.kind:
        case "function_definition":
            name = node.child("name")
            return None if name is None else _named("function", name.word)
        case "variable_assignment":
            return _assigned(node)
        case "declaration_command":
            found = [child for child in node.children if child.kind == "variable_assignment"]
            return _assigned(found[0]) if len(found) == 1 else None
        case "case_item":
            pattern = " ".join(child.word for child in node.children if child.field == "value")
            return Signature(Strength.STRONG, ("arm", pattern), entry_step(pattern))
        case "command":
            words = [child.word for child in node.children if not child.word.startswith("-")]
            return Signature(Strength.WEAK, ("command", *words[:2]))
        case "if_statement" | "while_statement":
            condition = node.child("condition")
            return None if condition is None else Signature(Strength.WEAK, (node.kind, str(condition.same)))
        case "for_statement":
            variable = node.child("variable")
            return None if variable is None else Signature(Strength.WEAK, (node.kind, variable.word))
        case _:
            return None


def _assigned(node: Node) -> Signature | None:
    name = node.child("name")
    return _named("variable", name.word) if name is not None and name.kind == "variable_name" else None


def _named(kind: str, name: str) -> Signature:
    return Signature(Strength.STRONG, (kind, name), Step(StepKind.NAME, name))


BASH = LanguageFacts(
    name="Bash",
    suffixes=(b".sh", b".bash"),
    names=(b".bashrc", b".bash_profile", b".profile"),
    root="program",
    later_wins=True,
    blocks=frozenset({"program", "block", "case_arms"}),
    entries=frozenset({"case_arms"}),
    chains=frozenset(_CHAINS),
    elements=frozenset({"command", _ARRAY}),
    strings=frozenset({"string", "raw_string", "heredoc_body"}),
    compounds=frozenset({"command", "list", "pipeline", "test_command"}),
    signature=signature,
    shape=shape,
)
