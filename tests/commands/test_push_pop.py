from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.queued import BRANCH, built_fork, queue_fork

if TYPE_CHECKING:
    from tests.fork import Fork


@pytest.fixture
def fork(tmp_path: Path) -> Fork:
    return built_fork(tmp_path / "fork")


def applied(fork: Fork) -> list[str]:
    return [it["name"] for it in fork.run("series", "--json").json["patches"] if it["applied"]]


def test_the_checkout_goes_down_and_up_by_counts_and_names(fork: Fork) -> None:
    assert fork.run("pop").code == 0
    assert applied(fork) == ["alpha", "beta", "gamma"]
    assert fork.repo.text("rev-parse", "HEAD") == fork.repo.text("rev-parse", f"{BRANCH}~1")
    assert not (fork.repo.path / "pkg/new.txt").exists()
    assert fork.run("pop", "2").code == 0
    assert applied(fork) == ["alpha"]
    assert "1 > alpha" in fork.run("series").out
    assert fork.run("push", "gam").code == 0
    assert applied(fork) == ["alpha", "beta", "gamma"]
    ran = fork.run("pop", "-a", "--json")
    assert ran.json["applied"] == []
    assert fork.repo.text("rev-parse", "HEAD") == fork.repo.text("rev-parse", "v1")
    ran = fork.run("push", "-a", "--json")
    assert ran.json["head"] == {"branch": BRANCH, "commit": fork.repo.text("rev-parse", BRANCH)}
    assert fork.repo.text("symbolic-ref", "HEAD") == f"refs/heads/{BRANCH}"


def test_goto_comes_from_anywhere_and_push_does_not(fork: Fork) -> None:
    fork.repo.git("switch", "-q", "upstream")
    assert fork.run("series", "--json").json["patches"][0]["applied"] is None
    ran = fork.run("push")
    assert (ran.code, f"git switch {BRANCH}" in ran.err) == (1, True)
    assert fork.run("goto", "bet").code == 0
    assert applied(fork) == ["alpha", "beta"]
    assert fork.run("goto", "delta").code == 0
    assert fork.repo.text("symbolic-ref", "HEAD") == f"refs/heads/{BRANCH}"
    assert fork.run("goto", "--base").code == 0
    assert applied(fork) == []


def test_local_changes_come_along_and_are_never_lost(fork: Fork) -> None:
    gate = fork.repo.path / "pkg/gate.py"
    gate.write_text(gate.read_text() + "# mine\n")
    assert fork.run("pop").code == 0
    assert gate.read_text().endswith("# mine\n")
    before = fork.state(), gate.read_text()
    for arguments in (("pop",), ("goto", "alpha"), ("pop", "-a")):
        ran = fork.run(*arguments)
        assert (ran.code, "pkg/gate.py" in ran.err, "git stash" in ran.err) == (1, True, True)
    fork.repo.write({".git/info/exclude": "/series/\n/pkg/new.txt\n", "pkg/new.txt": "ignored, but mine\n"})
    assert fork.run("push", "delta").code == 1
    assert (fork.state(), gate.read_text()) == before
    assert (fork.repo.path / "pkg/new.txt").read_text() == "ignored, but mine\n"


def test_at_both_ends_it_is_said_what_to_type(fork: Fork, tmp_path: Path) -> None:
    assert "all patches are applied" in fork.run("push").err
    assert "is applied already" in fork.run("pop", "2").err + fork.run("push", "alpha").err
    assert "is not applied" in fork.run("pop", "gamma").err
    assert fork.run("pop", "9").code == 0
    assert "no patch is applied" in fork.run("pop").err
    assert fork.run("goto").code == 2
    unbuilt = queue_fork(tmp_path / "unbuilt").run("goto", "beta")
    assert (unbuilt.code, "patchq build" in unbuilt.err) == (1, True)


def test_in_a_second_work_tree_head_stays_detached_on_the_last_patch(fork: Fork) -> None:
    fork.repo.git("worktree", "add", "-q", "--detach", "../second", "v1")
    ran = fork.run("--repo", "../second", "--series", "series", "push", "-a", "--json")
    assert ran.json["head"]["branch"] is None
    assert fork.repo.text("-C", "../second", "rev-parse", "HEAD") == fork.repo.text("rev-parse", BRANCH)
    held = fork.run("--repo", "../second", "--series", "series", "drop", "delta")
    assert (held.code, "checked out" in held.err) == (1, True)
    assert fork.repo.text("-C", "../second", "status", "--porcelain") == ""


def test_a_folder_that_cannot_be_written_is_told_of_before_anything_moves(fork: Fork) -> None:
    """Root is refused nothing, so it has to give up the right to pass over file modes."""
    drop = ["setpriv", "--bounding-set=-dac_override", "--inh-caps=-dac_override"] if os.geteuid() == 0 else []
    if drop and shutil.which("setpriv") is None:
        pytest.skip("root needs setpriv(1) to be refused anything")
    before = fork.state()
    (fork.repo.path / "pkg").chmod(0o555)
    environment = {**os.environ, "PYTHONPATH": str(Path(__file__).parents[2])}
    command = [*drop, sys.executable, "-c", "from patchq.cli import main; main()", "pop"]
    done = subprocess.run(command, cwd=fork.repo.path, env=environment, capture_output=True, check=False)
    (fork.repo.path / "pkg").chmod(0o755)
    assert done.returncode == 1
    assert f"{fork.repo.path / 'pkg'} cannot be written" in done.stderr.decode()
    assert fork.state() == before
