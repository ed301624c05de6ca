from __future__ import annotations

import shutil
from typing import TYPE_CHECKING

import pytest

from patchq.gitstore.lock import lock
from patchq.gitstore.repository import Repository
from tests.fork import Fork
from tests.resolving import OURS, RIGHT, V2, WITH_13, open_fork, resolve_all, tree_of
from tests.running import patchq

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture
def fork(tmp_path: Path) -> Fork:
    return open_fork(tmp_path / "fork")


def refs(fork: Fork) -> bytes:
    return fork.repo.git("for-each-ref", "refs/heads", "refs/tags")


def test_the_conflict_lies_in_files_and_index_on_the_patches_before_it(fork: Fork) -> None:
    ran = fork.run("resolve", "--onto", "v2", "--json")
    tree = tree_of(fork)
    assert ran.code == 3
    assert (ran.json["open"], ran.json["files"], ran.json["left"]) == ("gate", ["pkg/gate.py"], ["knob", "after"])
    assert tree.text("log", "--format=%s", "v2..HEAD") == "first does it"
    assert tree.text("rev-parse", "--abbrev-ref", "HEAD") == "HEAD"
    assert tree.git("status", "--porcelain").decode().splitlines() == ["M  pkg/docs.txt", "UU pkg/gate.py"]
    stages = [tree.git("show", f":{stage}:pkg/gate.py").decode() for stage in (1, 2, 3)]
    assert stages[1:] == [V2, OURS]
    text = (tree.path / "pkg/gate.py").read_text()
    assert "<<<<<<< upstream v2" in text
    assert "||||||| base v1" in text
    assert ">>>>>>> patch gate" in text


def test_patch_by_patch_to_one_operation_that_undo_takes_back(fork: Fork) -> None:
    fork.repo.write({"pkg/plain.txt": "my own edit\n", "scratch.txt": "untracked\n"})
    fork.repo.git("stash", "push", "-q", "pkg/plain.txt")
    fork.repo.write({"pkg/plain.txt": "another edit\n"})
    before, branches = fork.state(), refs(fork)
    assert fork.run("resolve", "--onto", "v2").code == 3
    tree = tree_of(fork)
    tree.write({"pkg/gate.py": RIGHT})
    second = patchq("continue", "--json", cwd=tree.path)
    assert second.json["open"] == "knob"
    assert tree.text("log", "-1", "--format=%s") == "gate does it"
    assert fork.run("skip").code == 3
    # `after` is carried on what was made of `gate`, and only now in question
    assert "n in (9, 10, 12)" in tree.git("show", ":2:pkg/gate.py").decode()
    during = fork.state()
    assert {key: during[key] for key in during if key != "refs"} == {
        key: before[key] for key in before if key != "refs"
    }
    tree.write({"pkg/gate.py": WITH_13})
    tree.git("add", "-A")
    done = fork.run("continue")
    assert done.code == 3
    assert "knob" in done.out
    assert not tree.path.exists()
    assert fork.repo.text("log", "--format=%s", "--reverse", "v2..patched/v2").splitlines() == [
        "first does it",
        "gate does it",
        "after does it",
    ]
    assert fork.repo.file("patched/v2", "pkg/gate.py").decode() == WITH_13
    assert "#patchq:not-carried knob.patch  # orphaned" in (fork.repo.path / "series/v2/series").read_text()
    after = fork.state()
    assert [after[it] for it in ("head", "index", "status")] == [before[it] for it in ("head", "index", "status")]
    assert (fork.repo.path / "pkg/plain.txt").read_text() == "another edit\n"
    undone = fork.run("undo")
    assert undone.code == 0, undone.err
    assert refs(fork) == branches
    assert {k: v for k, v in fork.state().items() if k.startswith("series")} == {
        k: v for k, v in before.items() if k.startswith("series")
    }


def test_a_run_that_was_killed_goes_on_from_what_is_on_disk(fork: Fork) -> None:
    assert fork.run("resolve", "--onto", "v2").code == 3
    tree = tree_of(fork)
    tree.write({"pkg/gate.py": RIGHT})
    again = fork.run("resolve")
    assert (again.code, "gate" in again.out) == (3, True)
    assert (tree.path / "pkg/gate.py").read_text() == RIGHT  # an edit survives that
    shutil.rmtree(tree.path)
    fork.run("resolve")
    assert "<<<<<<<" in (tree.path / "pkg/gate.py").read_text()
    # killed between the decision and the next patch: every verb finds it
    tree.write({"pkg/gate.py": RIGHT})
    state = fork.repo.path / ".git/patchq/resolve.json"
    assert fork.run("continue").code == 3
    decided = state.read_text()
    state.write_text(
        decided.replace(decided[decided.index('"current": {') : decided.index(', "publishing"')], '"current": null')
    )
    assert fork.run("continue", "--json").json["open"] == "knob"
    assert fork.run("skip").code == 3
    tree.write({"pkg/gate.py": WITH_13})
    last = state.read_bytes()
    assert fork.run("continue").code == 3
    # killed behind the publish, before anything was cleared away
    published = refs(fork)
    operation = fork.repo.text("rev-parse", "refs/patchq/operations^{commit}")
    state.write_bytes(last.replace(b'"publishing": null', b'"publishing": ""'))
    ran = fork.run("abort")
    assert "published already" in ran.err
    assert (ran.code, refs(fork)) == (1, published)
    assert fork.repo.text("rev-parse", "refs/patchq/operations^{commit}") == operation
    assert not state.exists()


