"""A fork whose patched branch is built, with a branch `work` on it that the hook has to guard."""

from __future__ import annotations

import shutil
from typing import TYPE_CHECKING

from tests.fork import Fork, story_fork
from tests.gitrepo import GitRepo

if TYPE_CHECKING:
    from pathlib import Path

    import pytest

    from tests.running import Ran

TABLE = "pkg/table.py"
ENTRY = "    12: [4, 6, 8],\n"


def guarded_fork(path: Path, factory: pytest.TempPathFactory) -> Fork:
    """Copy a fork on branch `work`, made once in a test session: patches open-gate and size-12 are carried to v2."""
    template = factory.getbasetemp() / "guarded-fork"
    if not template.exists():
        fork = story_fork(factory.mktemp("story") / "fork")
        built = fork.run("rebase", "v2", "--no-fetch", "--skip-conflicts")
        assert built.code == 3, built.err
        fork.repo.git("checkout", "-q", "-b", "work", "patched/v2")
        assert ENTRY in (fork.repo.path / TABLE).read_text()
        fork.repo.path.rename(template)
    shutil.copytree(template, path, symlinks=True)
    return Fork(GitRepo(path))


def without_entry(fork: Fork) -> str:
    """The table as it is when the carried entry is lost."""
    return (fork.repo.path / TABLE).read_text().replace(ENTRY, "")


def hook(fork: Fork, *options: str) -> Ran:
    return fork.run("hook", "pre-commit", *options)


def silent(ran: Ran) -> bool:
    return (ran.code, ran.out, ran.err) == (0, "", "")


def stage(fork: Fork, files: dict[str, str | bytes | None]) -> None:
    fork.repo.write(files)
    fork.repo.git("add", "-A")
