"""One patchq at a time in a repository: a kernel lock that dies with its process, and who holds it."""

from __future__ import annotations

import fcntl
import json
import os
import pwd
import shlex
import socket
import sys
from contextlib import contextmanager
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from patchq.errors import GitError

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path
    from typing import BinaryIO

    from patchq.gitstore.repository import Repository

_NAMED = ("verb", "command", "pid", "user", "host", "since")


@contextmanager
def lock(repo: Repository, verb: str) -> Iterator[None]:
    """Hold the repository, all its worktrees included, for `verb`; GitError at once when another process does.

    The file stays in `state_dir`, only the lock on it comes and goes: removing it would let two processes each hold a
    file of that name. A `kill -9` frees it, and git children do not inherit it.
    """
    with _open(repo.state_dir / "lock") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError as error:
            raise _held(repo.state_dir / "lock", file) from error
        _write(file, json.dumps(_own_name(verb)).encode())
        try:
            yield
        finally:
            _write(file, b"")


def _open(path: Path) -> BinaryIO:
    try:
        return path.open("a+b")
    except OSError as error:
        raise GitError(f"{path} cannot be written: {error.strerror}") from error


def _write(file: BinaryIO, content: bytes) -> None:
    file.truncate(0)
    file.write(content)
    file.flush()


def _own_name(verb: str) -> dict[str, str | int]:
    try:
        user = pwd.getpwuid(os.getuid()).pw_name
    except KeyError:  # containers run under numbers that nobody has named
        user = str(os.getuid())
    return {
        "verb": verb,
        "command": shlex.join(["patchq", *sys.argv[1:]]),
        "pid": os.getpid(),
        "user": user,
        "host": socket.gethostname(),
        "since": datetime.now(UTC).isoformat(timespec="seconds"),
    }


def _held(path: Path, file: BinaryIO) -> GitError:
    """Say who holds the lock and since when, and what to type when that process hangs or is gone.

    A dead process of this host holds nothing. On a network file system, or with a container in between, the holder
    cannot be seen from here.
    """
    file.seek(0)
    try:
        holder = json.loads(file.read())
        verb, command, pid, user, host, since = (str(holder[key]) for key in _NAMED)
    except (ValueError, KeyError, TypeError):
        hint = f"try again; if that lasts, see who holds it: fuser {shlex.quote(str(path))}"
        return GitError("another patchq is at work here, and has not written its name yet", hint=hint)
    if host != socket.gethostname():
        hint = f"wait until it has ended; if it is dead ({host}: ps {pid}): rm {shlex.quote(str(path))}"
    elif _is_alive(int(pid)):
        hint = f"wait until it has ended, then try again; if it hangs: kill {pid}"
    else:
        hint = f"that process cannot be seen from here; if it is dead: rm {shlex.quote(str(path))}"
    who = f"{verb} (process {pid} of {user} on {host}, since {since}): {command}"
    return GitError(f"another patchq is at work here: {who}", hint=hint)


def _is_alive(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except PermissionError:  # it is there, and somebody else's
        return True
    return True
