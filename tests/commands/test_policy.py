from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING

import pytest

from tests.fork import GATE, TABLE, WITH_12, Change, Fork

if TYPE_CHECKING:
    from pathlib import Path

OPEN = GATE.replace("== 10)", "== 10 or capability == 12)")
KNOB = "A = 1\nB = 2\n"


def make(path: Path, *, gate: str = "Forwarded: no", size: str = "Forwarded: no", knob: str = "Forwarded: no") -> Fork:
    """Upstream's second release deletes what `knob` patches; `gate` and `size` can be carried."""
    return Fork.create(
        path,
        v1={"pkg/table.py": TABLE, "pkg/gate.py": GATE, "pkg/old.py": KNOB},
        v2={"pkg/old.py": None, "pkg/more.py": "C = 1\n"},
        changes=[
            Change("gate", {"pkg/gate.py": OPEN}, gate),
            Change("size", {"pkg/table.py": WITH_12}, size),
            Change("knob", {"pkg/old.py": "A = 1\nB = 3\n"}, knob),
        ],
    )


def carried(fork: Fork, branch: str) -> list[str]:
    return fork.repo.text("log", "--format=%(trailers:key=Patchq-Patch,valueonly,separator=)", f"{branch}").split()


def listed(fork: Fork, ref: str) -> list[str]:
    return (fork.repo.path / f"series/{ref}/series").read_text().splitlines()


def test_an_optional_patch_stays_behind_and_the_others_are_published(tmp_path: Path) -> None:
    fork = make(tmp_path / "fork", knob="Policy: optional")
    assert fork.run("status", "v2").code == 0
    ran = fork.run("rebase", "v2")
    assert ran.code == 0
    assert "knob: published without it; it stays in the series as not carried" in " ".join(ran.out.split())
    assert carried(fork, "patched/v2") == ["size", "gate"]
    assert listed(fork, "v2")[-1] == "#patchq:not-carried knob.patch  # orphaned"
    status = fork.run("status", "--json")
    assert status.code == fork.run("status", "--all").code == 0
    assert [(it["standing"], it["policy"]["need"]) for it in status.json["patches"]] == [
        ("carried", "usual"),
        ("carried", "usual"),
        ("not-carried", "optional"),
    ]


def test_a_required_patch_is_never_left_out(tmp_path: Path) -> None:
    fork = make(tmp_path / "fork", knob="Policy: required")
    before = fork.state()
    for options in ((), ("--skip-conflicts",), ("--skip-conflicts", "--accept", "review")):
        ran = fork.run("rebase", "v2", *options)
        assert ran.code == 3
        assert "nothing is published without it" in ran.out
        assert fork.state() == before
    assert fork.run("edit", "knob", "--remove-trailer", "Policy", "--trailer", "Policy: optional").code == 0
    assert fork.run("rebase", "v2").code == 0


def test_the_series_can_have_a_rule_of_its_own(tmp_path: Path) -> None:
    fork = make(tmp_path / "fork", gate="Policy: required")
    manifest = fork.repo.path / "series/patchq.yaml"
    manifest.write_text(manifest.read_text() + "policy: {default: optional}\n")
    ran = fork.run("rebase", "v2", "--json")
    assert ran.code == 0
    assert [it["policy"]["need"] for it in ran.json["patches"]] == ["required", "optional", "optional"]
    manifest.write_text(manifest.read_text().replace("default: optional", "default: perhaps"))
    ran = fork.run("rebase", "v2")
    assert (ran.code, "policy.default: 'perhaps' is no policy" in ran.err) == (1, True)


def test_a_condition_keeps_a_patch_out_and_lets_it_back_by_itself(tmp_path: Path) -> None:
    fork = make(tmp_path / "fork", gate="Since: 2", size="Until: 2", knob="Until: 2")
    again = fork.run("rebase", "v1", "--json")
    assert (again.code, [it["verdict"] for it in again.json["patches"]]) == (0, ["guarded", "clean", "clean"])
    assert carried(fork, "patched/v1") == ["knob", "size"]
    assert listed(fork, "v1")[0] == "#patchq:not-carried gate.patch  # guarded"
    status = fork.run("status")
    assert status.code == 0
    assert "o gate  guarded     Since: 2; not for v1" in status.out
    ran = fork.run("rebase", "v2")
    assert ran.code == 0
    assert "1 clean, 2 guarded" in ran.out
    assert carried(fork, "patched/v2") == ["gate"]
    assert fork.repo.file("patched/v2", "pkg/gate.py").decode() == OPEN
    assert (
        fork.run("rebase", "v1", "--from", "v2").code == 0
    )  # and back: of v2's series, where these two are not carried
    assert carried(fork, "patched/v1") == ["knob", "size"]
    assert fork.repo.file("patched/v1", "pkg/table.py").decode() == WITH_12


def test_a_later_patch_stands_without_the_one_that_is_kept_out(tmp_path: Path) -> None:
    both = WITH_12.replace("    9: [4, 6, 8],\n", "    9: [4, 6, 8, 9],\n")
    fork = Fork.create(
        tmp_path / "fork",
        v1={"pkg/table.py": TABLE},
        v2={"pkg/more.py": "C = 1\n"},
        changes=[Change("size", {"pkg/table.py": WITH_12}, "Until: 2"), Change("nine", {"pkg/table.py": both})],
    )
    assert fork.run("rebase", "v2").code == 0
    assert fork.repo.file("patched/v2", "pkg/table.py").decode() == both.replace("    12: [6, 8],\n", "")
    fork.release("v3", {"pkg/more.py": "C = 2\n"})
    assert fork.run("rebase", "v3").code == 0
    assert carried(fork, "patched/v3") == ["nine"]
    fork.repo.git("tag", "v1.9", "v1")
    assert fork.run("rebase", "v1.9").code == 0
    assert fork.repo.file("patched/v1.9", "pkg/table.py").decode() == both


