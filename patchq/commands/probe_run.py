"""One command of a probe, run without a shell: with a time limit for it and all that it starts, and its last words."""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import tempfile
from typing import TYPE_CHECKING

from patchq.model.probe import Ending, Ran

if TYPE_CHECKING:
    from pathlib import Path

    from patchq.model.probe import Probe

_TAIL = 2000  # bytes of output that are kept


def run_probe(probe: Probe, folder: Path, seconds: float) -> Ran:
    """Run it in `folder`; what it leaves running is killed. Variables of git's own are not passed on."""
    environment = {name: value for name, value in os.environ.items() if not name.startswith("GIT_")}
    with tempfile.TemporaryFile() as output:
        try:
            process = subprocess.Popen(
                probe.words,
                cwd=folder,
                env={**environment, "PWD": os.fspath(folder), "PYTHONDONTWRITEBYTECODE": "1"},
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=subprocess.STDOUT,
                start_new_session=True,
            )
        except OSError as error:
            return Ran(ending=Ending.NOT_RUN, tail=f"{probe.words[0]}: {error.strerror}")
        try:
            code: int | None = process.wait(timeout=seconds)
        except subprocess.TimeoutExpired:
            code = None
        finally:
            with contextlib.suppress(ProcessLookupError, PermissionError):
                os.killpg(process.pid, signal.SIGKILL)
            process.wait()
        size = output.seek(0, os.SEEK_END)
        output.seek(max(0, size - _TAIL))
        tail = output.read(_TAIL).decode("utf-8", "replace").strip()
    if code is None:
        return Ran(ending=Ending.TIMED_OUT, tail=tail)
    return Ran(ending=Ending.FAILED if code else Ending.PASSED, code=code, tail=tail)
