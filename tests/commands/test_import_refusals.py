from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.importing import everything, patch, series
from tests.running import patchq

if TYPE_CHECKING:
    from tests.gitrepo import GitRepo


def test_one_patch_that_does_not_fit_stops_them_all_and_nothing_is_touched(ours: GitRepo) -> None:
    (ours.path / "good.patch").write_bytes(ours.git("diff", "v1", "ours~1"))
    (ours.path / "bad.patch").write_text(
        ours.git("diff", "v1", "ours", "--", "pkg/table.py").decode().replace("[4, ", "[5, ")
    )
    before = everything(ours)
    ran = patchq("import", "good.patch", "bad.patch", "--base", "v1", cwd=ours.path)
    assert ran.code == 1
    assert (
        "error: pkg/table.py: patch bad: hunk 1: line 2 should be '    9: [5, 6, 8],\\n', "
        "but is '    9: [4, 6, 8],\\n', and its lines stand nowhere else (on v1 (" in ran.err
    )
    assert everything(ours) == before


def test_the_hunk_that_is_wrong_is_named_and_not_one_that_has_only_drifted(ours: GitRepo) -> None:
    text = "".join(f"line {number}\n" for number in range(60))
    ours.commit("text", {"t.txt": text}, tag="v2")
    ours.write({"t.txt": text.replace("line 9\n", "LINE 9\n").replace("line 50\n", "LINE 50\n")})
    diff = ours.git("diff")
    ours.write({"t.txt": "above\n" + text.replace("line 48\n", "line forty-eight\n")})
    ours.commit("moved on", {}, tag="v3")
    (ours.path / "x.patch").write_bytes(diff)
    ran = patchq("import", "x.patch", "--base", "v3", cwd=ours.path)
    assert "t.txt: patch x: hunk 2: line 50 should be 'line 48\\n', but is 'line forty-eight\\n'" in ran.err
    assert "hint: it was made for v2: import it with --base v2\n" in ran.err


def test_a_hunk_that_fits_twice_is_refused_with_both_places(ours: GitRepo) -> None:
    twin = "def f():\n    a = 1\n    b = 2\n    c = 3\n"
    ours.commit("twins", {"t.py": f"{twin}\n\n{twin}"}, tag="v2")
    diff = "--- a/t.py\n+++ b/t.py\n@@ -30,3 +30,3 @@\n     a = 1\n-    b = 2\n+    b = 9\n     c = 3\n"
    (ours.path / "x.patch").write_text(diff)
    ran = patchq("import", "x.patch", "--base", "v2", cwd=ours.path)
    assert ran.code == 1
    assert "it does not fit at line 30, where it says, and it fits at lines 2 and 8" in ran.err


def test_the_same_patch_twice_is_refused_by_the_name_it_has(ours: GitRepo) -> None:
    patchq("import", "v1..ours", cwd=ours.path)
    (ours.path / "again.patch").write_bytes(ours.git("diff", "-U1", "v1", "ours~1"))
    for source, said in (("v1..ours~1", "this patch"), ("again.patch", "the same change")):
        ran = patchq("import", source, cwd=ours.path)
        assert ran.code == 1
        assert f"the series has {said} already, as open-the-gate\nhint: patchq show open-the-gate" in ran.err
    assert len(series(ours)) == 2


def test_a_patch_that_only_the_ones_before_it_are_in_the_way_of_is_told_so(ours: GitRepo) -> None:
    patchq("import", "v1..ours", cwd=ours.path)
    (ours.path / "x.patch").write_bytes(ours.git("diff", "v1", "ours~1").replace(b"in (9, 12)", b"> 8"))
    ran = patchq("import", "x.patch", cwd=ours.path)
    assert "line 2 should be '    return capability == 9\\n', but is '    return capability in (9, 12)\\n'" in ran.err
    assert "hint: it fits v1 without the patches before it: make it anew on top of those\n" in ran.err


def test_what_upstream_has_already_is_told_and_never_reversed(ours: GitRepo) -> None:
    (ours.path / "x.patch").write_bytes(ours.git("diff", "v1", "ours~1"))
    ran = patchq("import", "x.patch", "--base", "ours", cwd=ours.path)
    assert ran.code == 1
    assert f"ours ({ours.text('rev-parse', '--short=12', 'ours')}) has this change already" in ran.err


