"""Facts about CMake: commands known by their name and first argument, blocks, functions by name."""

from __future__ import annotations

from typing import TYPE_CHECKING

from patchq.model.anchor import Step, StepKind
from patchq.syntax.facts import LanguageFacts, Signature, Strength
from patchq.syntax.keys import entry_step

if TYPE_CHECKING:
    from patchq.syntax.node import Node

# What these say about their first argument is said once in a place.
_ABOUT = frozenset(
    {
        "add_custom_target",
        "add_executable",
        "add_library",
        "add_subdirectory",
        "cmake_minimum_required",
        "fetchcontent_declare",
        "find_library",
        "find_package",
        "find_path",
        "find_program",
        "include",
        "option",
        "project",
        "set",
        "set_target_properties",
        "target_compile_definitions",
        "target_compile_features",
        "target_compile_options",
        "target_include_directories",
        "target_link_libraries",
        "target_link_options",
        "target_sources",
        "unset",
    }
)
_DEFINITIONS = frozenset({"function_block", "macro_block"})


def signature(node: Node, container: Node) -> Signature | None:
    """Name a definition, and a command by what it is about; tell the others from their neighbours."""
    if container.kind not in {"file", "block"}:
        return None
    head = node.children[0] if node.kind.endswith("_block") and node.children else node
    words = _words(head)
    if not words:
        return None
    if node.kind in _DEFINITIONS:
        return (
            Signature(Strength.STRONG, ("definition", words[1]), Step(StepKind.NAME, words[1])) if words[1:] else None
        )
    if node.kind != "command":
        return Signature(Strength.WEAK, (node.kind, *words))
    if words[0] in _ABOUT and words[1:]:
        return Signature(Strength.STRONG, ("command", *words[:2]), entry_step(" ".join(words[:2])))
    return Signature(Strength.WEAK, ("command", *words[:3]))


def _words(command: Node) -> list[str]:
    name, arguments = command.child("name"), command.child("arguments")
    if command.kind != "command" or name is None:
        return []
    said = [] if arguments is None else [leaf.word for leaf in arguments.children if leaf.kind != "comment"]
    return [name.word.lower(), *said]


CMAKE = LanguageFacts(
    name="CMake",
    suffixes=(b".cmake",),
    names=(b"CMakeLists.txt",),
    root="file",
    blocks=frozenset({"file", "block"}),
    elements=frozenset({"arguments"}),
    strings=frozenset({"argument"}),
    compounds=frozenset({"arguments"}),
    signature=signature,
    shape=lambda raw, _: raw,
)
