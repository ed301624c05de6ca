"""What became of the hooks that were installed or taken away, for people and for programs."""

from __future__ import annotations

from typing import TYPE_CHECKING

from patchq.gitstore.hooks import Done
from patchq.model.series import SCHEMA

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from patchq.gitstore.hooks import HookState


def by_done(states: Sequence[HookState]) -> Iterator[tuple[Done, list[HookState]]]:
    """Group the hooks by what became of them."""
    for done in Done:
        found = [state for state in states if state.done is done]
        if found:
            yield done, found


def listed(states: Sequence[HookState]) -> str:
    """Name the files."""
    return ", ".join(state.hook.name for state in states)


def states_document(command: str, states: Sequence[HookState], **more: object) -> dict[str, object]:
    """Return the JSON document of `command`."""
    hooks = [
        {
            "name": state.name.value,
            "done": state.done.value,
            "hook": str(state.hook),
            "chained": None if state.chained is None else str(state.chained),
        }
        for state in states
    ]
    return {"schema": SCHEMA, "command": command, "hooks": hooks, **more}