def test_a_file_that_exists_is_not_written_over(ours: GitRepo) -> None:
    (ours.path / "x.patch").write_text("--- /dev/null\n+++ b/pkg/gate.py\n@@ -0,0 +1 @@\n+X = 1\n")
    ran = patchq("import", "x.patch", cwd=ours.path)
    assert (ran.code, "pkg/gate.py: patch x: the file that the patch makes exists already" in ran.err) == (1, True)


def test_a_file_below_a_file_or_a_symlink_is_refused(ours: GitRepo) -> None:
    (ours.path / "link").symlink_to("/etc")
    ours.commit("link", {})
    for path in ("pkg/gate.py/x", "link/passwd"):
        (ours.path / "x.patch").write_text(f"--- /dev/null\n+++ b/{path}\n@@ -0,0 +1 @@\n+X = 1\n")
        ran = patchq("import", "x.patch", cwd=ours.path)
        assert (ran.code, "is a file or a symlink, not a folder" in ran.err) == (1, True)


def test_a_file_changed_twice_in_one_patch_is_refused_because_one_change_would_be_lost(ours: GitRepo) -> None:
    head = "--- a/pkg/gate.py\n+++ b/pkg/gate.py\n"
    one = f"{head}@@ -5,2 +5,2 @@\n def other():\n-    return None\n+    return 1\n"
    two = f"{head}@@ -1,3 +1,3 @@\n def allowed(capability):\n-    return capability == 9\n+    return 1\n \n"
    (ours.path / "x.patch").write_text(one + two)
    ran = patchq("import", "x.patch", cwd=ours.path)
    assert (ran.code, "pkg/gate.py: patch x: the patch changes this file twice" in ran.err) == (1, True)


def test_an_expectation_that_does_not_hold_is_refused(ours: GitRepo) -> None:
    ours.git("checkout", "-q", "ours~1")
    ours.git("commit", "-q", "--amend", "-m", "Gate\n\nExpect: pkg/gate.py::nothing")
    ran = patchq("import", "v1..HEAD", cwd=ours.path)
    assert ran.code == 1
    assert "patch gate: Expect: pkg/gate.py::nothing is not there after application" in ran.err


@pytest.mark.parametrize(
    "arguments", [[], ["--worktree", "v1..ours", "-m", "x"], ["x", "--prefix", "../up"], ["x", "-p", "-1"]]
)
def test_what_cannot_be_meant_is_a_usage_error(ours: GitRepo, arguments: list[str]) -> None:
    assert patchq("import", *arguments, cwd=ours.path).code == 2


def test_paths_that_start_elsewhere_get_the_option_named_that_finds_them(ours: GitRepo) -> None:
    diff = ours.git("diff", "v1", "ours~1").decode()
    (ours.path / "wheel.patch").write_text(diff.replace("/pkg/", "/"))
    ran = patchq("import", "wheel.patch", "--base", "v1", cwd=ours.path)
    assert "gate.py is not in v1 (" in ran.err
    assert "hint: import it again with --prefix pkg/\n" in ran.err
    assert patchq("import", "wheel.patch", "--base", "v1", "--prefix", "pkg/", cwd=ours.path).code == 0
    assert "diff --git a/pkg/gate.py b/pkg/gate.py" in patch(ours, "wheel")
    (ours.path / "deep.patch").write_text(
        ours.git("diff", "v1", "ours", "--", "pkg/table.py").decode().replace("/pkg/", "/src/pkg/")
    )
    ran = patchq("import", "deep.patch", cwd=ours.path)
    assert "hint: import it again with -p2\n" in ran.err
    assert patchq("import", "-p2", "deep.patch", cwd=ours.path).code == 0


def test_intents_move_below_the_prefix_with_the_files(ours: GitRepo) -> None:
    mail = (
        b"From: A <a@b.c>\nDate: Mon, 1 Jan 2024 00:00:00 +0000\nSubject: sizes\n\nExpect: table.py::SIZES[12]\n"
        b"Mirror: table.py::SIZES[12] = [10]\n---\n"
    )
    diff = ours.git("diff", "v1", "ours", "--", "pkg/table.py").replace(b"/pkg/", b"/")
    (ours.path / "x.patch").write_bytes(mail + diff)
    assert patchq("import", "x.patch", "--prefix", "pkg", "--base", "v1", cwd=ours.path).code == 0
    assert "Expect: pkg/table.py::SIZES[12]\nMirror: pkg/table.py::SIZES[12] = [10]\n" in patch(ours, "sizes")
