from __future__ import annotations

import ast
from typing import TYPE_CHECKING

import pytest

from tests.fork import TABLE, Change, Files, Fork, story_fork
from tests.running import patchq

if TYPE_CHECKING:
    from pathlib import Path

    from tests.gitrepo import GitRepo


@pytest.fixture
def fork(tmp_path: Path) -> Fork:
    return story_fork(tmp_path / "fork")


STORY = {"open-gate": "clean", "size-12": "adapted", "old-knob": "orphaned"}


def test_every_patch_gets_its_verdict_at_once_and_a_conflict_publishes_nothing(fork: Fork) -> None:
    before = fork.state()
    ran = fork.run("rebase", "v2", "--json")
    assert ran.code == 3
    assert {patch["name"]: patch["verdict"] for patch in ran.json["patches"]} == STORY
    assert ran.json["branch"] is None
    assert fork.state() == before


def test_skip_conflicts_publishes_the_others_and_keeps_the_rest_as_not_carried(fork: Fork) -> None:
    ran = fork.run("rebase", "v2", "--skip-conflicts", "--json")
    assert ran.code == 3
    assert ran.json["branch"] == {"name": "patched/v2", "commit": fork.repo.text("rev-parse", "patched/v2")}
    subjects = fork.repo.text("log", "--format=%s", "v2..patched/v2").splitlines()
    assert subjects == ["size-12 does it", "open-gate does it"]
    assert (fork.repo.path / "series/v2/series").read_text().splitlines() == [
        "open-gate.patch",
        "size-12.patch",
        "#patchq:not-carried old-knob.patch  # orphaned",
    ]
    status = fork.run("status")
    assert status.code == 3
    assert "not carried" in status.out
    assert "old-knob" in status.out


def test_a_mirrored_entry_follows_its_sibling_and_says_so(fork: Fork) -> None:
    ran = fork.run("rebase", "v2", "--skip-conflicts", "--json")
    built = ast.parse(fork.repo.file("patched/v2", "pkg/table.py"))
    table = next(node.value for node in ast.walk(built) if isinstance(node, ast.Assign))
    assert ast.literal_eval(table)[12] == [4, 6, 8]
    patch = next(patch for patch in ran.json["patches"] if patch["name"] == "size-12")
    assert patch["notes"] == ["copied [10], which upstream has changed: [6, 8] -> [4, 6, 8]"]
    assert patch["files"][0]["anchors"] == ["pkg/table.py::SIZES[12]"]


def test_without_a_mirror_the_copy_is_kept_and_waits_for_a_look(tmp_path: Path) -> None:
    change = Change("size-12", {"t.py": TABLE.replace("    10: [6, 8],\n", "    10: [6, 8],\n    12: [6, 8],\n")})
    fork = Fork.create(
        tmp_path / "fork", v1={"t.py": TABLE}, v2={"t.py": TABLE.replace("[6, 8]", "[4, 6, 8]")}, changes=[change]
    )
    held = fork.run("rebase", "v2", "--json")
    assert held.code == 3
    assert held.json["patches"][0]["needs_review"] is True
    assert held.json["branch"] is None
    taken = fork.run("rebase", "v2", "--accept", "review", "--json")
    assert taken.code == 0
    assert b"12: [6, 8]," in fork.repo.file("patched/v2", "t.py")
    assert "which upstream has changed since" in taken.json["patches"][0]["notes"][0]


def test_twice_and_elsewhere_give_the_same_commits_and_the_same_report(fork: Fork, tmp_path: Path) -> None:
    first = fork.run("rebase", "v2", "--skip-conflicts", "--json").json
    again = fork.run("rebase", "v2", "--skip-conflicts", "--json").json
    assert again["branch"] == first["branch"]
    assert again["patches"] == first["patches"]
    other = story_fork(tmp_path / "other")
    other.repo.git("config", "user.name", "Somebody Else")
    other.repo.git("config", "commit.gpgSign", "true")
    assert other.run("rebase", "v2", "--skip-conflicts", "--json").json["branch"] == first["branch"]


def test_the_users_work_tree_index_stash_and_head_are_not_touched(fork: Fork) -> None:
    fork.repo.write({"pkg/gate.py": "stash me\n"})
    fork.repo.git("stash", "-q")
    fork.repo.write({"pkg/gate.py": "work in progress\n", "new.txt": "new\n"})
    fork.repo.git("add", "pkg/gate.py")
    before = fork.state()
    fork.run("rebase", "v2", "--skip-conflicts")
    after = fork.state()
    for part in ("head", "index", "status"):
        assert after[part] == before[part]
    assert fork.repo.text("stash", "list").count("\n") == 0
    assert (fork.repo.path / "pkg/gate.py").read_text() == "work in progress\n"


