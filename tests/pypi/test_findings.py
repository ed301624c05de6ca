from __future__ import annotations

from typing import TYPE_CHECKING

from patchq.pypi.findings import Findings, Trouble, read_log
from patchq.pypi.wheels import SdistOffer, WheelOffer

if TYPE_CHECKING:
    from pathlib import Path

FILES = "https://files.example.org/packages/ab/cd"
LOG = f"""\
2026-11-30T17:34:53,195 Looking in indexes: https://example.org/simple
2026-11-30T17:34:53,195   Skipping link: none of the wheel's tags (cp311-cp311-win_amd64) are compatible \
(run pip debug --verbose to show compatible tags): {FILES}/demo-1.0-cp311-cp311-win_amd64.whl \
(from https://example.org/simple/demo/) (requires-python:>=3.10)
2026-11-30T17:34:53,202   Found link {FILES}/demo-0.9-py3-none-any.whl#sha256=ab, version: 0.9
2026-11-30T17:34:53,202   Skipping link: No sources permitted for demo: {FILES}/demo-1.0.tar.gz (from https://x/demo/)
2026-11-30T17:34:53,202   Skipping link: wrong project name (not demo): file:///wheels/other-1.0-py3-none-any.whl
2026-11-30T17:34:53,202 Could not fetch URL https://a.example.org/demo/: 404 Client Error: Not Found - skipping
2026-11-30T17:34:53,202 Could not fetch URL https://b.example.org/demo/: 503 Server Error: Busy - skipping
2026-11-30T17:34:53,202 Could not fetch URL https://c.example.org/demo/: connection error: HTTPSConnectionPool(\
host='c', port=1): Max retries exceeded with url: / (Caused by NewConnectionError('<pip._vendor.urllib3.connection.\
HTTPSConnection object at 0x7fe8>: Failed to establish a new connection: [Errno 111] Connection refused')) - skipping
"""


def test_what_pip_saw_is_read_from_its_log_whether_it_fitted_or_not(tmp_path: Path) -> None:
    log = tmp_path / "log"
    log.write_text(LOG)
    findings = read_log(log, "demo")
    assert [(type(offer), offer.file_name) for offer in findings.offers] == [
        (WheelOffer, "demo-1.0-cp311-cp311-win_amd64.whl"),
        (WheelOffer, "demo-0.9-py3-none-any.whl"),
        (SdistOffer, "demo-1.0.tar.gz"),
    ]


def test_an_index_that_has_no_such_project_is_no_trouble_but_one_that_fails_is(tmp_path: Path) -> None:
    log = tmp_path / "log"
    log.write_text(LOG)
    assert read_log(log, "demo").troubles == (
        Trouble("https://b.example.org/demo/", "503 Server Error: Busy"),
        Trouble("https://c.example.org/demo/", "Failed to establish a new connection: [Errno 111] Connection refused"),
    )


def test_no_log_means_no_findings(tmp_path: Path) -> None:
    assert read_log(tmp_path / "log", "demo") == Findings((), (), no_index=False)


def test_pip_without_an_index_is_noticed(tmp_path: Path) -> None:
    log = tmp_path / "log"
    log.write_text("2026-11-30T17:36:50,498 Ignoring indexes: https://example.org/simple\n")
    assert read_log(log, "demo").no_index
