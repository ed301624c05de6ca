"""The only place that runs git: no shell, a scrubbed environment, neutral configuration, errors in git's own words."""

from __future__ import annotations

import functools
import os
import re
import subprocess
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import IO, TYPE_CHECKING

from patchq.errors import GitError
from patchq.gitstore.environment import NEUTRAL_CONFIG, clean_environment

if TYPE_CHECKING:
    from collections.abc import Mapping

OLDEST_GIT = (2, 38)  # `git worktree list -z` is of 2.36, `git merge-tree --write-tree` of 2.38

_DUBIOUS = "detected dubious ownership"


@dataclass(frozen=True, slots=True)
class Completed:
    """A git process that has ended."""

    returncode: int
    stdout: bytes
    stderr: bytes

    @property
    def complaint(self) -> str:
        """The line of stderr that says what is wrong, without git's prefix: the first error, else the last line."""
        lines = [line.strip() for line in self.stderr.decode("utf-8", "replace").splitlines() if line.strip()]
        for line in lines:
            if line.startswith(("fatal: ", "error: ")):
                return line.partition(" ")[2]
        return lines[-1] if lines else f"exit code {self.returncode}"


@dataclass(frozen=True, slots=True)
class Git:
    """How to call git: the folder it starts in, the repository it is bound to, variables and settings on purpose.

    Unbound (`git_dir` None), git looks for the repository from `directory` upwards. Bound, it does not look at all, so
    that `safe.bareRepository` and a `.git` that appears meanwhile make no difference. In all methods the first of
    `args` is the git command; text is encoded as file names are.
    """

    directory: Path
    git_dir: Path | None = None
    work_tree: Path | None = None
    env: Mapping[str, str] = field(default_factory=dict)
    config: tuple[str, ...] = ()

    def with_env(self, env: Mapping[str, str]) -> Git:
        """Return the same with more variables set, such as GIT_INDEX_FILE."""
        return replace(self, env={**self.env, **env})

    def with_config(self, *settings: str) -> Git:
        """Return the same with more `key=value` settings, as after `-c`."""
        return replace(self, config=(*self.config, *settings))

    def run(self, *args: str | bytes, stdin: bytes = b"") -> bytes:
        """Run `git args` and return stdout byte for byte; GitError when it fails."""
        done = self.try_run(*args, stdin=stdin)
        if done.returncode != 0:
            raise failure(os.fsdecode(args[0]), done)
        return done.stdout

    def try_run(self, *args: str | bytes, stdin: bytes = b"") -> Completed:
        """Run `git args` and return what came of it; GitError only when git itself cannot be started."""
        with self.popen(*args, stderr=subprocess.PIPE) as process:
            stdout, stderr = process.communicate(stdin)
        return Completed(process.returncode, stdout, stderr)

    def popen(self, *args: str | bytes, stderr: int | IO[bytes]) -> subprocess.Popen[bytes]:
        """Start `git args` with pipes on stdin and stdout; the caller ends it. `stderr` is as for subprocess."""
        if any(b"\0" in os.fsencode(arg) for arg in args):
            raise GitError(f"an argument for git {os.fsdecode(args[0])} contains a NUL")
        settings = (part for setting in (*NEUTRAL_CONFIG, *self.config) for part in ("-c", setting))
        try:
            return subprocess.Popen(
                ["git", *settings, *self._binding(), *args],
                cwd=self.directory,
                env=clean_environment(self.env),
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=stderr,
            )
        except (FileNotFoundError, NotADirectoryError) as error:
            if not self.directory.is_dir():
                raise GitError(f"{self.directory} is not a folder") from error
            raise GitError("git is not on the PATH", hint=_install()) from error

    def _binding(self) -> tuple[str, ...]:
        if self.git_dir is None:
            return ()
        tree = () if self.work_tree is None else (f"--work-tree={self.work_tree}",)
        return (f"--git-dir={self.git_dir}", *tree)


def failure(verb: str, done: Completed) -> GitError:
    """Return the error for a git process that failed; where it distrusts the folder's owner, its advice is the hint."""
    advice = None
    if _DUBIOUS in done.complaint:
        lines = done.stderr.decode("utf-8", "replace").splitlines()
        advice = next((line.strip() for line in lines if line.startswith("\t")), None)
    return GitError(f"git {verb}: {done.complaint}", hint=advice)


@functools.cache
def require_supported_git() -> None:
    """Refuse with GitError when git is missing or too old; asked once in a process (2 ms)."""
    answer = Git(Path(os.sep)).run("version").decode("utf-8", "replace").strip()
    found = re.match(r"git version (\d+)\.(\d+)", answer)
    if found is None or (int(found[1]), int(found[2])) < OLDEST_GIT:
        raise GitError(f"git is too old: {answer}", hint=_install())


def _install() -> str:
    return "install git {}.{} or newer".format(*OLDEST_GIT)
