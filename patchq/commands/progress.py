"""What a waiting person sees: after a second, one line on the terminal that says what is going on; gone at the end."""

from __future__ import annotations

import sys
import threading
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeVar

from patchq.commands.session import Session, Volume

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

_T = TypeVar("_T")
QUIET = Session(volume=Volume.QUIET)
ASKING = "asking upstream's history"
_PATIENCE = 1.0  # seconds
_PACE = 0.2
_ERASE = "\r\x1b[K"


@dataclass(slots=True)
class Progress:
    """How far a piece of work has come; `total` is None where that is not known."""

    what: str
    total: int | None = None
    done: int = 0

    def count(self, items: Iterable[_T]) -> Iterator[_T]:
        """Go through `items`, and count those that are behind."""
        for item in items:
            yield item
            self.done += 1

    def __str__(self) -> str:
        """Say it in a few words."""
        if self.total is None:
            return f"{self.what}: {self.done}" if self.done else self.what
        return f"{self.what}: {self.done} of {self.total}"


@contextmanager
def progress(session: Session, what: str, total: int | None = None) -> Iterator[Progress]:
    """Tell on standard error how far the body has come, if that is a terminal and the body takes more than a second.

    Nothing is told with --quiet. The line is drawn by a thread, so that a single long step is told as well.
    """
    state = Progress(what, total)
    if session.volume is Volume.QUIET or not sys.stderr.isatty():
        yield state
        return
    over = threading.Event()
    drawing = threading.Thread(target=_draw, args=(state, over), daemon=True)
    drawing.start()
    try:
        yield state
    finally:
        over.set()
        drawing.join()


def _draw(state: Progress, over: threading.Event) -> None:
    if over.wait(_PATIENCE):
        return
    while True:
        sys.stderr.write(f"{_ERASE}{state}")
        sys.stderr.flush()
        if over.wait(_PACE):
            break
    sys.stderr.write(_ERASE)
    sys.stderr.flush()
