from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.queued import BRANCH, built_fork, patch

if TYPE_CHECKING:
    from pathlib import Path

    from tests.fork import Fork

HEAD = """From: Ada Author <ada@example.org>
Date: Tue, 14 Nov 2023 22:13:20 +0000
X-Odd:   keep  me
Subject: [PATCH] beta does it
  and folds
Forwarded: not-needed

Because we need it.

Forwarded: no
---
"""


@pytest.fixture
def fork(tmp_path: Path) -> Fork:
    fork = built_fork(tmp_path / "fork")
    _, mark, diff = patch(fork, "beta").partition("diff --git")
    (fork.repo.path / "series/v1/beta.patch").write_text(HEAD + mark + diff)
    return fork


def test_options_change_message_and_trailers_and_no_other_line(fork: Fork) -> None:
    diff = patch(fork, "beta").partition("---\n")[2]
    ran = fork.run("edit", "beta", "-m", "New subject", "-m", "Some body.", "--trailer", "Bug: 7")
    assert ran.code == 0
    assert patch(fork, "beta") == (
        "From: Ada Author <ada@example.org>\nDate: Tue, 14 Nov 2023 22:13:20 +0000\nX-Odd:   keep  me\n"
        "Subject: New subject\nForwarded: not-needed\n\nSome body.\n\nForwarded: no\nBug: 7\n---\n" + diff
    )
    assert fork.run("edit", "beta", "--trailer", "Forwarded: https://example.org/7").code == 0
    assert [line for line in patch(fork, "beta").splitlines() if line.startswith("Forwarded:")] == [
        "Forwarded: https://example.org/7"
    ]
    assert fork.run("edit", "beta", "--remove-trailer", "forwarded").code == 0
    assert "Forwarded" not in patch(fork, "beta")
    assert fork.repo.text("log", "-1", "--format=%an %ad %s", "--date=raw", f"{BRANCH}~2") == (
        "Ada Author 1700000000 +0000 New subject"
    )
    assert fork.repo.text("status", "--porcelain", "-b") == f"## {BRANCH}"


def test_the_editor_gets_the_message_and_what_it_leaves_is_taken(fork: Fork, monkeypatch: pytest.MonkeyPatch) -> None:
    seen = fork.repo.path / "seen"
    script = fork.repo.path / ".git/editor"
    script.write_text(f'#!/bin/sh\ncp "$1" "{seen}"\nsed -i "1s/beta does it/Beta says/; 1a # a line" "$1"\n')
    script.chmod(0o755)
    monkeypatch.setenv("GIT_EDITOR", str(script))
    assert fork.run("edit", "beta").code == 0
    shown = seen.read_text()
    assert shown.startswith("beta does it and folds\n\nBecause we need it.\n\nForwarded: no\n\n# ----")
    assert "+line 20 by beta\n" in shown
    assert "Subject: Beta says and folds # a line\n" in patch(fork, "beta")
    assert "X-Odd:   keep  me\n" in patch(fork, "beta")


def test_an_unchanged_message_changes_nothing_and_an_empty_one_is_refused(
    fork: Fork, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = fork.state()
    monkeypatch.setenv("EDITOR", "true")
    ran = fork.run("edit", "beta")
    assert (ran.code, "is unchanged" in ran.out) == (0, True)
    monkeypatch.setenv("EDITOR", "truncate -s 0")
    assert fork.run("edit", "beta").code != 0
    monkeypatch.setenv("EDITOR", "false")
    failed = fork.run("edit", "beta")
    assert (failed.code, "nothing was changed" in failed.err) == (1, True)
    assert fork.run("edit", "beta", "--trailer", "Forwarded: no").code == 0
    assert fork.state() == before


def test_trailers_that_are_none_or_do_not_hold_are_refused(fork: Fork) -> None:
    before = fork.state()
    assert fork.run("edit", "beta", "--trailer", "nonsense").code == 2
    unknown = fork.run("edit", "beta", "--remove-trailer", "Bug")
    assert (unknown.code, "it has Forwarded" in unknown.err) == (1, True)
    unmet = fork.run("edit", "beta", "--trailer", "Expect: pkg/gate.py::nowhere")
    assert (unmet.code, "is not there after application" in unmet.err) == (1, True)
    assert fork.state() == before
