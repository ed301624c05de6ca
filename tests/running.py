"""Run patchq in this process as a shell would: arguments in; exit code, both streams and JSON out."""

from __future__ import annotations

import contextlib
import io
import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from patchq.cli import run
from patchq.commands.session import Session

if TYPE_CHECKING:
    from datetime import datetime
    from pathlib import Path


@dataclass(frozen=True)
class Ran:
    """What one run of patchq left: its exit code and what it wrote."""

    code: int
    out: str
    err: str

    @property
    def json(self) -> Any:  # noqa: ANN401 - a document is what it is
        """The one JSON document on standard output."""
        return json.loads(self.out)


def patchq(*arguments: str, cwd: Path, now: datetime | None = None) -> Ran:
    """Run `patchq ARGUMENTS` in the folder `cwd`, where the clock stands at `now` (default: the real one)."""
    session = None if now is None else Session(clock=lambda: now)
    out = io.TextIOWrapper(io.BytesIO(), encoding="utf-8", write_through=True)
    err = io.TextIOWrapper(io.BytesIO(), encoding="utf-8", write_through=True)
    with contextlib.chdir(cwd), contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        code = run(arguments, session)
    return Ran(int(code), _text(out), _text(err))


def _text(stream: io.TextIOWrapper) -> str:
    raw = stream.buffer
    assert isinstance(raw, io.BytesIO)
    return raw.getvalue().decode("utf-8", "replace")
