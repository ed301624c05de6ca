from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING

from tests.fork import Fork, story_fork

if TYPE_CHECKING:
    from collections.abc import Callable

ROOT = Path(__file__).parents[2]
COMMAND = [sys.executable, "-c", "from patchq.cli import main; main()", "rebase", "v2", "--skip-conflicts"]


def series(fork: Fork) -> dict[str, bytes]:
    told = fork.state()
    refs = [line for line in told.pop("refs").splitlines() if b"refs/patchq/" not in line]
    return {**told, "refs": b"\n".join(refs)}


def test_an_interrupt_at_any_moment_leaves_the_old_state_or_the_new_one(tmp_path: Path) -> None:
    """The signal goes to git's processes as well, as from a terminal; moments are spread over one whole run."""
    fork = story_fork(tmp_path / "fork")
    old = series(fork)
    start = time.monotonic()
    assert run(fork, lambda _: None) == 3
    whole = time.monotonic() - start
    new = series(fork)
    codes = []
    for part in range(3, 9):
        assert fork.run("undo").code in {0, 1}
        assert series(fork) == old
        codes.append(run(fork, lambda process, part=part: interrupt(process, whole * part / 10)))  # type: ignore[misc]
        fork.run("status")  # finishes or drops what was left
        assert series(fork) in (old, new)
    assert set(codes) <= {130, -signal.SIGINT, 3}  # the second one: before Python had come as far as our code
    assert set(codes) != {3}


def interrupt(process: subprocess.Popen[bytes], after: float) -> None:
    time.sleep(after)
    if process.poll() is None:
        os.killpg(process.pid, signal.SIGINT)


def run(fork: Fork, disturb: Callable[[subprocess.Popen[bytes]], None]) -> int:
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    with subprocess.Popen(
        COMMAND,
        cwd=fork.repo.path,
        env=environment,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
    ) as process:
        disturb(process)
        return process.wait(60)