def test_a_dry_run_writes_nothing(fork: Fork) -> None:
    before = fork.state()
    objects = fork.repo.git("count-objects", "-v")
    assert fork.run("rebase", "v2", "--dry-run", "--skip-conflicts").code == 3
    assert fork.state() == before
    assert fork.repo.git("count-objects", "-v") == objects


def test_commits_name_their_patch_and_keep_author_and_date(fork: Fork) -> None:
    fork.run("rebase", "v2", "--skip-conflicts")
    told = fork.repo.text(
        "log", "-1", "--format=%an %ae %at %cn %ct%n%(trailers:key=Patchq-Patch,valueonly)", "patched/v2"
    )
    assert told.splitlines() == ["Ada Author ada@example.org 1700000000 Ada Author 1700000000", "size-12"]


def test_another_branch_name_can_be_asked_for(fork: Fork) -> None:
    fork.run("rebase", "v2", "--skip-conflicts", "--branch", "try/it")
    assert fork.repo.text("rev-parse", "--verify", "try/it")
    assert fork.repo.try_git("rev-parse", "--verify", "patched/v2").returncode != 0


def test_a_checked_out_branch_is_not_moved(fork: Fork) -> None:
    fork.run("rebase", "v2", "--skip-conflicts")
    fork.repo.git("checkout", "-q", "patched/v2")
    patch = fork.repo.path / "series/v2/open-gate.patch"
    patch.write_bytes(patch.read_bytes().replace(b"Because we need it.", b"Because we need it so."))
    before = fork.state()
    ran = fork.run("rebase", "v2", "--skip-conflicts")
    assert ran.code == 1
    assert "checked out" in ran.err
    assert "git switch --detach" in ran.err
    assert fork.state() == before


def test_a_branch_with_a_persons_commits_is_not_overwritten(fork: Fork) -> None:
    fork.repo.git("branch", "mine", "v1")
    before = fork.state()
    taken = fork.run("rebase", "v2", "--skip-conflicts", "--branch", "mine")
    assert taken.code == 1
    assert "which patchq did not build" in taken.err
    assert fork.state() == before
    fork.run("rebase", "v2", "--skip-conflicts")
    fork.repo.git("checkout", "-q", "patched/v2")
    fork.repo.git("commit", "-q", "--allow-empty", "-m", "a fix on top")
    fork.repo.git("checkout", "-q", "--detach", "v1")
    moved = fork.run("build")
    assert moved.code == 1
    assert "git branch -m patched/v2 NAME" in moved.err


def test_an_absorbed_patch_goes_to_the_ledger(tmp_path: Path) -> None:
    v1: Files = {"t.py": TABLE}
    added = TABLE.replace("    10: [6, 8],\n", "    10: [6, 8],\n    12: [6, 8],\n")
    reformatted = added.replace("    12: [6, 8],\n", "    12: [\n        6,\n        8,\n    ],  # upstream has it\n")
    fork = Fork.create(tmp_path / "fork", v1=v1, v2={"t.py": reformatted}, changes=[Change("size-12", {"t.py": added})])
    ran = fork.run("rebase", "v2", "--json")
    assert ran.code == 0
    assert ran.json["patches"][0]["verdict"] == "absorbed"
    assert ran.json["patches"][0]["absorbed_by"]["how"] == "syntax"
    assert fork.repo.text("rev-parse", "patched/v2") == fork.repo.text("rev-parse", "v2")
    assert "size-12" in (fork.repo.path / "series/ledger.yaml").read_text()


def test_same_key_with_another_value_is_superseded(tmp_path: Path) -> None:
    added = TABLE.replace("    10: [6, 8],\n", "    10: [6, 8],\n    12: [6, 8],\n")
    fork = Fork.create(
        tmp_path / "fork",
        v1={"t.py": TABLE},
        v2={"t.py": added.replace("12: [6, 8]", "12: [2]")},
        changes=[Change("size-12", {"t.py": added})],
    )
    assert fork.verdicts("rebase", "v2") == {"size-12": "superseded"}


def test_an_edited_patch_that_was_not_carried_is_tried_on_the_new_base(fork: Fork) -> None:
    fork.run("rebase", "v2", "--skip-conflicts")
    path = fork.repo.path / "series/v2/old-knob.patch"
    head = path.read_text().split("diff --git")[0]
    path.write_text(
        head + "diff --git a/pkg/new.py b/pkg/new.py\nnew file mode 100644\n--- /dev/null\n+++ b/pkg/new.py\n"
        "@@ -0,0 +1 @@\n+B = 3\n"
    )
    ran = fork.run("rebase", "v2", "--json")
    assert ran.code == 0
    assert {patch["verdict"] for patch in ran.json["patches"]} == {"clean", "adapted"}
    assert fork.repo.file("patched/v2", "pkg/new.py") == b"B = 3\n"


