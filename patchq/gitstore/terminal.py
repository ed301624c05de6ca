"""What the user has told git about terminals: colour, and the pager."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path

from patchq.gitstore.git import Git

_NO = frozenset({"false", "no", "off", "0", "never", ""})


@dataclass(frozen=True, slots=True)
class TerminalSettings:
    """`color.ui` and `color.pager` of git's configuration, the defaults where they are not set."""

    colour: bool = True
    colour_in_pager: bool = True


def terminal_settings(start: Path | None) -> TerminalSettings:
    """Read the settings that hold in the folder `start` (default: the current one), also outside a repository.

    `color.ui=always` is taken as `auto`: what goes into a file or a pipe is for programs.
    """
    told = _git(start).try_run("config", "-z", "--get-regexp", r"^color\.(ui|pager)$").stdout
    found: dict[str, list[str]] = {"color.ui": [], "color.pager": []}
    for item in os.fsdecode(told).split("\0"):
        key, _, value = item.partition("\n")
        if key in found:
            found[key].append(value.strip().lower())
    # The last color.ui is our own, by which git's output stays without colour (environment.py).
    ui, pager = found["color.ui"][:-1], found["color.pager"]
    return TerminalSettings(colour=not ui or ui[-1] not in _NO, colour_in_pager=not pager or pager[-1] not in _NO)


def pager_command(start: Path | None) -> str:
    """Return the command line of the user's pager by git's own rules: GIT_PAGER, core.pager, PAGER, less (git-var)."""
    given = {name: os.environ[name] for name in ("GIT_PAGER",) if name in os.environ}
    return os.fsdecode(_git(start).with_env(given).try_run("var", "GIT_PAGER").stdout).strip()


def _git(start: Path | None) -> Git:
    return Git(start if start is not None and start.is_dir() else Path.cwd())
