"""The command line: global options, the lazy table of verbs, and the one map from exceptions to exit codes."""

from __future__ import annotations

import errno
import gc
import importlib
import os
import sys
from typing import TYPE_CHECKING, NoReturn

import click

from patchq import __version__
from patchq.commands.options import accept_global_options, global_options
from patchq.commands.session import Session
from patchq.errors import ExitCode, PatchqError

if TYPE_CHECKING:
    from collections.abc import Sequence

# Verb -> its line in `patchq --help`. A verb's module is imported only when that verb runs.
VERBS: dict[str, dict[str, str]] = {
    "carry": {
        "rebase": "Carry the series to another upstream and build the patched branch.",
        "status": "List the patches still needed, and those that are open.",
        "build": "Build the patched branch of a ref again from its series.",
        "resolve": "Open what could not be carried, patch by patch, in a work tree of its own.",
        "continue": "Take what was made of the open patch, and go on.",
        "skip": "Leave the open patch as not carried, and go on.",
        "abort": "End a run of resolve; all is as before.",
        "resolutions": "List what was decided, or forget it.",
        "undo": "Take back commands that published, and list them.",
        "redo": "Do again what undo took back.",
    },
    "queue": {
        "init": "Start a series in this repository.",
        "import": "Add patches from files, commits or the dirty work tree.",
        "export": "Write patches for quilt, git am or patch(1).",
        "new": "Make a patch of what is changed in the work tree.",
        "refresh": "Take what is changed in the work tree into a patch.",
        "series": "List the patches of a ref in order.",
        "show": "Print one patch as it is kept.",
        "files": "List the files that patches touch.",
        "diff": "Print what one patch, some or all of them change.",
        "rename": "Give a patch another name.",
        "edit": "Change the message and trailers of a patch.",
        "move": "Move a patch to another place in the order.",
        "push": "Apply the next patches in the checkout.",
        "pop": "Take the topmost applied patches out of the checkout.",
        "goto": "Let the checkout stand on a patch.",
        "fold": "Fold patches into one.",
        "split": "Split a patch in two, by files or hunks, or one for each file.",
        "drop": "Take patches out of the series, with a reason.",
    },
    "evidence": {
        "explain": "Say how a patch was carried, rung by rung, or why it was not.",
        "forecast": "Name the commits of upstream that will change, break or absorb a patch.",
        "absorbed": "List the patches that upstream has taken over.",
        "compare": "Compare the series of two refs, patch by patch.",
        "report": "Write a page on the series at all its refs, for a browser or a CI job.",
        "verify": "Say of every patch whether it is in a tree: a ref, a folder, an installed package, an archive.",
        "apply": "Carry the series onto a folder or an installed package, without git.",
        "scan": "Find other places that lack what the patches add: tables, conditions, lists like the patched ones.",
        "probe": "Run the commands that patches carry as proof, on upstream and on the patched branch.",
        "judge": "Say whether one patch is still needed on a tree: a ref or a folder.",
    },
    "upstream": {
        "snapshot": "Turn releases on PyPI into upstream commits and tags.",
    },
    "integration": {
        "hook": "Install and run the git hooks.",
        "merge-file": "Carry one file's change to another text, as git merge-file merges.",
        "lint": "Look for what is wrong with patches and series, and mend what needs no guess.",
        "completion": "Print the script with which a shell completes patchq.",
        "demo": "Carry the shipped series over real releases, in a scratch folder.",
    },
}
# What the system says of a full or protected disk; any other OSError is a case that patchq failed to foresee.
_DISK_HINT = "make room or mend the permissions, then again; patchq status shows what stands"
_DISK_REFUSES = {errno.ENOSPC, errno.EDQUOT, errno.EACCES, errno.EPERM, errno.EROFS}
# `import` and `continue` are keywords: their modules have a trailing underscore.
_MODULES = {"import": "import_", "continue": "continue_", "merge-file": "merge_file"}


def module_of(verb: str) -> str:
    """Name the module of a verb, which has it as its attribute `command`."""
    return f"patchq.commands.{_MODULES.get(verb, verb)}"