def test_abort_leaves_nothing(fork: Fork) -> None:
    before = fork.state()
    fork.run("resolve", "--onto", "v2")
    tree_of(fork).write({"pkg/gate.py": RIGHT})
    fork.run("continue")
    assert patchq("abort", cwd=tree_of(fork).path).code == 0
    assert fork.state() == before
    assert not tree_of(fork).path.exists()
    assert fork.repo.text("worktree", "list").count("\n") == 0
    assert "patchq resolve" in fork.run("continue").err


def test_markers_parse_errors_and_files_of_others_are_refused_each_with_what_to_type(fork: Fork) -> None:
    fork.run("resolve", "--onto", "v2")
    tree = tree_of(fork)
    tree.git("add", "-A")
    marked = fork.run("continue")
    assert (marked.code, "pkg/gate.py:2: a conflict marker is left" in marked.err) == (1, True)
    tree.write({"pkg/gate.py": RIGHT.replace("12)", "12")})
    broken = fork.run("continue")
    assert "does not parse" in broken.err
    assert "--accept unparsed" in broken.err
    tree.write({"pkg/gate.py": RIGHT, "pkg/plain.txt": "bled\n", "pkg/new.py": "X = 1\n"})
    bled = fork.run("continue")
    assert "is no file of gate" in bled.err
    assert "patchq continue --also pkg/new.py --also pkg/plain.txt" in bled.err
    assert fork.run("continue", "--also", "pkg/new.py").code == 1
    tree.git("checkout", "HEAD", "--", "pkg/plain.txt")
    assert fork.run("continue", "--also", "pkg/new.py", "--json").json["open"] == "knob"
    assert tree.git("show", "HEAD:pkg/new.py") == b"X = 1\n"


def test_a_file_that_nobody_touched_is_not_taken_for_resolved(fork: Fork) -> None:
    fork.run("resolve", "knob", "--onto", "v2")
    tree = tree_of(fork)
    assert (tree.path / "pkg/knob.py").read_text() == "A = 2\n"  # upstream has deleted it
    ran = fork.run("continue")
    assert (ran.code, "git has it as unmerged" in ran.err) == (1, True)
    tree.git("rm", "-q", "--cached", "pkg/knob.py")
    (tree.path / "pkg/knob.py").unlink()
    empty = fork.run("continue")
    assert "nothing is left that the patch changes" in empty.err
    assert "--absorbed" in empty.err
    assert "patchq drop" in empty.err
    assert fork.run("continue", "--absorbed").code == 3
    fork.run("skip")
    fork.run("skip")
    ledger = fork.run("absorbed").out
    assert "knob" in ledger
    assert fork.run("rebase", "v2", "--skip-conflicts").code == 3
    assert "knob" not in (fork.repo.path / "series/v2/series").read_text()  # asked again, and still so


def test_absorbed_does_not_drop_edits(fork: Fork) -> None:
    fork.run("resolve", "--onto", "v2")
    tree_of(fork).write({"pkg/gate.py": RIGHT})
    ran = fork.run("continue", "--absorbed")
    assert (ran.code, "would drop that" in ran.err) == (1, True)


def test_a_resolution_adds_deletes_renames_and_changes_modes(fork: Fork) -> None:
    fork.run("resolve", "--onto", "v2")
    tree = tree_of(fork)
    tree.git("rm", "-q", "-f", "pkg/gate.py")
    tree.write({"pkg/doors/gate.py": RIGHT, "pkg/docs.txt": None})
    (tree.path / "pkg/doors/gate.py").chmod(0o755)
    (tree.path / "pkg/link").symlink_to("doors/gate.py")
    ran = fork.run("continue", "--accept", "bleed")
    assert ran.code == 3, ran.err
    fork.run("skip")
    fork.run("skip")
    listed = fork.repo.text("ls-tree", "-r", "patched/v2", "pkg/")
    assert "100755" in listed
    assert "120000" in listed
    assert "pkg/gate.py" not in listed
    assert "docs" not in listed
    assert fork.run("build", "--branch", "again").code == 0
    assert fork.repo.text("rev-parse", "again") == fork.repo.text("rev-parse", "patched/v2")


def test_upstream_that_moves_meanwhile_does_not_matter_to_the_run(fork: Fork) -> None:
    fork.run("resolve", "--onto", "upstream")
    fork.release("v3", {"pkg/gate.py": "X = 1\n"})
    tree_of(fork).write({"pkg/gate.py": RIGHT})
    fork.run("continue")
    fork.run("skip")
    tree_of(fork).write({"pkg/gate.py": WITH_13})
    assert fork.run("continue").code == 3
    assert fork.repo.text("merge-base", "patched/upstream", "upstream") == fork.repo.text("rev-parse", "v2")


