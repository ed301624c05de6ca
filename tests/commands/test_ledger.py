from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
import yaml

from tests.fork import GATE, TABLE, WITH_12, Change, Files, Fork

if TYPE_CHECKING:
    from pathlib import Path
    from typing import Any

OPEN = GATE.replace("== 10)", "== 10 or capability == 12)")
LAST = "A = 1\nB = 2\nC = 3\n"
KEPT = LAST.replace("B = 2", "B = 20")


def ledger(fork: Fork) -> list[dict[str, Any]]:
    path = fork.repo.path / "series/ledger.yaml"
    return list(yaml.safe_load(path.read_text())["entries"]) if path.exists() else []


def seen(entry: dict[str, Any]) -> list[tuple[str, str]]:
    return [(one["seen"], one["at"]["ref"]) for one in entry.get("history", ())]


def order(fork: Fork, ref: str) -> list[str]:
    return (fork.repo.path / "series" / ref / "series").read_text().splitlines()


def asked(document: dict[str, Any]) -> dict[str, str]:
    return {one["name"]: one["answer"] for one in document["asked_again"]}


@pytest.fixture
def fork(tmp_path: Path) -> Fork:
    """Three patches on three files, of which upstream takes the second one at v2 and takes it back at v3."""
    v1: Files = {"gate.py": GATE, "table.py": TABLE, "last.py": LAST}
    changes = [
        Change("open-gate", {"gate.py": OPEN}),
        Change("size-12", {"table.py": WITH_12}),
        Change("keep-b", {"last.py": KEPT}),
    ]
    made = Fork.create(tmp_path / "fork", v1=v1, v2={"table.py": WITH_12}, changes=changes)
    made.release("v3", {"table.py": TABLE}, 'Revert "release 2"')
    made.release("v4", {"table.py": WITH_12}, "Reland")
    return made


def test_a_patch_that_upstream_took_back_returns_to_its_old_place(fork: Fork) -> None:
    assert fork.verdicts("rebase", "v2") == {"open-gate": "clean", "size-12": "absorbed", "keep-b": "clean"}
    assert order(fork, "v2") == ["open-gate.patch", "keep-b.patch"]
    would = fork.run("status", "v3", "--json").json
    ran = fork.run("rebase", "v3", "--json")
    assert ran.code == 0
    assert {patch["name"]: patch["verdict"] for patch in ran.json["patches"]} == {
        "open-gate": "clean",
        "size-12": "clean",
        "keep-b": "clean",
    }
    assert would["patches"] == ran.json["patches"]
    assert "it is back from the ledger: upstream had it at v2" in ran.json["patches"][1]["notes"][0]
    revert = fork.repo.text("rev-parse", "--short=10", "v3")
    assert ran.json["patches"][1]["notes"][1] == f'taken back by {revert} "Revert "release 2""'
    assert asked(ran.json) == {"size-12": "returned"}
    assert order(fork, "v3") == ["open-gate.patch", "size-12.patch", "keep-b.patch"]
    assert fork.repo.file("patched/v3", "table.py").decode() == WITH_12
    (entry,) = ledger(fork)
    assert seen(entry) == [("absorbed", "v2"), ("returned", "v3")]
    assert [one["commit"] for one in entry["history"]] == [fork.repo.text("rev-parse", ref) for ref in ("v2", "v3")]


def test_landed_again_it_is_retired_again_under_the_same_entry(fork: Fork) -> None:
    for ref in ("v2", "v3", "v4"):
        assert fork.run("rebase", ref).code == 0
    (entry,) = ledger(fork)
    assert seen(entry) == [("absorbed", "v2"), ("returned", "v3"), ("absorbed", "v4")]
    assert entry["seen_at"]["ref"] == "v4"
    assert entry["made_for"]["ref"] == "v3"
    assert entry["after"] == "open-gate"
    assert order(fork, "v4") == ["open-gate.patch", "keep-b.patch"]
    assert fork.run("rebase", "v3", "--from", "v4", "--json").json["patches"][1]["verdict"] == "clean"


