from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
import yaml

from tests.commands.guarded import TABLE, guarded_fork, silent, without_entry
from tests.gitrepo import GitRepo

if TYPE_CHECKING:
    from tests.fork import Fork

PROGRAM = Path(sys.executable).with_name("patchq")
pytestmark = pytest.mark.skipif(not PROGRAM.exists(), reason="patchq is not installed beside this Python")

NONE = "patchq: all 2 patches of v2 are missing here; with them: git switch patched/v2"
ONE = "patchq: 1 of 2 patches of v2 is missing here (size-12); look: patchq verify HEAD --ref v2"


@pytest.fixture
def fork(tmp_path: Path, tmp_path_factory: pytest.TempPathFactory) -> Fork:
    fork = guarded_fork(tmp_path / "a fork", tmp_path_factory)
    assert fork.run("hook", "install").code == 0
    return fork


def told(repo: GitRepo, *command: str, code: int = 0) -> list[str]:
    """Run git; return the lines that patchq has said."""
    done = repo.try_git(*command)
    assert done.returncode == code, done.stderr
    return [line for line in done.stderr.decode().splitlines() if "patchq" in line]


def lose(fork: Fork) -> str:
    """Commit the table without the entry, past the hooks, on the branch that is checked out."""
    fork.repo.write({TABLE: without_entry(fork)})
    fork.repo.git("commit", "-q", "--no-verify", "-am", "clean up")
    return fork.repo.text("rev-parse", "HEAD")


def test_a_checkout_of_upstream_names_the_branch_that_has_the_patches(fork: Fork) -> None:
    assert told(fork.repo, "switch", "-q", "--detach", "v2") == [NONE]
    assert told(fork.repo, "switch", "-q", "patched/v2") == []
    assert told(fork.repo, "switch", "-q", "work") == []
    assert told(fork.repo, "checkout", "-q", "upstream") == [NONE]
    # Files are no checkout of a commit, and a new branch moves nothing.
    assert told(fork.repo, "checkout", "--", TABLE) == []
    assert told(fork.repo, "switch", "-q", "-c", "new") == []


def test_what_it_says_can_be_typed(fork: Fork) -> None:
    (line,) = told(fork.repo, "switch", "-q", "--detach", "v2")
    assert told(fork.repo, *line.rpartition("git ")[2].split()) == []
    fork.repo.git("switch", "-q", "work")
    lose(fork)
    fork.repo.git("switch", "-q", "patched/v2")
    (line,) = told(fork.repo, "switch", "-q", "work")
    assert line == ONE
    ran = fork.run(*line.rpartition("patchq ")[2].split())
    assert ran.code == 1
    assert "size-12" in ran.out


def test_a_branch_that_is_not_built_here_is_to_be_built(fork: Fork) -> None:
    fork.repo.git("switch", "-q", "--detach", "v1")
    fork.repo.git("branch", "-qD", "patched/v2", "work")
    (line,) = told(fork.repo, "switch", "-q", "--detach", "v2")
    assert line == "patchq: all 2 patches of v2 are missing here; to build them: patchq build v2"
    assert fork.run(*line.rpartition("patchq ")[2].split()).code == 0
    assert told(fork.repo, "switch", "-q", "patched/v2") == []


def test_history_that_has_nothing_to_do_with_the_series_is_left_alone(fork: Fork) -> None:
    assert told(fork.repo, "switch", "-q", "--detach", "v1") == []
    fork.repo.git("switch", "-q", "--orphan", "pages")
    fork.repo.commit("pages", {"index.html": "hello\n"})
    fork.repo.git("switch", "-q", "work")
    assert told(fork.repo, "switch", "-q", "pages") == []


def test_own_commits_and_moved_files_lose_nothing(fork: Fork) -> None:
    whole = (fork.repo.path / TABLE).read_text()
    fork.repo.commit("tidy", {TABLE: None, "pkg/sizes.py": whole, "pkg/gate.py": "# gate\n" + gate(fork)})
    fork.repo.git("switch", "-q", "patched/v2")
    assert told(fork.repo, "switch", "-q", "work") == []


def gate(fork: Fork) -> str:
    return (fork.repo.path / "pkg/gate.py").read_text()


def test_a_pull_that_loses_a_patch_is_told(fork: Fork, tmp_path: Path) -> None:
    theirs = GitRepo(tmp_path / "theirs")
    fork.repo.git("clone", "-q", "--no-hardlinks", ".", str(theirs.path))
    fork.repo.git("remote", "add", "origin", str(theirs.path))
    entry = without_entry(fork)
    theirs.commit("clean up", {TABLE: entry})
    assert told(fork.repo, "pull", "-q", "--ff-only", "origin", "work") == [ONE]
    # What is missing stays missing, and is told again until it is back.
    theirs.commit("more", {"pkg/new.py": "X = 1\n"})
    assert told(fork.repo, "pull", "-q", "--ff-only", "origin", "work") == [ONE]


def test_a_merge_with_a_commit_of_its_own_is_told_and_a_squash_is_not(fork: Fork) -> None:
    fork.repo.git("switch", "-q", "-c", "side", "patched/v2")
    lose(fork)
    fork.repo.git("switch", "-q", "work")
    fork.repo.commit("more", {"pkg/new.py": "X = 1\n"})
    assert told(fork.repo, "merge", "-q", "--squash", "side") == []
    fork.repo.git("reset", "-q", "--hard")
    assert told(fork.repo, "merge", "-q", "--no-edit", "side") == [ONE]


