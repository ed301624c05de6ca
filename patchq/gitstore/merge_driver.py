"""The merge driver in a repository: its command in the configuration, and the attribute that sends files to it."""

from __future__ import annotations

import contextlib
import os
import re
import shlex
from dataclasses import dataclass
from enum import Enum
from typing import TYPE_CHECKING

from patchq.errors import GitError
from patchq.gitstore.git import failure

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from patchq.gitstore.repository import Repository

_SECTION = "merge.patchq"
_LINE = b"* merge=patchq\n"
_NOTE = b"# The next line is from `patchq hook install --merge-driver`; `patchq hook uninstall` takes it away.\n"
_CHOICE = re.compile(rb"^\s*[^#\s].*\s[-!]?merge(?:\s|=|$)")


class DriverDone(Enum):
    """What became of the driver."""

    INSTALLED = "installed"
    UPDATED = "updated"  # it was ours, with another command or without the attribute
    UNCHANGED = "unchanged"
    REMOVED = "removed"
    ABSENT = "absent"


@dataclass(frozen=True, slots=True, kw_only=True)
class DriverState:
    """What stands now: the file of attributes, and what was done.

    `before` are lines of the user that choose how some files are merged, and still do; `behind` are those, with their
    file, that do not count any more, because git asks `info/attributes` first.
    """

    attributes: Path
    done: DriverDone
    before: tuple[str, ...] = ()
    behind: tuple[tuple[str, str], ...] = ()


def driver_command(program: Path | None) -> str:
    """Return the command for git's shell, which calls `program`, or the patchq on the PATH where that is None.

    Git calls every exit code up to 128 a conflict, and git 2.39 any other one, too. A patchq that is missing or broken
    would leave the current version of the file without a mark in it, as if the other side had never been. So git's own
    merge goes into the file then, and the exit code says that the driver has failed (gitattributes(5)).
    """
    called = shlex.quote("patchq" if program is None else str(program)).replace("%", "%%")
    call = f"{called} merge-file --driver --marker-size %L --path %P -o %A -L %X -L %S -L %Y -- %O %B %A"
    instead = "git merge-file -q --marker-size=%L -L HEAD -L base -L theirs %A %O %B"
    told = "echo 'error: patchq failed; this is the merge by lines of git, which nothing has proved:' %P >&2"
    return f"{call} || {{ code=$?; test $code -eq 1 || {{ {told}; {instead}; code=129; }}; exit $code; }}"


def install_driver(repo: Repository, program: Path | None) -> DriverState:
    """Let git merge files of this repository, in all its worktrees, through `program`; nothing in a work tree changes.

    The attribute goes into `info/attributes` as its first line, so that whatever stands there has the last word.
    """
    attributes = _attributes(repo)
    text = _read(attributes)
    before_ours, behind = tuple(_choices(text)), tuple(_tracked(repo))
    settings = {
        f"{_SECTION}.name": "patchq: proved by structure, or a conflict",
        f"{_SECTION}.driver": driver_command(program),
        f"{_SECTION}.recursive": "text",  # merge bases of merge bases are never shown to anybody
    }
    before = {key: repo.config(key) for key in settings}
    for key, value in settings.items():
        if before[key] != value:
            repo.set_config(key, value)
    if _LINE not in text.splitlines(keepends=True):
        _write(attributes, _NOTE + _LINE + text)
    elif before == settings:
        return DriverState(attributes=attributes, done=DriverDone.UNCHANGED, before=before_ours, behind=behind)
    done = DriverDone.INSTALLED if before[f"{_SECTION}.driver"] is None else DriverDone.UPDATED
    return DriverState(attributes=attributes, done=done, before=before_ours, behind=behind)


def uninstall_driver(repo: Repository) -> DriverState:
    """Take the attribute and the command away; every other line stays as it is."""
    attributes = _attributes(repo)
    text = _read(attributes)
    kept = b"".join(line for line in text.splitlines(keepends=True) if line not in {_NOTE, _LINE})
    if kept != text:
        _write(attributes, kept)
    removed = repo.git.try_run("config", "--local", "--remove-section", _SECTION)
    if removed.returncode not in {0, 128}:  # 128: no such section
        raise failure("config", removed)
    changed = kept != text or removed.returncode == 0
    return DriverState(attributes=attributes, done=DriverDone.REMOVED if changed else DriverDone.ABSENT)


def _choices(text: bytes) -> Iterator[str]:
    """Give the lines, other than ours, that say how files are merged."""
    for line in text.splitlines():
        if _CHOICE.match(line) and line != _LINE.strip():
            yield line.strip().decode("utf-8", "replace")


def _tracked(repo: Repository) -> Iterator[tuple[str, str]]:
    """Give the same of the project's own files, each with the name of the file."""
    if repo.work_tree is None:
        return
    for name in map(os.fsdecode, repo.git.run("ls-files", "-z").split(b"\0")):
        if name.rpartition("/")[2] == ".gitattributes":
            yield from ((name, line) for line in _choices(_read(repo.work_tree / name)))


def _attributes(repo: Repository) -> Path:
    return repo.common_dir / "info" / "attributes"


def _read(attributes: Path) -> bytes:
    try:
        return attributes.read_bytes()
    except FileNotFoundError:
        return b""
    except OSError as error:
        raise GitError(f"{attributes} cannot be read: {error.strerror}") from error


def _write(attributes: Path, text: bytes) -> None:
    """Write beside the place and rename; a file that would be empty goes."""
    fresh = attributes.with_name(f"{attributes.name}.patchq-{os.getpid()}")
    try:
        if not text:
            attributes.unlink()
            return
        attributes.parent.mkdir(exist_ok=True)
        try:
            fresh.write_bytes(text)
            fresh.replace(attributes)
        finally:
            with contextlib.suppress(FileNotFoundError):
                fresh.unlink()
    except OSError as error:
        raise GitError(f"{attributes} cannot be written: {error.strerror}") from error
