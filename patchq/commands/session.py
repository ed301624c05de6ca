"""What every verb shares: the global options, where the repository and the series are, and how to print."""

from __future__ import annotations

import json
import os
import sys
from dataclasses import dataclass
from datetime import UTC, datetime
from enum import Enum
from pathlib import Path
from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from datetime import date


class Output(Enum):
    """Who reads standard output."""

    TEXT = "text"
    JSON = "json"
    SILENT = "silent"  # a verb runs as a step of another one


class Volume(Enum):
    """How much is said on standard error."""

    QUIET = "quiet"
    NORMAL = "normal"
    VERBOSE = "verbose"


class Colour(Enum):
    """The choices of `--color`."""

    AUTO = "auto"
    ALWAYS = "always"
    NEVER = "never"


class Paging(Enum):
    """Whether long results go through a pager."""

    AUTO = "auto"  # on a terminal
    NEVER = "never"


def _now() -> datetime:
    return datetime.now(UTC).astimezone()


@dataclass(frozen=True, slots=True, kw_only=True)
class Session:
    """One run of patchq: the global options as given. `repo_option` and `series_option` are None when not given."""

    repo_option: Path | None = None
    series_option: Path | None = None
    output: Output = Output.TEXT
    volume: Volume = Volume.NORMAL
    colour: Colour = Colour.AUTO
    paging: Paging = Paging.AUTO
    clock: Callable[[], datetime] = _now

    @property
    def today(self) -> date:
        """The day on the clock of the user."""
        return self.clock().date()

    @property
    def here(self) -> Path:
        """The folder from which pathspecs are read: the one of --repo, as for git -C, else the current one."""
        return Path.cwd() if self.repo_option is None else self.repo_option

    def say(self, text: str) -> None:
        """Print a result for people; silent when the output is JSON."""
        if self.output is Output.TEXT and text:
            click.echo(text, color=self.coloured)

    def document(self, document: Mapping[str, object]) -> None:
        """Print the one JSON document; silent when the output is for people."""
        if self.output is Output.JSON:
            click.echo(json.dumps(document, indent=1, ensure_ascii=True))

    def progress(self, text: str) -> None:
        """Tell a waiting person what is going on, on standard error."""
        if self.volume is not Volume.QUIET:
            click.echo(text, err=True)

    def detail(self, text: str) -> None:
        """Tell more, on standard error, only with --verbose."""
        if self.volume is Volume.VERBOSE:
            click.echo(text, err=True)

    @property
    def coloured(self) -> bool:
        """Whether standard output gets colour; `auto` honours NO_COLOR (https://no-color.org) and git's color.ui."""
        match self.colour:
            case Colour.ALWAYS:
                return True
            case Colour.NEVER:
                return False
            case Colour.AUTO:
                if not sys.stdout.isatty() or os.environ.get("NO_COLOR") or os.environ.get("TERM") == "dumb":
                    return False
                from patchq.gitstore.terminal import terminal_settings  # noqa: PLC0415 - the hook has no terminal

                return terminal_settings(self.repo_option).colour
