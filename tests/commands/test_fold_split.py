from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.queued import assert_rebuilds, built_fork, names, patch, whole

if TYPE_CHECKING:
    from pathlib import Path

    from tests.fork import Fork


@pytest.fixture
def fork(tmp_path: Path) -> Fork:
    return built_fork(tmp_path / "fork")


def test_folding_over_a_patch_between_carries_that_one_and_keeps_the_whole(fork: Fork) -> None:
    tree = whole(fork)
    ran = fork.run("fold", "gamma", "alpha", "--json")
    assert ran.code == 0
    assert [it["name"] for it in ran.json["patches"]] == ["beta"]
    assert names(fork) == ["alpha", "beta", "delta"]
    assert whole(fork) == tree
    head = patch(fork, "alpha").partition("---\n")[0]
    body = "Because we need it.\n\ngamma does it\n\nBecause we need it.\n\nForwarded: no\n"
    assert head.endswith(f"Subject: alpha does it\n\n{body}")
    assert "+line 5 by alpha and gamma\n" in patch(fork, "alpha")
    assert_rebuilds(fork)


def test_several_patches_fold_into_one_with_a_message_of_its_own(fork: Fork) -> None:
    tree = whole(fork)
    assert fork.run("fold", "--into", "beta", "alpha", "delta", "gamma", "-m", "All of it").code == 0
    assert names(fork) == ["beta"]
    assert "Subject: All of it\n" in patch(fork, "beta")
    assert whole(fork) == tree
    assert_rebuilds(fork)


def test_a_fold_says_what_it_leaves_out_from_below_the_dashes(fork: Fork) -> None:
    path = fork.repo.path / "series/v1/delta.patch"
    path.write_text(path.read_text().replace("\ndiff ", "\n---\nTested on hardware.\n\ndiff ", 1))
    ran = fork.run("fold", "delta")
    assert ran.code == 0
    assert "from below the --- of delta: Tested on hardware." in " ".join((ran.out + ran.err).split())


def test_a_fold_that_cannot_be_meant_is_refused(fork: Fork) -> None:
    before = fork.state()
    assert fork.run("fold", "alpha").code == 2
    assert fork.run("fold", "alpha", "beta", "gamma").code == 2
    assert fork.run("fold", "alpha", "alpha").code == 2
    assert fork.run("fold", "alpha", "delta").code == 3
    assert fork.state() == before


def test_patches_that_take_each_other_back_do_not_become_an_empty_one(fork: Fork) -> None:
    (fork.repo.path / "pkg/new.txt").unlink()
    assert fork.run("new", "without", "-m", "Not this file").code == 0
    before = fork.state()
    ran = fork.run("fold", "without")
    assert (ran.code, "nothing would be left" in ran.err) == (1, True)
    assert fork.state() == before


def test_split_by_file_gives_one_patch_for_each(fork: Fork) -> None:
    tree = whole(fork)
    assert fork.run("split", "gamma", "--by-file").code == 0
    assert names(fork) == ["alpha", "beta", "gamma", "gamma-t.txt", "delta"]
    assert [it["path"] for it in fork.run("files", "--json").json["files"]] == [
        "pkg/gate.py",
        "pkg/new.txt",
        "pkg/t.txt",
    ]
    assert "pkg/t.txt" not in patch(fork, "gamma")
    assert "Date: Tue, 14 Nov 2023 22:13:20 +0000\nSubject: gamma does it (pkg/t.txt)\n" in patch(fork, "gamma-t.txt")
    assert whole(fork) == tree
    assert_rebuilds(fork)


@pytest.mark.parametrize("side", ["--before", "--after"])
def test_split_by_hunks_and_back_is_the_same_patch(fork: Fork, side: str) -> None:
    assert fork.run("fold", "--into", "alpha", "beta", "gamma").code == 0
    text, tree = patch(fork, "alpha"), whole(fork)
    ran = fork.run("split", "alpha", "--hunks", "pkg/t.txt:2", "--files", "pkg/gate.py", "--name", "part", side)
    assert ran.code == 0
    assert names(fork)[:2] == (["part", "alpha"] if side == "--before" else ["alpha", "part"])
    assert whole(fork) == tree
    assert ("line 20 by beta" in patch(fork, "alpha"), "line 5 by" in patch(fork, "part")) == (True, True) or (
        "+line 20 by beta" in patch(fork, "part") and "+line 5 by alpha and gamma" in patch(fork, "alpha")
    )
    assert_rebuilds(fork)
    assert fork.run("fold", "--into", "alpha", "part", "-m", "x").code == 0
    assert patch(fork, "alpha").partition("diff --git")[2] == text.partition("diff --git")[2]


def test_intents_go_with_the_file_that_they_name(fork: Fork) -> None:
    assert fork.run("edit", "gamma", "--trailer", "Expect: pkg/gate.py::allowed").code == 0
    assert fork.run("split", "gamma", "--files", "pkg/ga*", "--name", "gate", "-m", "The gate").code == 0
    assert "Expect: pkg/gate.py::allowed" in patch(fork, "gate")
    assert "Expect:" not in patch(fork, "gamma")


def test_a_split_that_takes_all_or_nothing_is_refused(fork: Fork) -> None:
    before = fork.state()
    for arguments, code in (
        (("gamma",), 2),
        (("gamma", "--files", "pkg"), 2),
        (("gamma", "--files", "pkg", "--name", "x"), 1),
        (("gamma", "--files", "nowhere", "--name", "x"), 1),
        (("gamma", "--hunks", "pkg/t.txt:9", "--name", "x"), 1),
        (("gamma", "--hunks", "pkg/t.txt", "--name", "x"), 2),
        (("gamma", "--files", "pkg/t.txt", "--name", "beta"), 1),
        (("alpha", "--by-file"), 1),
        (("alpha", "--hunks", "pkg/t.txt:1", "--name", "x"), 1),
    ):
        assert fork.run("split", *arguments).code == code, arguments
    assert fork.state() == before
