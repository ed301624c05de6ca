"""The log of operations: every publish is a commit under refs/patchq/operations, so that it can be undone.

The tree of such a commit holds the series files before and after (`before/…`, `after/…`), its message what moved. Its
parents are the operation before and the commits on both ends of each move, so that `git gc` keeps them all.
"""

from __future__ import annotations

import json
import os
import time
from dataclasses import dataclass
from enum import Enum
from itertools import pairwise
from typing import TYPE_CHECKING

from patchq.errors import GitError
from patchq.gitstore.fastimport import Commit, Start, import_commits
from patchq.gitstore.objects import CommitTree, ObjectReader
from patchq.gitstore.refs import RefUpdate
from patchq.model.patch import GitDate, Person
from patchq.model.tree import FileState, Mode

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from pathlib import Path

    from patchq.gitstore.repository import Repository

OPERATIONS_REF = "refs/patchq/operations"
UNDONE_REF = "refs/patchq/undone"

_SCHEMA = 1
_RECORDER = Person(b"patchq", b"patchq@localhost")


class Side(Enum):
    """Which state of the series folder: before the operation, or after it."""

    BEFORE = "before"
    AFTER = "after"


@dataclass(frozen=True, slots=True, kw_only=True)
class RefMove:
    """A branch that an operation moved; commit ids in hex, None where it did not exist."""

    ref: str
    old: str | None
    new: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Operation:
    """What a publish is about to do: `verb` as typed, `before` and `after` map series paths (`/`) to file contents.

    `series` is the folder of the series, None where that does not matter.
    """

    verb: str
    series: Path | None = None
    moves: tuple[RefMove, ...]
    before: Mapping[str, bytes]
    after: Mapping[str, bytes]


@dataclass(frozen=True, slots=True, kw_only=True)
class Recorded:
    """An operation in the log; the files of its two sides are read with `series_files`.

    `commit` and `previous` are ids of operation commits, `seconds` counts from 1970 in UTC. `series` is the folder of
    the series, as seen from the repository's common folder; None in a record that does not say.
    """

    commit: str
    tree: str
    previous: str | None
    verb: str
    moves: tuple[RefMove, ...]
    seconds: int
    series: str | None = None


def prepare_operation(repo: Repository, operation: Operation) -> RefUpdate:
    """Write the record of `operation` and return the move of the log to it, for the transaction that publishes.

    Until then nothing refers to the record. The commits that the moves name must exist. PublishError as for commits.
    """
    last = _tip(repo, OPERATIONS_REF)
    ends = [commit for move in operation.moves for commit in (move.old, move.new) if commit is not None]
    parents = tuple(dict.fromkeys([last, *ends] if last is not None else ends))
    account = {
        "schema": _SCHEMA,
        "verb": operation.verb,
        "previous": last,
        "series": None if operation.series is None else os.path.relpath(operation.series, repo.common_dir),
        "moves": [{"ref": move.ref, "old": move.old, "new": move.new} for move in operation.moves],
    }
    record = Commit(
        message=f"{' '.join(operation.verb.split())}\n\n{json.dumps(account)}\n".encode("utf-8", "surrogateescape"),
        person=_RECORDER,
        date=GitDate(int(time.time()), "+0000"),
        writes={
            os.fsencode(f"{side.value}/{path}"): FileState(Mode.REGULAR, data)
            for side, files in ((Side.BEFORE, operation.before), (Side.AFTER, operation.after))
            for path, data in files.items()
        },
        parents=parents,
        start=Start.EMPTY,
    )
    (written,) = import_commits(repo, [record])
    return RefUpdate(ref=OPERATIONS_REF, new=written.commit, expected_old=last)


def operations(repo: Repository) -> Iterator[Recorded]:
    """Go through the log from the newest operation to the oldest; GitError for a record that is none."""
    return _walk(repo, _tip(repo, OPERATIONS_REF))


def last_operation(repo: Repository) -> Recorded | None:
    """Return the newest operation that is not undone, None for an empty log."""
    return next(operations(repo), None)


def undone_operations(repo: Repository) -> tuple[Recorded, ...]:
    """Return the operations that were taken back and can be done again, the next one first.

    Those that a later publish has left behind are not among them: they would undo it.
    """
    chain: list[Recorded] = []
    tip = _tip(repo, OPERATIONS_REF)
    for recorded in _walk(repo, _tip(repo, UNDONE_REF)):
        if recorded.commit == tip:
            return tuple(reversed(chain))
        chain.append(recorded)
    return tuple(reversed(chain)) if tip is None else ()


def changed_in_series(repo: Repository, recorded: Sequence[Recorded]) -> tuple[tuple[str, ...], ...]:
    """Name for each operation the files of the series folder that it changed, by their paths there; three processes.

    A side without files has no tree of its own.
    """
    sides = _side_trees(repo, recorded)
    pairs = [(sides[one.commit, Side.BEFORE], sides[one.commit, Side.AFTER]) for one in recorded]
    asked = [f"{old} {new}".encode() for old, new in pairs]
    told = repo.git.run("diff-tree", "-r", "--stdin", "--name-only", stdin=b"".join(line + b"\n" for line in asked))
    changed: dict[bytes, list[str]] = {}
    current: list[str] = []
    for line in told.splitlines():  # two ids, then the names that differ
        if line in asked:
            changed[line] = current = []
        else:
            current.append(os.fsdecode(line))
    return tuple(tuple(changed.get(line, ())) for line in asked)


