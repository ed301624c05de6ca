"""A repository for tests of import: upstream's v1, a branch of ours, an empty series; and a look at what came of it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tests.running import patchq

if TYPE_CHECKING:
    from tests.gitrepo import GitRepo

TABLE = """SIZES = {
    9: [4, 6, 8],
    10: [6, 8],
}


def size(capability):
    return SIZES[capability]
"""
GATE = "def allowed(capability):\n    return capability == 9\n\n\ndef other():\n    return None\n"
WITH_12 = TABLE.replace("    10: [6, 8],\n", "    10: [6, 8],\n    12: [6, 8],\n")
OPEN_GATE = GATE.replace("== 9", "in (9, 12)")


def make_ours(repo: GitRepo) -> GitRepo:
    """Tag v1, branch `ours` with a commit each for two files, HEAD on main at v1, and an empty series."""
    repo.commit("release 1", {"pkg/table.py": TABLE, "pkg/gate.py": GATE}, tag="v1")
    repo.git("checkout", "-q", "-b", "ours")
    repo.commit("Open the gate\n\nBecause we need it.\n\nForwarded: no\n", {"pkg/gate.py": OPEN_GATE})
    repo.commit("Sizes for 12", {"pkg/table.py": WITH_12})
    repo.git("checkout", "-q", "main")
    repo.write({".git/info/exclude": "/series/\n/*.patch\n/*.mbox\n"})
    assert patchq("init", "--follow", "main", cwd=repo.path).code == 0
    return repo


def series(repo: GitRepo, ref: str = "v1") -> list[str]:
    """Give the lines of a series file."""
    return (repo.path / "series" / ref / "series").read_text().splitlines()


def patch(repo: GitRepo, name: str, ref: str = "v1") -> str:
    """Give the text of a patch file."""
    return (repo.path / "series" / ref / f"{name}.patch").read_text()


def everything(repo: GitRepo) -> dict[str, bytes]:
    """Give all that an import may not touch, and the series."""
    files = (path for path in repo.path.rglob("*") if path.is_file() and ".git" not in path.parts)
    return {
        "refs": repo.git("for-each-ref", "refs/heads", "refs/tags"),
        "status": repo.git("status", "--porcelain"),
        **{str(path.relative_to(repo.path)): path.read_bytes() for path in files},
    }
