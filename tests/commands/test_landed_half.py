"""The half of a patch that upstream took: kept in the ledger by itself, and back when upstream takes it back."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
import yaml

from tests.fork import GATE, TABLE, WITH_12, Change, Files, Fork

if TYPE_CHECKING:
    from pathlib import Path
    from typing import Any

OPEN = GATE.replace("== 10)", "== 10 or capability == 12)")
TAIL = '\n\ndef rows():\n    """The rows."""\n    return [1, 2, 3]\n'
BOTH = WITH_12 + TAIL.replace("[1, 2, 3]", "[1, 2, 3, 12]")


def ledger(fork: Fork) -> list[dict[str, Any]]:
    return list(yaml.safe_load((fork.repo.path / "series/ledger.yaml").read_text())["entries"])


def names(fork: Fork, ref: str) -> list[str]:
    return (fork.repo.path / "series" / ref / "series").read_text().splitlines()


@pytest.fixture
def fork(tmp_path: Path) -> Fork:
    """A patch on two files; upstream takes one of them at v2, and takes it back at v3."""
    changes = [Change("open", {"gate.py": OPEN, "table.py": WITH_12}, "Expect: table.py::SIZES[12]\nForwarded: no")]
    v1: Files = {"gate.py": GATE, "table.py": TABLE}
    made = Fork.create(tmp_path / "fork", v1=v1, v2={"table.py": WITH_12}, changes=changes)
    made.release("v3", {"table.py": TABLE}, 'Revert "release 2"')
    made.release("v4", {"table.py": WITH_12}, "Reland")
    return made


def test_the_landed_half_is_in_the_ledger_with_its_commit(fork: Fork) -> None:
    assert fork.verdicts("rebase", "v2") == {"open": "partial"}
    (entry,) = ledger(fork)
    assert (entry["name"], entry["part_of"], entry.get("after")) == ("open-landed", "open", None)
    assert entry["commit"] == fork.repo.text("rev-parse", "v2")
    assert "table.py" in entry["patch"]
    assert "gate.py" not in entry["patch"]
    assert "Because we need it." in entry["patch"]
    assert names(fork, "v2") == ["open.patch"]
    assert "the half of open that upstream has" in fork.run("absorbed").out
    assert fork.run("absorbed", "--json").json["patches"][0]["part_of"] == "open"
    assert fork.verdicts("rebase", "v2") == {"open": "partial"}
    assert ledger(fork) == [entry]


def test_a_half_that_upstream_took_back_returns_before_the_rest(fork: Fork) -> None:
    fork.run("rebase", "v2")
    ran = fork.run("rebase", "v3", "--json")
    assert ran.code == 0
    assert {one["name"]: one["verdict"] for one in ran.json["patches"]} == {"open": "clean", "open-landed": "clean"}
    revert = fork.repo.text("rev-parse", "--short=10", "v3")
    assert ran.json["patches"][0]["notes"][1] == f'taken back by {revert} "Revert "release 2""'
    assert names(fork, "v3") == ["open-landed.patch", "open.patch"]
    assert fork.repo.file("patched/v3", "gate.py").decode() == OPEN
    assert fork.repo.file("patched/v3", "table.py").decode() == WITH_12
    assert fork.verdicts("rebase", "v4") == {"open": "clean", "open-landed": "absorbed"}
    assert ledger(fork)[0]["part_of"] == "open"


def test_while_upstream_keeps_its_half_nothing_more_is_said(fork: Fork) -> None:
    fork.release("v2.1", {"table.py": WITH_12 + "\n\nOTHER = 1\n"}, "Another thing")
    fork.run("rebase", "v2")
    ran = fork.run("rebase", "v2.1", "--json")
    assert {one["name"]: one["verdict"] for one in ran.json["patches"]} == {"open": "clean"}
    assert [(one["name"], one["answer"]) for one in ran.json["asked_again"]] == [("open-landed", "absorbed")]


def test_the_whole_patch_of_another_ref_is_not_doubled_by_its_half(fork: Fork) -> None:
    fork.run("rebase", "v2")
    again = fork.run("rebase", "--from", "v1", "v3", "--branch", "try", "--json")
    assert {one["name"]: one["verdict"] for one in again.json["patches"]} == {"open": "clean"}
    assert fork.repo.file("try", "table.py").decode() == WITH_12


def test_half_of_one_file_returns_too(tmp_path: Path) -> None:
    fork = Fork.create(
        tmp_path / "fork",
        v1={"m.py": TABLE + TAIL},
        v2={"m.py": WITH_12 + TAIL},
        changes=[Change("both", {"m.py": BOTH})],
    )
    fork.release("v3", {"m.py": TABLE + TAIL}, "Take it back")
    assert fork.verdicts("rebase", "v2") == {"both": "partial"}
    assert fork.verdicts("rebase", "v3") == {"both": "clean", "both-landed": "clean"}
    assert fork.repo.file("patched/v3", "m.py").decode() == BOTH
    assert fork.run("undo").code == 0
    assert names(fork, "v2") == ["both.patch"]


def test_an_expectation_goes_with_the_half_it_speaks_of(fork: Fork) -> None:
    fork.run("rebase", "v2")
    (entry,) = ledger(fork)
    assert "Expect: table.py::SIZES[12]" in entry["patch"]
    assert "Forwarded: no" in entry["patch"]
