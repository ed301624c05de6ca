"""A tree changed as a whole: staged beside it, decided by one rename, then file by file; a crash is finished later."""

from __future__ import annotations

import fcntl
import os
import re
import shutil
from contextlib import contextmanager
from dataclasses import dataclass, replace
from enum import Enum
from typing import TYPE_CHECKING, assert_never

from patchq.errors import PublishError, Where
from patchq.treestore.placing import contents, prune, put, remove, spot
from patchq.treestore.plan import Kind, Plan, Step, digest, inside, read_plan, sync_folder, write_plan, write_through

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from pathlib import Path

STATE = ".patchq-applied"
_NEXT, _DOING, _SPENT = "next", "doing", "spent"
_GENERATION = re.compile(r"\d{4,9}")
_PLAIN = 0o644


class Recovered(Enum):
    """What an interrupted run had left."""

    NOTHING = "nothing"
    FINISHED = "finished"
    DISCARDED = "discarded"


class Access(Enum):
    """Whether a file may be executed afterwards."""

    KEPT = "kept"
    PLAIN = "plain"
    PROGRAM = "program"


@dataclass(frozen=True, slots=True)
class Change:
    """The contents of one file before and after (None: no such file), and its permissions."""

    was: bytes | None
    now: bytes | None
    access: Access = Access.KEPT


