from __future__ import annotations

import fcntl
import getpass
import json
import os
import re
import socket
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from patchq.errors import GitError
from patchq.gitstore.lock import lock
from patchq.gitstore.repository import Repository

if TYPE_CHECKING:
    from tests.gitrepo import GitRepo

HOLDER = """
import sys, time
from pathlib import Path
from patchq.gitstore.lock import lock
from patchq.gitstore.repository import Repository
with lock(Repository.discover(Path(sys.argv[1])), "rebase v1"):
    print("held", flush=True)
    time.sleep(60)
"""


def test_a_second_process_is_refused_at_once_and_told_who_holds_it(repo: GitRepo) -> None:
    found = Repository.discover(repo.path)
    environment = {**os.environ, "PYTHONPATH": str(Path(__file__).parents[2])}
    with subprocess.Popen(
        [sys.executable, "-c", HOLDER, str(repo.path)], stdout=subprocess.PIPE, env=environment
    ) as holder:
        assert holder.stdout is not None
        assert holder.stdout.readline() == b"held\n"
        who = rf"rebase v1 \(process {holder.pid} of {getpass.getuser()} on {re.escape(socket.gethostname())}, since 20"
        with pytest.raises(GitError, match=who) as refused, lock(found, "undo"):
            pass
        assert refused.value.message.endswith(f"): patchq {repo.path}")  # the command as it was typed
        assert refused.value.hint == f"wait until it has ended, then try again; if it hangs: kill {holder.pid}"
        holder.kill()
        holder.wait()
    with lock(found, "undo"):
        pass


def test_the_lock_is_free_again_after_an_error(repo: GitRepo) -> None:
    found = Repository.discover(repo.path)
    with pytest.raises(ZeroDivisionError), lock(found, "rebase"):
        raise ZeroDivisionError
    with lock(found, "rebase"):
        pass


def test_all_worktrees_share_the_lock(repo: GitRepo, tmp_path: Path) -> None:
    repo.commit("one", {"a": "1\n"})
    repo.git("worktree", "add", "-q", str(tmp_path / "linked"), "-b", "other")
    with (
        lock(Repository.discover(repo.path), "rebase"),
        pytest.raises(GitError, match="another patchq is at work here"),
        lock(Repository.discover(tmp_path / "linked"), "undo"),
    ):
        pass


def test_a_git_process_does_not_inherit_the_lock(repo: GitRepo) -> None:
    found = Repository.discover(repo.path)
    with found.git.popen("cat-file", "--batch", stderr=subprocess.DEVNULL):
        with lock(found, "rebase"), found.git.popen("cat-file", "--batch", stderr=subprocess.DEVNULL) as child:
            assert child.poll() is None
        with lock(found, "rebase"):
            pass


def test_a_place_that_cannot_be_written_is_named(repo: GitRepo) -> None:
    found = Repository.discover(repo.path)
    (repo.path / ".git" / "patchq").write_text("in the way")
    with pytest.raises(GitError, match=r"the folder .* cannot be made"), lock(found, "rebase"):
        pass
    (repo.path / ".git" / "patchq").unlink()
    (found.state_dir / "lock").mkdir()
    with pytest.raises(GitError, match="lock cannot be written"), lock(found, "rebase"):
        pass


@pytest.mark.parametrize(
    ("host", "pid", "hint"),
    [("elsewhere", 1, "if it is dead (elsewhere: ps 1): rm "), (None, 2**22 + 1, "cannot be seen from here")],
)
def test_of_a_holder_that_cannot_be_seen_it_is_said_what_frees_the_lock(
    repo: GitRepo, host: str | None, pid: int, hint: str
) -> None:
    found = Repository.discover(repo.path)
    path = found.state_dir / "lock"
    name = {"verb": "x", "command": "patchq x", "pid": pid, "user": "a", "host": host or socket.gethostname()}
    with path.open("w") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        file.write(json.dumps({**name, "since": "2026-01-01"}))
        file.flush()
        with pytest.raises(GitError, match="another patchq is at work here: x") as refused, lock(found, "undo"):
            pass
    assert hint in (refused.value.hint or "")
    assert str(path) in (refused.value.hint or "")
