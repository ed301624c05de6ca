"""One patchq at a time in a repository: a kernel lock that dies with its process, and who holds it."""

from __future__ import annotations

import fcntl
import json
import os
from contextlib import contextmanager
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from patchq.errors import GitError

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path
    from typing import BinaryIO

    from patchq.gitstore.repository import Repository


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
            raise GitError(
                f"another patchq is at work here: {_holder(file)}", hint="wait until it has ended, then try again"
            ) from error
        since = datetime.now(UTC).isoformat(timespec="seconds")
        _write(file, json.dumps({"verb": verb, "pid": os.getpid(), "since": since}).encode())
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


def _holder(file: BinaryIO) -> str:
    file.seek(0)
    content = file.read()
    try:
        holder = json.loads(content)
        return f"{holder['verb']} (process {holder['pid']}, since {holder['since']})"
    except (ValueError, KeyError, TypeError):
        return "it has not written its name yet"
