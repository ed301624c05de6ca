"""A hermetic world for every test: no user or system configuration, a fixed identity and clock, real git."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import pytest
from hypothesis import settings

from tests.gitrepo import GitRepo

if TYPE_CHECKING:
    from pathlib import Path

# A run says the same thing twice: what it draws follows from the test. `--hypothesis-profile=explore` draws anew.
settings.register_profile("seeded", derandomize=True, deadline=None)
settings.register_profile("explore", deadline=None, print_blob=True)
settings.load_profile("seeded")

CLOCK = "1700000000 +0000"


@pytest.fixture(autouse=True)
def _hermetic(monkeypatch: pytest.MonkeyPatch, tmp_path_factory: pytest.TempPathFactory) -> None:
    for name in list(os.environ):
        if name.startswith(("GIT_", "PATCHQ_", "QUILT_", "EMAIL")):
            monkeypatch.delenv(name)
    home = tmp_path_factory.mktemp("home")
    for name, value in {
        "HOME": str(home),
        "XDG_CONFIG_HOME": str(home / "xdg"),
        "GIT_CONFIG_NOSYSTEM": "1",
        "GIT_CONFIG_GLOBAL": str(home / "gitconfig"),
        "GIT_AUTHOR_NAME": "Ada Author",
        "GIT_AUTHOR_EMAIL": "ada@example.org",
        "GIT_AUTHOR_DATE": CLOCK,
        "GIT_COMMITTER_NAME": "Carl Committer",
        "GIT_COMMITTER_EMAIL": "carl@example.org",
        "GIT_COMMITTER_DATE": CLOCK,
        "GIT_TERMINAL_PROMPT": "0",
        "TZ": "UTC",
        "LC_ALL": "C.UTF-8",
        "NO_COLOR": "1",
        "COLUMNS": "80",
    }.items():
        monkeypatch.setenv(name, value)
    (home / "gitconfig").write_text("[init]\n\tdefaultBranch = main\n")


@pytest.fixture
def repo(tmp_path: Path) -> GitRepo:
    """An empty repository with a work tree, on branch main."""
    return GitRepo.create(tmp_path / "repo")
