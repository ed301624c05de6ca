"""A fork with four patches for tests of editing the queue: built, and the checkout on the built branch."""

from __future__ import annotations

import shutil
from typing import TYPE_CHECKING

from tests.fork import GATE, Change, Fork
from tests.gitrepo import GitRepo

if TYPE_CHECKING:
    from pathlib import Path

BRANCH = "patched/v1"
TEXT = "".join(f"line {number}\n" for number in range(1, 41))
BY_ALPHA = TEXT.replace("line 5\n", "line 5 by alpha\n")
BY_BETA = BY_ALPHA.replace("line 20\n", "line 20 by beta\n")
BY_GAMMA = BY_BETA.replace("line 5 by alpha\n", "line 5 by alpha and gamma\n")


def queue_fork(path: Path) -> Fork:
    """Gamma changes a line of alpha's and a file of its own, beta stands between them, delta makes a file."""
    gate = GATE.replace("== 10)", "== 10 or capability == 12)")
    changes = [
        Change("alpha", {"pkg/t.txt": BY_ALPHA}),
        Change("beta", {"pkg/t.txt": BY_BETA}),
        Change("gamma", {"pkg/t.txt": BY_GAMMA, "pkg/gate.py": gate}),
        Change("delta", {"pkg/new.txt": "hello\n"}),
    ]
    return Fork.create(path, v1={"pkg/t.txt": TEXT, "pkg/gate.py": GATE}, v2={}, changes=changes)


def built_fork(path: Path) -> Fork:
    """The same with its branch built and checked out; made once in a run, and copied: 20 processes of git less."""
    kept = path.parent.parent / "built-fork"
    if not kept.exists():
        made = queue_fork(kept)
        assert made.run("build").code == 0
        made.repo.git("switch", "-q", BRANCH)
    shutil.copytree(kept, path)
    fork = Fork(GitRepo(path))
    fork.repo.git("status")  # the copied files are other ones to the index
    return fork


def names(fork: Fork) -> list[str]:
    """Give the patches of the series in order."""
    return [line.removesuffix(".patch") for line in (fork.repo.path / "series/v1/series").read_text().splitlines()]


def patch(fork: Fork, name: str) -> str:
    """Give the text of a patch file."""
    return (fork.repo.path / f"series/v1/{name}.patch").read_text()


def whole(fork: Fork) -> str:
    """Give the tree of the built branch."""
    return fork.repo.text("rev-parse", f"{BRANCH}^{{tree}}")


def assert_rebuilds(fork: Fork) -> None:
    """A clone of the series makes the same branch again, and quilt's way of applying the files gives the same tree."""
    tip = fork.repo.text("rev-parse", BRANCH)
    assert fork.run("build", "--branch", "again").code == 0
    assert fork.repo.text("rev-parse", "again") == tip
    assert fork.run("undo").code == 0
    fork.repo.git("worktree", "add", "-q", "--detach", "../applied", "v1")
    for name in names(fork):
        fork.repo.git("-C", "../applied", "apply", "--index", str(fork.repo.path / f"series/v1/{name}.patch"))
    assert fork.repo.text("-C", "../applied", "write-tree") == whole(fork)
