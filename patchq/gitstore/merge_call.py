"""What git is doing when it calls a merge driver: a merge of branches or the replay of a commit, and its words."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path

from patchq.gitstore.git import Git
from patchq.text.conflict import Labels

_HEADS = "GITHEAD_"
_SHORT = 7


@dataclass(frozen=True, slots=True)
class MergeCall:
    """`of_branches`: nobody says which side is the patch. `labels` are those that git itself puts on markers."""

    labels: Labels
    of_branches: bool


def merge_call() -> MergeCall:
    """Ask the surroundings of this process; what they do not tell is called as git calls it.

    `git merge` exports a variable `GITHEAD_<commit>` for each commit that it merges, with the name that the user typed
    (git-merge-recursive reads it); rebase, cherry-pick, revert and am do not. A rebase keeps the command that it is at
    as the last line of `rebase-merge/done`, am the message in `rebase-apply/final-commit`.
    """
    heads = [name for key, name in os.environ.items() if key.startswith(_HEADS)]
    theirs = heads[0] if len(heads) == 1 else "theirs" if heads else _picked() or "theirs"
    return MergeCall(Labels(ours="HEAD", base="base", theirs=theirs), bool(heads))


def _picked() -> str | None:
    """Name the commit that a rebase is at, or the mail that am is at, as git does; None where none is under way."""
    asked = Git(Path.cwd()).try_run(
        "rev-parse", "--git-path", "rebase-merge/done", "--git-path", "rebase-apply/final-commit"
    )
    match os.fsdecode(asked.stdout).splitlines():
        case [done, _] if Path(done).is_file():
            words = _lines(Path(done))[-1].split(maxsplit=2)  # command, commit, subject
            return f"{words[1][:_SHORT]} ({words[2]})" if len(words) > 2 else None  # noqa: PLR2004 - the three
        case [_, mail] if Path(mail).is_file():
            return _lines(Path(mail))[0]
        case _:
            return None


def _lines(file: Path) -> list[str]:
    return file.read_bytes().decode("utf-8", "surrogateescape").splitlines() or [""]