def test_a_series_that_is_edited_meanwhile_is_refused_and_no_file_is_lost(fork: Fork) -> None:
    fork.run("resolve", "--onto", "v2")
    tree_of(fork).write({"pkg/gate.py": RIGHT})
    path = fork.repo.path / "series/v1/gate.patch"
    path.write_text(path.read_text().replace("n == 12", "n == 14"))
    ran = fork.run("continue")
    assert (ran.code, "the series was edited" in ran.err) == (1, True)
    assert (tree_of(fork).path / "pkg/gate.py").read_text() == RIGHT


def test_two_at_once(fork: Fork) -> None:
    with lock(Repository.discover(fork.repo.path), "resolve"):
        assert "another patchq is at work" in fork.run("resolve", "--onto", "v2").err
    fork.run("resolve", "--onto", "v2")
    ran = fork.run("resolve", "--onto", "v1")
    assert (ran.code, "patchq continue, or patchq abort" in ran.err) == (1, True)
    assert "gate lies open" in fork.run("resolve", "knob").err


def test_status_tells_of_the_run_from_every_work_tree(fork: Fork) -> None:
    assert fork.run("status", "--json").json["resolve"] is None
    fork.run("resolve", "--onto", "v2")
    assert "gate lies open in ../fork.resolve" in fork.run("status").out
    there = patchq("status", "--json", cwd=tree_of(fork).path)
    assert there.json["resolve"]["open"] == "gate"


def test_a_branch_checked_out_in_the_work_tree_does_not_move(fork: Fork) -> None:
    fork.run("resolve", "--onto", "v2")
    tree = tree_of(fork)
    tree.git("checkout", "-q", "-f", "-b", "mine")
    mine = tree.text("rev-parse", "mine")
    tree.write({"pkg/gate.py": RIGHT})
    assert fork.run("continue").code == 3
    assert fork.repo.text("rev-parse", "mine") == mine


def test_a_folder_in_the_way_is_not_touched(fork: Fork) -> None:
    tree_of(fork).write({"mine.txt": "mine\n"})
    ran = fork.run("resolve", "--onto", "v2")
    assert (ran.code, "--dir DIR" in ran.err) == (1, True)
    assert (tree_of(fork).path / "mine.txt").read_text() == "mine\n"
    assert fork.run("resolve", "--dir", "../elsewhere").code == 3
    assert (fork.repo.path / "../elsewhere/pkg/gate.py").exists()


def test_what_is_open_after_skip_conflicts_is_resolved_without_naming_the_ref(fork: Fork) -> None:
    assert fork.run("rebase", "v2", "--skip-conflicts").code == 3
    assert fork.run("resolve", "--json").json["open"] == "gate"
    tree_of(fork).write({"pkg/gate.py": RIGHT})
    fork.run("continue")
    fork.run("skip")
    tree_of(fork).write({"pkg/gate.py": WITH_13})
    assert fork.run("continue").code == 3
    assert fork.repo.file("patched/v2", "pkg/gate.py").decode() == WITH_13


def test_a_remembered_resolution_is_used_told_and_forgotten(fork: Fork, tmp_path: Path) -> None:
    resolve_all(fork)
    tip = fork.repo.text("rev-parse", "patched/v2")
    colleague = tmp_path / "colleague"
    shutil.copytree(fork.repo.path, colleague)
    theirs = Fork(type(fork.repo)(colleague))
    shutil.rmtree(colleague / "series/v2")
    manifest = colleague / "series/patchq.yaml"
    manifest.write_text(manifest.read_text().replace("current: v2", "current: v1"))
    theirs.repo.git("branch", "-D", "-q", "patched/v2")
    ran = theirs.run("rebase", "v2", "--skip-conflicts", "--json")
    told = {patch["name"]: (patch["verdict"], patch["notes"]) for patch in ran.json["patches"]}
    assert told["gate"][0] == told["after"][0] == "adapted"
    assert "resolved by hand (resolution " in told["gate"][1][0]
    assert theirs.repo.text("rev-parse", "patched/v2") == tip
    assert theirs.run("undo").code == 0
    path = colleague / "series/resolutions.yaml"
    path.write_text(path.read_text().replace("(9, 10, 12)", "(9, 10, 12"))  # edited by hand, and wrong
    noted = theirs.run("rebase", "v2", "--json").json["patches"]
    assert {patch["name"]: patch["verdict"] for patch in noted}["gate"] == "conflict"
    assert any("was not used: pkg/gate.py does not parse" in note for note in noted[1]["notes"])
    listed = fork.run("resolutions", "--json").json["resolutions"]
    assert sorted(entry["patch"] for entry in listed) == ["after", "gate"]
    before = (fork.repo.path / "series/resolutions.yaml").read_bytes()
    assert fork.run("resolutions", "--forget", "gate", "--forget", listed[0]["id"]).code == 0
    assert fork.run("undo").code == 0
    assert (fork.repo.path / "series/resolutions.yaml").read_bytes() == before
    assert fork.run("resolutions", "--forget", "nobody").code == 1
