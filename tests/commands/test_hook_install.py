from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.commands.guarded import ENTRY, TABLE, guarded_fork, without_entry
from tests.gitrepo import GitRepo
from tests.running import patchq

if TYPE_CHECKING:
    from tests.fork import Fork

PROGRAM = Path(sys.executable).with_name("patchq")
pytestmark = pytest.mark.skipif(not PROGRAM.exists(), reason="patchq is not installed beside this Python")


@pytest.fixture
def fork(tmp_path: Path, tmp_path_factory: pytest.TempPathFactory) -> Fork:
    fork = guarded_fork(tmp_path / "a fork", tmp_path_factory)
    assert fork.run("hook", "install").code == 0
    return fork


def commit(repo: GitRepo, *arguments: str) -> tuple[int, str]:
    done = repo.try_git("commit", "-q", "-m", "clean up", *arguments)
    return done.returncode, done.stderr.decode()


def test_install_says_what_it_did_and_programs_get_json(fork: Fork) -> None:
    folder = fork.repo.path / ".git/hooks"
    five = "pre-commit, pre-push, post-checkout, post-merge, post-rewrite"
    assert fork.run("hook", "install").out == f"already installed: {five}, in {folder}\n"
    told = fork.run("hook", "install", "pre-push", "--json").json
    hook = {"name": "pre-push", "done": "unchanged", "hook": str(folder / "pre-push"), "chained": None}
    assert told == {"schema": 1, "command": "hook install", "hooks": [hook]}
    assert f"patchq='{PROGRAM}'\n" in (folder / "pre-commit").read_text()
    assert fork.run("hook", "uninstall", "post-merge").out == f"removed: post-merge, in {folder}\n"
    assert fork.run("hook", "uninstall").out == f"removed: {five.replace(' post-merge,', '')}, in {folder}\n"
    assert fork.run("hook", "uninstall").out == f"there is no hook of patchq in {folder}; nothing to do\n"
    assert fork.run("hook", "install", "pre-commit", "--merge-driver").code == 2
    assert fork.run("hook", "uninstall", "pre-commit", "--merge-driver").code == 2


def test_a_commit_that_loses_the_entry_is_stopped(fork: Fork) -> None:
    fork.repo.write({TABLE: without_entry(fork)})
    before = fork.repo.text("rev-parse", "HEAD")
    fork.repo.git("add", TABLE)
    code, told = commit(fork.repo)
    assert code == 1
    assert "patch size-12" in told
    assert fork.repo.text("rev-parse", "HEAD") == before
    assert commit(fork.repo, "--no-verify") == (0, "")


@pytest.mark.parametrize("how", [("-a",), (TABLE,), ("--include", TABLE), ("-a", "--amend")])
def test_every_way_to_name_what_is_committed_is_seen(fork: Fork, how: tuple[str, ...]) -> None:
    fork.repo.write({TABLE: without_entry(fork)})
    code, told = commit(fork.repo, *how)
    assert (code, "patch size-12" in told) == (1, True)
    assert fork.repo.text("diff", "--cached", "--name-only") == ""


def test_what_is_left_out_of_the_commit_is_not_looked_at(fork: Fork) -> None:
    fork.repo.write({TABLE: without_entry(fork), "pkg/new.py": "X = 1\n"})
    fork.repo.git("add", "-A")
    assert commit(fork.repo, "pkg/new.py") == (0, "")
    assert commit(fork.repo)[0] == 1


def test_choosing_hunks_is_seen(fork: Fork) -> None:
    fork.repo.write({TABLE: without_entry(fork) + "\nMORE = 1\n"})
    done = fork.repo.try_git("commit", "-m", "x", "--patch", stdin=b"s\nn\ny\n")
    assert done.returncode == 0, done.stderr
    assert ENTRY.encode() in fork.repo.file("HEAD", TABLE)
    assert fork.repo.try_git("commit", "-m", "x", "--patch", stdin=b"y\n").returncode == 1