def test_a_ref_older_than_the_absorption_still_gets_the_patch(fork: Fork) -> None:
    fork.repo.git("checkout", "-q", "v1")
    fork.repo.commit("older line", {"other.py": "X = 1\n"}, tag="v1.1")
    fork.repo.git("checkout", "-q", "--detach", "v1")
    fork.run("rebase", "v4")
    ran = fork.run("rebase", "v1.1", "--json")
    assert ran.code == 0
    assert ran.json["patches"][1]["verdict"] == "clean"
    assert "upstream has it at v4, and not here" in ran.json["patches"][1]["notes"][0]
    assert fork.repo.file("patched/v1.1", "table.py").decode() == WITH_12
    # The line of v4 goes on without it.
    fork.release("v5", {"other.py": "Y = 1\n"})
    later = fork.run("rebase", "v5", "--from", "v4", "--json").json
    assert [patch["name"] for patch in later["patches"]] == ["open-gate", "keep-b"]
    assert asked(later) == {"size-12": "absorbed"}


def test_a_second_run_tells_what_the_first_one_told(fork: Fork) -> None:
    for ref in ("v2", "v3"):
        first = fork.run("rebase", ref, "--json").json
        before = fork.state()
        again = fork.run("rebase", ref, "--json").json
        assert again["patches"] == first["patches"]
        assert again["summary"] == first["summary"]
        assert fork.state() == before


def test_undo_takes_the_ledger_back_too(fork: Fork) -> None:
    fork.run("rebase", "v2")
    before = (fork.repo.path / "series/ledger.yaml").read_bytes()
    fork.run("rebase", "v3")
    assert (fork.repo.path / "series/ledger.yaml").read_bytes() != before
    assert fork.run("undo").code == 0
    assert (fork.repo.path / "series/ledger.yaml").read_bytes() == before
    assert fork.verdicts("status", "v3")["size-12"] == "clean"
    fork.run("undo")
    assert not (fork.repo.path / "series/ledger.yaml").exists()


def test_a_returned_patch_is_built_like_any_other(fork: Fork) -> None:
    fork.run("rebase", "v2")
    tip = fork.run("rebase", "v3", "--json").json["branch"]["commit"]
    before = (fork.repo.path / "series/ledger.yaml").read_bytes()
    fork.repo.git("branch", "-D", "patched/v3")
    assert fork.run("build", "--json").json["branch"]["commit"] == tip
    assert (fork.repo.path / "series/ledger.yaml").read_bytes() == before


def test_one_that_conflicts_on_its_way_back_is_reported_at_its_place_and_kept(fork: Fork) -> None:
    fork.run("rebase", "v2")
    other = TABLE.replace("    9: [4, 6, 8],\n    10: [6, 8],\n", "    **more(),\n")
    fork.release("v5", {"table.py": other.replace("SIZES = {\n", "SIZES = {\n").replace("more()", "sizes()")})
    fork.repo.git("checkout", "-q", "v1")
    fork.repo.commit("another line", {"table.py": TABLE.replace("SIZES = {", "SIZES = {\n    12: [1],")}, tag="side")
    fork.repo.git("checkout", "-q", "--detach", "v1")
    before = fork.state()
    stopped = fork.run("rebase", "side", "--json")
    assert stopped.code == 3
    assert stopped.json["patches"][1]["verdict"] == "superseded"
    assert fork.state() == before
    assert "size-12" in fork.run("explain", "size-12", "--onto", "side").out
    assert fork.run("rebase", "side", "--skip-conflicts").code == 3
    assert order(fork, "side") == [
        "open-gate.patch",
        "#patchq:not-carried size-12.patch  # superseded",
        "keep-b.patch",
    ]
    # It is tried again from what its text was made for.
    assert fork.verdicts("rebase", "side")["size-12"] == "superseded"
    assert fork.verdicts("rebase", "v3", "--from", "side")["size-12"] == "clean"


