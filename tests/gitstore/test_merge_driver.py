from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from patchq.errors import GitError
from patchq.gitstore.merge_call import merge_call
from patchq.gitstore.merge_driver import DriverDone, driver_command, install_driver, uninstall_driver
from patchq.gitstore.repository import Repository

if TYPE_CHECKING:
    from tests.gitrepo import GitRepo


def test_any_path_of_the_program_reaches_gits_shell_as_one_word(repo: GitRepo, tmp_path: Path) -> None:
    program = tmp_path / "50%P of it's $HOME" / "patchq"
    program.parent.mkdir()
    program.write_text('#!/bin/sh\necho "$0" >&2\nexit 1\n')
    program.chmod(0o755)
    install_driver(Repository.discover(repo.path), program)
    repo.commit("base", {"a": "1\n"})
    repo.git("checkout", "-q", "-b", "other")
    repo.commit("theirs", {"a": "2\n"})
    repo.git("checkout", "-q", "main")
    repo.commit("ours", {"a": "3\n"})
    done = repo.try_git("merge", "other")
    assert done.stderr.decode().splitlines()[0] == str(program)


def test_another_command_or_a_lost_line_is_mended(repo: GitRepo) -> None:
    found = Repository.discover(repo.path)
    assert install_driver(found, None).done is DriverDone.INSTALLED
    assert install_driver(found, None).done is DriverDone.UNCHANGED
    assert install_driver(found, Path("/opt/patchq")).done is DriverDone.UPDATED
    assert repo.text("config", "merge.patchq.driver") == driver_command(Path("/opt/patchq"))
    (repo.path / ".git/info/attributes").unlink()
    assert install_driver(found, Path("/opt/patchq")).done is DriverDone.UPDATED
    assert repo.text("check-attr", "merge", "x") == "x: merge: patchq"
    assert uninstall_driver(found).done is DriverDone.REMOVED
    assert uninstall_driver(found).done is DriverDone.ABSENT


def test_a_bare_repository_has_it_too(repo: GitRepo, tmp_path: Path) -> None:
    repo.commit("base", {"a": "1\n"})
    repo.git("clone", "-q", "--bare", ".", str(tmp_path / "bare.git"))
    assert install_driver(Repository.discover(tmp_path / "bare.git"), None).done is DriverDone.INSTALLED
    assert (tmp_path / "bare.git/info/attributes").read_text().endswith("* merge=patchq\n")


def test_attributes_that_are_no_file_are_an_error(repo: GitRepo) -> None:
    attributes = repo.path / ".git/info/attributes"
    attributes.mkdir(parents=True)
    with pytest.raises(GitError, match="cannot be read"):
        install_driver(Repository.discover(repo.path), None)


def test_outside_of_git_nothing_is_known(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    call = merge_call()
    assert (call.of_branches, call.labels.ours, call.labels.theirs) == (False, "HEAD", "theirs")
    monkeypatch.setitem(os.environ, "GITHEAD_" + "1" * 40, "upstream/main")
    call = merge_call()
    assert (call.of_branches, call.labels.theirs) == (True, "upstream/main")
    monkeypatch.setitem(os.environ, "GITHEAD_" + "2" * 40, "other")
    assert merge_call().labels.theirs == "theirs"
