from __future__ import annotations

import json
import os
import pty
import select
import subprocess
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.queued import built_fork, patch

if TYPE_CHECKING:
    from collections.abc import Mapping

    from tests.fork import Fork

ROOT = Path(__file__).parents[2]
PROGRAM = [sys.executable, "-c", "from patchq.cli import main; main()"]
LOUD = "sed s/^/:/"  # a pager that is seen to have been there


@pytest.fixture
def fork(tmp_path: Path) -> Fork:
    fork = built_fork(tmp_path / "fork")
    fork.repo.git("config", "core.pager", LOUD)
    return fork


def environment(extra: Mapping[str, str]) -> dict[str, str]:
    kept = {name: value for name, value in os.environ.items() if name not in {"NO_COLOR", "PAGER", "LESS"}}
    return {**kept, "PYTHONPATH": str(ROOT), "TERM": "xterm", **extra}


def on_a_terminal(fork: Fork, *arguments: str, env: Mapping[str, str] | None = None) -> str:
    """Run patchq with standard output on a terminal, and give what the terminal got."""
    ours, theirs = pty.openpty()
    with subprocess.Popen([*PROGRAM, *arguments], cwd=fork.repo.path, env=environment(env or {}), stdout=theirs) as it:
        os.close(theirs)
        got = b""
        while True:
            try:
                part = os.read(ours, 65536)
            except OSError:  # how Linux says that the other end is closed
                break
            if not part:
                break
            got += part
        it.wait()
    os.close(ours)
    return got.decode().replace("\r\n", "\n")


def test_long_results_go_through_the_pager_of_git_on_a_terminal(fork: Fork) -> None:
    fork.release("v3", {"pkg/new.txt": "hello\n"})
    fork.repo.git("switch", "-q", "--detach", "v1")
    assert fork.run("rebase", "v3").code == 0
    shown: list[str] = []
    for line in ("show alpha", "diff alpha", "explain alpha", "compare v1 v3 -p", "absorbed --diff delta"):
        shown = on_a_terminal(fork, *line.split(" ")).splitlines()
        assert all(row.startswith(":") for row in shown), line
        assert any("\x1b[" in row for row in shown), line
        assert not fork.run(*line.split(" ")).out.startswith(":")
    plain = on_a_terminal(fork, "--no-pager", "absorbed", "--diff", "delta").splitlines()
    assert plain == [row.removeprefix(":") for row in shown]
    assert on_a_terminal(fork, "series")[0] != ":"


def test_the_pager_is_chosen_as_git_chooses_it(fork: Fork) -> None:
    assert on_a_terminal(fork, "show", "alpha", env={"GIT_PAGER": "sed s/^/1/"}).startswith("1")
    assert on_a_terminal(fork, "show", "alpha", env={"GIT_PAGER": "cat", "PAGER": "sed s/^/2/"})[0] not in "12:"
    assert on_a_terminal(fork, "show", "alpha", env={"GIT_PAGER": 'echo "$LESS"; cat >/dev/null'}) == "FRX\n"
    assert "alpha does it" in on_a_terminal(fork, "show", "alpha", env={"GIT_PAGER": "no-such-pager"})
    assert on_a_terminal(fork, "show", "alpha", env={"GIT_PAGER": "head -1"}).count("\n") == 1
    fork.repo.git("config", "--unset", "core.pager")
    assert on_a_terminal(fork, "show", "alpha", env={"PAGER": "sed s/^/2/"}).startswith("2")


def test_colour_follows_gits_configuration(fork: Fork) -> None:
    assert "\x1b[" in on_a_terminal(fork, "show", "alpha")
    assert "\x1b[" not in on_a_terminal(fork, "show", "alpha", env={"NO_COLOR": "1"})
    fork.repo.git("config", "color.pager", "false")
    assert "\x1b[" not in on_a_terminal(fork, "show", "alpha")
    assert "\x1b[" in on_a_terminal(fork, "--no-pager", "show", "alpha")
    assert "\x1b[" in on_a_terminal(fork, "show", "alpha", "--color", "always")
    fork.repo.git("config", "color.ui", "never")
    assert "\x1b[" not in on_a_terminal(fork, "--no-pager", "show", "alpha")
    fork.repo.git("config", "color.ui", "always")
    assert fork.run("show", "alpha").out == patch(fork, "alpha")


def test_progress_is_told_after_a_second_and_leaves_nothing(fork: Fork, tmp_path: Path) -> None:
    (tmp_path / "alpha.patch").write_text(patch(fork, "alpha"))
    question = (
        json.dumps({"id": 1, "patch": str(tmp_path / "alpha.patch"), "base": "v1", "tree": "v2"}).encode() + b"\n"
    )
    for option, told in (("--verbose", True), ("--quiet", False)):
        ours, theirs = pty.openpty()
        command = [*PROGRAM, "judge", "--batch", "-", option]
        pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": theirs}
        with subprocess.Popen(command, cwd=fork.repo.path, env=environment({}), **pipes) as it:  # type: ignore[call-overload]
            os.close(theirs)
            it.stdin.write(question)
            it.stdin.flush()
            assert json.loads(it.stdout.readline())["verdict"] == "needed"
            time.sleep(1.3)
            answer, _ = it.communicate(question)
            assert json.loads(answer)["id"] == 1
        got = b""
        while select.select([ours], [], [], 1)[0]:
            try:
                got += os.read(ours, 65536)
            except OSError:
                break
        os.close(ours)
        assert (b"\r\x1b[Kpatches judged: 1" in got) is told
        last = got.rpartition(b"\r\x1b[K")[2]
        assert last.startswith(b"took ") if told else got == b""


def test_verbose_says_where_and_how_long_on_every_verb_that_works_in_a_series(fork: Fork) -> None:
    ran = fork.run("series", "-v")
    assert f"series {fork.repo.path / 'series'}" in ran.err
    assert "took 0." in ran.err
    assert fork.run("series", "-q").err == ""
    assert fork.run("series", "-q", "-v").code == 2
