from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.importing import make_ours

if TYPE_CHECKING:
    from tests.gitrepo import GitRepo


@pytest.fixture
def ours(repo: GitRepo) -> GitRepo:
    """Upstream's tag v1, a branch `ours` with two commits on it, HEAD on main at v1, and an empty series."""
    return make_ours(repo)
