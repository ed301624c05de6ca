"""Options that several verbs have alike, word for word."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from patchq.commands.completing import SERIES_REF

if TYPE_CHECKING:
    from collections.abc import Callable

from_option = click.option(
    "--from",
    "source",
    type=SERIES_REF,
    metavar="REF",
    help="Start from the series of this ref (default: the current one).",
)


def inspected_tree(verb: Callable[..., int]) -> Callable[..., int]:
    """Take the tree that a verb looks into: a name, or an installed package of some interpreter."""
    python = click.Path(path_type=Path)
    verb = click.option("--python", type=python, metavar="PATH", help="The interpreter that has it installed.")(verb)
    look = "Look into an installed package instead, without importing it."
    verb = click.option("--installed", metavar="NAME", help=look)(verb)
    return click.argument("tree", required=False)(verb)
