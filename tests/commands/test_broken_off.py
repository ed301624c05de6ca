from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.queued import BRANCH, assert_rebuilds, built_fork, patch

if TYPE_CHECKING:
    from tests.fork import Fork

ROOT = Path(__file__).parents[2]
# git that does its work, and then has the patchq that called it stopped, once.
SHIM = """#!/bin/sh
{git} "$@"; code=$?
case "$*" in {moment}) [ -e {done} ] || {{ touch {done}; kill -{signal} $PPID; sleep 0.2; }};; esac
exit $code
"""
HEAD_MOVED, FILES_MOVED, REFERENCES_MOVED = '*"-m patchq HEAD "*', "*switch*", '*"--create-reflog -m patchq "*'


@pytest.fixture
def fork(tmp_path: Path) -> Fork:
    return built_fork(tmp_path / "fork")


def run_stopped(fork: Fork, tmp_path: Path, *arguments: str, moment: str, by: signal.Signals) -> int:
    shim = tmp_path / "bin/git"
    shim.parent.mkdir()
    shim.write_text(SHIM.format(git=shutil.which("git"), moment=moment, signal=by.name[3:], done=tmp_path / "stopped"))
    shim.chmod(0o755)
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "PATH": f"{shim.parent}:{os.environ['PATH']}"}
    command = [sys.executable, "-c", "from patchq.cli import main; main()", *arguments]
    done = subprocess.run(
        command, cwd=fork.repo.path, env=environment, capture_output=True, check=False, start_new_session=True
    )
    assert (tmp_path / "stopped").exists()
    return done.returncode


def status(fork: Fork) -> list[str]:
    return fork.repo.git("status", "--porcelain", "-b").decode().splitlines()


@pytest.mark.parametrize(
    ("by", "moment", "taken"),
    [
        (signal.SIGINT, HEAD_MOVED, False),
        (signal.SIGINT, REFERENCES_MOVED, True),
        (signal.SIGKILL, HEAD_MOVED, False),
        (signal.SIGKILL, REFERENCES_MOVED, True),
    ],
)
def test_a_refresh_that_is_stopped_is_not_begun_or_is_ended(
    fork: Fork, tmp_path: Path, by: signal.Signals, moment: str, *, taken: bool
) -> None:
    fork.repo.write({"pkg/more.txt": "more\n", "pkg/new.txt": "hello, all\n"})
    before = patch(fork, "delta")
    code = run_stopped(fork, tmp_path, "refresh", moment=moment, by=by)
    assert code == (130 if by is signal.SIGINT else -signal.SIGKILL)
    if by is signal.SIGKILL:
        assert "the checkout" in fork.run("series").err
    assert status(fork) == ([f"## {BRANCH}"] if taken else [f"## {BRANCH}", " M pkg/new.txt", "?? pkg/more.txt"])
    assert (patch(fork, "delta") != before) is taken
    assert (fork.repo.path / "pkg/more.txt").read_text() == "more\n"
    assert fork.run("undo" if taken else "refresh").code == 0
    fork.repo.git("stash", "-q", "--include-untracked")
    assert_rebuilds(fork)


@pytest.mark.parametrize(("moment", "dropped"), [(FILES_MOVED, False), (REFERENCES_MOVED, True)])
def test_the_files_of_a_checkout_follow_to_the_end_after_a_kill(
    fork: Fork, tmp_path: Path, moment: str, *, dropped: bool
) -> None:
    run_stopped(fork, tmp_path, "drop", "delta", moment=moment, by=signal.SIGKILL)
    assert fork.run("status").code == 0
    assert status(fork) == [f"## {BRANCH}"]
    assert (fork.repo.path / "pkg/new.txt").exists() is not dropped
    assert_rebuilds(fork)


def test_a_checkout_that_a_person_took_elsewhere_after_a_kill_stays_there(fork: Fork, tmp_path: Path) -> None:
    run_stopped(fork, tmp_path, "drop", "delta", moment=FILES_MOVED, by=signal.SIGKILL)
    fork.repo.git("switch", "-q", "upstream")
    assert fork.run("status").code == 0
    assert status(fork) == ["## upstream"]
    assert not (fork.repo.path / ".git/patchq-checkout.json").exists()


