"""The texts of the hooks that patchq installs: POSIX sh, which runs the hook that was there before, then patchq."""

from __future__ import annotations

import os
import re
from enum import Enum
from typing import TYPE_CHECKING, assert_never

if TYPE_CHECKING:
    from pathlib import Path


class HookName(Enum):
    """The hooks of githooks(5) that patchq installs, in the order in which they are told of."""

    PRE_COMMIT = "pre-commit"
    PRE_PUSH = "pre-push"
    POST_CHECKOUT = "post-checkout"
    POST_MERGE = "post-merge"
    POST_REWRITE = "post-rewrite"

    @property
    def chained(self) -> str:
        """The name under which the hook that was there before is kept."""
        return f"{self.value}.patchq-chained"

    @property
    def legacy(self) -> str:
        """The name by which the pre-commit framework calls a hook that it has found, before its own."""
        return f"{self.value}.legacy"


# `hooks/NAME` of the source tree is `shim(NAME, None)`, and a test holds them together. Whoever changes these texts
# lets `is_shim` know the ones before too, or an update takes the old shim for somebody's hook and chains it.
#
# PATCHQ_CHAINED stops the circle that a copy of such a text among the chained hooks would make.
_TOP = """\
#!/bin/sh
# {purpose}
# Written by `patchq hook install`, taken away by `patchq hook uninstall`. The hook that stood here before, if there
# was one, lies beside this file as {name}.patchq-chained: it runs first, and its exit code counts.
"""
_CHAIN = """
chained=${{0%/*}}/{name}.patchq-chained
if [ -f "$chained" ] && [ -x "$chained" ] && [ "${{PATCHQ_CHAINED-}}" != "$PWD:$chained" ]; then
    {run} || {failed}
fi
"""
_RUN = 'PATCHQ_CHAINED="$PWD:$chained" "$chained" "$@"'
_REQUIRED = """
[ -x "$patchq" ] || patchq=$(command -v patchq) || {{
    echo 'error: patchq is not found, so nothing tells whether this {act} loses a patch
hint: install it, then: patchq hook install; or {verb} this once without it: git {verb} --no-verify' >&2
    exit 1
}}
"""
# What git has done is done: the exit code of post-checkout becomes that of `git checkout`, so ours is always 0 there.
_TOLD_AFTER = """
if {matters}; then
    if [ -x "$patchq" ] || patchq=$(command -v patchq); then
        "$patchq" hook {name} "$@" >&2 </dev/null
    else
        echo 'patchq is not found, so nothing tells whether patches are missing here: patchq hook install' >&2
    fi
fi
exit "$code"
"""
_PROGRAM = re.compile(r"patchq=(?:'[^'\n]*'|\\')*\n")


def shim(hook: HookName, program: Path | None) -> bytes:
    """Return the text of the hook, which calls `program`, or the patchq on the PATH where that is not there."""
    path = "" if program is None or "\n" in str(program) else str(program)
    quoted = "'" + path.replace("'", "'\\''") + "'"
    head, tail = _around(hook)
    return os.fsencode(f"{head}patchq={quoted}\n{tail}")


def is_shim(hook: HookName, data: bytes) -> bool:
    """Whether `data` is a text that `shim` gives for the hook, for whatever place of patchq, and nothing but that."""
    text = os.fsdecode(data)
    head, tail = _around(hook)
    middle = text.removeprefix(head).removesuffix(tail)
    return len(middle) == len(text) - len(head) - len(tail) and _PROGRAM.fullmatch(middle) is not None


def _around(hook: HookName) -> tuple[str, str]:
    """Return what stands before and after the line that says where patchq is."""
    match hook:
        case HookName.PRE_COMMIT:
            purpose = "Asks patchq whether this commit would lose what a carried patch put into a file."
            tail = _CHAIN + _REQUIRED + 'exec "$patchq" hook pre-commit\n'
            words = {"run": _RUN, "failed": "exit $?", "act": "commit", "verb": "commit"}
        case HookName.PRE_PUSH:
            purpose = "Asks patchq whether a built branch that is pushed is the one that was built from the series."
            # Both hooks want what git writes to standard input: one line for each ref. Unlike other hooks, this one has
            # git's own standard output, which `git push --porcelain` fills for programs.
            tail = "\nrefs=$(cat)\n" + _CHAIN + _REQUIRED
            tail += 'printf \'%s\\n\' "$refs" | "$patchq" hook pre-push "$@" >&2\n'
            run = f"printf '%s' \"${{refs:+$refs\n}}\" | {_RUN}"
            words = {"run": run, "failed": "exit $?", "act": "push", "verb": "push"}
        case HookName.POST_CHECKOUT:
            purpose = "Asks patchq whether patches are missing in what was checked out, and says so in one line."
            tail = "\ncode=0\n" + _CHAIN + _TOLD_AFTER
            words = {"run": _RUN, "failed": "code=$?", "matters": '[ "${3-1}" != 0 ]'}
        case HookName.POST_MERGE:
            purpose = "Asks patchq whether patches are missing after a merge or pull, and says so in one line."
            tail = "\ncode=0\n" + _CHAIN + _TOLD_AFTER
            words = {"run": _RUN, "failed": "code=$?", "matters": '[ "${1-0}" != 1 ]'}
        case HookName.POST_REWRITE:
            purpose = "Asks patchq whether patches are missing after a rebase, and says so in one line."
            tail = "\ncode=0\n" + _CHAIN + _TOLD_AFTER
            words = {"run": _RUN, "failed": "code=$?", "matters": '[ "${1-}" = rebase ]'}
        case _:
            assert_never(hook)
    head = _TOP.format(purpose=purpose, name=hook.value)
    return head, tail.format(name=hook.value, **words)
