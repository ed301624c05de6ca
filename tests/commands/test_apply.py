from __future__ import annotations

import csv
import json
import py_compile
import shutil
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

from patchq.treestore.swap import STATE
from tests.fork import GATE, TABLE, WITH_12
from tests.gitrepo import GitRepo
from tests.queued import built_fork
from tests.site import OPEN_GATE, PATCHED, PRISTINE, Site, plain_site, row_of, site_fork

if TYPE_CHECKING:
    from pathlib import Path

OTHER = TABLE.replace('"""Sizes by capability."""', '"""Sizes."""\n\nimport os')


@pytest.fixture
def site(tmp_path: Path) -> Site:
    return plain_site(tmp_path)


def contents(tree: Path) -> dict[str, str]:
    found = (path for path in sorted(tree.rglob("*.*")) if path.is_file() and STATE not in path.parts)
    return {str(path.relative_to(tree)): path.read_text() for path in found}


def record_rows(place: Path) -> list[tuple[str, ...]]:
    return [tuple(row) for row in csv.reader((place / "pkg-1.0.dist-info/RECORD").read_text().splitlines())]


def test_a_folder_gets_all_patches_and_again_is_nothing_to_do(site: Site) -> None:
    tree = site.folder("tree", PRISTINE)
    assert site.run("apply", "tree", "-n").code == 0
    assert contents(tree) == PRISTINE
    ran = site.run("apply", "tree")
    assert (ran.code, contents(tree)) == (0, PATCHED)
    assert ran.out.splitlines()[-2] == "2 patches: 2 applied; series of v1 to tree"
    assert site.run("verify", "tree").code == 0
    again = site.run("apply", "tree")
    assert (again.code, again.out.splitlines()[-1]) == (0, "nothing to do")
    assert site.run("apply", "tree", "--revert").code == 0
    assert contents(tree) == PRISTINE
    assert not (tree / STATE).exists()
    assert site.run("apply", "tree", "--revert").code == 1


def test_what_is_there_in_part_is_completed(site: Site) -> None:
    tree = site.folder("tree", {**PRISTINE, "pkg/table.py": WITH_12})
    ran = site.run("apply", "tree", "--json")
    assert [patch["outcome"] for patch in ran.json["patches"]] == ["present", "applied"]
    assert ran.json["written"] == ["pkg/gate.py"]
    assert contents(tree) == PATCHED


def test_another_upstream_is_taken_only_where_the_record_proves_the_place(site: Site) -> None:
    tree = site.folder("tree", {**PRISTINE, "pkg/table.py": OTHER})
    assert site.run("apply", "tree").code == 0
    assert "12: [6, 8]" in contents(tree)["pkg/table.py"]
    assert site.run("verify", "tree").code == 0
    site.run("apply", "tree", "--revert")
    # The lines fit, but the place is another one.
    twin = TABLE.replace("SIZES", "BYTES")
    site.folder("tree", {"pkg/table.py": twin})
    ran = site.run("apply", "tree")
    assert (ran.code, contents(tree)["pkg/table.py"]) == (1, twin)
    assert "no file of an upstream that the series knows" in ran.err
    site.folder("tree", {"pkg/table.py": OTHER})
    (site.home / "series/v1/record.yaml").unlink()
    ran = site.run("apply", "tree")
    assert (ran.code, ran.out) == (1, "")
    assert "hint: the ladder can prove more in a repository" in ran.err
    assert contents(tree)["pkg/gate.py"] == GATE


def test_with_the_base_at_hand_the_ladder_carries_it(tmp_path: Path) -> None:
    fork = site_fork(tmp_path / "fork")
    site = Site(tmp_path)
    moved_on = TABLE.replace("10: [6, 8]", "10: [4, 6, 8]")
    tree = site.folder("tree", {**PRISTINE, "pkg/table.py": moved_on})
    ran = fork.run("apply", str(tree), "--json")
    assert ran.code == 0
    assert [patch["rung"] for patch in ran.json["patches"]] == ["anchored", "exact"]
    assert "    12: [4, 6, 8],\n" in contents(tree)["pkg/table.py"]
    assert fork.run("verify", str(tree)).code == 0
    assert fork.run("apply", str(tree)).out.splitlines()[-1] == "nothing to do"