def test_a_rebase_is_told_when_it_is_done_and_not_amid(fork: Fork) -> None:
    fork.repo.git("switch", "-q", "-c", "topic", "patched/v2")
    fork.repo.commit("more", {"pkg/new.py": "X = 1\n"})
    fork.repo.git("switch", "-q", "work")
    lose(fork)
    fork.repo.git("switch", "-q", "topic")
    assert told(fork.repo, "rebase", "-q", "work") == [ONE]
    assert told(fork.repo, "rebase", "-q", "--onto", "patched/v2", "work") == []
    assert told(fork.repo, "commit", "-q", "--amend", "-m", "other words") == []
    # The patches themselves carried over by git: upstream's commit is only passed.
    fork.repo.git("branch", "carried", "patched/v2")
    assert told(fork.repo, "rebase", "-q", "--no-ff", "v2", "carried") == []


def test_a_bisection_is_left_alone(fork: Fork) -> None:
    assert told(fork.repo, "bisect", "start", "-q", "patched/v2", "v1") == []
    assert told(fork.repo, "bisect", "bad") == []
    fork.repo.git("bisect", "reset")


def test_a_linked_worktree_is_told_of_its_own_head(fork: Fork, tmp_path: Path) -> None:
    fork.repo.git("config", "patchq.series", str(fork.repo.path / "series"))
    assert told(fork.repo, "worktree", "add", "-q", "--detach", str(tmp_path / "up"), "v2") == [NONE]
    assert told(fork.repo, "worktree", "add", "-q", "-b", "x", str(tmp_path / "ours"), "patched/v2") == []


def test_a_build_that_is_not_here_is_judged_by_the_facts(fork: Fork, tmp_path: Path) -> None:
    fork.repo.commit("own", {"pkg/new.py": "X = 1\n"})
    tree = fork.repo.text("rev-parse", "HEAD^{tree}")
    copied = fork.repo.text("commit-tree", tree, "-p", "v2", "-m", "the same on upstream")
    fork.repo.git("update-ref", "refs/heads/copied", copied)
    clone = GitRepo(tmp_path / "clone")
    fork.repo.git("clone", "-q", "--no-local", "--single-branch", "-b", "copied", ".", str(clone.path))
    clone.git("config", "patchq.series", str(fork.repo.path / "series"))
    ran = patchq_in(clone, "hook", "post-merge", "0")
    assert (ran.returncode, ran.stdout) == (0, "")
    clone.commit("clean up", {TABLE: without_entry(fork)})
    ran = patchq_in(clone, "hook", "post-merge", "0")
    line = "patchq: 1 of 2 patches of v2 is missing here (size-12); to build them: patchq build v2\n"
    assert (ran.returncode, ran.stdout) == (0, line)


def patchq_in(repo: GitRepo, *arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run([PROGRAM, *arguments], cwd=repo.path, capture_output=True, text=True, check=False)


def test_a_malformed_series_is_told_and_fails_no_command_of_git(fork: Fork) -> None:
    (fork.repo.path / "series/v2/record.yaml").write_text("schema: [\n")
    lines = fork.repo.try_git("switch", "-q", "--detach", "v2")
    assert lines.returncode == 0
    assert lines.stderr.decode().startswith("error: ")


def test_programs_get_names_and_nothing_is_said_without_a_series(fork: Fork, repo: GitRepo) -> None:
    fork.repo.git("checkout", "-q", "--detach", "v2")
    told = fork.run("hook", "post-merge", "0", "--json").json
    assert told == {"schema": 1, "command": "hook post-merge", "ref": "v2", "missing": ["open-gate", "size-12"]}
    assert silent(fork.run("hook", "post-rewrite", "amend"))
    repo.commit("one", {"a": "1\n"})
    assert patchq_in(repo, "hook", "post-checkout", "0" * 40, "1" * 40, "1").stdout == ""


def test_under_the_pre_commit_framework_its_variables_say_what_was_done(
    fork: Fork, monkeypatch: pytest.MonkeyPatch
) -> None:
    fork.repo.git("checkout", "-q", "--detach", "v2")
    monkeypatch.setenv("PRE_COMMIT_FROM_REF", fork.repo.text("rev-parse", "work"))
    monkeypatch.setenv("PRE_COMMIT_TO_REF", fork.repo.text("rev-parse", "v2"))
    for name in ("CHECKOUT_TYPE", "IS_SQUASH_MERGE", "REWRITE_COMMAND"):
        monkeypatch.setenv(f"PRE_COMMIT_{name}", {"CHECKOUT_TYPE": "1", "IS_SQUASH_MERGE": "0"}.get(name, "rebase"))
    hooks = yaml.safe_load((Path(__file__).parents[2] / ".pre-commit-hooks.yaml").read_text())
    entries = [hook["entry"].split()[1:] for hook in hooks if hook["stages"][0].startswith("post-")]
    assert [fork.run(*entry).out for entry in entries] == [NONE + "\n"] * 3