def test_a_series_of_another_ref_is_not_overwritten_unasked(fork: Fork) -> None:
    fork.run("rebase", "v2", "--skip-conflicts")
    before = fork.state()
    ran = fork.run("rebase", "v1", "--skip-conflicts")
    assert ran.code == 1
    assert "there is a series for v1 already" in ran.err
    assert fork.state() == before


def test_edits_in_the_series_of_the_goal_are_not_replaced_by_starting_over(fork: Fork) -> None:
    fork.run("rebase", "v2", "--skip-conflicts")
    path = fork.repo.path / "series/v2/old-knob.patch"
    path.write_bytes(path.read_bytes().replace(b"Because we need it.", b"Half done."))
    before = fork.state()
    ran = fork.run("rebase", "v2", "--from", "v1", "--skip-conflicts")
    assert ran.code == 1
    assert "old-knob of the series for v2 was edited" in ran.err
    assert fork.state() == before


def test_a_remote_branch_is_told_as_it_was_typed_and_never_as_the_local_one(fork: Fork) -> None:
    fork.repo.git("branch", "main", "v1", "-f")
    fork.repo.git("update-ref", "refs/remotes/origin/main", "v2")
    fork.repo.git("remote", "add", "origin", "file:///nowhere")
    stopped = fork.run("rebase", "origin/main", "--no-fetch")
    assert "patchq rebase origin/main --skip-conflicts" in stopped.out
    assert "explain old-knob --onto origin/main" in stopped.out
    fork.run("rebase", "origin/main", "--no-fetch", "--skip-conflicts")
    assert fork.repo.text("rev-parse", "patched/main~2") == fork.repo.text("rev-parse", "v2")
    assert "orphaned" in fork.run("explain", "old-knob").out


@pytest.mark.parametrize(
    ("arguments", "message", "hint"),
    [
        (("rebase", "v3"), "v3", "v"),
        (("rebase", "v2", "--from", "v7"), "no series for v7", "v1"),
        (("rebase", "-q", "--", "-x"), "-x", ""),
    ],
)
def test_a_wrong_ref_is_one_clear_error(fork: Fork, arguments: tuple[str, ...], message: str, hint: str) -> None:
    before = fork.state()
    ran = fork.run(*arguments)
    assert ran.code == 1
    assert ran.err.startswith("error: ")
    assert message in ran.err
    assert hint in ran.err
    assert fork.state() == before


def test_no_series_empty_series_and_no_repository_are_clear_errors(tmp_path: Path, repo: GitRepo) -> None:
    nowhere = patchq("rebase", "v1", cwd=tmp_path)
    assert nowhere.code == 1
    assert "not in a git repository" in nowhere.err
    repo.commit("one", {"a": "1\n"}, tag="v1")
    none = patchq("rebase", "v1", cwd=repo.path)
    assert none.code == 1
    assert "patchq init" in none.err
    repo.write({"series/patchq.yaml": "schema: 1\nupstream: null\nfollow: null\ncurrent: v1\n", "series/v1/series": ""})
    empty = patchq("rebase", "v1", cwd=repo.path)
    assert empty.code == 1
    assert "empty" in empty.err
    assert "patchq import" in empty.err


def test_bad_files_of_the_series_are_named_with_their_line(fork: Fork) -> None:
    series = fork.repo.path / "series"
    good = (series / "v1/size-12.patch").read_bytes()
    (series / "v1/size-12.patch").write_bytes(good.replace(b"@@ -3,6 +3,7 @@", b"@@ -3,6 +3,9 @@"))
    broken = fork.run("rebase", "v2")
    assert broken.code == 1
    assert "size-12.patch:" in broken.err
    assert "hunk 1" in broken.err
    (series / "v1/size-12.patch").write_bytes(good)
    (series / "v1/series").write_text("open-gate.patch\nmissing.patch\n")
    missing = fork.run("rebase", "v2")
    assert missing.code == 1
    assert "series:2" in missing.err
    (series / "patchq.yaml").write_text("schema: 99\n")
    newer = fork.run("rebase", "v2")
    assert newer.code == 1
    assert "99" in newer.err
    assert "upgrade" in newer.err


def test_network_down_is_one_clear_error_and_nothing_is_written(fork: Fork, tmp_path: Path) -> None:
    fork.repo.git("remote", "add", "origin", f"file://{tmp_path}/nowhere")
    before = fork.state()
    ran = fork.run("rebase", "origin/main")
    assert ran.code == 1
    assert "--no-fetch" in ran.err
    assert fork.state() == before
