"""Where a repository is and what it says about itself: folders, configuration, remotes, identity, HEAD."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from patchq.errors import GitError
from patchq.gitstore.git import Completed, Git, failure, require_supported_git
from patchq.model.patch import Person

ObjectFormat = Literal["sha1", "sha256"]

_IDENTITY_VARIABLES = ("GIT_AUTHOR_NAME", "GIT_AUTHOR_EMAIL")


@dataclass(frozen=True, slots=True)
class Remote:
    """A configured remote and the first URL it is fetched from, as written in the configuration."""

    name: str
    url: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Repository:
    """A repository on disk; all paths are absolute.

    `git_dir` is the linked worktree's own folder where there is one, `common_dir` the one that all worktrees share,
    `work_tree` the top of the checked-out files, None for a bare repository (and when started from within `.git`).
    """

    git_dir: Path
    common_dir: Path
    work_tree: Path | None
    object_format: ObjectFormat

    @classmethod
    def discover(cls, start: Path | None = None) -> Repository:
        """Find the repository that `start` (default: the current directory) lies in; GitError where there is none."""
        start = Path.cwd() if start is None else start
        require_supported_git()
        done = _ask_where(start)
        if done.returncode != 0 and "not a git repository" in done.complaint:
            raise GitError(
                f"{start} is not in a git repository",
                hint="git clone URL to get one, or patchq snapshot NAME==VERSION to make one from releases",
            )
        return cls._from_answer(done)

    @classmethod
    def create(cls, path: Path) -> Repository:
        """Return the repository that `path` lies in, or make one there (with its folder) if there is none."""
        require_supported_git()
        _make(path)
        done = _ask_where(path)
        if done.returncode != 0 and "not a git repository" in done.complaint:
            Git(path).run("init", "--quiet")
            done = _ask_where(path)
        return cls._from_answer(done)

    @classmethod
    def _from_answer(cls, done: Completed) -> Repository:
        # Without a work tree git fails on the last question, after it has answered the others.
        match os.fsdecode(done.stdout).split("\n"):
            case [git_dir, common_dir, ("sha1" | "sha256") as object_format, *top, ""] if len(top) <= 1:
                return cls(
                    git_dir=Path(git_dir),
                    common_dir=Path(common_dir),
                    work_tree=Path(top[0]) if top else None,
                    object_format=object_format,
                )
            case _ if done.returncode == 0:
                raise GitError("the path of the repository contains a line break", hint="move it to another folder")
            case _:
                raise failure("rev-parse", done)

    @property
    def git(self) -> Git:
        """Git bound to this repository, started at the top of the work tree where there is one."""
        return Git(self.work_tree or self.git_dir, self.git_dir, self.work_tree)

    @property
    def state_dir(self) -> Path:
        """The folder of patchq's own state, shared by all worktrees; made when first asked for, or GitError."""
        path = self.common_dir / "patchq"
        _make(path)
        return path

    @property
    def null_id(self) -> str:
        """The id that git writes for `no object`."""
        return "0" * (40 if self.object_format == "sha1" else 64)

    @property
    def is_shallow(self) -> bool:
        """Whether history was cut off when the repository was cloned."""
        return (self.common_dir / "shallow").exists()

    def config(self, key: str) -> str | None:
        """Return the last value of `key` over all configuration files, None where it is not set.

        Keys that `environment.NEUTRAL_CONFIG` holds down have the value given there.
        """
        done = self.git.try_run("config", "-z", "--get", "--", key)
        if done.returncode == 1:
            return None
        if done.returncode != 0:
            raise failure("config", done)
        return os.fsdecode(done.stdout.removesuffix(b"\0"))

    def set_config(self, key: str, value: str) -> None:
        """Set `key` in the repository's own configuration; comments and order of the file stay."""
        self.git.run("config", "--local", "--", key, value)

    def remotes(self) -> tuple[Remote, ...]:
        """Return the remotes that have a URL, in the order of the configuration."""
        done = self.git.try_run("config", "-z", "--get-regexp", r"^remote\..*\.url$")
        if done.returncode not in (0, 1):
            raise failure("config", done)
        found: dict[str, Remote] = {}
        for record in done.stdout.split(b"\0")[:-1]:
            key, _, url = record.partition(b"\n")
            name = os.fsdecode(key.removeprefix(b"remote.").removesuffix(b".url"))
            found.setdefault(name, Remote(name, os.fsdecode(url)))
        return tuple(found.values())

    def default_branch(self, remote: str) -> str | None:
        """Return the branch that `remote` calls its HEAD, as the last clone or `git remote set-head` noted it."""
        prefix = f"refs/remotes/{remote}/"
        target = self._symbolic(prefix + "HEAD")
        return None if target is None or not target.startswith(prefix) else target.removeprefix(prefix)

    @property
    def current_branch(self) -> str | None:
        """The short name of the branch that HEAD is on, even an unborn one; None when it is detached."""
        target = self._symbolic("HEAD")
        return None if target is None else target.removeprefix("refs/heads/")

    @property
    def head(self) -> str | None:
        """The commit id of HEAD; None before the first commit."""
        done = self.git.try_run("rev-parse", "--quiet", "--verify", "HEAD^{commit}")
        return done.stdout.decode("ascii").strip() if done.returncode == 0 else None

    def identity(self) -> Person:
        """Return who authors a new patch, by git's own rules, but never guessed from the machine's name."""
        given = {name: os.environ[name] for name in _IDENTITY_VARIABLES if name in os.environ}
        done = self.git.with_config("user.useConfigOnly=true").with_env(given).try_run("var", "GIT_AUTHOR_IDENT")
        name, opened, rest = done.stdout.partition(b" <")
        email, closed, _ = rest.partition(b"> ")
        if done.returncode != 0 or not (opened and closed):
            raise GitError(
                f"the author of a patch is not known: {done.complaint}",
                hint='git config user.name "YOUR NAME"; git config user.email YOU@EXAMPLE.ORG',
            )
        return Person(name, email)

    def editor(self) -> str:
        """Return the command line of the user's editor, by git's own rules (git-var); GitError where there is none."""
        given = {name: os.environ[name] for name in ("GIT_EDITOR",) if name in os.environ}
        return os.fsdecode(self.git.with_env(given).run("var", "GIT_EDITOR")).strip()

    def _symbolic(self, name: str) -> str | None:
        done = self.git.try_run("symbolic-ref", "--quiet", name)
        return os.fsdecode(done.stdout).strip() if done.returncode == 0 else None


def _make(folder: Path) -> None:
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise GitError(f"the folder {folder} cannot be made: {error.strerror}") from error


def _ask_where(start: Path) -> Completed:
    return Git(start).try_run(
        "rev-parse",
        "--path-format=absolute",
        "--git-dir",
        "--git-common-dir",
        "--show-object-format",
        "--show-toplevel",
    )
