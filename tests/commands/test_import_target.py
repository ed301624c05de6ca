from __future__ import annotations

from typing import TYPE_CHECKING

from tests.gitrepo import GitRepo
from tests.importing import GATE, OPEN_GATE, everything, patch, series
from tests.running import patchq

if TYPE_CHECKING:
    from pathlib import Path


def test_the_first_import_makes_its_series_current_and_later_ones_join_it(ours: GitRepo) -> None:
    patchq("import", "v1..ours~1", cwd=ours.path)
    assert "current: v1\n" in (ours.path / "series/patchq.yaml").read_text()
    ran = patchq("import", "ours~1..ours", cwd=ours.path)
    assert "the series that is current" in ran.err
    assert series(ours) == ["open-the-gate.patch", "sizes-for-12.patch"]


def test_another_series_can_be_named_and_the_current_one_stays(ours: GitRepo) -> None:
    patchq("import", "v1..ours~1", cwd=ours.path)
    ours.commit("release 2", {"new.py": "N = 1\n"}, tag="v2")
    assert patchq("import", "ours~1..ours", "--onto", "v2", cwd=ours.path).code == 0
    assert series(ours, "v2") == ["sizes-for-12.patch"]
    assert "current: v1\n" in (ours.path / "series/patchq.yaml").read_text()


def test_patches_for_another_state_are_sent_there(ours: GitRepo) -> None:
    ours.commit("release 2", {"pkg/gate.py": GATE.replace("== 9", "> 9")}, tag="v2")
    (ours.path / "x.patch").write_bytes(ours.git("diff", "v1", "ours", "--", "pkg/table.py"))
    assert patchq("import", "x.patch", "--base", "v2", cwd=ours.path).code == 0
    ran = patchq("import", "v1..ours~1", cwd=ours.path)
    assert "hint: it was made for v1: import it with --onto v1, then patchq rebase v2 --from v1\n" in ran.err


def test_a_base_against_that_of_the_series_is_refused(ours: GitRepo) -> None:
    patchq("import", "v1..ours~1", cwd=ours.path)
    ours.commit("release 2", {"new.py": "N = 1\n"}, tag="v2")
    ran = patchq("import", "ours~1..ours", "--onto", "v1", "--base", "v2", cwd=ours.path)
    assert (ran.code, "the series of v1 stands on" in ran.err) == (1, True)


def test_a_file_needs_a_base_where_nothing_is_followed(repo: GitRepo) -> None:
    repo.commit("one", {"a": "1\n"})
    patchq("init", cwd=repo.path)
    (repo.path / "x.patch").write_text("--- a/a\n+++ b/a\n@@ -1 +1 @@\n-1\n+2\n")
    ran = patchq("import", "x.patch", cwd=repo.path)
    assert ran.code == 1
    assert "which upstream commit were these patches made for?\nhint: name it: --base REF\n" in ran.err


def test_without_a_series_the_way_to_one_is_told(repo: GitRepo) -> None:
    repo.commit("one", {"a": "1\n"})
    ran = patchq("import", "HEAD~1..HEAD", cwd=repo.path)
    assert ran.code == 1
    assert "hint: patchq init" in ran.err


def test_a_built_branch_stays_and_building_it_again_is_proposed(ours: GitRepo) -> None:
    patchq("import", "v1..ours~1", cwd=ours.path)
    patchq("rebase", "v1", "--no-fetch", cwd=ours.path)
    built = ours.text("rev-parse", "patched/v1")
    ran = patchq("import", "ours~1..ours", cwd=ours.path)
    assert "patchq build v1" in ran.out
    assert ours.text("rev-parse", "patched/v1") == built
    assert patchq("build", "v1", cwd=ours.path).code == 0
    assert ours.text("rev-parse", "patched/v1^{tree}") == ours.text("rev-parse", "ours^{tree}")


def test_an_import_is_undone_as_a_whole(ours: GitRepo) -> None:
    before = everything(ours)
    patchq("import", "v1..ours", cwd=ours.path)
    assert patchq("undo", cwd=ours.path).code == 0
    assert everything(ours) == before


