from __future__ import annotations

import importlib
import os
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from patchq.cli import VERBS, module_of, run
from patchq.commands.completing import PATCH
from patchq.commands.completion import SHELLS
from tests.queued import built_fork

if TYPE_CHECKING:
    from tests.fork import Fork

# What else a verb must be told before it looks at the name; `{}` is where the name goes.
COMMANDS = {
    "show": ["show {}"],
    "explain": ["explain {}"],
    "edit": ["edit {} -m new"],
    "refresh": ["refresh {}"],
    "split": ["split {} --files pkg/gate.py --name x"],
    "goto": ["goto {}"],
    "push": ["push {}"],
    "pop": ["pop {}"],
    "files": ["files {}"],
    "diff": ["diff {}", "diff {}..", "diff ..{}"],
    "export": ["export {} --diff -", "export {}.. --diff -"],
    "move": ["move {} --last", "move delta --before {}", "move delta --after {}"],
    "drop": ["drop {} --reason x"],
    "lint": ["lint {}"],
    "probe": ["probe {}"],
    "fold": ["fold {} delta", "fold delta {}", "fold delta --into {}"],
    "rename": ["rename {} other"],
    "resolve": ["resolve {} --onto v2"],
}
LINES = [line for lines in COMMANDS.values() for line in lines]


@pytest.fixture
def fork(tmp_path: Path) -> Fork:
    return built_fork(tmp_path / "fork")


def test_every_verb_that_takes_the_name_of_a_patch_is_tried_here() -> None:
    takes = {
        verb
        for group in VERBS.values()
        for verb in group
        for parameter in importlib.import_module(module_of(verb)).command.params
        if parameter.type is PATCH
    }
    assert takes == set(COMMANDS)


@pytest.mark.parametrize("line", LINES)
def test_a_wrong_name_is_answered_with_those_that_are_near(fork: Fork, line: str) -> None:
    if line.startswith("refresh"):
        fork.repo.write({"pkg/t.txt": fork.repo.file("HEAD", "pkg/t.txt") + b"more\n"})
    if line.startswith("push"):
        assert fork.run("pop", "-a").code == 0
    before = fork.state()
    wrong, many = (fork.run(*line.format(name).split(" ")) for name in ("gama", "a-none"))
    assert (wrong.code, many.code) == (1, 1)
    assert "has no patch 'gama'; near: gamma" in wrong.err
    assert "has no patch 'a-none'" in many.err
    assert fork.state() == before


@pytest.mark.parametrize(
    "line", [line for line in LINES if line.split(" ")[0] in {"show", "files", "diff", "export", "lint"}]
)
def test_a_unique_beginning_is_the_name(fork: Fork, line: str) -> None:
    assert fork.run(*line.format("bet").split(" ")).out == fork.run(*line.format("beta").split(" ")).out


def test_a_beginning_of_several_names_is_refused_with_all_of_them(fork: Fork) -> None:
    fork.repo.write({"pkg/z.txt": "z\n"})
    assert fork.run("new", "beta-2").code == 0
    ran = fork.run("show", "be")
    assert (ran.code, "'be' could be beta, beta-2" in ran.err) == (1, True)
    assert fork.run("show", "beta").code == 0


@pytest.mark.parametrize(
    ("words", "offered"),
    [
        (["sh"], {"show"}),
        (["show", "be"], {"beta"}),
        (["diff", "alpha..de"], {"alpha..delta"}),
        (["--series", "series", "move", "delta", "--after", "a"], {"alpha"}),
        (["series", "v"], {"v1"}),
        (["--repo", "/nowhere", "show", "be"], set()),
        (["rebase", "--skip"], {"--skip-conflicts"}),
    ],
)
def test_a_shell_is_offered_verbs_options_patches_and_refs(
    fork: Fork, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], words: list[str], offered: set[str]
) -> None:
    monkeypatch.chdir(fork.repo.path)
    monkeypatch.setenv("_PATCHQ_COMPLETE", "bash_complete")
    monkeypatch.setenv("COMP_WORDS", " ".join(["patchq", *words]))
    monkeypatch.setenv("COMP_CWORD", str(len(words)))
    with pytest.raises(SystemExit):
        run([])
    assert {line.partition(",")[2] for line in capsys.readouterr().out.split()} == offered


@pytest.mark.parametrize("shell", SHELLS)
def test_the_script_of_each_shell_asks_patchq(fork: Fork, shell: str) -> None:
    ran = fork.run("completion", shell)
    assert ran.code == 0
    assert f"_PATCHQ_COMPLETE={shell}_complete" in ran.out


def test_bash_itself_completes_with_the_script(fork: Fork, tmp_path: Path) -> None:
    program = tmp_path / "patchq"
    program.write_text(f"#!/bin/sh\nexec {sys.executable} -c 'from patchq.cli import main; main()' \"$@\"\n")
    program.chmod(0o755)
    script = "source <(patchq completion bash); COMP_WORDS=(patchq show ga); COMP_CWORD=2; _patchq_completion patchq"
    env = {**os.environ, "PATH": f"{tmp_path}:{os.environ['PATH']}", "PYTHONPATH": str(Path(__file__).parents[2])}
    done = subprocess.run(
        ["bash", "-c", f'{script}; echo "${{COMPREPLY[@]}}"'],
        cwd=fork.repo.path,
        env=env,
        capture_output=True,
        check=False,
    )
    assert done.stdout == b"gamma\n", done.stderr


def test_a_name_that_differs_in_case_only_is_refused_by_the_name_that_is_there(fork: Fork) -> None:
    fork.repo.write({"pkg/z.txt": "z\n"})
    ran = fork.run("new", "BETA")
    assert ran.code == 1
    assert "there is a patch BETA already (as beta:" in ran.err
    assert "patchq show beta" in ran.err