def test_what_a_person_has_taken_out_is_not_asked_for_again(fork: Fork) -> None:
    fork.run("rebase", "v2")
    fork.run("rebase", "v3")
    (fork.repo.path / "series/v3/series").write_text("open-gate.patch\nkeep-b.patch\n")
    (fork.repo.path / "series/v3/size-12.patch").unlink()
    ran = fork.run("rebase", "v3", "--json")
    assert [patch["name"] for patch in ran.json["patches"]] == ["open-gate", "keep-b"]
    assert ran.json["asked_again"] == []


def test_upstream_may_go_on_from_what_it_has_taken_over(fork: Fork) -> None:
    fork.run("rebase", "v2")
    fork.release("v5", {"table.py": WITH_12.replace("12: [6, 8]", "12: [2, 4, 6, 8]")})
    ran = fork.run("rebase", "v5", "--json")
    assert ran.code == 0
    assert asked(ran.json) == {"size-12": "changed"}
    assert [patch["name"] for patch in ran.json["patches"]] == ["open-gate", "keep-b"]
    assert "upstream has gone on from what it had taken over: size-12" in fork.run("status", "v5").out


TEXT = "".join(f"line {number}\n" for number in range(12))
TAKEN = TEXT.replace("line 5\n", "line five\n")


@pytest.mark.parametrize(
    ("later", "answer", "code"),
    [
        pytest.param(TAKEN.replace("line five", "line 5.0"), "changed", 0, id="written-anew"),
        pytest.param(TEXT.replace("line 4\n", "").replace("line 6\n", ""), "returned", 3, id="undone-and-moved-on"),
        pytest.param(TAKEN.replace("line 4", "LINE 4").replace("line 6", "LINE 6"), "absorbed", 0, id="all-around-it"),
        pytest.param(None, "changed", 0, id="file-gone"),
    ],
)
def test_taking_back_is_told_from_going_on(tmp_path: Path, later: str | None, answer: str, code: int) -> None:
    changes = [Change("five", {"a.txt": TAKEN}), Change("far", {"far.py": KEPT})]
    v1: Files = {"a.txt": TEXT, "far.py": LAST}
    fork = Fork.create(tmp_path / "fork", v1=v1, v2={"a.txt": TAKEN}, changes=changes)
    fork.run("rebase", "v2")
    fork.release("v3", {"a.txt": later})
    ran = fork.run("rebase", "v3", "--json")
    assert (asked(ran.json), ran.code) == ({"five": answer}, code)


def test_a_branch_that_moves_on_is_asked_in_its_own_folder(fork: Fork) -> None:
    fork.repo.git("branch", "moving", "v1")
    for goal, verdicts in (("v2", ["clean", "absorbed", "clean"]), ("v3", ["clean"] * 3), ("v4", ["clean"] * 3)):
        fork.repo.git("branch", "-f", "moving", goal)
        ran = fork.run("rebase", "moving", "--json")
        assert ran.code == 0
        told = [patch["verdict"] for patch in ran.json["patches"]]
        assert told == (verdicts if goal != "v4" else ["clean", "absorbed", "clean"])
    (entry,) = ledger(fork)
    assert seen(entry) == [("absorbed", "moving"), ("returned", "moving"), ("absorbed", "moving")]


def test_a_renamed_file_is_followed_on_the_way_back(fork: Fork) -> None:
    fork.run("rebase", "v2")
    fork.release("v5", {"table.py": None, "pkg/sizes.py": TABLE})
    ran = fork.run("rebase", "v5", "--json")
    assert ran.code == 0
    assert fork.repo.file("patched/v5", "pkg/sizes.py").decode() == WITH_12
    assert ran.json["patches"][1]["verdict"] == "moved"


