from __future__ import annotations

import os
import sys
import time
from typing import TYPE_CHECKING

import pytest

from tests.site import site_fork

if TYPE_CHECKING:
    from pathlib import Path

    from tests.fork import Fork

PYTHON = sys.executable
HAS_12 = "import sys; sys.path.insert(0, 'python'); import pkg.table; pkg.table.SIZES[12]"
HAS_10 = HAS_12.replace("12", "10")
HAS_99 = HAS_12.replace("12", "99")


@pytest.fixture
def fork(tmp_path: Path) -> Fork:
    return site_fork(tmp_path / "fork")


def carry(fork: Fork, *trailers: str, name: str = "size-12") -> None:
    file = fork.repo.path / f"series/v1/{name}.patch"
    file.write_text(file.read_text().replace("Forwarded: no\n", "\n".join(("Forwarded: no", *trailers, ""))))


def verdicts(fork: Fork, *arguments: str) -> list[str]:
    patches = fork.run("probe", *arguments, "--json").json["patches"]
    return [one["verdict"] for patch in patches for one in patch["probes"]]


def test_a_probe_tells_needed_absorbed_and_broken_apart(fork: Fork) -> None:
    carry(fork, f'Proves: {PYTHON} -c "{HAS_12}"')
    before = fork.state()
    ran = fork.run("probe")
    assert (ran.code, ran.err) == (0, "")
    assert ran.out.splitlines()[1] == "  needed: failed on upstream, passed with the patches"
    assert ran.out.splitlines()[-1] == "1 probe: 1 needed; on v1"
    carry(fork, f'Needed-if: {PYTHON} -c "{HAS_10}"', f'Proves: {PYTHON} -c "{HAS_99}"', "Proves: no-such-program x")
    assert fork.run("probe").code == 1
    # The newest trailers stand first.
    assert verdicts(fork) == ["probably absorbed", "broken probe", "broken probe", "needed"]
    text = fork.run("probe", "size-12").out
    assert "    | KeyError: 99" in text
    assert "    | no-such-program: No such file or directory" in text
    # Nothing is published, and no work tree is left behind.
    assert {name: data for name, data in fork.state().items() if "size-12" not in name} == {
        name: data for name, data in before.items() if "size-12" not in name
    }
    assert len(fork.repo.git("worktree", "list").splitlines()) == 1


def test_no_shell_reads_it_and_git_variables_stay_outside(fork: Fork, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GIT_AUTHOR_NAME", "outer")
    program = (
        "import os, sys; print(sys.argv[1:], [k for k in os.environ if k[:4] == 'GIT_'], sys.stdin.read()); sys.exit(1)"
    )
    carry(fork, f'Proves: {PYTHON} -c "{program}" $HOME | * && "a b"')
    probe = fork.run("probe", "--json").json["patches"][0]["probes"][0]
    assert probe["patched"]["output"] == "['$HOME', '|', '*', '&&', 'a b'] []"
    assert (probe["verdict"], probe["patched"]["exit_code"]) == ("broken probe", 1)


def test_what_takes_too_long_is_killed_with_all_that_it_started(fork: Fork, tmp_path: Path) -> None:
    told = tmp_path / "told"
    child = f"import subprocess, time; subprocess.Popen(['sh', '-c', 'sleep 2; touch {told}']); time.sleep(60)"
    carry(fork, f'Proves: {PYTHON} -c "{child}"')
    start = time.monotonic()
    probe = fork.run("probe", "--time-limit", "0.5", "--json").json["patches"][0]["probes"][0]
    assert (probe["verdict"], probe["pristine"]["ending"]) == ("broken probe", "timed out")
    assert time.monotonic() - start < 30
    time.sleep(2)
    assert not told.exists()


def test_each_command_gets_a_clean_tree(fork: Fork) -> None:
    writes = "import pathlib; p = pathlib.Path('left'); assert not p.exists(); p.write_text('x')"
    carry(fork, f'Proves: {PYTHON} -c "{writes}"', f'Proves: {PYTHON} -c "{writes}"')
    assert verdicts(fork) == ["probably absorbed", "probably absorbed"]


def test_only_probe_runs_them_and_lint_knows_them(fork: Fork, tmp_path: Path) -> None:
    told = tmp_path / "told"
    carry(fork, f"Proves: touch {told}", f"Needed-if: touch {told}")
    for words in (("build",), ("rebase", "v2"), ("verify", "v1"), ("status",), ("lint",)):
        fork.run(*words)
    assert not told.exists()
    assert "unknown-trailer" not in fork.run("lint", "--ref", "v1").out
    assert os.fspath(told) in fork.run("show", "size-12", "--ref", "v1").out


def test_what_is_wrong_is_told_before_anything_is_run(fork: Fork, tmp_path: Path) -> None:
    told = tmp_path / "told"
    assert "no patch has a probe" in fork.run("probe").err
    carry(fork, f"Proves: touch {told}", "Proves: echo 'open")
    ran = fork.run("probe")
    assert (ran.code, told.exists()) == (1, False)
    assert "series/v1/size-12.patch:" in ran.err
    assert "no closing quotation" in ran.err
    assert "malformed-policy" in fork.run("lint").out