def test_one_patch_that_cannot_be_carried_stops_all(tmp_path: Path) -> None:
    fork = site_fork(tmp_path / "fork")
    gate = GATE.replace("(capability == 9 or capability == 10)", "capability in ALLOWED")
    tree = Site(tmp_path).folder("tree", {**PRISTINE, "pkg/gate.py": gate})
    ran = fork.run("apply", str(tree))
    assert ran.code == 3
    assert ran.out.splitlines()[-1] == "nothing is written: all patches are applied, or none"
    assert contents(tree) == {**PRISTINE, "pkg/gate.py": gate}
    assert not (tree / STATE).exists()


def test_new_files_and_patches_upon_patches(tmp_path: Path) -> None:
    fork = built_fork(tmp_path / "fork")
    site = Site(tmp_path)
    shutil.copytree(fork.repo.path / "series", tmp_path / "series")
    for tag, name in (("v1", "tree"), ("patched/v1", "whole")):
        fork.repo.git("worktree", "add", "-q", "--detach", str(tmp_path / name), tag)
        (tmp_path / name / ".git").unlink()
    shutil.rmtree(fork.repo.path)
    whole = contents(tmp_path / "whole")
    assert site.run("apply", "tree").code == 0
    assert contents(tmp_path / "tree") == whole
    assert site.run("apply", "whole").out.splitlines()[-1] == "nothing to do"
    text = tmp_path / "tree/pkg/t.txt"
    text.write_text(text.read_text().replace("line 20 by beta", "line 20"))
    ran = site.run("apply", "tree", "--json")
    assert {patch["name"]: patch["outcome"] for patch in ran.json["patches"]}["beta"] == "applied"
    assert contents(tmp_path / "tree") == whole
    assert site.run("apply", "tree", "--revert").code == 0
    assert "line 20 by beta" not in text.read_text()
    # What was applied first is not what stands there now.
    assert site.run("apply", "tree", "--revert").code == 1
    text.write_text(whole["pkg/t.txt"])
    assert site.run("apply", "tree", "--revert").code == 0
    assert not (tmp_path / "tree/pkg/new.txt").exists()


def test_an_installed_package_with_its_record_and_its_bytecode(site: Site) -> None:
    python, place = site.environment("venv", PRISTINE)
    (place / "pkg/gate.py").chmod(0o640)
    mode = py_compile.PycInvalidationMode.UNCHECKED_HASH
    for name in ("table", "gate"):
        py_compile.compile(str(place / f"pkg/{name}.py"), invalidation_mode=mode, doraise=True)
    words = ("--installed", "pkg", "--python", str(python))
    ran = site.run("apply", *words, "--record")
    assert (ran.code, ran.err) == (0, "")
    assert {path: text for path, text in contents(place).items() if path.startswith("pkg/")} == PATCHED
    assert (place / "pkg/gate.py").stat().st_mode & 0o777 == 0o640
    assert not list(place.rglob("*.pyc"))
    rows = record_rows(place)
    assert row_of("pkg/table.py", WITH_12.encode()) in rows
    assert row_of("pkg/__init__.py", b"") in rows
    assert len(rows) == 4
    assert site.run("verify", *words).code == 0
    said = subprocess.run([python, "-c", "import pkg.table as t; print(t.SIZES[12])"], capture_output=True, check=True)
    assert said.stdout == b"[6, 8]\n"
    assert site.run("apply", *words, "--revert").code == 0
    assert not list(place.rglob("*.pyc"))
    assert row_of("pkg/table.py", TABLE.encode()) in record_rows(place)
    assert "--record brings it up to date" in site.run("apply", *words).err


