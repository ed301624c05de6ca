"""Series in memory: trees as dicts, patches made from the states before and after."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from patchq.model.names import PatchName
from patchq.model.patch import GitDate, Message, Patch, Person
from patchq.model.tree import FileState, Mode
from patchq.model.verdict import Accept
from patchq.patchfile.read import read_patch, write_patch
from patchq.queue.replay import Journey, Task, replay
from patchq.reapply.describe import diff_states

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from patchq.model.outcome import PatchOutcome, Replay

Texts = dict[str, "str | None"]


@dataclass(frozen=True)
class DictTree:
    """A tree of regular files."""

    files: Mapping[bytes, FileState]

    @classmethod
    def of(cls, texts: Mapping[str, str | None]) -> DictTree:
        return cls({path.encode(): state(text) for path, text in texts.items() if text is not None})

    def read(self, path: bytes) -> FileState | None:
        return self.files.get(path)


def state(text: str) -> FileState:
    return FileState(Mode.REGULAR, text.encode())


def patch(name: str, before: Texts, after: Texts, trailers: str = "") -> Patch:
    """Make the patch that turns `before` into `after`; paths missing in `after` stay as they are."""
    changes = tuple(
        change
        for path, text in after.items()
        for change in diff_states(
            path.encode(),
            None if before.get(path) is None else state(str(before[path])),
            path.encode(),
            None if text is None else state(text),
        )
    )
    head = f"From: A <a@b.c>\nDate: Mon, 1 Jan 2024 00:00:00 +0000\nSubject: {name}\n\nWhy.\n"
    head += f"\n{trailers}\n" if trailers else ""
    message = Message(author=Person(b"A", b"a@b.c"), date=GitDate(0, "+0000"), subject=name.encode())
    made = Patch(name=PatchName(name), message=message, changes=changes)
    raw = write_patch(made)
    body = raw[raw.index(b"---\n") :]
    return read_patch(PatchName(name), head.encode() + body, file=name)


def carry(
    base: Texts,
    onto: Texts,
    *patches: Patch,
    renames: Mapping[str, str] | None = None,
    accept: Accept = Accept.PROVEN,
) -> Replay:
    """Replay `patches` from `base` to `onto`; `onto` names only what differs from base."""
    moved = {old.encode(): new.encode() for old, new in (renames or {}).items()}
    differ = [path.encode() for path, text in onto.items() if text is not None and base.get(path) != text]
    journey = Journey(
        base=DictTree.of(base),
        onto=DictTree.of({**base, **onto}),
        renames=moved,
        accept=accept,
        changed=lambda _: differ,
    )
    return replay([Task(one) for one in patches], journey)


def words(replayed: Replay) -> list[str]:
    return [outcome.verdict.value for outcome in replayed.outcomes]


def built(replayed: Replay, path: str) -> str:
    """Give the text of a file after all carried patches."""
    found = [outcome.writes[path.encode()] for outcome in replayed.outcomes if path.encode() in outcome.writes]
    assert found
    assert found[-1] is not None
    return found[-1].data.decode()


def reasons(outcome: PatchOutcome) -> Sequence[str]:
    return [conflict.reason for file in outcome.files for conflict in file.conflicts]
