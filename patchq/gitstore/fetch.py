"""Fetching from upstream: progress for a person, tags included, nothing of a remote taken as a command."""

from __future__ import annotations

import re
import subprocess
from typing import IO, TYPE_CHECKING, cast

from patchq.errors import GitError, NetworkError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from io import BufferedReader

    from git import RemoteProgress

    from patchq.gitstore.repository import Repository

# No FETCH_HEAD: that file is the user's.
_OPTIONS = ("--progress", "--no-write-fetch-head", "--no-auto-maintenance", "--no-recurse-submodules")

_HELPER = re.compile(r"[A-Za-z0-9][A-Za-z0-9+.-]*::")  # gitremote-helpers(7): `ext::` runs any command
_MOVED_TAG = "(would clobber existing tag)"
_SUMMARY = "Could not read from remote repository"
_REJECTED = " ! "


def fetch(repo: Repository, remote: str, refspecs: Sequence[str] = (), *, progress: Callable[[str], None]) -> None:
    """Fetch `refspecs` (default: the configured ones) and all tags from `remote`, a remote's name or a URL.

    Into a shallow clone come only the tags of what is fetched: the others would bring the history that was left out.
    `progress` gets lines for a person, without line ends. A tag that upstream has moved keeps its local place, and
    `progress` is told. NetworkError, with git's own words, when nothing can be fetched; GitError for a remote that
    does not exist or an address that would run a program.
    """
    _refuse_unsafe(repo, remote, refspecs)
    listener = _listener(progress)
    hear = listener.new_message_handler()
    heard = []
    # A release resolves then even when no branch leads to it any more.
    tags = () if repo.is_shallow else ("--tags",)
    with repo.git.popen("fetch", *_OPTIONS, *tags, "--", remote, *refspecs, stderr=subprocess.PIPE) as process:
        cast("IO[bytes]", process.stdin).close()
        for line in _lines(cast("BufferedReader", process.stderr)):
            hear(line)
            heard.append(line)
    rejected = [line for line in listener.other_lines if line.startswith(_REJECTED)]
    only_tags = bool(rejected) and all(line.endswith(_MOVED_TAG) for line in rejected)
    if process.returncode != 0 and (listener.error_lines or not only_tags):
        raise NetworkError(
            f"nothing could be fetched from {remote}: {_reason(heard) or f'exit code {process.returncode}'}",
            hint="--no-fetch goes on with what is here",
        )


def _reason(lines: Sequence[str]) -> str:
    """Pick the line that tells most: git's own sums up what ssh, one line before, has said in detail."""
    for before, line in zip(("", *lines), lines, strict=False):
        if line.startswith(("fatal: ", "error: ")):
            return before if before and _SUMMARY in line else line.partition(" ")[2]
    rejected = [line.strip() for line in lines if line.startswith(_REJECTED)]
    return (rejected or [""])[0]


def _refuse_unsafe(repo: Repository, remote: str, refspecs: Sequence[str]) -> None:
    if any(not word or word.startswith("-") for word in (remote, *refspecs)):
        raise GitError(f"git would take {' '.join((remote, *refspecs))!r} as an option")
    # After `url.*.insteadOf`, and without contacting anybody.
    address = repo.git.run("ls-remote", "--get-url", "--", remote).decode("utf-8", "surrogateescape").strip()
    if address.startswith("-") or _HELPER.match(address):
        raise GitError(f"the address {address!r} of {remote} would run a program", hint="use https, ssh or a path")
    known = [known.name for known in repo.remotes()]
    if address == remote and remote not in known and not any(mark in remote for mark in ":/"):
        raise GitError(
            f"there is no remote {remote!r}; there is {', '.join(known) or 'none at all'}",
            hint=f"git remote add {remote} URL",
        )


def _listener(progress: Callable[[str], None]) -> RemoteProgress:
    """Return GitPython's parser of git's progress, which hands on each line and sorts out the errors.

    Only the parser: `git.Remote.fetch` of GitPython 3.2 decodes strictly and loses every message once a branch name
    is not UTF-8, and passes GIT_DIR and the like on. The import takes 60 to 240 ms, so it waits until here.
    """
    from git import RemoteProgress  # noqa: PLC0415 - see above

    stages = {
        RemoteProgress.COUNTING: "counting objects",
        RemoteProgress.COMPRESSING: "compressing objects",
        RemoteProgress.RECEIVING: "receiving objects",
        RemoteProgress.RESOLVING: "resolving deltas",
    }

    class Listener(RemoteProgress):
        """Words what a person may want to see."""

        def update(
            self, op_code: int, cur_count: str | float, max_count: str | float | None = None, message: str = ""
        ) -> None:
            count = f"{cur_count:.0f}" if isinstance(cur_count, float) else cur_count
            total = f"/{max_count:.0f}" if isinstance(max_count, float) else ""
            progress(f"{stages.get(op_code & self.OP_MASK, 'working')}: {count}{total} {message}".rstrip())

        def line_dropped(self, line: str) -> None:
            progress(line)

    return Listener()


def _lines(stream: BufferedReader) -> Iterator[str]:
    """Split at line feeds and at the carriage returns with which git overwrites a progress line, as they come."""
    rest = b""
    while chunk := stream.read1(65536):
        *whole, rest = re.split(rb"[\r\n]+", rest + chunk)
        yield from (line.decode("utf-8", "replace") for line in whole if line)
    if rest:
        yield rest.decode("utf-8", "replace")
