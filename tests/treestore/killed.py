"""A program of its own: changes trees in children that are killed at every call that changes the disk, and recovers."""

from __future__ import annotations

import json
import os
import signal
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from patchq.treestore.swap import TreeStore
from tests.treestore.trees import CHANGES, NEW, OLD, STALE, files, made

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

_CALLS = ("fsync", "rename", "replace", "unlink", "mkdir", "rmdir", "fchmod", "link")


def killed_after(count: int) -> None:
    """Let this process die before its call number `count` (from 0) that changes the disk."""
    left = [count]

    def counted(real: Callable[..., Any]) -> Callable[..., Any]:
        def call(*args: object, **options: object) -> object:
            left[0] -= 1
            if left[0] < 0:
                os.kill(os.getpid(), signal.SIGKILL)
            return real(*args, **options)

        return call

    for name in _CALLS:
        setattr(os, name, counted(getattr(os, name)))


def unsynced(fd: object) -> None:
    """Save the time of syncing: a kill, other than a power cut, loses nothing of what was written."""


def main(verb: str, folder: Path) -> None:
    """Try every count until a child lives to its end; print what the recoveries were."""
    os.fsync = unsynced
    before, after = (OLD, NEW) if verb == "apply" else (NEW, OLD)
    seen: list[str] = []
    for count in range(1000):
        store = TreeStore(made(folder / str(count)))
        if verb == "revert":
            store.apply(CHANGES, ())
        child = os.fork()
        if not child:
            killed_after(count)
            store.apply(CHANGES, STALE) if verb == "apply" else store.revert(STALE)
            os._exit(0)
        _, status = os.waitpid(child, 0)
        decided = store.interrupted()
        now = files(store.root)
        assert decided or now in (before, after), (count, now)
        with store.locked():
            seen.append(store.recover().value)
        end = files(store.root)
        assert end == (after if decided else now), (count, end)
        assert store.generations() == ((1,) if end == NEW else ()), (count, store.generations())
        if status == 0:
            assert end == after
            sys.stdout.write(json.dumps(seen))
            return
        assert os.WTERMSIG(status) == signal.SIGKILL


if __name__ == "__main__":
    main(sys.argv[1], Path(sys.argv[2]))