def test_undo_does_not_throw_away_what_stands_in_a_popped_patch_alone(fork: Fork) -> None:
    fork.repo.write({"pkg/work.txt": "hours of work\n"})
    assert fork.run("new", "work").code == 0
    assert fork.run("pop").code == 0
    for _ in range(2):
        ran = fork.run("undo")
        assert ran.code == 1
        assert "patchq goto work, then patchq undo" in ran.err
        fork.repo.git("switch", "-q", "upstream")
    assert fork.run("goto", "work").code == 0
    assert fork.run("undo").code == 0
    assert status(fork) == [f"## {BRANCH}", "?? pkg/work.txt"]


@pytest.mark.parametrize("kept", [True, False])
def test_redo_brings_back_work_that_was_thrown_away_meanwhile(fork: Fork, *, kept: bool) -> None:
    work = {"pkg/work.txt": "hours of work\n", "pkg/new.txt": "hello, all\n"}
    fork.repo.write(work)
    assert fork.run("new", "work").code == 0
    assert fork.run("undo").code == 0
    if not kept:
        fork.repo.git("stash", "-q", "--include-untracked")
    assert fork.run("redo").code == 0
    assert status(fork) == [f"## {BRANCH}"]
    assert {name: (fork.repo.path / name).read_text() for name in work} == work


def test_undo_of_a_refresh_goes_on_while_its_patch_is_applied(fork: Fork) -> None:
    fork.repo.write({"pkg/t.txt": fork.repo.file("HEAD", "pkg/t.txt").replace(b"line 38\n", b"line 38!\n")})
    assert fork.run("refresh", "beta").code == 0
    assert fork.run("goto", "beta").code == 0
    assert fork.run("undo").code == 0
    assert status(fork)[1:] == [" M pkg/t.txt"]


def test_undo_leaves_a_merge_under_way_alone(fork: Fork) -> None:
    fork.repo.write({"pkg/new.txt": "hello, all\n"})
    assert fork.run("refresh").code == 0
    fork.repo.git("switch", "-q", "-c", "other", "v1")
    fork.repo.commit("other", {"pkg/new.txt": "hello, nobody\n"})
    fork.repo.git("switch", "-q", BRANCH)
    assert fork.repo.try_git("merge", "-q", "other").returncode == 1
    before = fork.state()
    ran = fork.run("undo")
    assert (ran.code, ran.err.splitlines()[0]) == (1, "error: a merge is under way")
    assert fork.state() == before


def test_a_series_pulled_from_another_clone_is_built_in_place_of_the_own_branch(fork: Fork, tmp_path: Path) -> None:
    theirs = tmp_path / "theirs"
    shutil.copytree(fork.repo.path, theirs)
    fork.repo.git("-C", str(theirs), "status")
    fork.repo.write({"pkg/new.txt": "hello, all\n"})
    assert fork.run("refresh").code == 0
    shutil.copytree(fork.repo.path / "series", theirs / "series", dirs_exist_ok=True)
    clone = type(fork)(type(fork.repo)(theirs))
    clone.repo.write({"pkg/more.txt": "mine\n"})
    refused = clone.run("refresh")
    assert "git switch --detach; patchq build; git switch" in refused.err
    clone.repo.git("switch", "-q", "--detach")
    assert clone.run("build").code == 0
    clone.repo.git("switch", "-q", BRANCH)
    assert clone.repo.text("rev-parse", BRANCH) == fork.repo.text("rev-parse", BRANCH)
    assert clone.run("refresh").code == 0


def test_a_commit_by_hand_is_told_of_with_the_way_to_keep_it(fork: Fork) -> None:
    built = fork.repo.text("rev-parse", BRANCH)
    fork.repo.commit("By hand", {"pkg/more.txt": "more\n"})
    tried = (["refresh"], ["pop"], ["build"], ["drop", "beta"], ["rename", "beta", "b"], ["undo"])
    for arguments in tried:
        ran = fork.run(*arguments)
        assert ran.code == 1
        assert "has 1 commit on top of what patchq built, the last one: By hand" in ran.err
        assert f"git reset --soft {built[:12]}; then patchq new NAME" in ran.err
    fork.repo.git("reset", "-q", "--soft", built)
    assert fork.run("new", "by-hand", "-m", "By hand").code == 0
    assert fork.run("pop").code == 0
