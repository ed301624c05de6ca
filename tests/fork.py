"""A small fork for tests: an upstream with two releases, and a series of patches made for the first one."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from tests.gitrepo import GitRepo
from tests.running import Ran, patchq

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from datetime import datetime
    from pathlib import Path

Files = dict[str, "str | bytes | None"]

TABLE = '''"""Sizes by capability."""

SIZES = {
    9: [4, 6, 8],
    10: [6, 8],
}


def size(capability):
    return SIZES[capability]
'''

WITH_12 = TABLE.replace("    10: [6, 8],\n", "    10: [6, 8],\n    12: [6, 8],\n")

GATE = '''"""The gate."""


def allowed(capability, batch):
    return (capability == 9 or capability == 10) and batch > 0


def other():
    return None
'''


@dataclass(frozen=True)
class Change:
    """One patch of the series: its name, the files after it, and trailers for its message."""

    name: str
    files: Files
    trailers: str = "Forwarded: no"


@dataclass(frozen=True)
class Fork:
    """A repository with tags v1 and v2, branch `upstream` at v2, HEAD detached at v1, and `series/` for v1."""

    repo: GitRepo

    @classmethod
    def create(
        cls,
        path: Path,
        *,
        v1: Mapping[str, str | bytes | None],
        v2: Mapping[str, str | bytes | None],
        changes: Sequence[Change],
    ) -> Fork:
        repo = GitRepo.create(path)
        repo.commit("release 1", v1, tag="v1")
        repo.commit("release 2", v2, tag="v2")
        repo.git("branch", "upstream")
        repo.git("checkout", "-q", "--detach", "v1")
        fork = cls(repo)
        for change in changes:
            fork.add(change)
        repo.git("checkout", "-q", "--detach", "v1")
        names = "".join(f"{change.name}.patch\n" for change in changes)
        manifest = "schema: 1\nupstream: null\nfollow: upstream\ncurrent: v1\nbranch: patched/{ref}\n"
        repo.write({"series/patchq.yaml": manifest, "series/v1/series": names})
        repo.write({".git/info/exclude": "/series/\n"})
        return fork

    def add(self, change: Change) -> None:
        """Commit a change on HEAD, and write it as a patch file of the v1 series."""
        self.repo.write({".git/info/exclude": "/series/\n"})
        self.repo.commit(f"{change.name} does it\n\nBecause we need it.\n\n{change.trailers}\n", change.files)
        patch = self.repo.git(
            "format-patch", "--stdout", "--full-index", "--binary", "--no-signature", "--no-stat", "-1"
        )
        head, _, rest = patch.partition(b"\n")
        assert head.startswith(b"From ")
        self.repo.write({f"series/v1/{change.name}.patch": rest.rstrip(b"\n") + b"\n"})

    def release(self, tag: str, files: Files, message: str = "next release") -> str:
        """Add a commit to upstream and tag it; HEAD is at v1 again afterwards. Return its id."""
        self.repo.git("checkout", "-q", "upstream")
        commit = self.repo.commit(message, files, tag=tag)
        self.repo.git("checkout", "-q", "--detach", "v1")
        return commit

    def run(self, *arguments: str, now: datetime | None = None) -> Ran:
        return patchq(*arguments, cwd=self.repo.path, now=now)

    def verdicts(self, *arguments: str) -> dict[str, str]:
        """Run a verb with --json and return verdicts by patch name."""
        return {patch["name"]: patch["verdict"] for patch in self.run(*arguments, "--json").json["patches"]}

    def state(self) -> dict[str, bytes]:
        """Everything that a command may not touch: refs, HEAD, index, stash, status, and the series files."""
        series = {
            str(path.relative_to(self.repo.path)): path.read_bytes()
            for path in sorted((self.repo.path / "series").rglob("*"))
            if path.is_file()
        }
        return {
            "refs": self.repo.git("for-each-ref"),
            "head": (self.repo.path / ".git/HEAD").read_bytes(),
            "index": (self.repo.path / ".git/index").read_bytes(),
            "status": self.repo.git("status", "--porcelain"),
            **series,
        }


def story_fork(path: Path) -> Fork:
    """The story in small: one patch stays clean, one meets a changed neighbour, one's file is gone."""
    v1: Files = {"pkg/table.py": TABLE, "pkg/gate.py": GATE, "pkg/old.py": "A = 1\nB = 2\n"}
    v2 = {"pkg/table.py": TABLE.replace("10: [6, 8]", "10: [4, 6, 8]"), "pkg/old.py": None}
    mirrored = "Forwarded: no\nExpect: pkg/table.py::SIZES[12]\nMirror: pkg/table.py::SIZES[12] = [10]"
    changes = [
        Change("open-gate", {"pkg/gate.py": GATE.replace("== 10)", "== 10 or capability == 12)")}),
        Change(
            "size-12",
            {"pkg/table.py": TABLE.replace("    10: [6, 8],\n", "    10: [6, 8],\n    12: [6, 8],\n")},
            mirrored,
        ),
        Change("old-knob", {"pkg/old.py": "A = 1\nB = 3\n"}),
    ]
    return Fork.create(path, v1=v1, v2=v2, changes=changes)
