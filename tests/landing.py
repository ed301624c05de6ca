"""Upstreams for tests of who brought what: a series made for tag v1, and a history from there, commit by commit."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tests.fork import Change, Fork
from tests.gitrepo import GitRepo

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path

    from tests.fork import Files

LINES = [f"line_{at} = {at}" for at in range(60)]


def text(*changes: tuple[int, str]) -> str:
    """Sixty assignments, some of them followed by another line."""
    after = dict(changes)
    return "\n".join(line + (f"\n{after[at]}" if at in after else "") for at, line in enumerate(LINES)) + "\n"


FIRST, SECOND = (10, "added_first = make(1)"), (40, "added_second = make(2)")


def fork_along(
    path: Path, history: Callable[[GitRepo], object], changes: Sequence[Change], *, base: Files | None = None
) -> Fork:
    """Make a fork of an upstream whose branch `upstream` is what `history` makes of v1; HEAD ends detached at v1."""
    repo = GitRepo.create(path)
    repo.commit("release 1", base or {"a.py": text(), "b.py": text()}, tag="v1")
    history(repo)
    repo.git("branch", "-f", "upstream")
    repo.git("checkout", "-q", "--detach", "v1")
    fork = Fork(repo)
    for change in changes:
        fork.add(change)
    repo.git("checkout", "-q", "--detach", "v1")
    names = "".join(f"{change.name}.patch\n" for change in changes)
    manifest = "schema: 1\nupstream: null\nfollow: upstream\ncurrent: v1\nbranch: patched/{ref}\n"
    repo.write({"series/patchq.yaml": manifest, "series/v1/series": names})
    return fork
