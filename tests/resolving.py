"""A fork with open patches for tests of `patchq resolve`, and the work tree that it opens."""

from __future__ import annotations

import shutil
from typing import TYPE_CHECKING

from tests.fork import Change, Fork
from tests.gitrepo import GitRepo

if TYPE_CHECKING:
    from pathlib import Path

    from tests.fork import Files

V1 = "def gate(n):\n    return n == 10\n\n\ndef other():\n    return None\n"
OURS = V1.replace("n == 10", "n == 10 or n == 12")
V2 = V1.replace("n == 10", "n in (9, 10)")
RIGHT = V1.replace("n == 10", "n in (9, 10, 12)")
WITH_13 = V1.replace("n == 10", "n in (9, 10, 12, 13)")


def open_fork(path: Path) -> Fork:
    """At v2 `gate` is in conflict, `knob` is orphaned, and `after` is blocked by `gate`; made once, and copied."""
    kept = path.parent.parent / "open-fork"
    if not kept.exists():
        changes = [
            Change("first", {"pkg/plain.txt": "one\nthree\n"}),
            Change("gate", {"pkg/gate.py": OURS, "pkg/docs.txt": "gate 12\n"}),
            Change("knob", {"pkg/knob.py": "A = 2\n"}),
            Change("after", {"pkg/gate.py": OURS.replace("== 12", "== 12 or n == 13")}),
        ]
        v1: Files = {
            "pkg/gate.py": V1,
            "pkg/plain.txt": "one\ntwo\n",
            "pkg/knob.py": "A = 1\n",
            "pkg/docs.txt": "gate\n",
        }
        Fork.create(kept, v1=v1, v2={"pkg/gate.py": V2, "pkg/knob.py": None}, changes=changes)
    shutil.copytree(kept, path)
    fork = Fork(GitRepo(path))
    fork.repo.git("status")  # the copied files are other ones to the index
    return fork


def one_file_fork(
    path: Path, name: str, v1: str | bytes | None, theirs: str | bytes | None, v2: str | bytes | None
) -> Fork:
    """A series of one patch, `it`, that makes `theirs` of the file `name`, of which upstream makes `v2`."""
    base: Files = {"other.txt": "other\n"} if v1 is None else {name: v1, "other.txt": "other\n"}
    fork = Fork.create(path, v1=base, v2={name: v2}, changes=[Change("it", {name: theirs})])
    if isinstance(theirs, bytes) and b"\0" in theirs:
        patch = path / "series/v1/it.patch"
        patch.write_bytes(patch.read_bytes() + b"\n")  # a binary block ends with a blank line
    return fork


def tree_of(fork: Fork) -> GitRepo:
    """The work tree of the open run."""
    return GitRepo(fork.repo.path.with_name(f"{fork.repo.path.name}.resolve"))


def resolve_all(fork: Fork) -> None:
    """Settle the three open patches of `open_fork`, the second one by skipping it."""
    assert fork.run("resolve", "--onto", "v2").code == 3
    tree_of(fork).write({"pkg/gate.py": RIGHT})
    assert fork.run("continue").code == 3
    assert fork.run("skip").code == 3
    tree_of(fork).write({"pkg/gate.py": WITH_13})
    ran = fork.run("continue")
    assert ran.code == 3, ran.err
    assert fork.repo.file("patched/v2", "pkg/gate.py").decode() == WITH_13
