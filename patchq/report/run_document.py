"""What `patchq rebase --json` wrote, read back as values: a report tells of that run, and of nothing else."""

from __future__ import annotations

import json
from dataclasses import dataclass
from enum import Enum
from typing import TYPE_CHECKING, TypeVar

from patchq.errors import PatchqError, Where
from patchq.model.names import PatchName
from patchq.model.outcome import Answer
from patchq.model.policy import Need
from patchq.model.series import SCHEMA
from patchq.model.verdict import ReviewClass, Rung, Verdict
from patchq.report.notes import named_commit
from patchq.report.state import State
from patchq.report.todo import Stage

if TYPE_CHECKING:
    from collections.abc import Iterator

Choice = TypeVar("Choice", bound=Enum)
Kind = TypeVar("Kind", str, int, bool, "list[object]", "dict[str, object]")

_COMMANDS = ("rebase", "status")
_HINT = "patchq rebase --dry-run --json writes one"


@dataclass(frozen=True, slots=True, kw_only=True)
class Run:
    """A replay that was told as JSON: from where (None before a first carry) to where, how far it went, what it found.

    `asked` counts the patches of the ledger by what upstream answered.
    """

    origin: tuple[str, str] | None
    onto: tuple[str, str]
    stage: Stage
    branch: tuple[str, str] | None
    states: tuple[State, ...]
    asked: tuple[tuple[str, Answer], ...]


def read_run(data: bytes, *, file: str) -> Run:
    """Read the document; PatchqError, with the field, for anything that is none or that this version cannot read."""
    try:
        value = json.loads(data)
    except (ValueError, RecursionError) as error:
        raise PatchqError(f"is not JSON: {error}", hint=_HINT, where=Where(file=file)) from error
    top = _Node(file, "", value).fields()
    schema, command = top["schema"].of(int), top["command"].of(str)
    if schema != SCHEMA:
        raise top["schema"].error(f"is schema {schema}, and this patchq reads schema {SCHEMA}", hint="upgrade patchq")
    if command not in _COMMANDS:
        raise top["command"].error(f"is {command!r}, not a rebase", hint=_HINT)
    if "strays" in top.value:
        hint = "patchq report --markdown tells what is recorded; patchq status REF --json asks a ref"
        raise top["command"].error("is the recorded status, not a run", hint=hint)
    branch = top["branch"].point("name")
    dry = top["dry_run"].of(bool)
    onto = top["onto"].point("ref")
    if onto is None:
        raise top["onto"].error("is missing", hint=_HINT)
    return Run(
        origin=top["from"].point("ref"),
        onto=onto,
        stage=Stage.DRY_RUN if dry else Stage.STOPPED if branch is None else Stage.PUBLISHED,
        branch=branch,
        states=tuple(_state(node) for node in top["patches"].items()),
        asked=tuple((node["name"].of(str), node["answer"].choice(Answer)) for node in top["asked_again"].items()),
    )


@dataclass(frozen=True, slots=True)
class _Node:
    """A value of the document, and where it stands."""

    file: str
    path: str
    value: object

    def error(self, message: str, *, hint: str | None = None) -> PatchqError:
        return PatchqError(message, hint=hint, where=Where(file=self.file, field=self.path or None))

    def of(self, kind: type[Kind]) -> Kind:
        if not isinstance(self.value, kind) or (kind is int and isinstance(self.value, bool)):
            raise self.error(f"is not of the kind {kind.__name__}", hint=_HINT)
        return self.value

    def maybe(self, kind: type[Kind]) -> Kind | None:
        return None if self.value is None else self.of(kind)

    def choice(self, choices: type[Choice]) -> Choice:
        text = self.of(str)
        try:
            return choices(text)
        except ValueError as error:
            raise self.error(f"is {text!r}, which this patchq does not know", hint="upgrade patchq") from error

    def choice_or_none(self, choices: type[Choice]) -> Choice | None:
        return None if self.value is None else self.choice(choices)

    def fields(self) -> _Fields:
        return _Fields(self, self.of(dict))

    def items(self) -> Iterator[_Fields]:
        for index, value in enumerate(self.of(list)):
            yield _Node(self.file, f"{self.path}[{index}]", value).fields()

    def texts(self) -> tuple[str, ...]:
        return tuple(_Node(self.file, f"{self.path}[{at}]", it).of(str) for at, it in enumerate(self.of(list)))

    def point(self, key: str) -> tuple[str, str] | None:
        """Read a ref or a branch with its commit."""
        if self.value is None:
            return None
        fields = self.fields()
        return fields[key].of(str), fields["commit"].of(str)


@dataclass(frozen=True, slots=True)
class _Fields:
    """An object of the document; a key that is missing reads as null."""

    node: _Node
    value: dict[str, object]

    def __getitem__(self, key: str) -> _Node:
        return _Node(self.node.file, f"{self.node.path}.{key}".lstrip("."), self.value.get(key))


def _state(patch: _Fields) -> State:
    name = patch["name"].of(str)
    if not PatchName.is_legal(name):
        raise patch["name"].error(f"{name!r} cannot be the name of a patch")
    files = list(patch["files"].items())
    waits = patch["blocked_by"].texts()
    policy = None if patch["policy"].value is None else patch["policy"].fields()
    return State(
        name=PatchName(name),
        title=patch["title"].of(str),
        verdict=patch["verdict"].choice(Verdict),
        rung=patch["rung"].choice_or_none(Rung),
        review=patch["class"].choice_or_none(ReviewClass),
        needs_review=patch["needs_review"].of(bool),
        held=patch["held"].of(bool),
        need=Need.USUAL if policy is None else policy["need"].choice(Need),
        expired=(policy["expires"].maybe(str) or "") if policy is not None and policy["overdue"].maybe(bool) else "",
        notes=patch["notes"].texts(),
        places=(*(place for file in files for place in _places(file)), *(f"waits for {name}" for name in waits)),
        brought=tuple(map(_commit, patch["landed_in"].items())),
    )


def _places(file: _Fields) -> Iterator[str]:
    """Say what is open in one file: place by place, else in the sentence that stands for the file."""
    path, verdict = file["path"].of(str), file["verdict"].choice(Verdict)
    if not verdict.needs_person:
        return
    conflicts = list(file["conflicts"].items())
    for conflict in conflicts:
        anchor = conflict["anchor"].of(str).removeprefix(f"{path}::").removeprefix(f"{path}:")
        yield ": ".join(filter(None, (path, anchor, conflict["reason"].of(str))))
    if not conflicts:
        yield ": ".join(filter(None, (path, file["evidence"].of(str))))


def _commit(commit: _Fields) -> str:
    return named_commit(commit["commit"].of(str), commit["subject"].of(str), commit["pull_request"].maybe(int))
