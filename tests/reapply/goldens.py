"""Reads the golden cases: one folder each with `base`, `patch`, `ours`, maybe `expected`, and `case.yaml`."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import yaml

from patchq.errors import Where
from patchq.model.attempt import Carried, Carry, Case, EditFate
from patchq.model.change import TextBody
from patchq.patchfile.parse import parse_changes
from patchq.reapply.hunks import apply_hunks

CASES = Path(__file__).parent.parent / "cases"
GAPS = CASES / "known_gaps"
_KEYS = {"shows", "verdict", "conflict", "rung", "class", "place", "path", "now", "ideal", "again"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Golden:
    """A case and what is said of it; `expected` is None where nothing may be carried."""

    name: str
    case: Case
    expected: bytes | None
    says: dict[str, str]

    @property
    def classes(self) -> tuple[str, str]:
        """The best and the worst class allowed: `class: B` or `class: B..D`."""
        best, _, worst = self.says.get("class", "A..E").partition("..")
        return best, worst or best


def goldens() -> list[Golden]:
    """Read all cases that work, in the order of their names."""
    return [_read(path.parent) for path in sorted(CASES.rglob("case.yaml")) if GAPS not in path.parents]


def gaps() -> list[Golden]:
    """Read the cases that do not work yet: what stands in `now` is true, and `ideal` is what should be."""
    return [_read(path.parent) for path in sorted(GAPS.rglob("case.yaml"))]


def verdict_of(answer: Carry) -> str:
    """Name an answer of the ladder as `case.yaml` does."""
    if not isinstance(answer, Carried):
        return "refused"
    if answer.absorbed is not None:
        return "absorbed"
    fates = {edit.fate for edit in answer.evidence.edits}
    return "partial" if len(fates) == len(EditFate) else "carried"


def _read(folder: Path) -> Golden:
    texts = {path.stem: path.read_bytes() for path in folder.iterdir() if path.name != "case.yaml"}
    says = yaml.safe_load((folder / "case.yaml").read_text(encoding="utf-8"))
    unknown = says.keys() - _KEYS
    if unknown:
        raise ValueError(f"{folder}: unknown {unknown}")
    path = says.get("path", next(folder.glob("base.*")).name).encode()
    (change,) = parse_changes(texts["patch"], file=str(folder / "patch"))
    if not isinstance(change.body, TextBody):
        raise TypeError(f"{folder}: the patch is not text")
    theirs = apply_hunks(change.body.hunks, texts["base"], where=Where(file=str(folder / "patch")))
    case = Case(path=path, ours_path=path, base=texts["base"], theirs=theirs, ours=texts["ours"])
    name = folder.relative_to(CASES).as_posix()
    return Golden(name=name, case=case, expected=texts.get("expected"), says=says)
