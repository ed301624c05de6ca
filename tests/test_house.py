"""The house rules that no other tool checks: sizes, names, the map of rooms, and that the tools themselves pass."""

from __future__ import annotations

import ast
import importlib
import re
import shlex
import subprocess
import sys
from pathlib import Path

import click
import pytest

from patchq.cli import VERBS, command_line, module_of

ROOT = Path(__file__).parents[1]
PACKAGE = ROOT / "patchq"
CODE = sorted(path for path in PACKAGE.rglob("*.py") if "data" not in path.relative_to(PACKAGE).parts)
TESTS = sorted(path for path in (ROOT / "tests").rglob("*.py") if "cases" not in path.parts)
MOST_LINES = 400
MOST_LINES_OF_A_VERB = 150


@pytest.mark.parametrize("path", [*CODE, *TESTS], ids=lambda path: str(path.relative_to(ROOT)))
def test_no_file_is_longer_than_400_lines(path: Path) -> None:
    assert len(path.read_text().splitlines()) <= MOST_LINES


@pytest.mark.parametrize("path", sorted((PACKAGE / "commands").glob("*.py")), ids=lambda path: path.name)
def test_a_verb_is_a_straight_line_of_at_most_150_lines(path: Path) -> None:
    assert len(path.read_text().splitlines()) <= MOST_LINES_OF_A_VERB


def test_nothing_is_called_utils_or_helpers() -> None:
    names = {path.stem for path in CODE}
    assert not names & {"utils", "util", "helpers", "helper", "misc", "common"}


@pytest.mark.parametrize("path", CODE, ids=lambda path: str(path.relative_to(PACKAGE)))
def test_every_module_opens_with_one_sentence(path: Path) -> None:
    docstring = ast.get_docstring(ast.parse(path.read_text())) or ""
    first = docstring.split("\n\n")[0]
    assert first.endswith(".")
    assert "\n" not in first


def test_every_verb_of_the_table_is_a_command() -> None:
    for group in VERBS.values():
        for verb in group:
            assert importlib.import_module(module_of(verb)).command.callback is not None or verb == "hook"


def test_every_verb_has_an_example_in_its_help() -> None:
    for group in VERBS.values():
        for verb in group:
            assert "Example" in (importlib.import_module(module_of(verb)).command.help or ""), verb


def test_every_example_is_one_that_the_parser_takes() -> None:
    """Options exist and arguments are neither too few nor too many; sub-verbs of a group have examples, too."""
    root = click.Context(command_line, info_name="patchq")
    tried = 0
    for verb in (verb for group in VERBS.values() for verb in group):
        command = command_line.get_command(root, verb)
        assert command is not None
        names = command.list_commands(root) if isinstance(command, click.Group) else []
        below = [command.get_command(root, name) for name in names] if isinstance(command, click.Group) else []
        for one in filter(None, (command, *below)):
            text = one.help or ""
            assert "Example" in text, f"{verb} {one.name}"
            for line in text.partition("Example")[2].splitlines():
                for part in re.split(r"[|;]|&&", line):
                    words = shlex.split(part.partition(">")[0], comments=True)
                    if words[:1] == ["patchq"]:
                        tried += 1
                        _parse(command_line, words[1:], root)
    assert tried > 80


def _parse(command: click.Command, words: list[str], parent: click.Context) -> None:
    context = click.Context(command, info_name=command.name, parent=parent)
    parser = command.make_parser(context)
    _, left, _ = parser.parse_args(list(words))
    if isinstance(command, click.Group) and left:
        below = command.get_command(context, left[0])
        assert below is not None, words
        _parse(below, left[1:], context)


def test_every_room_is_in_the_readme() -> None:
    readme = (ROOT / "README.md").read_text()
    rooms = {path.parent.name for path in PACKAGE.glob("*/__init__.py")}
    assert {room for room in rooms if f"`{room}/`" not in readme} == set()


def test_the_import_law_holds() -> None:
    program = Path(sys.executable).with_name("lint-imports")
    done = subprocess.run([program], cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout


def test_no_name_of_the_shipped_series_or_its_upstream_is_in_the_code() -> None:
    words = ("sglang", "sm120", "symm_mem", "all_reduce", "kiln", "blackwell")
    hits = {
        f"{path.relative_to(ROOT)}: {word}"
        for path in CODE
        for word in words
        if word in _without_docstrings(path).lower() and path.name != "demo_upstream.py"
    }
    assert hits == set()


def _without_docstrings(path: Path) -> str:
    """Examples in help texts may name a real release; what is executed may not."""
    tree = ast.parse(path.read_text())
    for node in ast.walk(tree):
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef) and ast.get_docstring(node, clean=False):
            node.body = node.body[1:] or [ast.Pass()]
    return ast.unparse(tree)
