"""The file that remembers an open run of `patchq resolve`, beside the lock: whole or not at all, for all work trees."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from patchq.errors import GitError

if TYPE_CHECKING:
    from pathlib import Path

    from patchq.gitstore.repository import Repository

NAME = "resolve.json"


def read_sitting(repo: Repository) -> bytes | None:
    """Return the bytes of the file, None where no run is open."""
    try:
        return _path(repo).read_bytes()
    except FileNotFoundError:
        return None
    except OSError as error:
        raise GitError(f"{_path(repo)} cannot be read: {error.strerror}") from error


def write_sitting(repo: Repository, data: bytes) -> None:
    """Replace the file by `data`; a crash leaves the old one or the new one."""
    path = _path(repo)
    fresh = path.with_name(f"{NAME}.{os.getpid()}")
    try:
        with fresh.open("wb") as stream:
            stream.write(data)
            stream.flush()
            os.fsync(stream.fileno())
        fresh.replace(path)
    except OSError as error:
        fresh.unlink(missing_ok=True)
        raise GitError(f"{path} cannot be written: {error.strerror}") from error


def drop_sitting(repo: Repository) -> None:
    """Remove the file: the run is over."""
    _path(repo).unlink(missing_ok=True)


def _path(repo: Repository) -> Path:
    return repo.state_dir / NAME
