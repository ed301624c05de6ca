"""Facts about Dockerfiles: stages as scopes, instructions in order, variables by name, `RUN` as a chain."""

from __future__ import annotations

from typing import TYPE_CHECKING

from patchq.model.anchor import Step, StepKind
from patchq.syntax.facts import LanguageFacts, Signature, Strength
from patchq.syntax.raw import Raw, leading_comments
from patchq.syntax.shell_words import shell_command

if TYPE_CHECKING:
    from patchq.syntax.node import Node

_BODY = "stage_body"
_DROPPED = frozenset({"line_continuation"})
_WHOLE = frozenset(
    {"image_spec", "param", "mount_param", "path", "json_string", "heredoc_block", "double_quoted_string"}
)
_PAIRS = frozenset({"env_pair", "label_pair", "arg_pair"})


def shape(raw: Raw, source: bytes) -> Raw:
    """Put the instructions behind a `FROM` into its stage, and cut shell commands into words."""
    children = [_plain(child, source) for child in raw.children if child.kind not in _DROPPED]
    members: list[Raw] = []
    for child in children:
        stage = members[-1] if members and members[-1].kind == "stage" else None
        if child.kind == "from_instruction":
            if stage is not None:
                body = stage.children[1:]
                leading = leading_comments(body, child.start, source)
                _close(stage, body[: len(body) - len(leading)])
                members.extend(leading)
            members.append(Raw("stage", child.start, child.end, [child]))
        elif stage is not None:
            stage.children.append(child)
        else:
            members.append(child)
    if members and members[-1].kind == "stage":
        _close(members[-1], members[-1].children[1:])
    raw.children = members
    return raw


def _close(stage: Raw, body: list[Raw]) -> None:
    head = stage.children[0]
    head.field = "from"
    stage.children = [head, *([Raw(_BODY, body[0].start, body[-1].end, body, field="body")] if body else [])]
    stage.end = stage.children[-1].end


def _plain(node: Raw, source: bytes) -> Raw:
    while node.end > node.start and source[node.end - 1 : node.end].isspace():
        node.end -= 1
    if node.kind == "comment" or node.kind in _WHOLE:
        return Raw(node.kind, node.start, node.end, field=node.field, wrong=any(each.wrong for each in node.walk()))
    if node.kind == "shell_command":
        made = shell_command(source, node.start, node.end) or Raw("shell_text", node.start, node.end)
        made.wrong = any(each.wrong for each in node.walk())
        return made
    node.children = [_plain(child, source) for child in node.children if child.kind not in _DROPPED]
    if node.children:
        node.end = max(node.end, node.children[-1].end)
    return node


def signature(node: Node, container: Node) -> Signature | None:
    """Name a stage by its alias and a variable by its name; tell instructions from their neighbours."""
    if node.kind == "stage":
        alias = node.children[0].child("as")
        return Signature(Strength.WEAK, ("stage",)) if alias is None else _named("stage", alias.word)
    if node.kind in _PAIRS:
        return _variable(node)
    if container.kind in {"source_file", _BODY} and node.kind.endswith("_instruction"):
        pairs = [child for child in node.children if child.kind in _PAIRS]
        own = _variable(pairs[0]) if len(pairs) == 1 else None
        if own is not None:
            return own
        words = [leaf.word for leaf in node.leaves() if not leaf.word.startswith("--")]
        return Signature(Strength.WEAK, (node.kind, *words[1:3]))
    return None


def _variable(pair: Node) -> Signature | None:
    name = pair.child("name") or pair.child("key")
    return None if name is None else _named(pair.kind, name.word.strip('"'))


def _named(kind: str, name: str) -> Signature:
    return Signature(Strength.STRONG, (kind, name), Step(StepKind.NAME, name))


DOCKERFILE = LanguageFacts(
    name="Dockerfile",
    suffixes=(b".Dockerfile", b".dockerfile", b".Containerfile"),
    names=(b"Dockerfile", b"Containerfile"),
    prefixes=(b"Dockerfile.", b"Containerfile."),
    root="source_file",
    lists=frozenset({"json_string_array"}),
    elements=frozenset({"command", "json_string_array"}),
    blocks=frozenset({"source_file", _BODY}),
    entries=frozenset({_BODY}),
    chains=frozenset({"list"}),
    strings=frozenset({"json_string", "double_quoted_string", "shell_text", "heredoc_block"}),
    compounds=frozenset({"command", "list"}),
    signature=signature,
    shape=shape,
)
