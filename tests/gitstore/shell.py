"""Small shell scripts for tests of hooks, and how git would run one."""

from __future__ import annotations

import os
import subprocess
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path


def script(path: Path, body: str, mode: int = 0o755) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(f"#!/bin/sh\n{body}\n")
    path.chmod(mode)
    return path


def run_hook(hook: Path, *arguments: str, path: str = "/usr/bin:/bin") -> tuple[int, str, str]:
    environment = {**os.environ, "PATH": path}
    done = subprocess.run([hook, *arguments], capture_output=True, text=True, check=False, env=environment)
    return done.returncode, done.stdout, done.stderr
