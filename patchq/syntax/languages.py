"""The table of languages: by file name to facts and grammar, each grammar loaded when first needed."""

from __future__ import annotations

import importlib
from dataclasses import dataclass
from typing import TYPE_CHECKING

from patchq.syntax.c import CPP, CUDA, C
from patchq.syntax.go import GO
from patchq.syntax.javascript import JAVASCRIPT, TSX, TYPESCRIPT
from patchq.syntax.judge import judge_python
from patchq.syntax.node import Unread
from patchq.syntax.python import PYTHON
from patchq.syntax.rust import RUST

if TYPE_CHECKING:
    from collections.abc import Callable

    from patchq.syntax.facts import LanguageFacts
    from patchq.syntax.judge import Judgement


@dataclass(frozen=True, slots=True)
class Language:
    """A language, the PyPI package that ships its tree-sitter grammar, and its own parser where there is one."""

    facts: LanguageFacts
    package: str
    judge: Callable[[bytes], Judgement] | None = None
    entry: str = "language"  # the package's function that returns the grammar

    def grammar(self) -> object | Unread:
        """Load the grammar; a missing package is a reason, not a failure."""
        module = self.package.replace("-", "_")
        try:
            grammar: object = getattr(importlib.import_module(module), self.entry)()
        except ImportError:
            return Unread(f"no grammar for {self.facts.name}: pip install {self.package}")
        return grammar


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
)


def language_of(path: bytes) -> Language | None:
    """Choose the language by the file's suffix; None for what is only text to us."""
    return next((language for language in LANGUAGES if path.endswith(language.facts.suffixes)), None)
