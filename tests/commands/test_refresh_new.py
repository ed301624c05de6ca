from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.queued import BRANCH, assert_rebuilds, built_fork, names, patch, queue_fork

if TYPE_CHECKING:
    from pathlib import Path

    from tests.fork import Fork


@pytest.fixture
def fork(tmp_path: Path) -> Fork:
    return built_fork(tmp_path / "fork")


def files(fork: Fork) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in (fork.repo.path / "pkg").iterdir()}


def change(fork: Fork, name: str, old: str, new: str) -> None:
    path = fork.repo.path / name
    text = path.read_text()
    assert old in text
    path.write_text(text.replace(old, new))


def standing(fork: Fork) -> list[str]:
    return fork.repo.git("status", "--porcelain", "-b").decode().splitlines()


def test_refresh_takes_staged_unstaged_and_new_files_into_the_top_patch(fork: Fork) -> None:
    change(fork, "pkg/t.txt", "line 30\n", "line 30!\n")
    fork.repo.git("add", "pkg/t.txt")
    change(fork, "pkg/t.txt", "line 31\n", "line 31!\n")
    fork.repo.write({"pkg/more.txt": "more\n", "pkg/new.txt": None})
    before = files(fork)
    assert fork.run("refresh").code == 0
    assert files(fork) == before
    assert standing(fork) == [f"## {BRANCH}"]
    touched = [it["path"] for it in fork.run("files", "delta", "--json").json["files"]]
    assert touched == ["pkg/more.txt", "pkg/t.txt"]
    assert_rebuilds(fork)


def test_refresh_into_the_middle_carries_the_later_ones_and_touches_no_file(fork: Fork) -> None:
    change(fork, "pkg/t.txt", "line 20 by beta\n", "line 20 by beta, twice\nand more\n")
    fork.repo.write({"pkg/other.txt": "not now\n"})
    before = files(fork)
    ran = fork.run("refresh", "bet", "--paths", "pkg/t.txt", "--json")
    assert ran.code == 0
    assert "1 file taken into beta: pkg/t.txt" in ran.json["done"]
    assert files(fork) == before
    assert standing(fork) == [f"## {BRANCH}", "?? pkg/other.txt"]
    assert "+line 20 by beta, twice\n+and more\n" in patch(fork, "beta")
    assert "twice" not in patch(fork, "gamma")
    (fork.repo.path / "pkg/other.txt").unlink()
    assert_rebuilds(fork)


def test_undo_of_a_refresh_shows_the_change_again_as_one_of_the_work_tree(fork: Fork) -> None:
    tip, series = fork.repo.text("rev-parse", "HEAD"), patch(fork, "beta")
    change(fork, "pkg/t.txt", "line 20 by beta\n", "line 20 by beta, twice\n")
    before = files(fork)
    assert fork.run("refresh", "beta").code == 0
    assert fork.run("undo").code == 0
    assert files(fork) == before
    assert standing(fork) == [f"## {BRANCH}", " M pkg/t.txt"]
    assert (fork.repo.text("rev-parse", "HEAD"), patch(fork, "beta")) == (tip, series)


def test_a_change_that_no_earlier_patch_can_hold_is_refused_there(fork: Fork) -> None:
    change(fork, "pkg/t.txt", "alpha and gamma", "alpha, gamma and me")
    before = fork.state(), files(fork)
    ran = fork.run("refresh", "alpha")
    assert ran.code == 3
    assert "patchq refresh" in ran.out
    assert (fork.state(), files(fork)) == before


def test_popped_refresh_goes_into_the_applied_patch_and_the_others_follow(fork: Fork) -> None:
    assert fork.run("goto", "beta").code == 0
    change(fork, "pkg/t.txt", "line 38\n", "line 38!\n")
    refused = fork.run("refresh", "gamma")
    assert (refused.code, "is not applied here" in refused.err) == (1, True)
    assert fork.run("refresh").code == 0
    assert standing(fork) == ["## HEAD (no branch)"]
    assert fork.run("series", "--json").json["patches"][1]["applied"] is True
    assert fork.run("push", "-a").code == 0
    assert standing(fork) == [f"## {BRANCH}"]
    assert "line 38!\n" in (fork.repo.path / "pkg/t.txt").read_text()
    assert_rebuilds(fork)


def test_new_makes_a_patch_on_top_or_behind_the_applied_ones(fork: Fork) -> None:
    change(fork, "pkg/gate.py", "def other", "def another")
    before = files(fork)
    assert fork.run("new", "better-name", "-m", "A better name", "-m", "It says more.").code == 0
    assert names(fork)[-1] == "better-name"
    assert (files(fork), standing(fork)) == (before, [f"## {BRANCH}"])
    assert "Subject: A better name\n\nIt says more.\n---\n" in patch(fork, "better-name")
    assert patch(fork, "better-name").startswith("From: Ada Author <ada@example.org>\n")
    assert fork.run("pop", "alpha").code == 0
    fork.repo.write({"pkg/early.txt": "early\n"})
    assert fork.run("new", "early").code == 0
    assert names(fork)[:2] == ["alpha", "early"]
    assert standing(fork) == ["## HEAD (no branch)"]
    assert fork.run("series", "--json").json["patches"][1]["applied"] is True
    assert_rebuilds(fork)


def test_without_a_change_or_a_branch_to_compare_with_nothing_is_made(fork: Fork, tmp_path: Path) -> None:
    before = fork.state()
    for ran in (fork.run("new", "nothing"), fork.run("refresh")):
        assert (ran.code, "cannot be kept" in ran.err) == (1, True)
    assert fork.state() == before
    fork.repo.write({"pkg/x.txt": "x\n"})
    assert "already" in fork.run("new", "beta").err
    fork.repo.git("switch", "-q", "upstream")
    elsewhere = fork.run("refresh")
    assert (elsewhere.code, f"git switch {BRANCH}" in elsewhere.err) == (1, True)
    unbuilt = queue_fork(tmp_path / "unbuilt").run("refresh")
    assert (unbuilt.code, "patchq build" in unbuilt.err) == (1, True)


def test_a_series_edited_after_the_build_is_not_mixed_with_the_checkout(fork: Fork) -> None:
    fork.repo.write({"pkg/x.txt": "x\n"})
    path = fork.repo.path / "series/v1/delta.patch"
    path.write_text(path.read_text().replace("+hello", "+hullo"))
    before = fork.state()
    ran = fork.run("refresh", "alpha")
    assert (ran.code, "was edited after" in ran.err) == (1, True)
    assert fork.state() == before