@dataclass(frozen=True, slots=True)
class TreeStore:
    """The files below `root`; `owner` is whose backups these are: a package in a site folder, or the tree itself.

    Everything is kept in `.patchq-applied/OWNER` below the root, so that renames stay on one disk.
    """

    root: Path
    owner: str = "tree"

    @property
    def state(self) -> Path:
        """The folder of backups and of what is under way."""
        return self.root / STATE / self.owner

    @contextmanager
    def locked(self) -> Iterator[None]:
        """Hold the tree while it changes; PublishError at once where another patchq does. A `kill -9` frees it."""
        for ours in (self.state.parent, self.state):
            if ours.is_symlink():
                raise PublishError("is a symbolic link", hint="remove it", where=Where(file=str(ours)))
        folder = os.open(self.root, os.O_RDONLY | os.O_DIRECTORY)
        try:
            try:
                fcntl.flock(folder, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError as error:
                hint = "wait until it has ended, then try again"
                raise PublishError(f"another patchq is changing {self.root}", hint=hint) from error
            yield
        finally:
            os.close(folder)

    def interrupted(self) -> bool:
        """Whether a run was cut off after it had begun to change files."""
        return (self.state / _DOING).is_dir()

    def recover(self) -> Recovered:
        """Finish what was decided, discard what was not; needs the lock. PublishError where files were edited since."""
        if self.interrupted():
            self._finish(read_plan(self.state / _DOING))
            return Recovered.FINISHED
        leftovers = any((self.state / name).exists() for name in (_NEXT, _SPENT))
        self._sweep()
        return Recovered.DISCARDED if leftovers else Recovered.NOTHING

    def apply(self, changes: Mapping[bytes, Change], stale: Sequence[bytes]) -> Path | None:
        """Make `changes` and remove `stale` bytecode; return the backup, None where no file changes.

        Needs the lock, and that nothing is left to recover. PublishError for symbolic links, for files of others and
        where the disk refuses: up to the decision the tree is as it was, and after it the next run finishes.
        """
        if not changes:
            for path in stale:
                remove(self.root, path)
            return None
        steps = tuple(self._step(path, change) for path, change in changes.items())
        number = self.generations()[-1] + 1 if self.generations() else 1
        plan = Plan(kind=Kind.APPLY, generation=number, steps=steps, stale=tuple(map(inside, stale)))
        self._run(plan, [(change.was, change.now) for change in changes.values()])
        return self._backup(number)

    def generations(self) -> tuple[int, ...]:
        """Return the numbers of the backups, oldest first."""
        if not self.state.is_dir():
            return ()
        return tuple(sorted(int(one.name) for one in self.state.iterdir() if _GENERATION.fullmatch(one.name)))

    def touched(self) -> tuple[bytes, ...]:
        """Name the files that `revert` would change."""
        numbers = self.generations()
        return tuple(step.path for step in read_plan(self._backup(numbers[-1])).steps) if numbers else ()

    def revert(self, stale: Sequence[bytes]) -> tuple[bytes, ...]:
        """Bring the files of the last backup back, and return their paths; needs the lock.

        PublishError where there is none, or where a file is not as patchq has left it.
        """
        numbers = self.generations()
        if not numbers:
            raise PublishError(f"nothing was applied to {self.root}", hint="patchq apply TREE")
        done = read_plan(self._backup(numbers[-1]))
        sides = [_sides(self._backup(numbers[-1]), done, number) for number in range(len(done.steps))]
        back = tuple(replace(step, was=step.now, now=step.was) for step in done.steps)
        for step in back:
            if digest(contents(self.root, step.path)) not in {step.was, step.now}:
                raise PublishError(
                    "is not as patchq has left it",
                    hint="save your change elsewhere; the file from before lies in " + str(self._backup(numbers[-1])),
                    where=Where(file=os.fsdecode(step.path)),
                )
        plan = Plan(kind=Kind.REVERT, generation=numbers[-1], steps=back, stale=tuple(map(inside, stale)))
        self._run(plan, [(new, old) for old, new in sides])
        return tuple(step.path for step in back)

    def roll_back(self) -> None:
        """Bring an interrupted run back to the state before `apply`, whichever way it went; needs the lock."""
        doing = self.state / _DOING
        plan = read_plan(doing)
        if plan.kind is Kind.REVERT:
            self._finish(plan)
            return
        for number, step in enumerate(plan.steps):
            old, _ = _sides(doing, plan, number)
            put(self.root, replace(step, was=step.now, now=step.was), old)
            if old is None:
                prune(self.root, step.path)
        self._forget(doing)

    def _backup(self, number: int) -> Path:
        return self.state / f"{number:04}"

    def _step(self, path: bytes, change: Change) -> Step:
        place = spot(self.root, inside(path))
        if contents(self.root, path) != change.was:
            raise PublishError("was changed while patchq was at work", hint="try again", where=Where(file=str(place)))
        found = place.stat() if place.exists() else None
        above = place.parent
        while not above.exists():
            above = above.parent
        kept = above.stat() if found is None else found
        _refuse_foreign(place, kept, above)
        was, now = digest(change.was), digest(change.now)
        mode = _mode(found.st_mode & 0o7777 if found is not None else _PLAIN & ~_umask(), change.access)
        return Step(path=path, was=was, now=now, mode=mode, owner=kept.st_uid, group=kept.st_gid)

    def _run(self, plan: Plan, sides: Sequence[tuple[bytes | None, bytes | None]]) -> None:
        """Stage everything, decide, and do it; `sides` are the contents before and after each step."""
        staged = self.state / _NEXT
        staged.mkdir(parents=True)
        for number, (old, new) in enumerate(sides):
            for side, data in (("old", old), ("new", new)):
                if data is not None:
                    write_through(staged / f"{side}-{number}", data)
        write_plan(staged, plan)
        sync_folder(staged)
        staged.rename(self.state / _DOING)  # from here on the next run finishes it
        sync_folder(self.state)
        self._finish(plan)

    def _finish(self, plan: Plan) -> None:
        doing = self.state / _DOING
        for number, step in enumerate(plan.steps):
            _, new = _sides(doing, plan, number)
            put(self.root, step, new)
            if new is None:
                prune(self.root, step.path)
        for path in plan.stale:
            remove(self.root, path)
        match plan.kind:
            case Kind.APPLY:
                doing.rename(self._backup(plan.generation))
            case Kind.REVERT:
                if self._backup(plan.generation).exists():
                    shutil.rmtree(self._backup(plan.generation))
                self._forget(doing)

    def _forget(self, doing: Path) -> None:
        doing.rename(self.state / _SPENT)
        self._sweep()

    def _sweep(self) -> None:
        """Remove what is left of a run that is over, and our own folders once they are empty."""
        for name in (_NEXT, _SPENT):
            if (self.state / name).exists():
                shutil.rmtree(self.state / name)
        for folder in (self.state, self.state.parent):
            if folder.is_dir() and not any(folder.iterdir()):
                folder.rmdir()


def stores_in(root: Path) -> tuple[TreeStore, ...]:
    """Return the stores that something of is kept of below `root`."""
    state = root / STATE
    return tuple(TreeStore(root, one.name) for one in sorted(state.iterdir())) if state.is_dir() else ()


def _sides(folder: Path, plan: Plan, number: int) -> tuple[bytes | None, bytes | None]:
    """Read the contents of one step before and after; PublishError where they are not those of the plan."""
    step = plan.steps[number]
    found: list[bytes | None] = []
    for side, wanted in (("old", step.was), ("new", step.now)):
        file = folder / f"{side}-{number}"
        data = file.read_bytes() if wanted is not None and file.is_file() else None
        if digest(data) != wanted:
            hint = f"bring {os.fsdecode(step.path)} into order yourself, then delete {folder}"
            raise PublishError("is not what patchq has put there", hint=hint, where=Where(file=str(file)))
        found.append(data)
    return found[0], found[1]


def _refuse_foreign(place: Path, kept: os.stat_result, folder: Path) -> None:
    """Refuse before anything is written what could not be written, or not with its owner and group."""
    if os.geteuid() == 0:
        return
    hint, where = "run patchq as its owner", Where(file=str(place))
    if kept.st_uid != os.geteuid() or kept.st_gid not in {os.getegid(), *os.getgroups()}:
        raise PublishError(
            "belongs to another user or group, and would be yours when it is written", hint=hint, where=where
        )
    if not os.access(folder, os.W_OK | os.X_OK):
        raise PublishError("is in a folder that may not be written to", hint=hint, where=where)


def _mode(kept: int, access: Access) -> int:
    """Add or take the right to execute, for those who may read."""
    match access:
        case Access.KEPT:
            return kept
        case Access.PLAIN:
            return kept & ~0o111
        case Access.PROGRAM:
            return kept | (kept & 0o444) >> 2
        case _:
            assert_never(access)


def _umask() -> int:
    current = os.umask(0o077)
    os.umask(current)
    return current
