from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
import yaml

from tests.queued import BRANCH, assert_rebuilds, built_fork, names, patch, queue_fork, whole

if TYPE_CHECKING:
    from pathlib import Path

    from tests.fork import Fork


@pytest.fixture
def fork(tmp_path: Path) -> Fork:
    return built_fork(tmp_path / "fork")


def test_a_renamed_patch_keeps_place_text_and_record(fork: Fork) -> None:
    text, before = patch(fork, "beta"), fork.run("status", "--json").json["patches"][1]
    (fork.repo.path / "series/v1/series").write_text(
        "alpha.patch\n# why\nbeta.patch -p1 # note\ngamma.patch\ndelta.patch\n"
    )
    assert fork.run("rename", "bet", "second").code == 0
    series = (fork.repo.path / "series/v1/series").read_text()
    assert series == "alpha.patch\n# why\nsecond.patch -p1 # note\ngamma.patch\ndelta.patch\n"
    assert patch(fork, "second") == text
    assert not (fork.repo.path / "series/v1/beta.patch").exists()
    after = fork.run("status", "--json").json["patches"][1]
    assert {**after, "name": "beta"} == before
    assert "Patchq-Patch: second" in fork.repo.text("log", "-1", f"{BRANCH}~2")


def test_a_name_that_is_taken_or_illegal_is_refused(fork: Fork) -> None:
    (fork.repo.path / "series/v1/stray.patch").write_text("mine\n")
    before = fork.state()
    for name, word in (("GAMMA", "already"), ("stray", "does not name"), ("../x", "cannot be the name")):
        ran = fork.run("rename", "beta", name)
        assert (ran.code, word in ran.err) == (1, True), ran.err
    assert "near: beta" in fork.run("rename", "betta", "x").err
    assert fork.state() == before


def test_a_moved_patch_leaves_the_whole_as_it_is(fork: Fork) -> None:
    tree = whole(fork)
    ran = fork.run("move", "beta", "--first", "--json")
    assert ran.code == 0
    assert [it["name"] for it in ran.json["patches"]] == ["beta", "alpha"]
    assert names(fork) == ["beta", "alpha", "gamma", "delta"]
    assert whole(fork) == tree
    assert "-line 5\n" in patch(fork, "alpha")
    assert fork.repo.text("status", "--porcelain", "-b") == f"## {BRANCH}"
    for place in (("--last",), ("--before", "gam"), ("--after", "alpha")):
        assert fork.run("move", "beta", *place).code == 0
        assert whole(fork) == tree
    assert names(fork) == ["alpha", "beta", "gamma", "delta"]
    assert_rebuilds(fork)


def test_what_cannot_follow_a_move_is_told_and_nothing_is_changed(fork: Fork) -> None:
    before = fork.state()
    ran = fork.run("move", "gamma", "--first", "--json")
    assert ran.code == 3
    assert ran.json["published"] is False
    assert [(it["name"], it["verdict"]) for it in ran.json["patches"]] == [("gamma", "conflict")]
    assert "nothing was changed" in fork.run("move", "alpha", "--last").out
    assert fork.run("move", "alpha", "--first").out.startswith("alpha is there already")
    assert fork.run("move", "alpha").code == 2
    assert fork.run("move", "alpha", "--before", "alpha").code == 2
    assert fork.state() == before


def test_an_order_in_which_the_whole_would_be_another_is_refused(tmp_path: Path) -> None:
    fork = built_fork(tmp_path / "two")
    target = fork.repo.path / "pkg/t.txt"
    target.write_text(target.read_text() + "one\n")
    assert fork.run("new", "one").code == 0
    target.write_text(target.read_text() + "two\n")
    assert fork.run("new", "two").code == 0
    before = fork.state()
    assert fork.run("move", "two", "--before", "one", "--accept", "review").code != 0
    assert fork.state() == before


def test_a_dropped_patch_is_in_the_ledger_and_out_of_branch_and_checkout(fork: Fork) -> None:
    text = patch(fork, "delta")
    assert fork.run("drop", "del", "--reason", "upstream has  one").code == 0
    assert names(fork) == ["alpha", "beta", "gamma"]
    (entry,) = yaml.safe_load((fork.repo.path / "series/ledger.yaml").read_text())["entries"]
    told = (entry["name"], entry["reason"], entry["evidence"], entry["after"], entry["patch"])
    assert told == ("delta", "dropped", "upstream has one", "gamma", text)
    assert not (fork.repo.path / "pkg/new.txt").exists()
    assert fork.repo.text("status", "--porcelain", "-b") == f"## {BRANCH}"
    assert fork.run("undo").code == 0
    assert names(fork) == ["alpha", "beta", "gamma", "delta"]
    assert (fork.repo.path / "pkg/new.txt").read_text() == "hello\n"
    assert not (fork.repo.path / "series/ledger.yaml").exists()


def test_a_rebase_does_not_bring_back_what_was_dropped(fork: Fork) -> None:
    fork.repo.git("switch", "-q", "--detach", "v1")
    assert fork.run("drop", "delta").code == 0
    assert fork.run("rebase", "v2").code == 0
    assert [it["name"] for it in fork.run("series", "--json").json["patches"]] == ["alpha", "beta", "gamma"]


def test_a_patch_that_needs_the_dropped_one_is_told_with_the_command_for_both(fork: Fork) -> None:
    before = fork.state()
    ran = fork.run("drop", "alpha")
    assert ran.code == 3
    assert "patchq drop alpha gamma" in ran.out
    assert fork.state() == before
    assert fork.run("drop", "alpha", "gamma").code == 0
    assert names(fork) == ["beta", "delta"]
    assert_rebuilds(fork)


def test_local_changes_in_the_way_of_a_drop_stop_it_before_anything_is_published(fork: Fork) -> None:
    (fork.repo.path / "pkg/new.txt").write_text("mine\n")
    before = fork.state()
    ran = fork.run("drop", "delta")
    assert ran.code == 1
    assert "pkg/new.txt" in ran.err
    assert "git stash" in ran.err
    assert fork.state() == before


def test_without_a_built_branch_only_the_series_changes(tmp_path: Path) -> None:
    fork = queue_fork(tmp_path / "fork")
    refs = fork.repo.text("for-each-ref", "refs/heads")
    assert fork.run("move", "delta", "--first").code == 0
    assert fork.run("drop", "beta", "--json").json["branch"] is None
    assert names(fork) == ["delta", "alpha", "gamma"]
    assert fork.repo.text("for-each-ref", "refs/heads") == refs


def test_a_branch_with_commits_of_a_person_is_not_moved(fork: Fork) -> None:
    fork.repo.commit("mine", {"pkg/mine.txt": "mine\n"})
    before = fork.state()
    ran = fork.run("rename", "beta", "second")
    assert ran.code == 1
    assert "on top of what patchq built, the last one: mine" in ran.err
    assert fork.state() == before


def test_an_edit_by_hand_is_proved_and_recorded_with_the_next_edit_of_the_queue(fork: Fork) -> None:
    path = fork.repo.path / "series/v1/delta.patch"
    path.write_text(path.read_text().replace("Because we need it.", "Because."))
    assert "edited after" in fork.run("status").out
    assert fork.run("rename", "alpha", "first").code == 0
    assert "edited after" not in fork.run("status").out
    assert "Because." in fork.repo.text("log", "-1", BRANCH)
    path.write_text(path.read_text().replace("+hello", "+hello\n+more"))
    ran = fork.run("rename", "first", "alpha")
    assert (ran.code, "delta" in ran.err) == (1, True)