def gap_below(repo: Repository, recorded: Sequence[Recorded]) -> Recorded | None:
    """Find the newest of `recorded` (newest first) that did not start from what the one before it left.

    Between the two somebody has edited the series or moved a branch; to go back over both would lose that.
    """
    sides = _side_trees(repo, recorded)
    for later, earlier in pairwise(recorded):
        if sides[later.commit, Side.BEFORE] != sides[earlier.commit, Side.AFTER]:
            return later
    left: dict[str, str | None] = {}
    for one in reversed(recorded):
        for move in one.moves:
            if left.get(move.ref, move.old) != move.old:
                return one
            left[move.ref] = move.new
    return None


def _side_trees(repo: Repository, recorded: Sequence[Recorded]) -> dict[tuple[str, Side], str]:
    empty = repo.git.run("hash-object", "-t", "tree", "--stdin").decode("ascii").strip()
    keys = [(one.commit, side) for one in recorded for side in Side]
    asked = b"".join(f"{commit}:{side.value}\n".encode() for commit, side in keys)
    lines = repo.git.run("cat-file", "--batch-check=%(objectname)", stdin=asked).decode("ascii").splitlines()
    return {key: empty if line.endswith(" missing") else line for key, line in zip(keys, lines, strict=True)}


def series_files(repo: Repository, recorded: Recorded, side: Side) -> dict[str, bytes]:
    """Return the series files before or after `recorded`, by path relative to the series folder."""
    prefix = f"{side.value}/"
    listed = repo.git.run("ls-tree", "--full-tree", "-r", "-z", "--name-only", recorded.tree, prefix).split(b"\0")[:-1]
    with ObjectReader(repo) as reader:
        tree = CommitTree(reader, recorded.tree)
        states = {os.fsdecode(path).removeprefix(prefix): tree.read(path) for path in listed}
    return {path: state.data for path, state in states.items() if state is not None}


def undo_updates(repo: Repository, recorded: Recorded) -> tuple[RefUpdate, ...]:
    """Return the moves that take back `recorded`, the newest operation; the caller puts the series files back.

    Each expects what the operation left, so that later work of a person is never lost. The record stays reachable from
    refs/patchq/undone, which keeps its place where it already leads there (undo after undo).
    """
    undone = _tip(repo, UNDONE_REF)
    back = [RefUpdate(ref=move.ref, new=move.old, expected_old=move.new) for move in recorded.moves]
    log = RefUpdate(ref=OPERATIONS_REF, new=recorded.previous, expected_old=recorded.commit)
    if any(earlier.commit == recorded.commit for earlier in _walk(repo, undone)):
        return (*back, log)
    return (*back, log, RefUpdate(ref=UNDONE_REF, new=recorded.commit, expected_old=undone))


def redo_updates(recorded: Recorded) -> tuple[RefUpdate, ...]:
    """Return the moves that do `recorded` again, the first of `undone_operations`; each expects what undo left."""
    again = [RefUpdate(ref=move.ref, new=move.new, expected_old=move.old) for move in recorded.moves]
    return (*again, RefUpdate(ref=OPERATIONS_REF, new=recorded.commit, expected_old=recorded.previous))


def _tip(repo: Repository, ref: str) -> str | None:
    done = repo.git.try_run("rev-parse", "--quiet", "--verify", ref)
    return done.stdout.decode("ascii").strip() if done.returncode == 0 else None


def _walk(repo: Repository, tip: str | None) -> Iterator[Recorded]:
    while tip is not None:
        recorded = _read(tip, repo.git.run("cat-file", "commit", tip))
        yield recorded
        tip = recorded.previous


def _read(commit: str, data: bytes) -> Recorded:
    head, _, message = data.partition(b"\n\n")
    headers = dict(line.partition(b" ")[::2] for line in head.split(b"\n"))
    _, _, account = message.partition(b"\n\n")
    try:
        told = json.loads(account)
        if told["schema"] != _SCHEMA:
            raise GitError(f"{OPERATIONS_REF} was written by a newer patchq", hint="upgrade patchq")
        return Recorded(
            commit=commit,
            tree=headers[b"tree"].decode("ascii"),
            previous=told["previous"],
            verb=told["verb"],
            moves=tuple(RefMove(ref=move["ref"], old=move["old"], new=move["new"]) for move in told["moves"]),
            seconds=int(headers[b"committer"].split(b" ")[-2]),
            series=told.get("series"),
        )
    except (ValueError, KeyError, TypeError, IndexError) as error:
        raise GitError(
            f"{commit} in {OPERATIONS_REF} is no record of patchq", hint=f"git log {OPERATIONS_REF}"
        ) from error
