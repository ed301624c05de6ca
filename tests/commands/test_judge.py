from __future__ import annotations

import json
import os
import subprocess
import sys
from typing import TYPE_CHECKING, Any

import pytest

from tests.running import Ran, patchq

if TYPE_CHECKING:
    from pathlib import Path

    from tests.gitrepo import GitRepo

BASE = """import os


def first(path):
    data = read_file(path)
    return parse_tree(data)


def second(value):
    text = render_value(value)
    return text.strip()
"""
SOME = BASE.replace("read_file(path)", "read_file(path, follow=True)")
PATCHED = SOME.replace("render_value(value)", "render_value(value, indent=2)")
PATCH = """--- a/pkg/m.py
+++ b/pkg/m.py
@@ -4,8 +4,8 @@
 def first(path):
-    data = read_file(path)
+    data = read_file(path, follow=True)
     return parse_tree(data)
{0}
{0}
 def second(value):
-    text = render_value(value)
+    text = render_value(value, indent=2)
     return text.strip()
""".format(" ")


@pytest.fixture
def folders(tmp_path: Path) -> Path:
    """Folders that no repository is around, with the patch beside them."""
    for name, text in (("base", BASE), ("some", SOME), ("all", PATCHED), ("gone", None)):
        (tmp_path / name / "pkg").mkdir(parents=True)
        if text is not None:
            (tmp_path / name / "pkg" / "m.py").write_text(text)
    (tmp_path / "fix.patch").write_text(PATCH)
    return tmp_path


def judge(folder: Path, tree: str, *options: str, base: str = "base", patch: str = "fix.patch") -> Ran:
    return patchq("judge", patch, "--base", base, "--tree", tree, *options, cwd=folder)


@pytest.mark.parametrize(
    ("tree", "word"), [("base", "needed"), ("some", "partial"), ("all", "absorbed"), ("gone", "orphaned")]
)
def test_the_last_word_is_the_verdict_and_every_verdict_is_an_answer(folders: Path, tree: str, word: str) -> None:
    ran = judge(folders, tree)
    assert (ran.code, ran.err) == (0, "")
    assert ran.out.split()[-1] == word


def test_each_edit_has_its_place_and_its_reason(folders: Path) -> None:
    one, two, _ = judge(folders, "some").out.splitlines()
    assert one == "absorbed  pkg/m.py:5   the same lines are there (in `first`)"
    assert two == "needed    pkg/m.py:10  what it changes is there as it was (in `second`)"


def test_it_needs_no_repository_and_no_series(folders: Path) -> None:
    # In a process of its own, so that no ceiling of the test run hides a repository.
    environment = {**os.environ, "GIT_CEILING_DIRECTORIES": str(folders.parent)}
    program = [sys.executable, "-c", "from patchq.cli import main; main()"]
    ran = subprocess.run(
        [*program, "judge", "-", "--base", "base", "--tree", "all"],
        cwd=folders,
        env=environment,
        input=PATCH.encode(),
        capture_output=True,
        check=True,
    )
    assert ran.stdout.split()[-1] == b"absorbed"


def test_the_document_has_the_edits(folders: Path) -> None:
    document = judge(folders, "some", "--json").json
    assert [document[key] for key in ("schema", "command", "verdict")] == [1, "judge", "partial"]
    assert document["edits"][0] == {
        "verdict": "absorbed",
        "path": "pkg/m.py",
        "line": 5,
        "anchor": "pkg/m.py::first",
        "how": "hunks",
        "reason": "the same lines are there",
    }


def test_trees_may_be_refs(repo: GitRepo) -> None:
    repo.commit("base", {"pkg/m.py": BASE}, tag="v1")
    repo.commit("moved", {"pkg/m.py": None, "src/m.py": BASE})
    repo.commit("some", {"src/m.py": SOME}, tag="v2")
    repo.commit("all", {"src/m.py": PATCHED}, tag="v3")
    repo.commit("back", {"src/m.py": BASE}, tag="v4")
    (repo.path / "fix.patch").write_text(PATCH)
    words = [judge(repo.path, tag, base="v1").out.split()[-1] for tag in ("v1", "v2", "v3", "v4")]
    assert words == ["needed", "partial", "absorbed", "needed"]
    assert "src/m.py:5" in judge(repo.path, "v3", base="v1").out


