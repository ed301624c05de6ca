from __future__ import annotations

import io
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
import yaml

from tests.gitrepo import GitRepo
from tests.queued import built_fork
from tests.running import patchq

if TYPE_CHECKING:
    from tests.fork import Fork

PROGRAM = Path(sys.executable).with_name("patchq")
pytestmark = pytest.mark.skipif(not PROGRAM.exists(), reason="patchq is not installed beside this Python")

BRANCH = "patched/v1"


@pytest.fixture
def fork(tmp_path: Path) -> Fork:
    """The built branch is checked out, and there is an empty remote."""
    fork = built_fork(tmp_path / "fork")
    remote = GitRepo.create(tmp_path / "remote.git", "--bare")
    fork.repo.git("remote", "add", "origin", str(remote.path))
    assert fork.run("hook", "install", "pre-push").code == 0
    return fork


def push(fork: Fork, *what: str) -> tuple[int, str]:
    done = fork.repo.try_git("push", "-q", "origin", *what)
    return done.returncode, done.stderr.decode().partition("error: failed to push")[0]


def follow(fork: Fork, told: str) -> None:
    """Type what the hint says."""
    for line in (line.split() for line in told.splitlines() if line.startswith("    ")):
        if line[0] == "git":
            fork.repo.git(*line[1:])
        else:
            ran = fork.run(*line[1:])
            assert ran.code == 0, ran.err


def pushing(fork: Fork) -> io.StringIO:
    """Give what git tells the hook of a push of the built branch."""
    tip = fork.repo.text("rev-parse", BRANCH)
    return io.StringIO(f"refs/heads/{BRANCH} {tip} refs/heads/{BRANCH} {'0' * 40}\n")


def short(fork: Fork, rev: str) -> str:
    return fork.repo.text("rev-parse", rev)[:12]


def test_the_built_branch_is_pushed_in_silence(fork: Fork) -> None:
    assert push(fork, BRANCH) == (0, "")
    assert push(fork, "HEAD:refs/heads/deployed") == (0, "")
    assert push(fork, "v1", "upstream") == (0, "")
    assert push(fork, "--delete", BRANCH) == (0, "")
    assert push(fork, "--all") == (0, "")


def test_commits_that_are_in_no_patch_are_told_and_what_it_says_helps(fork: Fork) -> None:
    built = short(fork, "HEAD")
    fork.repo.commit("Log more\n\nFor the operators.\n\nForwarded: no", {"pkg/log.py": "X = 1\n"})
    pushed = short(fork, "HEAD")
    code, told = push(fork, BRANCH)
    assert code == 1
    assert told.splitlines() == [
        f"error: branch {BRANCH} is not what the series of v1 builds",
        f"  pushed   {pushed}; built as {built}",
        "  beyond   1 commit that is in no patch",
        "hint: take them into the series, build it, and push that:",
        f"    git branch -m {BRANCH} NAME",
        f"    patchq import --onto v1 {built}..{pushed}",
        "    patchq build v1",
        "",
        "past it, once: git push --no-verify",
    ]
    follow(fork, told)
    assert push(fork, BRANCH) == (0, "")
    fork.repo.git("switch", "-q", BRANCH)
    fork.repo.commit("more", {"pkg/log.py": "X = 2\n"})
    assert push(fork, "--no-verify", BRANCH) == (0, "")


def test_under_whatever_name_the_built_branch_is_meant(fork: Fork) -> None:
    fork.repo.git("switch", "-q", "-c", "mine")
    fork.repo.commit("more", {"pkg/log.py": "X = 1\n"})
    assert push(fork, "mine") == (0, "")
    assert push(fork, f"mine:{BRANCH}")[0] == 1
    assert push(fork, f"HEAD:{BRANCH}")[0] == 1
    fork.repo.git("branch", "-f", BRANCH, "mine")
    assert push(fork, f"{BRANCH}:deployed")[0] == 1


def test_a_branch_that_was_reset_is_no_build(fork: Fork) -> None:
    built = short(fork, "HEAD")
    fork.repo.git("reset", "-q", "--hard", "HEAD~1")
    code, told = push(fork, BRANCH)
    assert code == 1
    assert f"  history  {built} is not in it\n" in told
    assert f"hint: build, and push that:\n    git branch -m {BRANCH} NAME\n    patchq build v1\n" in told
    follow(fork, told)
    assert push(fork, BRANCH) == (0, "")