class LazyVerbs(click.Group):
    """A group that knows its verbs by name and imports a verb's module when it is asked for."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """List every verb, in the order of the table."""
        del ctx
        return [verb for group in VERBS.values() for verb in group]

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Import the verb's module and return its `command`."""
        if cmd_name not in self.list_commands(ctx):
            return None
        module = importlib.import_module(module_of(cmd_name))
        command = module.command
        if not isinstance(command, click.Command):
            msg = f"{module.__name__}.command is no click command"
            raise TypeError(msg)
        return accept_global_options(command)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the verbs by group, from the table alone, so that help imports nothing."""
        del ctx
        for group, verbs in VERBS.items():
            with formatter.section(group.capitalize()):
                formatter.write_dl(list(verbs.items()))

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Find the verb, or say which ones come near what was typed."""
        if args and args[0] not in self.list_commands(ctx):
            import difflib  # noqa: PLC0415 - 6 ms that only a typing error has to pay

            near = difflib.get_close_matches(args[0], self.list_commands(ctx), n=2)
            guess = f" Did you mean {' or '.join(repr(name) for name in near)}?" if near else ""
            ctx.fail(f"no verb {args[0]!r}.{guess}")
        return super().resolve_command(ctx, args)


@click.command(
    cls=LazyVerbs,
    params=global_options(),
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
)
@click.version_option(__version__, prog_name="patchq", message="%(prog)s %(version)s")
@click.pass_context
def command_line(ctx: click.Context) -> None:
    """Carry your patches on a moving upstream without losing one."""
    if ctx.obj is None:
        ctx.obj = Session()


def main(arguments: Sequence[str] | None = None) -> NoReturn:
    """Run patchq with `arguments` (default: the process's) and exit with a code of `ExitCode`."""
    # Trees are many small objects that live to the end; looking for garbage among them costs 6 % of a rebase.
    gc.set_threshold(200_000, 20, 100)
    sys.exit(run(arguments) if _has_folder() else ExitCode.FINDINGS)


def _has_folder() -> bool:
    """Whether the current folder is there; tells if not."""
    try:
        os.getcwd()  # noqa: PTH109 - pathlib costs 27 ms where a verb does without it
    except FileNotFoundError:
        hint = "cd to the repository; the work tree of `patchq resolve` is cleared away when the last patch is settled"
        _say(PatchqError("the current folder is not there any more", hint=hint))
        return False
    return True


def run(arguments: Sequence[str] | None = None, session: Session | None = None) -> int:
    """Run patchq and return its exit code; the only place that turns exceptions into messages.

    `session` is where the options start from: with another clock, say.
    """
    try:
        result = command_line.main(args=arguments, prog_name="patchq", standalone_mode=False, obj=session)
    except click.exceptions.Exit as stop:
        return stop.exit_code
    except click.UsageError as error:
        error.show()
        return ExitCode.USAGE
    except click.ClickException as error:
        error.show()
        return ExitCode.FINDINGS
    except (click.Abort, KeyboardInterrupt):
        # What the verb had decided by then stands as a whole, or the next command finishes it.
        click.echo("interrupted; nothing is left half done: patchq status shows what stands", err=True)
        return ExitCode.INTERRUPTED
    except PatchqError as error:
        _say(error)
        return error.exit_code
    except BrokenPipeError:
        # The reader (`| head`) has gone. Point stdout elsewhere, or the interpreter complains once more at exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return ExitCode.FINDINGS
    except OSError as error:
        if error.errno not in _DISK_REFUSES:
            _save_bug()
            return ExitCode.BUG
        told = error.strerror if error.filename is None else f"{error.strerror}: {error.filename}"
        _say(PatchqError(str(told), hint=_DISK_HINT))
        return ExitCode.FINDINGS
    except Exception:  # noqa: BLE001 - the last resort: a bug is saved for a report instead of scrolling by
        _save_bug()
        return ExitCode.BUG
    return result if isinstance(result, int) else ExitCode.DONE


def _say(error: PatchqError) -> None:
    click.echo(f"error: {error}", err=True)
    if error.hint:
        click.echo(f"hint: {error.hint}", err=True)


def _save_bug() -> None:
    # 10 ms that only a bug has to pay.
    import tempfile  # noqa: PLC0415 - see above
    import traceback  # noqa: PLC0415 - see above

    with tempfile.NamedTemporaryFile("w", prefix="patchq-bug-", suffix=".txt", delete=False) as file:
        file.write(f"patchq {__version__}, Python {sys.version}\n{sys.argv!r}\n\n{traceback.format_exc()}")
    click.echo(f"error: patchq has a bug: {sys.exc_info()[1]!r}", err=True)
    click.echo(f"hint: patchq status shows what stands; the traceback is in {file.name}", err=True)