def test_commits_from_a_folder_below_and_in_a_linked_worktree_are_seen(fork: Fork, tmp_path: Path) -> None:
    fork.repo.git("config", "patchq.series", str(fork.repo.path / "series"))
    linked = GitRepo(tmp_path / "linked tree")
    fork.repo.git("worktree", "add", "-q", "-b", "other", str(linked.path), "patched/v2")
    for repo in (fork.repo, linked):
        repo.write({TABLE: without_entry(fork)})
        code, told = commit(GitRepo(repo.path / "pkg"), "-a")
        assert (code, "patch size-12" in told) == (1, True)


def test_a_repository_named_by_option_is_seen(fork: Fork, tmp_path: Path) -> None:
    fork.repo.write({TABLE: without_entry(fork)})
    place = (f"--git-dir={fork.repo.path}/.git", f"--work-tree={fork.repo.path}")
    done = subprocess.run(["git", *place, "commit", "-qam", "x"], cwd=tmp_path, capture_output=True, check=False)
    assert (done.returncode, b"patch size-12" in done.stderr) == (1, True)


def test_a_commit_of_something_else_is_silent(fork: Fork) -> None:
    fork.repo.write({"pkg/new.py": "X = 1\n"})
    fork.repo.git("add", "-A")
    assert commit(fork.repo) == (0, "")


def test_a_hooks_folder_of_the_repository_is_used(fork: Fork) -> None:
    fork.run("hook", "uninstall")
    fork.repo.git("config", "core.hooksPath", "tools/hooks")
    theirs = fork.repo.path / "tools/hooks/pre-commit"
    fork.repo.write({"tools/hooks/pre-commit": "#!/bin/sh\necho theirs ran >&2\n", TABLE: without_entry(fork)})
    theirs.chmod(0o755)
    ran = fork.run("hook", "install")
    assert ran.out.startswith("installed: pre-commit, pre-push, ")
    assert ran.out.endswith(
        f", in {theirs.parent}\nthe hook that was there before runs first: {theirs}.patchq-chained\n"
    )
    code, told = commit(fork.repo, "-a")
    assert code == 1
    assert told.startswith("theirs ran\nerror: the commit loses what patch size-12 put into pkg/table.py\n")
    told = fork.run("hook", "uninstall").out
    assert told.endswith(f"removed; the hooks from before are back: pre-commit, in {theirs.parent}\n")
    assert [path.name for path in theirs.parent.iterdir()] == ["pre-commit"]
    assert commit(fork.repo, "-a") == (0, "theirs ran\n")


def test_a_folder_that_other_repositories_use_needs_force(repo: GitRepo) -> None:
    shared = Path(os.environ["HOME"]) / "hooks"
    repo.git("config", "--global", "core.hooksPath", "~/hooks")
    ran = patchq("hook", "install", cwd=repo.path)
    assert ran.code == 1
    assert f"hooks are taken from {shared}, outside of this repository" in ran.err
    assert "--force" in ran.err
    assert not shared.exists()
    assert patchq("hook", "install", "--force", cwd=repo.path).code == 0
    # Where there is no series it is silent.
    repo.write({"a": "1\n"})
    repo.git("add", "a")
    assert commit(repo) == (0, "")


def test_the_place_that_core_hookspath_uses_to_say_no_hooks_is_left_alone(repo: GitRepo) -> None:
    repo.git("config", "core.hooksPath", "/dev/null")
    assert patchq("hook", "install", cwd=repo.path).code == 1
    ran = patchq("hook", "install", "--force", cwd=repo.path)
    assert (ran.code, "cannot be changed" in ran.err) == (1, True)


def test_without_patchq_the_commit_is_stopped_and_told_why(fork: Fork, monkeypatch: pytest.MonkeyPatch) -> None:
    hook = fork.repo.path / ".git/hooks/pre-commit"
    hook.write_text(hook.read_text().replace(str(PROGRAM), "/gone/patchq"))
    git = shutil.which("git")
    assert git is not None
    monkeypatch.setenv("PATH", f"{Path(git).parent}:/usr/bin:/bin")
    if shutil.which("patchq") is not None:
        pytest.skip("patchq is installed beside git")
    code, told = commit(fork.repo, "--allow-empty")
    assert code == 1
    assert told.startswith("error: patchq is not found")