def test_a_series_that_went_on_is_told_by_name(fork: Fork) -> None:
    folder = fork.repo.path / "series/v1"
    patch = folder / "alpha.patch"
    patch.write_text(patch.read_text().replace("Because we need it.", "Because it is needed."))
    series = (folder / "series").read_text()
    (folder / "extra.patch").write_text((folder / "delta.patch").read_text().replace("new.txt", "newer.txt"))
    (folder / "series").write_text(series.replace("delta.patch\n", "extra.patch\n"))
    code, told = push(fork, BRANCH)
    assert code == 1
    assert "  edited   since then: alpha\n  dropped  since then: delta\n  added    since then: extra\n" in told
    follow(fork, told)
    assert push(fork, BRANCH) == (0, "")


def test_a_linked_worktree_and_a_named_repository_are_seen(fork: Fork, tmp_path: Path) -> None:
    fork.repo.git("config", "patchq.series", str(fork.repo.path / "series"))
    fork.repo.commit("more", {"pkg/log.py": "X = 1\n"})
    fork.repo.git("worktree", "add", "-q", "--detach", str(tmp_path / "linked"), "v1")
    for repo in (GitRepo(tmp_path / "linked"), GitRepo(fork.repo.path / "pkg")):
        done = repo.try_git("push", "-q", "origin", BRANCH)
        assert (done.returncode, b"in no patch" in done.stderr) == (1, True)
    outside = GitRepo(tmp_path)
    place = (f"--git-dir={fork.repo.path}/.git", f"--work-tree={fork.repo.path}")
    assert outside.try_git(*place, "push", "-q", "origin", BRANCH).returncode == 1


def test_the_environment_of_another_repository_is_kept_out(fork: Fork, monkeypatch: pytest.MonkeyPatch) -> None:
    fork.repo.commit("more", {"pkg/log.py": "X = 1\n"})
    monkeypatch.setattr(sys, "stdin", pushing(fork))
    for name in ("GIT_OBJECT_DIRECTORY", "GIT_NAMESPACE", "GIT_CONFIG_PARAMETERS"):
        monkeypatch.setenv(name, "/nowhere")
    ran = fork.run("hook", "pre-push", "origin", "url")
    assert (ran.code, "in no patch" in ran.out) == (1, True)


def test_programs_get_the_same_as_json(fork: Fork, monkeypatch: pytest.MonkeyPatch) -> None:
    fork.repo.commit("more", {"pkg/log.py": "X = 1\n"})
    built, pushed = fork.repo.text("rev-parse", "HEAD~1"), fork.repo.text("rev-parse", "HEAD")
    monkeypatch.setattr(sys, "stdin", pushing(fork))
    ran = fork.run("hook", "pre-push", "--json")
    assert ran.code == 1
    finding = {"kind": "not-as-built", "ref": "v1", "branch": BRANCH, "built": built, "pushed": pushed, "beyond": 1}
    assert ran.json["findings"] == [{**finding, "edited": [], "dropped": [], "added": []}]
    monkeypatch.setattr(sys, "stdin", io.StringIO("what\n"))
    assert fork.run("hook", "pre-push").code == 1


def test_without_a_series_it_is_silent(repo: GitRepo, tmp_path: Path) -> None:
    repo.commit("one", {"a": "1\n"})
    GitRepo.create(tmp_path / "bare.git", "--bare")
    assert patchq("hook", "install", "pre-push", cwd=repo.path).code == 0
    assert repo.try_git("push", "-q", str(tmp_path / "bare.git"), "main").stderr == b""


@pytest.mark.parametrize("known", [True, False])
def test_under_the_pre_commit_framework_its_variables_say_what_is_pushed(
    fork: Fork, monkeypatch: pytest.MonkeyPatch, *, known: bool
) -> None:
    hooks = yaml.safe_load((Path(__file__).parents[2] / ".pre-commit-hooks.yaml").read_text())
    entry = next(hook["entry"] for hook in hooks if hook["stages"] == ["pre-push"]).split()[1:]
    monkeypatch.setattr(sys, "stdin", io.StringIO(""))
    monkeypatch.setenv("PRE_COMMIT_LOCAL_BRANCH", f"refs/heads/{BRANCH}")
    monkeypatch.setenv("PRE_COMMIT_REMOTE_BRANCH", f"refs/heads/{BRANCH}")
    assert fork.run(*entry).code == 0
    fork.repo.commit("more", {"pkg/log.py": "X = 1\n"})
    if known:
        monkeypatch.setenv("PRE_COMMIT_TO_REF", fork.repo.text("rev-parse", "HEAD"))
    ran = fork.run(*entry)
    assert (ran.code, "in no patch" in ran.out) == (1, True)