def test_the_name_of_a_retired_patch_is_not_given_to_another_one(fork: Fork) -> None:
    fork.run("rebase", "v2")
    diff = "--- a/last.py\n+++ b/last.py\n@@ -1,3 +1,3 @@\n A = 1\n B = 20\n-C = 3\n+C = 30\n"
    fork.repo.write({"size-12.patch": f"From: A <a@b.c>\nSubject: size-12\n\nWhy.\n---\n{diff}"})
    ran = fork.run("import", "size-12.patch", "--json")
    assert [patch["name"] for patch in ran.json["patches"]] == ["size-12-2"]


def test_an_old_ledger_is_read_and_its_texts_find_their_base(fork: Fork) -> None:
    fork.run("rebase", "v2")
    path = fork.repo.path / "series/ledger.yaml"
    document = yaml.safe_load(path.read_text())
    for entry in document["entries"]:
        del entry["made_for"], entry["found_in"]
    path.write_text(yaml.safe_dump(document))
    record = fork.repo.path / "series/v2/record.yaml"
    kept = [line for line in record.read_text().splitlines() if "retired" not in line and line != "  - size-12"]
    record.write_text("\n".join(kept) + "\n")
    assert fork.verdicts("rebase", "v3") == {"open-gate": "clean", "size-12": "clean", "keep-b": "clean"}
    assert order(fork, "v3") == ["open-gate.patch", "size-12.patch", "keep-b.patch"]


def test_a_text_that_does_not_fit_what_it_was_made_for_is_told_and_kept(fork: Fork) -> None:
    fork.run("rebase", "v2")
    path = fork.repo.path / "series/ledger.yaml"
    path.write_text(path.read_text().replace("10: [6, 8],", "10: [7, 8],"))
    ran = fork.run("rebase", "v3")
    assert ran.code == 0
    assert "size-12 was not asked again: its text does not apply to what it was made for" in " ".join(ran.out.split())
    assert [entry["name"] for entry in ledger(fork)] == ["size-12"]
    assert asked(fork.run("rebase", "v3", "--json").json) == {"size-12": "unknown"}


def test_a_text_that_stands_on_an_earlier_patch_comes_back_with_what_it_needs(tmp_path: Path) -> None:
    first = LAST.replace("B = 2", "B = 20")
    second = first.replace("B = 20", "B = 20\nB2 = 21")
    fork = Fork.create(
        tmp_path / "fork",
        v1={"last.py": LAST, "far.py": "Z = 0\n"},
        v2={"last.py": second},
        changes=[Change("one", {"last.py": first}), Change("two", {"last.py": second})],
    )
    fork.release("v3", {"last.py": LAST})
    assert fork.verdicts("rebase", "v2") == {"one": "absorbed", "two": "absorbed"}
    assert [entry["after"] for entry in ledger(fork) if "after" in entry] == ["one"]
    ran = fork.run("rebase", "v3", "--json")
    assert ran.code == 0
    assert order(fork, "v3") == ["one.patch", "two.patch"]
    assert fork.repo.file("patched/v3", "last.py").decode() == second


def test_half_of_it_taken_back_waits_for_a_look(tmp_path: Path) -> None:
    both: Files = {"table.py": WITH_12, "last.py": KEPT}
    fork = Fork.create(
        tmp_path / "fork", v1={"table.py": TABLE, "last.py": LAST}, v2=both, changes=[Change("both", both)]
    )
    fork.run("rebase", "v2")
    fork.release("v3", {"last.py": LAST})
    held = fork.run("rebase", "v3", "--json")
    assert held.code == 3
    assert held.json["patches"][0]["verdict"] == "partial"
    assert held.json["patches"][0]["needs_review"] is True
    taken = fork.run("rebase", "v3", "--accept", "review", "--json")
    assert taken.code == 0
    assert fork.repo.file("patched/v3", "last.py").decode() == KEPT
