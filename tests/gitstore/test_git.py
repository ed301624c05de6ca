from __future__ import annotations

import os
import subprocess
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from patchq.errors import GitError
from patchq.gitstore.conversation import Conversation
from patchq.gitstore.environment import clean_environment
from patchq.gitstore.git import Git, require_supported_git
from patchq.gitstore.repository import Repository

if TYPE_CHECKING:
    from tests.gitrepo import GitRepo

OPEN_FILES = Path("/dev/fd")
LEAKING = {
    "GIT_DIR": "/nonexistent",
    "GIT_WORK_TREE": "/nonexistent",
    "GIT_INDEX_FILE": "/nonexistent/index",
    "GIT_OBJECT_DIRECTORY": "/nonexistent/objects",
    "GIT_PREFIX": "sub/",
    "GIT_EXTERNAL_DIFF": "false",
    "GIT_DIFF_OPTS": "--unified=0",
    "GIT_AUTHOR_NAME": "Leak",
    "GIT_COMMITTER_EMAIL": "leak@example.org",
    "GIT_CONFIG_PARAMETERS": "'core.bare=true'",
    "GIT_QUARANTINE_PATH": "/nonexistent",
}


def test_variables_of_an_outer_git_do_not_reach_ours(monkeypatch: pytest.MonkeyPatch) -> None:
    for name, value in LEAKING.items():
        monkeypatch.setenv(name, value)
    assert not LEAKING.keys() & clean_environment({}).keys()


def test_what_reaches_a_remote_or_names_the_configuration_stays(monkeypatch: pytest.MonkeyPatch) -> None:
    kept = {
        "GIT_SSH_COMMAND": "ssh -v",
        "GIT_SSL_CAINFO": "ca.pem",
        "GIT_CONFIG_GLOBAL": "g",
        "HTTPS_PROXY": "http://p",
        "SSH_AUTH_SOCK": "s",
    }
    for name, value in kept.items():
        monkeypatch.setenv(name, value)
    environment = clean_environment({})
    assert {name: environment[name] for name in kept} == kept


def test_a_repository_is_found_while_a_hook_leaks_its_variables(repo: GitRepo, monkeypatch: pytest.MonkeyPatch) -> None:
    commit = repo.commit("one", {"a": "1\n"})
    for name, value in LEAKING.items():
        monkeypatch.setenv(name, value)
    assert Repository.discover(repo.path).head == commit


def test_settings_from_the_environment_are_outweighed(repo: GitRepo, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GIT_CONFIG_COUNT", "1")
    monkeypatch.setenv("GIT_CONFIG_KEY_0", "diff.suppressBlankEmpty")
    monkeypatch.setenv("GIT_CONFIG_VALUE_0", "true")
    assert Repository.discover(repo.path).config("diff.suppressBlankEmpty") == "false"


def test_output_keeps_its_last_newline(repo: GitRepo) -> None:
    repo.commit("one", {"a": "1\n\n"})
    assert Git(repo.path).run("cat-file", "blob", "HEAD:a") == b"1\n\n"


def test_a_failure_says_what_git_said(repo: GitRepo) -> None:
    with pytest.raises(GitError, match="git cat-file: Not a valid object name"):
        Git(repo.path).run("cat-file", "blob", "nowhere")


def test_an_argument_with_a_nul_is_refused_rather_than_cut(repo: GitRepo) -> None:
    with pytest.raises(GitError, match="an argument for git cat-file contains a NUL"):
        Git(repo.path).run("cat-file", "-e", b"HEAD\0x")


def test_a_missing_git_is_named_with_a_hint(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(GitError, match="git is not on the PATH") as caught:
        Git(tmp_path).run("version")
    assert caught.value.hint == "install git 2.38 or newer"


def test_a_missing_folder_is_not_taken_for_a_missing_git(tmp_path: Path) -> None:
    with pytest.raises(GitError, match="is not a folder"):
        Git(tmp_path / "none").run("version")


@pytest.mark.parametrize("version", ["git version 2.37.9", "git version 1.9.1 (old)", "hello"])
def test_an_old_git_is_refused(version: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    program = tmp_path / "git"
    program.write_text(f"#!/bin/sh\necho '{version}'\n")
    program.chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}{os.pathsep}{os.environ['PATH']}")
    require_supported_git.cache_clear()
    with pytest.raises(GitError, match="too old"):
        require_supported_git()
    monkeypatch.undo()
    require_supported_git()


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can give a folder away")
def test_a_foreign_repository_is_refused_with_the_advice_of_git(repo: GitRepo) -> None:
    repo.commit("one", {"a": "1\n"})
    os.chown(repo.path, 12345, 12345)
    os.chown(repo.path / ".git", 12345, 12345)
    with pytest.raises(GitError, match="dubious ownership") as caught:
        Repository.discover(repo.path)
    assert caught.value.hint == f"git config --global --add safe.directory {repo.path}"


def test_a_conversation_gives_its_process_and_files_back(repo: GitRepo) -> None:
    before = len(list(OPEN_FILES.iterdir()))
    talk = Conversation(Git(repo.path), "cat-file", "--batch")
    assert talk.ask(b"nowhere") == b"nowhere missing\n"
    talk.end()
    assert len(list(OPEN_FILES.iterdir())) == before


def test_a_conversation_with_a_git_that_has_ended_is_silent(repo: GitRepo) -> None:
    talk = Conversation(Git(repo.path), "rev-parse")  # says nothing and ends
    answers = {talk.ask(b"hello") for _ in range(100)}
    rest = talk.read(10)
    assert talk.end().returncode == 0
    assert (answers, rest) == ({b""}, b"")


def test_an_unfinished_process_is_reaped(repo: GitRepo) -> None:
    with Git(repo.path).popen("cat-file", "--batch", stderr=subprocess.DEVNULL) as process:
        pass
    assert process.returncode == 0
