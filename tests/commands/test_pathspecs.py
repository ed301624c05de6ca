from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.queued import built_fork, names
from tests.running import patchq

if TYPE_CHECKING:
    from pathlib import Path

    from tests.fork import Fork


@pytest.fixture
def fork(tmp_path: Path) -> Fork:
    return built_fork(tmp_path / "fork")


@pytest.mark.parametrize(
    ("typed", "taken"),
    [
        ("f", ["sub/f"]),
        (".", ["sub/f", "sub/g"]),
        ("./f", ["sub/f"]),
        ("../f", ["f"]),
        (":/f", ["f"]),
        (":/sub", ["sub/f", "sub/g"]),
        ("*", ["sub/f", "sub/g"]),
    ],
)
def test_paths_are_read_from_the_current_folder_as_git_reads_them(fork: Fork, typed: str, taken: list[str]) -> None:
    fork.repo.write({"f": "upper\n", "sub/f": "lower\n", "sub/g": "other\n"})
    here = fork.repo.path / "sub"
    assert patchq("refresh", "--paths", typed, cwd=here).code == 0
    listed = fork.run("files", "delta", "--json").json["files"]
    assert [it["path"] for it in listed if it["path"] != "pkg/new.txt"] == taken


def test_a_pathspec_that_means_nothing_here_or_leads_out_is_refused(fork: Fork) -> None:
    fork.repo.write({"f": "upper\n", "sub/g": "other\n"})
    here = fork.repo.path / "sub"
    before = fork.state()
    assert "nothing is changed in f" in patchq("refresh", "--paths", "f", cwd=here).err
    assert "outside repository" in patchq("refresh", "--paths", "../../f", cwd=here).err
    assert fork.state() == before


def test_files_and_hunks_to_split_off_are_read_there_too(fork: Fork) -> None:
    here = fork.repo.path / "pkg"
    refused = patchq("split", "gamma", "--files", "pkg/gate.py", "--name", "x", cwd=here)
    assert "touches no file 'pkg/gate.py'" in refused.err
    assert patchq("split", "gamma", "--files", "gate.py", "--name", "gate", cwd=here).code == 0
    assert fork.run("undo").code == 0
    assert patchq("split", "gamma", "--hunks", "../pkg/gate.py:1", "--name", "gate", cwd=here).code == 0
    assert names(fork) == ["alpha", "beta", "gate", "gamma", "delta"]


def test_a_submodule_outside_the_paths_is_no_hindrance(fork: Fork, tmp_path: Path) -> None:
    fork.repo.git("clone", "-q", ".", str(tmp_path / "sub"))
    add = ("-c", "protocol.file.allow=always", "submodule", "--quiet", "add", str(tmp_path / "sub"), "linked")
    fork.repo.git(*add)
    fork.repo.write({"pkg/new.txt": "hello, all\n"})
    assert "changes a submodule" in fork.run("refresh").err
    assert "changes a submodule" in fork.run("refresh", "--paths", "linked").err
    assert fork.run("refresh", "--paths", "pkg").code == 0
    assert fork.repo.git("status", "--porcelain").decode().splitlines() == ["A  .gitmodules", "A  linked"]
