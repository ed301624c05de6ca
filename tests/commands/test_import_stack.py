from __future__ import annotations

import json
import shutil
import subprocess
from typing import TYPE_CHECKING

import pytest

from tests.importing import series
from tests.running import patchq

if TYPE_CHECKING:
    from tests.gitrepo import GitRepo


def keep_stack(repo: GitRepo) -> None:
    """Write refs/stacks/ours as StGit 2 does (version 5): the first commit applied, the other one not."""
    applied, unapplied = repo.text("rev-parse", "ours~1", "ours").split()
    repo.git("branch", "-f", "ours", applied)
    stack: dict[str, object] = {
        "version": 5,
        "prev": None,
        "head": applied,
        "applied": ["gate"],
        "unapplied": ["sizes@12"],
        "hidden": ["old"],
        "patches": {"gate": {"oid": applied}, "sizes@12": {"oid": unapplied}, "old": {"oid": unapplied}},
    }
    write_stack(repo, stack)


def write_stack(repo: GitRepo, stack: dict[str, object]) -> None:
    blob = repo.git("hash-object", "-w", "--stdin", stdin=json.dumps(stack).encode()).decode().strip()
    tree = repo.git("mktree", stdin=f"100644 blob {blob}\tstack.json\n".encode()).decode().strip()
    repo.git("update-ref", "refs/stacks/ours", repo.text("commit-tree", "-m", "stack", tree))


def test_a_stack_keeps_names_and_order_and_what_is_not_applied_is_not_carried(ours: GitRepo) -> None:
    keep_stack(ours)
    ran = patchq("import", "stgit:ours", cwd=ours.path)
    assert (ran.code, series(ours)) == (0, ["gate.patch", "#patchq:not-carried sizes-12.patch"]), ran.err
    assert "where stgit:ours begins" in ran.err
    assert "note: sizes-12 is not applied there: it joins as not carried" in ran.err
    assert "note: old is hidden there and was left out" in ran.err
    standing = patchq("series", "--json", cwd=ours.path).json["patches"]
    assert [one["standing"] for one in standing] == ["carried", "not-carried"]


def test_a_stack_that_cannot_be_trusted_is_refused_and_a_branch_with_one_is_named(ours: GitRepo) -> None:
    assert "StGit keeps no stack for 'ours'" in patchq("import", "stgit:ours", cwd=ours.path).err
    keep_stack(ours)
    assert (
        "hint: for the StGit stack of that branch: patchq import stgit:ours"
        in patchq("import", "ours", cwd=ours.path).err
    )
    ours.git("branch", "-f", "ours", "main")
    assert "and StGit left it at" in patchq("import", "stgit:ours", cwd=ours.path).err
    sound: dict[str, object] = {
        "version": 5,
        "head": "1" * 40,
        "applied": [],
        "unapplied": [],
        "hidden": [],
        "patches": {},
    }
    for changes, said in (
        ({"version": 9}, "version 9, and 5 is known"),
        ({"head": "-x"}, "'-x' is no object id"),
        ({"applied": ["nobody"]}, "cannot be read: 'nobody'"),
        ({"applied": ["a"], "patches": 7}, "cannot be read"),
    ):
        write_stack(ours, {**sound, **changes})
        ran = patchq("import", "stgit:ours", cwd=ours.path)
        assert (ran.code, said in ran.err) == (1, True), ran.err


@pytest.mark.skipif(shutil.which("stg") is None, reason="StGit is not installed")
def test_a_stack_of_stgit_itself(ours: GitRepo) -> None:
    for arguments in (
        ["branch", "--create", "mine", "v1"],
        ["new", "-m", "The gate\n\nBecause.", "gate"],
        ["new", "-m", "Later", "later"],
    ):
        subprocess.run(["stg", *arguments], cwd=ours.path, check=True, capture_output=True)
        if arguments[0] == "new":
            ours.write({"pkg/table.py" if arguments[-1] == "later" else "pkg/gate.py": f"# {arguments[-1]}\n"})
            subprocess.run(["stg", "refresh"], cwd=ours.path, check=True, capture_output=True)
    subprocess.run(["stg", "pop"], cwd=ours.path, check=True, capture_output=True)
    ran = patchq("import", "stgit:", cwd=ours.path)
    assert (ran.code, series(ours)) == (0, ["gate.patch", "#patchq:not-carried later.patch"]), ran.err