def test_stale_bytecode_is_removed_where_nothing_else_is_to_do(site: Site) -> None:
    tree = site.folder("tree", PRISTINE)
    unchecked = py_compile.PycInvalidationMode.UNCHECKED_HASH
    py_compile.compile(str(tree / "pkg/table.py"), invalidation_mode=unchecked, doraise=True)
    site.folder("tree", PATCHED)
    assert site.run("verify", "tree").code == 1
    assert site.run("apply", "tree").out.splitlines()[-1] == "nothing to do"
    assert site.run("verify", "tree").code == 0


def test_editable_installs_links_and_archives_are_refused(site: Site) -> None:
    project = site.folder("project", {f"src/{path}": text for path, text in PRISTINE.items()})
    python, place = site.environment("venv", {"pkg.pth": f"{project}/src\n"})
    told = {"url": project.as_uri(), "dir_info": {"editable": True}}
    (place / "pkg-1.0.dist-info/direct_url.json").write_text(json.dumps(told))
    ran = site.run("apply", "--installed", "pkg", "--python", str(python))
    assert (ran.code, f"hint: patchq apply {project}" in ran.err) == (1, True)
    assert site.run("apply", "project").code == 0
    tree = site.folder("tree", PRISTINE)
    (tree / "pkg/table.py").rename(site.home / "table.py")
    (tree / "pkg/table.py").symlink_to(site.home / "table.py")
    ran = site.run("apply", "tree")
    assert ran.code == 1
    assert (site.home / "table.py").read_text() == TABLE
    assert contents(tree)["pkg/gate.py"] == GATE
    (site.home / "x.tar").write_bytes(b"\0" * 1024)
    assert site.run("apply", "x.tar").code == 2
    assert site.run("apply", "tree", "--revert", "--record").code == 2


def test_an_interrupted_apply_is_finished_by_the_next_run_and_told_by_verify(site: Site) -> None:
    tree = site.folder("tree", PRISTINE)
    program = (
        "import os, signal, sys\nfrom pathlib import Path\nreal, count = Path.replace, 1\n"
        "def replace(self, target):\n    global count\n    count -= 1\n"
        "    if count < 0:\n        os.kill(os.getpid(), signal.SIGKILL)\n    return real(self, target)\n"
        "Path.replace = replace\nfrom patchq.cli import main\nmain()"
    )
    words = [sys.executable, "-c", program, "--series", "series", "apply", "tree"]
    assert subprocess.run(words, cwd=site.home, check=False).returncode == -9
    assert contents(tree) not in (PRISTINE, PATCHED)
    ran = site.run("verify", "tree")
    assert (ran.code, "was cut off" in ran.err) == (1, True)
    assert site.run("apply", "tree", "-n").code == 1
    ran = site.run("apply", "tree")
    assert (ran.code, contents(tree)) == (0, PATCHED)
    assert "an interrupted apply was decided already" in ran.err
    assert ran.out.splitlines()[-1] == "nothing to do"


def test_what_a_tree_cannot_hold_is_told_and_left_out(tmp_path: Path) -> None:
    fork = site_fork(tmp_path / "fork")
    repo = GitRepo(fork.repo.path)
    repo.git("checkout", "-q", "--detach", "patched/v1")
    changes = {"python/pkg/table.py": WITH_12 + "\nA = 1\n", "tests/test_table.py": "def test():\n    assert 1\n"}
    repo.commit("both", dict(changes))
    assert fork.run("import", "patched/v1..HEAD").code == 0
    tree = Site(tmp_path).folder("tree", PRISTINE)
    ran = fork.run("apply", str(tree))
    assert ran.code == 0, ran.out
    assert "such a tree does not hold tests/test_table.py" in ran.out
    assert contents(tree)["pkg/table.py"].endswith("A = 1\n")
    assert contents(tree)["pkg/gate.py"] == OPEN_GATE
    assert fork.run("verify", str(tree)).code == 0
