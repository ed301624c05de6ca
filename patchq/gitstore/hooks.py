"""The pre-commit hook on disk: which folder git looks into, our shim there, and the hook that was there before."""

from __future__ import annotations

import contextlib
import os
import re
from dataclasses import dataclass
from enum import Enum
from pathlib import Path
from typing import TYPE_CHECKING

from patchq.errors import GitError

if TYPE_CHECKING:
    from collections.abc import Iterator

    from patchq.gitstore.repository import Repository

HOOK = "pre-commit"
CHAINED = "pre-commit.patchq-chained"

# `hooks/pre-commit` of the source tree is `shim(None)`, and a test holds them together. Whoever changes this text lets
# `_is_ours` know the one before it too, or an update takes the old shim for somebody's hook and chains it.
#
# PATCHQ_CHAINED stops a circle: pre-commit (the framework) keeps a hook that it finds, which may be this one, as
# pre-commit.legacy and calls it first; put in front of it again, we would call it and it would call us, without end.
_HEAD = """\
#!/bin/sh
# Asks patchq whether this commit would lose what a carried patch put into a file.
# Written by `patchq hook install`, taken away by `patchq hook uninstall`. The hook that stood here before, if there
# was one, lies beside this file as pre-commit.patchq-chained: it runs first, and its exit code counts.
"""
_TAIL = """
chained=${0%/*}/pre-commit.patchq-chained
if [ -f "$chained" ] && [ -x "$chained" ] && [ "${PATCHQ_CHAINED-}" != "$PWD:$chained" ]; then
    PATCHQ_CHAINED="$PWD:$chained" "$chained" "$@" || exit $?
fi

[ -x "$patchq" ] || patchq=$(command -v patchq) || {
    echo 'error: patchq is not found, so nothing tells whether this commit loses a patch
hint: install it, then: patchq hook install; or commit this once without it: git commit --no-verify' >&2
    exit 1
}
exec "$patchq" hook pre-commit
"""
_PROGRAM = re.compile(r"patchq=(?:'[^'\n]*'|\\')*\n")


class Done(Enum):
    """What became of the hook."""

    INSTALLED = "installed"
    UPDATED = "updated"  # it was ours, for another place of patchq or without the right to run
    UNCHANGED = "unchanged"
    REMOVED = "removed"
    RESTORED = "restored"  # ours is removed, and the one before it is back
    ABSENT = "absent"


@dataclass(frozen=True, slots=True, kw_only=True)
class HooksFolder:
    """Where git looks for hooks. `origin` is the file whose `core.hooksPath` says so, None where none does.

    `inside`: it belongs to this repository, and not to several of them as one in the home folder does.
    """

    path: Path
    origin: str | None
    inside: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class HookState:
    """What stands now: the hook's file, the hook that it calls first, and what was done."""

    hook: Path
    chained: Path | None
    done: Done


def hooks_folder(repo: Repository) -> HooksFolder:
    """Find the folder that git takes hooks from, for this worktree, as git-config(1) has it (`core.hooksPath`)."""
    # `rev-parse --git-path hooks` would say /dev/null, which is what every git of ours is told.
    asked = ("config", "-z", "--show-origin", "--type=path", "--get-all", "core.hooksPath")
    fields = os.fsdecode(repo.git.run(*asked)).split("\0")[:-1]
    settings = list(zip(fields[::2], fields[1::2], strict=True))
    match settings[:-1]:  # the last one is our own
        case [*_, (origin, value)]:
            if not value:
                raise GitError("core.hooksPath is empty, so there is no folder for hooks", hint=_unset(origin))
            path = Path(os.path.normpath((repo.work_tree or repo.git_dir) / value))
            return HooksFolder(path=path, origin=origin, inside=_belongs(path, repo))
        case _:
            return HooksFolder(path=repo.common_dir / "hooks", origin=None, inside=True)


def shim(program: Path | None) -> bytes:
    """Return the text of the hook, which calls `program`, or the patchq on the PATH where that is not there."""
    path = "" if program is None or "\n" in str(program) else str(program)
    quoted = "'" + path.replace("'", "'\\''") + "'"
    return os.fsencode(f"{_HEAD}patchq={quoted}\n{_TAIL}")


