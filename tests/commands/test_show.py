from __future__ import annotations

import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

from patchq.cli import run
from tests.running import patchq

if TYPE_CHECKING:
    from tests.gitrepo import GitRepo


@pytest.fixture
def filled(ours: GitRepo, monkeypatch: pytest.MonkeyPatch) -> GitRepo:
    """The series with the two patches of `ours`, and the current folder in it."""
    ours.git("checkout", "-q", "ours")
    ours.commit("Odd \u00fc bytes", {"latin.txt": b"gr\xfc\xdfe\r\n\x1b[31mred\n"})
    assert patchq("import", "v1..ours", cwd=ours.path).code == 0
    monkeypatch.chdir(ours.path)
    return ours


def test_a_pipe_gets_the_very_bytes_of_the_file(filled: GitRepo, capfdbinary: pytest.CaptureFixture[bytes]) -> None:
    assert run(["show", "odd-bytes"]) == 0
    out, err = capfdbinary.readouterr()
    assert (out, err) == ((filled.path / "series/v1/odd-bytes.patch").read_bytes(), b"")
    assert b"\xfc\xdfe\r\n+\x1b[31mred\n" in out


def test_what_is_shown_can_be_applied(filled: GitRepo) -> None:
    program = [sys.executable, "-c", "from patchq.cli import main; main()", "show", "sizes"]
    shown = subprocess.run(program, cwd=filled.path / "pkg", capture_output=True, check=True).stdout
    filled.git("checkout", "-q", "v1")
    filled.git("apply", "--check", "-", stdin=shown)


def test_with_colour_nothing_is_left_that_a_terminal_would_obey(filled: GitRepo) -> None:
    out = patchq("show", "odd", "--color", "always", cwd=filled.path).out
    assert "\x1b[32m+gr\\xfc\\xdfe\\r\x1b[0m\n" in out
    assert "+\\x1b[31mred" in out


def test_any_unique_beginning_and_the_file_itself_name_a_patch(filled: GitRepo) -> None:
    whole = patchq("show", "sizes-for-12", cwd=filled.path).out
    assert whole.startswith("From: Ada Author <ada@example.org>\n")
    for name in ("s", "sizes-for-12.patch", "series/v1/sizes-for-12.patch"):
        assert patchq("show", name, cwd=filled.path).out == whole


def test_the_series_of_another_ref_is_named_either_way(filled: GitRepo) -> None:
    (filled.path / "series/v1").rename(filled.path / "series/v0")
    for arguments in (["sizes", "v0"], ["sizes", "--ref", "v0"], ["sizes", "v0", "--ref", "v0"]):
        assert patchq("show", *arguments, cwd=filled.path).code == 0
    ran = patchq("show", "sizes", "v0", "--ref", "v1", cwd=filled.path)
    assert (ran.code, ran.err.splitlines()[0]) == (2, "error: which series, v0 or v1?")


@pytest.mark.parametrize(
    ("text", "error"),
    [
        ("o", "'o' could be open-the-gate, odd-bytes\nhint: type more of the name\n"),
        ("gate", "the series of v1 has no patch 'gate'; near: open-the-gate\nhint: patchq series v1 lists them\n"),
        ("opne-the-gate", "the series of v1 has no patch 'opne-the-gate'; near: open-the-gate\n"),
        ("zzz", "the series of v1 has no patch 'zzz'\nhint: patchq series v1 lists them\n"),
        ("", "the series of v1 has no patch ''\nhint: patchq series v1 lists them\n"),
    ],
)
def test_a_name_that_is_none_gets_the_candidates(filled: GitRepo, text: str, error: str) -> None:
    ran = patchq("show", text, cwd=filled.path)
    assert (ran.code, ran.out) == (1, "")
    assert ran.err.startswith(f"error: {error}")


def test_the_document_has_the_head_in_parts_and_the_text(filled: GitRepo) -> None:
    document = patchq("show", "open", "--json", cwd=filled.path).json
    assert {key: document[key] for key in ("command", "name", "standing", "author", "trailers")} == {
        "command": "show",
        "name": "open-the-gate",
        "standing": "carried",
        "author": {"name": "Ada Author", "email": "ada@example.org"},
        "trailers": [{"key": "Forwarded", "value": "no"}],
    }
    assert document["text"] == (filled.path / "series/v1/open-the-gate.patch").read_text()
