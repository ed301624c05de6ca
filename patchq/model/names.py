"""Names that cannot be illegal: a patch's name is a file name everywhere and an argument nowhere."""

from __future__ import annotations

import re
from dataclasses import dataclass

from patchq.errors import SeriesError

_LEGAL = re.compile(r"[A-Za-z0-9_][A-Za-z0-9._+-]{0,119}")
_ILLEGAL_RUN = re.compile(r"[^A-Za-z0-9._+]+")

SUFFIX = ".patch"


@dataclass(frozen=True, slots=True, order=True)
class PatchName:
    """A legal patch name: starts with a letter, digit or `_`, then also `.`, `+`, `-`; at most 120 characters."""

    value: str

    def __post_init__(self) -> None:
        """Refuse what is not legal with SeriesError, so that no other code has to check."""
        if not self.is_legal(self.value):
            msg = f"{self.value!r} cannot be the name of a patch"
            raise SeriesError(msg, hint="use letters, digits, '.', '_', '+' and '-', without '.patch' at the end")

    @staticmethod
    def is_legal(text: str) -> bool:
        """Whether `text` can be a name."""
        return bool(_LEGAL.fullmatch(text)) and not text.endswith((SUFFIX, ".lock", ".")) and ".." not in text

    def __str__(self) -> str:
        """Give the bare name."""
        return self.value

    @property
    def file_name(self) -> str:
        """The file name in a series folder."""
        return self.value + SUFFIX

    @classmethod
    def from_file_name(cls, file_name: str) -> PatchName:
        """Read `NAME.patch` (or `NAME.diff`, `NAME`) as it stands in a series file; SeriesError if not legal."""
        stem = file_name.removesuffix(SUFFIX)
        return cls(stem.removesuffix(".diff") if stem == file_name else stem)

    @classmethod
    def from_title(cls, title: str) -> PatchName:
        """Make a name from a subject line: what git-format-patch does, in lower case, 60 characters at most."""
        words = _ILLEGAL_RUN.sub("-", title).lower()
        stem = re.sub(r"\.{2,}", ".", words).strip("-.+")[:60].strip("-.+")
        return cls(re.sub(r"\.(patch|lock)$", "", stem) or "patch")
