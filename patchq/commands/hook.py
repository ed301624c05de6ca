"""`patchq hook …`: what git's hooks call, each imported alone for its speed, and what installs and uninstalls them."""

from __future__ import annotations

import importlib

import click

from patchq.commands.options import accept_global_options

# Sub-verb -> its module and the command in it, and its line in `patchq hook --help`. All modules together take
# 110 ms to import, and the one that a commit needs 35.
_VERBS = {
    "install": ("hook_install", "install_hook", "Install the hooks, or the merge driver."),
    "uninstall": ("hook_install", "uninstall_hook", "Take the hooks and the merge driver away."),
    "pre-commit": ("hook_precommit", "pre_commit", "Stop a commit that would lose what a patch put into a file."),
    "pre-push": ("hook_prepush", "pre_push", "Stop a push of a built branch that is not as it was built."),
    "post-checkout": ("hook_after", "post_checkout", "Say in one line what is missing in what was checked out."),
    "post-merge": ("hook_after", "post_merge", "Say in one line what is missing after a merge or pull."),
    "post-rewrite": ("hook_after", "post_rewrite", "Say in one line what is missing after a rebase."),
}


class LazyHooks(click.Group):
    """A group that imports a sub-verb when it is asked for."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """List every sub-verb, in the order of the table."""
        del ctx
        return list(_VERBS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Import the sub-verb's module and return it."""
        del ctx
        if cmd_name not in _VERBS:
            return None
        module, name, _ = _VERBS[cmd_name]
        found = getattr(importlib.import_module(f"patchq.commands.{module}"), name)
        if not isinstance(found, click.Command):
            msg = f"{module}.{name} is no click command"
            raise TypeError(msg)
        return accept_global_options(found)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the sub-verbs from the table alone."""
        del ctx
        with formatter.section("Commands"):
            formatter.write_dl([(verb, line) for verb, (_, _, line) in _VERBS.items()])


@click.group(cls=LazyHooks)
def command() -> None:
    r"""Install and run the git hooks that notice a lost patch, or let git merge through patchq.

    \b
    Examples:
      patchq hook install
      patchq hook install pre-commit pre-push
      patchq hook install --merge-driver
      patchq hook pre-commit
      patchq hook uninstall
    """