def install(folder: Path, program: Path | None) -> HookState:
    """Put the shim for `program` into `folder`; a hook that is there is kept beside it and will run first.

    GitError, with nothing changed, where there is another chained hook already or where the disk refuses.
    """
    hook, chained = folder / HOOK, folder / CHAINED
    wanted = shim(program)
    with _disk(folder):
        folder.mkdir(parents=True, exist_ok=True)
        ours = _is_ours(hook)
        if ours and hook.read_bytes() == wanted and os.access(hook, os.X_OK):
            return HookState(hook=hook, chained=_present(chained), done=Done.UNCHANGED)
        with _written(hook, wanted) as fresh:
            if not ours and os.path.lexists(hook):
                _refuse_to_chain(hook, chained)
                hook.rename(chained)
            fresh.replace(hook)
    return HookState(hook=hook, chained=_present(chained), done=Done.UPDATED if ours else Done.INSTALLED)


def uninstall(folder: Path) -> HookState:
    """Take the shim out of `folder` and put the hook that it called first back into its place, byte for byte.

    GitError where the hook is not ours.
    """
    hook, chained = folder / HOOK, folder / CHAINED
    with _disk(folder):
        if not os.path.lexists(hook) and not os.path.lexists(chained):
            return HookState(hook=hook, chained=None, done=Done.ABSENT)
        if os.path.lexists(hook) and not _is_ours(hook):
            raise GitError(f"{hook} is not patchq's, or was edited since", hint="take patchq out of it by hand")
        if os.path.lexists(chained):
            chained.replace(hook)
            return HookState(hook=hook, chained=None, done=Done.RESTORED)
        hook.unlink()
    return HookState(hook=hook, chained=None, done=Done.REMOVED)


def _is_ours(hook: Path) -> bool:
    """Whether the file is a shim as `install` writes it, for whatever place of patchq, and nothing but that."""
    if hook.is_symlink() or not hook.is_file():
        return False
    text = os.fsdecode(hook.read_bytes())
    middle = text.removeprefix(_HEAD).removesuffix(_TAIL)
    return len(middle) == len(text) - len(_HEAD) - len(_TAIL) and _PROGRAM.fullmatch(middle) is not None


def _refuse_to_chain(hook: Path, chained: Path) -> None:
    if os.path.lexists(chained):
        raise GitError(
            f"{hook} is not patchq's, and the place it would be kept in, {chained.name}, is taken",
            hint=f"call `patchq hook pre-commit` from {hook}, or move {chained} away and install again",
        )
    if not hook.is_symlink() and not hook.is_file():
        raise GitError(f"{hook} is not a file", hint="move it away and install again")


def _present(chained: Path) -> Path | None:
    return chained if os.path.lexists(chained) else None


@contextlib.contextmanager
def _written(hook: Path, data: bytes) -> Iterator[Path]:
    """Write beside the place, to be renamed: git never finds half a hook, and a full disk is noticed in time."""
    fresh = hook.with_name(f"{hook.name}.patchq-{os.getpid()}")
    try:
        # 0o777 is what the umask takes from, as for any new program.
        with os.fdopen(os.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o777), "wb") as stream:
            stream.write(data)
        yield fresh
    finally:
        fresh.unlink(missing_ok=True)


def _belongs(path: Path, repo: Repository) -> bool:
    """Whether `path` lies in the repository: in its git folder, in this work tree or in the main one."""
    main = (repo.common_dir.parent,) if repo.common_dir.name == ".git" else ()
    homes = (repo.git_dir, repo.common_dir, *main, *((repo.work_tree,) if repo.work_tree else ()))
    real = Path(os.path.realpath(path))
    return any(real.is_relative_to(os.path.realpath(home)) for home in homes)


def _unset(origin: str) -> str:
    return f"git config --unset core.hooksPath ({origin})"


@contextlib.contextmanager
def _disk(folder: Path) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        raise GitError(f"the hook in {folder} cannot be changed: {error.strerror}") from error