def test_a_ref_and_a_folder_go_together(repo: GitRepo, tmp_path: Path) -> None:
    repo.commit("base", {"python/pkg/m.py": BASE}, tag="v1")
    (repo.path / "fix.patch").write_text(PATCH.replace("/pkg/", "/python/pkg/"))
    (tmp_path / "installed" / "pkg").mkdir(parents=True)
    (tmp_path / "installed" / "pkg" / "m.py").write_text(PATCHED)
    ran = judge(repo.path, str(tmp_path / "installed"), base="v1")
    assert ran.out.split()[-1] == "absorbed"
    assert "pkg/m.py:5 " in ran.out


def test_a_patch_of_another_top_folder_is_put_where_base_has_it(folders: Path) -> None:
    (folders / "deep").mkdir()
    (folders / "base").rename(folders / "deep" / "python")
    (folders / "some").rename(folders / "python")
    (folders / "new").mkdir()
    (folders / "python").rename(folders / "new" / "python")
    assert judge(folders, "new", base="deep").out.split()[-1] == "partial"


def test_a_name_that_is_a_folder_and_a_ref_has_to_be_told_apart(repo: GitRepo) -> None:
    repo.commit("base", {"pkg/m.py": BASE}, tag="pkg")
    (repo.path / "fix.patch").write_text(PATCH)
    ran = judge(repo.path, "pkg", base="HEAD")
    assert ran.code == 2
    assert "both a folder and a ref" in ran.err
    assert judge(repo.path, "refs/tags/pkg", base="HEAD").out.split()[-1] == "needed"


def test_what_cannot_be_read_is_said(folders: Path) -> None:
    nowhere = judge(folders, "nowhere")
    assert (nowhere.code, nowhere.out) == (1, "")
    assert "nowhere: there is no such folder" in nowhere.err
    assert judge(folders, "all", patch="none.patch").code == 1
    unfit = judge(folders, "base", base="all")
    assert unfit.code == 1
    assert "hunk 1" in unfit.err
    (folders / "no.patch").write_text("hello\n")
    assert "no diff found" in judge(folders, "all", patch="no.patch").err
    assert "pkg/m.py is not in base" in judge(folders, "all", base="gone").err


def test_what_is_missing_on_the_command_line_is_a_wrong_usage(folders: Path) -> None:
    ran = patchq("judge", "fix.patch", "--base", "base", cwd=folders)
    assert (ran.code, ran.err.splitlines()[0]) == (2, "error: --tree missing")
    both = patchq("judge", "fix.patch", "--batch", "fix.patch", cwd=folders)
    assert both.code == 2


def test_each_line_of_a_batch_gets_one(folders: Path) -> None:
    def line(name: object, tree: str) -> str:
        return json.dumps({"id": name, "patch": "fix.patch", "base": "base", "tree": tree})

    lines = [line("a", "all"), "{nope", line(2, "nowhere"), "", '{"id": 3, "patch": "x"}', "[1]", line("b", "some")]
    (folders / "asked").write_text("\n".join(lines))
    ran = patchq("judge", "--batch", "asked", cwd=folders)
    answers: list[dict[str, Any]] = [json.loads(answer) for answer in ran.out.splitlines()]
    assert ran.code == 1
    assert [answer["id"] for answer in answers] == ["a", None, 2, 3, None, "b"]
    assert [answer.get("verdict") for answer in answers] == ["absorbed", None, None, None, None, "partial"]
    assert [*answers[0]] == ["id", "verdict", "seconds", "edits"]
    assert answers[1]["error"].startswith("line 2: no JSON")
    assert answers[2]["error"] == "line 3: nowhere: there is no such folder"
    assert answers[3]["error"] == "line 5: without base, tree"
