"""The global options, accepted before the verb and behind it alike, as git users type them."""

from __future__ import annotations

import time
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import click

from patchq.commands.session import Colour, Output, Paging, Session, Volume

if TYPE_CHECKING:
    from collections.abc import Callable


def _session(ctx: click.Context) -> Session:
    if not isinstance(ctx.obj, Session):
        ctx.obj = Session()
    return ctx.obj


def _setting(change: Callable[[Session, object], Session]) -> Callable[[click.Context, click.Parameter, object], None]:
    """Make a click callback that changes the session when, and only when, the option was given."""

    def callback(ctx: click.Context, parameter: click.Parameter, value: object) -> None:
        del parameter
        if value is not None and value is not False:
            ctx.obj = change(_session(ctx), value)

    return callback


def _volume(volume: Volume) -> Callable[[Session, object], Session]:
    def change(session: Session, value: object) -> Session:
        del value
        if session.volume not in {Volume.NORMAL, volume}:
            raise click.UsageError("--quiet and --verbose exclude each other")
        return replace(session, volume=volume)

    return change


def _verbose(ctx: click.Context, parameter: click.Parameter, value: object) -> None:
    """Set the volume, and tell the time that the verb took once it has ended."""
    _setting(_volume(Volume.VERBOSE))(ctx, parameter, value)
    if value:
        start = time.perf_counter()
        ctx.call_on_close(lambda: click.echo(f"took {time.perf_counter() - start:.2f} s", err=True))


def global_options() -> list[click.Parameter]:
    """Return fresh option objects; each writes into the `Session` of its context and is passed to no function."""
    folder = click.Path(path_type=Path, file_okay=False)
    return [
        click.Option(
            ["--repo"],
            type=folder,
            metavar="DIR",
            expose_value=False,
            help="The repository (default: the one around the current folder).",
            callback=_setting(lambda session, value: replace(session, repo_option=Path(str(value)))),
        ),
        click.Option(
            ["--series"],
            type=folder,
            metavar="DIR",
            expose_value=False,
            help="The series folder (default: PATCHQ_SERIES, git config patchq.series, series/).",
            callback=_setting(lambda session, value: replace(session, series_option=Path(str(value)))),
        ),
        click.Option(
            ["--json"],
            is_flag=True,
            expose_value=False,
            help="Print one JSON document.",
            callback=_setting(lambda session, _: replace(session, output=Output.JSON)),
        ),
        click.Option(
            ["-q", "--quiet"],
            is_flag=True,
            expose_value=False,
            help="No progress and no notes on standard error.",
            callback=_setting(_volume(Volume.QUIET)),
        ),
        click.Option(
            ["-v", "--verbose"],
            is_flag=True,
            expose_value=False,
            help="More detail on standard error: the places, and the time it took.",
            callback=_verbose,
        ),
        click.Option(
            ["--no-pager"],
            is_flag=True,
            expose_value=False,
            help="Print long results as they are.",
            callback=_setting(lambda session, _: replace(session, paging=Paging.NEVER)),
        ),
        click.Option(
            ["--color"],
            type=click.Choice([colour.value for colour in Colour]),
            expose_value=False,
            help="When to colour (default: auto).",
            callback=_setting(lambda session, value: replace(session, colour=Colour(value))),
        ),
    ]


def accept_global_options(command: click.Command) -> click.Command:
    """Let `command`, and the verbs below it if it is a group, take the global options too; returns it.

    Help texts are raw docstrings; click keeps the lines of a paragraph that begins with a backspace character.
    """
    command.help = (command.help or "").replace("\\b\n", "\b\n")
    taken = {option for parameter in command.params for option in parameter.opts}
    command.params.extend(option for option in global_options() if not taken & set(option.opts))
    if isinstance(command, click.Group):
        for below in command.commands.values():  # a lazy group gives them to its verbs when it imports one
            accept_global_options(below)
    return command
