"""The table of languages: by file name to facts and grammar, each grammar loaded when first needed."""

from __future__ import annotations

import importlib
from dataclasses import dataclass
from typing import TYPE_CHECKING

from patchq.syntax.bash import BASH
from patchq.syntax.c import CPP, CUDA, C
from patchq.syntax.cmake import CMAKE
from patchq.syntax.cmake_reader import read_cmake
from patchq.syntax.dockerfile import DOCKERFILE
from patchq.syntax.go import GO
from patchq.syntax.javascript import JAVASCRIPT, TSX, TYPESCRIPT
from patchq.syntax.json import JSON
from patchq.syntax.judge import judge_python
from patchq.syntax.judge_data import judge_json, judge_toml
from patchq.syntax.node import Unread
from patchq.syntax.python import PYTHON
from patchq.syntax.rust import RUST
from patchq.syntax.toml import TOML
from patchq.syntax.yaml import YAML

if TYPE_CHECKING:
    from collections.abc import Callable

    from patchq.syntax.facts import LanguageFacts
    from patchq.syntax.judge import Judgement
    from patchq.syntax.raw import Raw


@dataclass(frozen=True, slots=True)
class Language:
    """A language, the PyPI package that ships its tree-sitter grammar, and its own parser where there is one.

    `reader` stands in for a grammar that no package ships.
    """

    facts: LanguageFacts
    package: str
    judge: Callable[[bytes], Judgement] | None = None
    entry: str = "language"  # the package's function that returns the grammar
    reader: Callable[[bytes], Raw] | None = None

    def grammar(self) -> object | Unread:
        """Load the grammar; a missing package is a reason, not a failure."""
        module = self.package.replace("-", "_")
        try:
            grammar: object = getattr(importlib.import_module(module), self.entry)()
        except ImportError:
            return Unread(f"no grammar for {self.facts.name}: pip install {self.package}")
        return grammar


def _judge_yaml(source: bytes) -> Judgement:
    """Load PyYAML when a YAML file is judged: git's merges wait for every import."""
    judge: Callable[[bytes], Judgement] = importlib.import_module("patchq.syntax.judge_yaml").judge_yaml
    return judge(source)


LANGUAGES = (
    Language(PYTHON, "tree-sitter-python", judge_python),
    Language(C, "tree-sitter-c"),
    Language(CPP, "tree-sitter-cpp"),
    Language(CUDA, "tree-sitter-cuda"),
    Language(RUST, "tree-sitter-rust"),
    Language(GO, "tree-sitter-go"),
    Language(JAVASCRIPT, "tree-sitter-javascript"),
    Language(TYPESCRIPT, "tree-sitter-typescript", entry="language_typescript"),
    Language(TSX, "tree-sitter-typescript", entry="language_tsx"),
    Language(TOML, "tree-sitter-toml", judge_toml),
    Language(YAML, "tree-sitter-yaml", _judge_yaml),
    Language(JSON, "tree-sitter-json", judge_json),
    Language(BASH, "tree-sitter-bash"),
    Language(DOCKERFILE, "tree-sitter-containerfile"),
    Language(CMAKE, "", reader=read_cmake),
)


def language_of(path: bytes) -> Language | None:
    """Choose the language by the file's whole name, else by its suffix; None for what is only text to us."""
    name = path.rpartition(b"/")[2]
    called = (language for language in LANGUAGES if name in language.facts.names)
    found = next(called, None) or next((each for each in LANGUAGES if name.endswith(each.facts.suffixes)), None)
    return found or next((each for each in LANGUAGES if name.startswith(each.facts.prefixes)), None)
