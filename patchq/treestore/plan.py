"""What is to be done to the files of a tree, as it lies beside them on disk until it is done: the journal."""

from __future__ import annotations

import hashlib
import json
import os
from dataclasses import dataclass
from enum import Enum
from typing import TYPE_CHECKING

from patchq.errors import PublishError, Where

if TYPE_CHECKING:
    from pathlib import Path

PLAN = "plan.json"
_SCHEMA = 1


class Kind(Enum):
    """Which way a plan goes."""

    APPLY = "apply"
    REVERT = "revert"


@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    """One file: its path below the root, SHA-256 in hex before and after (None: no such file), and how it is kept.

    `mode` are its permission bits, `owner` and `group` its ids.
    """

    path: bytes
    was: str | None
    now: str | None
    mode: int
    owner: int
    group: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """All files of one change, and what is removed with it: `stale` bytecode. `generation` numbers the backups.

    Beside the plan lie `old-N` and `new-N`, the contents of step N.
    """

    kind: Kind
    generation: int
    steps: tuple[Step, ...]
    stale: tuple[bytes, ...] = ()


def digest(data: bytes | None) -> str | None:
    """Name contents; None for no file."""
    return None if data is None else hashlib.sha256(data).hexdigest()


def write_plan(folder: Path, plan: Plan) -> None:
    """Write the plan into `folder`, through to the disk."""
    data = {
        "schema": _SCHEMA,
        "kind": plan.kind.value,
        "generation": plan.generation,
        "steps": [
            {
                "path": os.fsdecode(step.path),
                "was": step.was,
                "now": step.now,
                "mode": step.mode,
                "owner": step.owner,
                "group": step.group,
            }
            for step in plan.steps
        ],
        "stale": [os.fsdecode(path) for path in plan.stale],
    }
    write_through(folder / PLAN, json.dumps(data, indent=1).encode())


def read_plan(folder: Path) -> Plan:
    """Read the plan in `folder`; PublishError for one that patchq cannot have written, or that leaves the tree."""
    file = folder / PLAN
    try:
        return _plan(json.loads(file.read_bytes()))
    except (OSError, ValueError, TypeError, KeyError, RecursionError) as error:
        raise PublishError(
            "is no plan that this patchq reads",
            hint=f"the old and new contents of its files lie beside it; when they are in order, delete {folder}",
            where=Where(file=str(file)),
        ) from error


def _plan(data: dict[str, object]) -> Plan:
    match data:
        case {"schema": 1, "kind": str(kind), "generation": int(number), "steps": list(steps), "stale": list(stale)}:
            return Plan(
                kind=Kind(kind),
                generation=number,
                steps=tuple(map(_step, steps)),
                stale=tuple(inside(os.fsencode(path)) for path in stale),
            )
        case _:
            raise ValueError("not a plan of schema 1")


def _step(data: object) -> Step:
    match data:
        case {
            "path": str(path),
            "was": str() | None as was,
            "now": str() | None as now,
            "mode": int(mode),
            "owner": int(owner),
            "group": int(group),
        }:
            return Step(path=inside(os.fsencode(path)), was=was, now=now, mode=mode, owner=owner, group=group)
        case _:
            raise ValueError("not a step of a plan")


def inside(path: bytes) -> bytes:
    """Return `path` if it is one below a root; ValueError if not."""
    if b"\0" in path or any(part in (b"", b".", b"..") for part in path.split(b"/")):
        raise ValueError("a place outside of the tree")
    return path


def write_through(file: Path, data: bytes) -> None:
    """Write a new file so that it is on the disk when this returns; raises OSError."""
    with file.open("xb") as stream:
        stream.write(data)
        stream.flush()
        os.fsync(stream.fileno())


def sync_folder(folder: Path) -> None:
    """Bring the names in `folder` to the disk."""
    descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
