from __future__ import annotations

from typing import TYPE_CHECKING

from tests.fork import TABLE, WITH_12, Change, Fork

if TYPE_CHECKING:
    from pathlib import Path


def made(path: Path) -> Fork:
    changes = [
        Change("far-2", {"far.py": "A = 2\n"}),
        Change("size-12", {"table.py": WITH_12}),
        Change("knob", {"knob.py": "K = 2\n"}),
    ]
    v1 = {"table.py": TABLE, "far.py": "A = 1\n", "knob.py": "K = 1\n"}
    fork = Fork.create(path, v1=v1, v2={"table.py": WITH_12, "knob.py": None}, changes=changes)
    fork.run("rebase", "v2", "--skip-conflicts")
    return fork


def test_every_patch_is_told_at_every_ref_newest_first(tmp_path: Path) -> None:
    fork = made(tmp_path / "fork")
    before = fork.state()
    ran = fork.run("status", "--all")
    assert ran.code == 3
    assert ran.out.splitlines() == [
        "         v2  v1",
        "far-2    +   n",
        "size-12  -   n",
        "knob     ?   n",
        "",
        "+ clean  - absorbed  ? orphaned  n new, never carried",
        "",
        "3 patches, 2 refs",
    ]
    document = fork.run("status", "--all", "--json").json
    assert [ref["ref"] for ref in document["refs"]] == ["v2", "v1"]
    told = {patch["name"]: patch["refs"] for patch in document["patches"]}
    assert told["size-12"] == {
        "v2": {"verdict": "absorbed", "standing": "retired"},
        "v1": {"verdict": None, "standing": "carried"},
    }
    assert told["knob"]["v2"] == {"verdict": "orphaned", "standing": "not-carried"}
    assert fork.state() == before


def test_older_refs_are_left_out_where_the_screen_ends(tmp_path: Path) -> None:
    fork = made(tmp_path / "fork")
    fork.run("rebase", "v2", "--skip-conflicts")
    for number in range(3, 18):
        fork.release(f"v0.{number}", {"other.py": f"X = {number}\n"})
        fork.run("rebase", f"v0.{number}", "--skip-conflicts")
    lines = fork.run("status", "--all").out.splitlines()
    assert all(len(line) <= 80 for line in lines)
    assert lines[0].split()[:3] == ["v0.17", "v2", "v1"]
    assert lines[-1] == "3 patches, 17 refs; 6 older refs not shown (--json has all)"
    assert len(fork.run("status", "--all", "--json").json["refs"]) == 17


def test_all_and_a_ref_exclude_each_other(tmp_path: Path) -> None:
    ran = made(tmp_path / "fork").run("status", "v2", "--all")
    assert ran.code == 2
    assert "--all tells of every ref" in ran.err