def test_the_work_tree_is_imported_with_new_and_staged_files_and_stays_as_it_is(ours: GitRepo) -> None:
    ours.write({"pkg/gate.py": OPEN_GATE, "new.py": "N = 1\n", "staged.py": "S = 1\n", "series/notes.txt": "mine\n"})
    ours.write({".git/info/exclude": ""})
    ours.git("add", "staged.py")
    index, status = (ours.path / ".git/index").read_bytes(), ours.git("status", "--porcelain")
    ran = patchq("import", "--worktree", "-m", "Everything at once", "-m", "Why not.", cwd=ours.path)
    assert ran.code == 0
    assert "the change is in the series now; the work tree still has it, too" in ran.out
    assert "create new.py" in ran.out
    kept = patch(ours, "everything-at-once", "main")
    assert "Subject: Everything at once\n\nWhy not.\n---\n" in kept
    assert [line for line in kept.splitlines() if line.startswith("diff --git")] == [
        "diff --git a/new.py b/new.py",
        "diff --git a/pkg/gate.py b/pkg/gate.py",
        "diff --git a/staged.py b/staged.py",
    ]
    assert (ours.path / ".git/index").read_bytes() == index
    assert ours.git("status", "--porcelain") == status
    assert (ours.path / "pkg/gate.py").read_text() == OPEN_GATE


def test_a_series_at_the_top_is_left_out_of_the_work_tree_patch(repo: GitRepo) -> None:
    repo.commit("one", {"a": "1\n"})
    assert patchq("init", "--dir", ".", "--follow", "main", cwd=repo.path).code == 0
    repo.write({"a": "2\n"})
    assert patchq("import", "--worktree", "-m", "two", cwd=repo.path).code == 0
    repo.write({"a": "3\n", "b": "1\n"})
    ran = patchq("import", "--worktree", "-m", "three", "--json", cwd=repo.path)
    assert ran.code == 1  # `a` is 1 below, and the patch before makes 2 of it
    repo.write({"a": "1\n"})
    ran = patchq("import", "--worktree", "-m", "three", "--json", cwd=repo.path)
    assert [file["path"] for file in ran.json["patches"][0]["files"]] == ["b"]


def test_a_work_tree_patch_needs_a_message_and_a_change(ours: GitRepo) -> None:
    ran = patchq("import", "--worktree", cwd=ours.path)
    assert (ran.code, ran.err.splitlines()[0]) == (2, "error: a patch from the work tree needs a message")
    ran = patchq("import", "--worktree", "-m", "nothing", cwd=ours.path)
    assert (ran.code, ran.err.splitlines()[0]) == (1, "error: the work tree has no changes")


def test_head_with_commits_of_its_own_is_told(ours: GitRepo) -> None:
    ours.git("checkout", "-q", "ours")
    ours.write({"new.py": "N = 1\n"})
    ran = patchq("import", "--worktree", "-m", "new", cwd=ours.path)
    assert "note: HEAD has 2 commits more than main; to carry those: patchq import main..HEAD" in ran.err
    assert series(ours, "ours") == ["new.patch"]


def test_a_detached_head_at_a_release_gives_the_release_its_series(ours: GitRepo) -> None:
    ours.commit("release 2", {"new.py": "N = 1\n"}, tag="v2")
    ours.git("checkout", "-q", "v1")
    ours.write({"pkg/gate.py": OPEN_GATE})
    assert patchq("import", "--worktree", "-m", "gate", cwd=ours.path).code == 0
    assert series(ours) == ["gate.patch"]


def test_a_folder_below_and_a_linked_worktree_are_places_to_work_from(ours: GitRepo, tmp_path: Path) -> None:
    ours.git("worktree", "add", "-q", "--detach", str(tmp_path / "linked"), "v1")
    linked = GitRepo(tmp_path / "linked")
    assert patchq("init", "--follow", "main", cwd=linked.path).code == 0
    linked.write({"pkg/gate.py": OPEN_GATE})
    (linked.path / "pkg/here.patch").write_bytes(ours.git("diff", "v1", "ours", "--", "pkg/table.py"))
    assert patchq("import", "here.patch", "--base", "v1", cwd=linked.path / "pkg").code == 0
    (linked.path / "pkg/here.patch").unlink()
    assert patchq("import", "--worktree", "-m", "gate", cwd=linked.path / "pkg").code == 0
    assert series(linked) == ["here.patch", "gate.patch"]
    assert not (ours.path / "series/v1").exists()