def test_the_text_of_a_patch_that_is_kept_out_goes_along(tmp_path: Path) -> None:
    """It changes a line of the patch before it, and comes back when the state it was made for is no base any more."""
    below = "# made for us\n"
    on_top = WITH_12.replace("    12: [6, 8],\n", "    12: [6, 8, 10],\n")
    fork = Fork.create(
        tmp_path / "fork",
        v1={"pkg/table.py": TABLE},
        v2={"pkg/table.py": below + TABLE},
        changes=[Change("size", {"pkg/table.py": WITH_12}), Change("more", {"pkg/table.py": on_top}, "Since: 3")],
    )
    assert fork.verdicts("rebase", "v2") == {"size": "clean", "more": "guarded"}
    assert fork.repo.file("patched/v2", "pkg/table.py").decode() == below + WITH_12
    text = (fork.repo.path / "series/v2/more.patch").read_text()
    assert "@@ -4," in text  # where the lines are now
    fork.release("v3", {"pkg/table.py": below + TABLE + "\n\nend = True\n"})
    assert fork.verdicts("rebase", "v3") == {"size": "clean", "more": "clean"}
    assert fork.repo.file("patched/v3", "pkg/table.py").decode() == below + on_top + "\n\nend = True\n"


def test_a_branch_counts_as_the_highest_release_in_it(tmp_path: Path) -> None:
    fork = make(tmp_path / "fork", gate="Since: 3", knob="Until: 2")
    assert fork.run("rebase", "upstream").code == 0
    assert "which counts as 2 by the tag v2" in " ".join(fork.run("status").out.split())
    fork.repo.git("tag", "v3", "upstream")
    assert "its condition holds now: the next rebase carries it" in " ".join(fork.run("status").out.split())
    fork.repo.git("tag", "-d", "v3")
    assert fork.run("edit", "size", "--trailer", "Since: 4").code == 0
    assert "its condition does not hold: the next rebase leaves it out" in " ".join(fork.run("status").out.split())
    assert fork.run("undo").code == 0
    fork.release("v3rc1", {"pkg/more.py": "C = 2\n"})
    assert fork.verdicts("rebase", "upstream") == {"gate": "clean", "size": "clean", "knob": "guarded"}
    assert carried(fork, "patched/upstream") == ["size", "gate"]


def test_where_no_release_is_known_the_patch_is_carried_and_that_is_said(tmp_path: Path) -> None:
    fork = make(tmp_path / "fork", gate="Since: 9", knob="Policy: optional")
    fork.repo.git("tag", "-d", "v2")
    fork.repo.git("tag", "-d", "v1")
    fork.repo.git("branch", "v1", "HEAD")
    ran = fork.run("rebase", "upstream")
    assert ran.code == 0
    assert "Since: 9) cannot be told: upstream contains no tag" in " ".join(ran.out.split())
    assert carried(fork, "patched/upstream") == ["size", "gate"]


def test_a_required_patch_that_its_condition_keeps_out_is_not_missed(tmp_path: Path) -> None:
    fork = make(tmp_path / "fork", knob="Policy: required\nUntil: 2")
    assert fork.run("rebase", "v2").code == 0


def test_status_names_owners_and_what_is_overdue(tmp_path: Path) -> None:
    fork = make(tmp_path / "fork", gate="Owner: ada\nExpires: 2026-11-30", size="Expires: 2026-12-01\nOwner: bob")
    noon = datetime(2026, 12, 1, 12, tzinfo=UTC)
    text = " ".join(fork.run("status", now=noon).out.split())
    assert "owner ada; expires 2026-11-30" in text
    assert "overdue gate since 2026-11-30 (ada): still needed?" in text
    told = [it["policy"] for it in fork.run("status", "--json", now=noon).json["patches"]]
    assert [(it["owner"], it["expires"], it["overdue"]) for it in told] == [
        ("ada", "2026-11-30", True),
        ("bob", "2026-12-01", False),
        (None, None, False),
    ]
    assert fork.run("status", "v2", "--json", now=noon).json["patches"][0]["policy"]["overdue"] is True
    assert "overdue" not in fork.run("status", now=datetime(2026, 11, 30, tzinfo=UTC)).out


@pytest.mark.parametrize(
    ("trailer", "said"),
    [("Since: soon", "Since: 'soon' is no version"), ("Policy: maybe", "Policy: 'maybe' is no policy")],
)
def test_a_malformed_value_stops_a_rebase_and_lint_finds_it(tmp_path: Path, trailer: str, said: str) -> None:
    fork = make(tmp_path / "fork", gate=f"Forwarded: no\n{trailer}")
    before = fork.state()
    ran = fork.run("rebase", "v2")
    assert ran.code == 1
    assert f"series/v1/gate.patch:8: {said}" in ran.err
    assert fork.state() == before
    assert "its policy cannot be read: series/v1/gate.patch:8:" in " ".join(fork.run("status").out.split())
    found = fork.run("lint", "--json").json["findings"]
    assert [(it["rule"], it["file"], it["line"]) for it in found if it["rule"] == "malformed-policy"] == [
        ("malformed-policy", "series/v1/gate.patch", 8)
    ]


def test_lint_warns_of_a_status_that_says_nothing(tmp_path: Path) -> None:
    fork = make(tmp_path / "fork", gate="Forwarded: some day")
    ran = fork.run("lint")
    assert ran.code == 1
    assert "unclear-status" in ran.out
