from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.fork import Fork, story_fork

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture
def fork(tmp_path: Path) -> Fork:
    return story_fork(tmp_path / "fork")


@pytest.fixture
def carried(fork: Fork) -> Fork:
    """The fork after its rebase to v2."""
    fork.run("rebase", "v2", "--skip-conflicts")
    return fork


def test_status_of_a_ref_says_what_a_rebase_would_and_writes_nothing(fork: Fork) -> None:
    before = fork.state()
    assert fork.verdicts("status", "v2") == fork.verdicts("rebase", "v2", "--dry-run")
    assert fork.state() == before


def test_status_without_a_ref_tells_the_record(carried: Fork) -> None:
    ran = carried.run("status", "--json")
    assert ran.code == 3
    assert ran.json["onto"]["ref"] == "v2"
    told = {patch["name"]: (patch["verdict"], patch["standing"]) for patch in ran.json["patches"]}
    assert told == {
        "open-gate": ("clean", "carried"),
        "size-12": ("adapted", "carried"),
        "old-knob": ("orphaned", "not-carried"),
    }


def test_build_makes_the_same_commits_again(carried: Fork) -> None:
    tip = carried.repo.text("rev-parse", "patched/v2")
    carried.repo.git("branch", "-D", "patched/v2")
    ran = carried.run("build", "--json")
    assert ran.code == 0
    assert ran.json["branch"] == {"name": "patched/v2", "commit": tip}
    assert carried.run("status", "--json").json["patches"][1]["verdict"] == "adapted"


def test_build_of_an_older_ref_uses_its_own_series(carried: Fork) -> None:
    ran = carried.run("build", "v1", "--json")
    assert ran.code == 0
    assert carried.repo.text("log", "--format=%s", "v1..patched/v1").splitlines() == [
        "old-knob does it",
        "size-12 does it",
        "open-gate does it",
    ]


def test_build_refuses_a_series_that_does_not_fit_its_base(carried: Fork) -> None:
    path = carried.repo.path / "series/v2/open-gate.patch"
    path.write_bytes(path.read_bytes().replace(b"capability == 9 ", b"capability == 8 "))
    before = carried.state()
    ran = carried.run("build")
    assert ran.code == 3
    assert "open-gate" in ran.out
    assert carried.state() == before


def test_undo_brings_back_branch_and_series_together(fork: Fork) -> None:
    before = fork.state()
    fork.run("rebase", "v2", "--skip-conflicts")
    ran = fork.run("undo", "--json")
    assert ran.code == 0
    after = fork.state()
    gone = [line for line in after.pop("refs").splitlines() if b"refs/patchq/" not in line]
    assert b"\n".join(gone) + b"\n" == before.pop("refs")
    assert after == before


def test_undo_twice_takes_back_two_and_then_says_that_nothing_is_left(carried: Fork) -> None:
    first = carried.repo.text("rev-parse", "patched/v2")
    carried.run("rebase", "v2", "--skip-conflicts", "--branch", "second")
    assert carried.run("undo").code == 0
    assert carried.repo.try_git("rev-parse", "--verify", "second").returncode != 0
    assert carried.repo.text("rev-parse", "patched/v2") == first
    assert carried.run("undo").code == 0
    assert not (carried.repo.path / "series/v2").exists()
    nothing = carried.run("undo")
    assert nothing.code == 1
    assert "nothing to undo" in nothing.err


def test_undo_refuses_when_it_would_lose_later_work(carried: Fork) -> None:
    (carried.repo.path / "series/v2/size-12.patch").write_bytes(b"edited\n")
    edited = carried.run("undo")
    assert edited.code == 1
    assert "undo would lose that" in edited.err
    assert (carried.repo.path / "series/v2/size-12.patch").read_bytes() == b"edited\n"


def test_undo_refuses_when_the_branch_has_moved(carried: Fork) -> None:
    carried.repo.git("branch", "-f", "patched/v2", "v1")
    before = carried.state()
    assert carried.run("undo").code == 1
    assert carried.state() == before


def test_explain_shows_rungs_proof_and_interdiff(carried: Fork) -> None:
    ran = carried.run("explain", "size")
    assert ran.code == 0
    for part in ("three-way", "anchored", "SIZES[12]", "tokens gained and lost", "12: [4, 6, 8],"):
        assert part in ran.out
    document = carried.run("explain", "size-12", "--json").json
    assert [trial["rung"] for trial in document["files"][0]["trials"]] == ["exact", "offset", "three-way", "anchored"]


def test_explain_of_an_open_patch_says_what_is_gone(carried: Fork) -> None:
    ran = carried.run("explain", "old-knob")
    assert ran.code == 3
    assert "deleted" in ran.out


def test_explain_offers_near_misses(carried: Fork) -> None:
    ran = carried.run("explain", "sise-12")
    assert ran.code == 1
    assert "size-12" in ran.err
