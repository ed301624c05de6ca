"""Real git repositories for tests, driven by the git program itself and never by patchq's own code."""

from __future__ import annotations

import subprocess
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path


@dataclass(frozen=True)
class GitRepo:
    """A repository in `path`; every call is one git process that must succeed unless `check` says otherwise."""

    path: Path

    @classmethod
    def create(cls, path: Path, *args: str) -> GitRepo:
        path.mkdir(parents=True)
        repo = cls(path)
        repo.git("init", "-q", *args)
        return repo

    def git(self, *args: str, stdin: bytes | None = None) -> bytes:
        done = subprocess.run(["git", *args], cwd=self.path, input=stdin, capture_output=True, check=False)
        assert done.returncode == 0, f"git {args}: {done.stderr.decode()}"
        return done.stdout

    def try_git(self, *args: str, stdin: bytes | None = None) -> subprocess.CompletedProcess[bytes]:
        return subprocess.run(["git", *args], cwd=self.path, input=stdin, capture_output=True, check=False)

    def text(self, *args: str) -> str:
        return self.git(*args).decode().strip()

    def write(self, files: Mapping[str, str | bytes | None]) -> None:
        """Write files into the work tree; None removes one."""
        for name, content in files.items():
            target = self.path / name
            if content is None:
                target.unlink()
                continue
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes(content if isinstance(content, bytes) else content.encode())

    def commit(self, message: str, files: Mapping[str, str | bytes | None], *, tag: str | None = None) -> str:
        """Write files, commit everything, maybe tag it; return the commit id."""
        self.write(files)
        self.git("add", "-A")
        self.git("commit", "-q", "--allow-empty", "-m", message)
        if tag is not None:
            self.git("tag", tag)
        return self.text("rev-parse", "HEAD")

    def file(self, rev: str, path: str) -> bytes:
        """Read the bytes of a file in a revision."""
        return self.git("cat-file", "blob", f"{rev}:{path}")
