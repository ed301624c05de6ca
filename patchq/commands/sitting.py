"""An open run of `patchq resolve` as it is kept between commands: where it goes, what is decided, what lies open."""

from __future__ import annotations

import json
import os
import shlex
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from patchq.errors import GitError
from patchq.gitstore.sitting_file import NAME, read_sitting, write_sitting
from patchq.model.names import PatchName
from patchq.model.resolution import Resolutions
from patchq.model.series import RefPoint
from patchq.model.verdict import Accept
from patchq.seriesstore.fields import Document
from patchq.seriesstore.resolutions import plain_resolutions, resolutions_of

if TYPE_CHECKING:
    from collections.abc import Mapping

    from patchq.gitstore.repository import Repository

_SCHEMA = 1


@dataclass(frozen=True, slots=True, kw_only=True)
class Current:
    """The patch that lies open: the key of what is in question, the commit below it, and what the files showed.

    `shown` maps the files in question (decoded with surrogateescape) to blob ids, None for no file; it is None until
    the work tree is laid out.
    """

    name: PatchName
    key: str
    commit: str
    shown: Mapping[str, str | None] | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Sitting:
    """One run: from the series `source` (None: the current one) to `onto`, whose folder is `ref`, at `place`.

    `publishing` is the last operation of the log before the run was published ("" for none), None before that.
    """

    root: Path
    place: Path
    ref: str
    onto: RefPoint
    source: str | None
    branch: str
    accept: Accept
    since: str
    skipped: tuple[PatchName, ...] = ()
    decided: Resolutions = field(default_factory=Resolutions)
    current: Current | None = None
    publishing: str | None = None


def where(sitting: Sitting) -> str:
    """Name the folder of the run as a person would type it in a shell: relative to here, if that is shorter."""
    near, far = os.path.relpath(sitting.place), str(sitting.place)
    return shlex.quote(min(near, far, key=len))


def load_sitting(repo: Repository) -> Sitting | None:
    """Read the open run, None where there is none; GitError where its file is damaged."""
    data = read_sitting(repo)
    if data is None:
        return None
    try:
        told = json.loads(data)
        if told["schema"] != _SCHEMA:
            raise GitError(f"{NAME} was written by a newer patchq", hint="upgrade patchq")
        current = told["current"]
        return Sitting(
            root=Path(told["root"]),
            place=Path(told["place"]),
            ref=told["ref"],
            onto=RefPoint(*told["onto"]),
            source=told["source"],
            branch=told["branch"],
            accept=Accept(told["accept"]),
            since=told["since"],
            skipped=tuple(map(PatchName, told["skipped"])),
            decided=resolutions_of(told["decided"], Document(NAME, b"")),
            current=None if current is None else Current(**{**current, "name": PatchName(current["name"])}),
            publishing=told["publishing"],
        )
    except (ValueError, KeyError, TypeError) as error:
        raise GitError(
            f"{repo.state_dir / NAME} is damaged", hint="move it away, then: git worktree list; patchq resolve"
        ) from error


def save_sitting(repo: Repository, sitting: Sitting) -> None:
    """Keep the run for the next command, whole or not at all."""
    current = sitting.current
    told = {
        "schema": _SCHEMA,
        "root": str(sitting.root),
        "place": str(sitting.place),
        "ref": sitting.ref,
        "onto": [sitting.onto.ref, sitting.onto.commit, sitting.onto.tree],
        "source": sitting.source,
        "branch": sitting.branch,
        "accept": sitting.accept.value,
        "since": sitting.since,
        "skipped": [str(name) for name in sitting.skipped],
        "decided": plain_resolutions(sitting.decided),
        "current": current
        and {
            "name": str(current.name),
            "key": current.key,
            "commit": current.commit,
            "shown": None if current.shown is None else dict(current.shown),
        },
        "publishing": sitting.publishing,
    }
    write_sitting(repo, json.dumps(told).encode())
