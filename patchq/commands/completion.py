"""`patchq completion SHELL`: the script that lets a shell complete verbs, options, patches and refs."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click
from click.shell_completion import get_completion_class

from patchq.errors import UsageError

if TYPE_CHECKING:
    from patchq.commands.session import Session

SHELLS = ("bash", "zsh", "fish")


@click.command()
@click.argument("shell", type=click.Choice(SHELLS), metavar="bash|zsh|fish")
@click.pass_context
def command(ctx: click.Context, *, shell: str) -> None:
    r"""Print the script that completes patchq in a shell: verbs, options, names of patches, refs of the series.

    It only calls patchq again when you press the tab key; nothing of the series is written into it.

    \b
    Examples:
      patchq completion bash > ~/.local/share/bash-completion/completions/patchq
      patchq completion zsh > ~/.zfunc/_patchq      # a folder of your fpath
      patchq completion fish > ~/.config/fish/completions/patchq.fish
    """
    session: Session = ctx.obj
    made = get_completion_class(shell)
    if made is None:
        raise UsageError(f"completion for {shell} is not known to this version of click")
    root = ctx.find_root()
    session.say(made(root.command, {}, "patchq", "_PATCHQ_COMPLETE").source().rstrip("\n"))
