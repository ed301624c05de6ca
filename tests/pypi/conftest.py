"""Where the tests of this room let pip look."""

from __future__ import annotations

import functools
import http.server
import threading
from dataclasses import dataclass
from typing import TYPE_CHECKING

import pytest

from tests.pypi.wheelhouse import make_wheelhouse

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path


@pytest.fixture
def wheelhouse(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder in which pip finds releases, and nowhere else."""
    return make_wheelhouse(tmp_path / "wheelhouse", monkeypatch)


@dataclass(frozen=True)
class Site:
    """A folder, and the address at which this machine can read it."""

    folder: Path
    url: str


class _Quiet(http.server.SimpleHTTPRequestHandler):
    def log_message(self, *_: object) -> None:
        pass


@pytest.fixture
def site(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Site]:
    """A web server for one test."""
    folder = tmp_path / "site"
    folder.mkdir()
    monkeypatch.setenv("NO_PROXY", "*")
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(_Quiet, directory=str(folder))) as server:
        thread = threading.Thread(target=server.serve_forever, args=(0.01,))
        thread.start()
        yield Site(folder, f"http://127.0.0.1:{server.server_port}")
        server.shutdown()
        thread.join()
