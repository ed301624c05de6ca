from __future__ import annotations

import importlib.util
import json
import os
import py_compile
import shutil
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

from tests.fork import GATE, TABLE, WITH_12, Change, Fork
from tests.pypi.archives import entry, make_sdist, make_tar, make_wheel
from tests.queued import BY_ALPHA, built_fork
from tests.running import patchq
from tests.site import OPEN_GATE, PATCHED, PRISTINE, Site, plain_site, site_fork

if TYPE_CHECKING:
    from pathlib import Path

BOTH = {"size-12": "present", "open-gate": "present"}
NEITHER = {"size-12": "absent", "open-gate": "absent"}


@pytest.fixture
def site(tmp_path: Path) -> Site:
    return plain_site(tmp_path)


def test_a_folder_has_every_patch_or_the_exit_code_is_1(site: Site) -> None:
    site.folder("new", PATCHED)
    site.folder("old", PRISTINE)
    ran = site.run("verify", "new")
    assert (ran.code, ran.err) == (0, "")
    assert ran.out.splitlines()[-1] == "2 patches: 2 present; series of v1 in new"
    ran = site.run("verify", "old")
    assert ran.code == 1
    assert ran.out.splitlines()[-1] == "2 patches: 2 absent; series of v1 in old"


def test_an_optional_patch_may_be_absent(site: Site) -> None:
    site.folder("half", {**PATCHED, "pkg/gate.py": GATE})
    assert site.run("verify", "half").code == 1
    file = site.home / "series/v1/open-gate.patch"
    file.write_text(file.read_text().replace("Forwarded: no", "Forwarded: no\nPolicy: optional"))
    ran = site.run("verify", "half", "--json")
    assert (ran.code, [one["state"] for one in ran.json["patches"]]) == (0, ["present", "absent"])
    file.write_text(file.read_text().replace("Policy: optional\n", ""))
    with (site.home / "series/patchq.yaml").open("a") as manifest:
        manifest.write("policy: {default: optional}\n")
    assert site.run("verify", "half").code == 0


@pytest.mark.parametrize(
    ("table", "state"),
    [
        (WITH_12, "present"),
        (WITH_12.replace("    12: [6, 8],\n", "    12: [6,\n         8],  # ours\n"), "present"),
        (WITH_12.replace("    9: [4, 6, 8],\n", "    8: [2],\n    9: [4],\n    11: [0],\n"), "present"),
        (TABLE, "absent"),
        (TABLE.replace("10: [6, 8]", "10: [2]"), "absent"),
        (WITH_12.replace("12: [6, 8]", "12: [2]"), "diverged"),
        (WITH_12.replace("[6, 8]", "[4, 6, 8]"), "present"),  # both: it mirrors its sibling
        (WITH_12.replace("10: [6, 8]", "10: [4, 6, 8]"), "diverged"),  # a copy of what its sibling was
        (TABLE.replace("SIZES", "BYTES").replace("}\n", "}\nTWIN = {12: [6, 8]}\n"), "target-gone"),
        (None, "target-gone"),
    ],
    ids=[
        "same",
        "reformatted",
        "moved on",
        "pristine",
        "other pristine",
        "other",
        "mirrored",
        "old copy",
        "renamed",
        "no file",
    ],
)
def test_anchors_decide_and_not_the_text(site: Site, table: str | None, state: str) -> None:
    files = {**PATCHED, "pkg/table.py": table or ""}
    if table is None:
        del files["pkg/table.py"]
    site.folder("tree", files)
    assert site.states("tree") == {"size-12": state, "open-gate": "present"}


def test_without_a_record_the_lines_of_the_patch_are_looked_for(site: Site) -> None:
    (site.home / "series/v1/record.yaml").unlink()
    shifted = {"pkg/table.py": "import os\n\n" + WITH_12, "pkg/gate.py": "import os\n" + GATE}
    site.folder("tree", {**PRISTINE, **shifted})
    assert site.states("tree") == {"size-12": "present", "open-gate": "absent"}
    site.folder("tree", {"pkg/gate.py": OPEN_GATE.replace("batch > 0", "batch > 1"), "pkg/table.py": "X = 1\n"})
    assert site.states("tree") == {"size-12": "target-gone", "open-gate": "diverged"}


def test_every_kind_of_tree_with_its_own_prefix(site: Site) -> None:
    site.folder("checkout", {f"python/{path}": text for path, text in PATCHED.items()})
    site.folder("root", {f"usr/lib/python3.12/site-packages/{path}": text for path, text in PATCHED.items()})
    binary = {path: text.encode() for path, text in PATCHED.items()}
    make_wheel(site.home, "pkg", "1.0", binary)
    make_wheel(site.home, "lib", "1.0", {f"lib-1.0.data/purelib/{path}": data for path, data in binary.items()})
    make_sdist(site.home, "pkg", "1.0", {f"python/{path}": data for path, data in binary.items()})
    subprocess.run(["tar", "cJf", "layer.tar.xz", "-C", "root", "."], cwd=site.home, check=True)
    wheel, lib, sdist = "pkg-1.0-py3-none-any.whl", "lib-1.0-py3-none-any.whl", "pkg-1.0.tar.gz"
    for tree in ("checkout", "root", "checkout/python", "checkout/python/pkg", wheel, lib, sdist, "layer.tar.xz"):
        assert site.states(tree) == BOTH, tree
    (site.home / "root/usr/lib/python3.12/site-packages/pkg/table.py").write_text(TABLE)
    packed = subprocess.run(["tar", "cz", "root"], cwd=site.home, capture_output=True, check=True).stdout
    program = [sys.executable, "-c", "from patchq.cli import main; main()", "--series", "series"]
    environment = {**os.environ, "GIT_CEILING_DIRECTORIES": str(site.home)}
    done = subprocess.run(
        [*program, "verify", "-", "--json"],
        cwd=site.home,
        env=environment,
        input=packed,
        capture_output=True,
        check=False,
    )
    assert done.returncode == 1
    assert [patch["state"] for patch in json.loads(done.stdout)["patches"]] == ["absent", "present"]


def test_the_same_files_at_two_places_have_to_be_told_apart(site: Site) -> None:
    site.folder("root", {f"a/{path}": text for path, text in PRISTINE.items()})
    site.folder("root", {f"b/{path}": text for path, text in PATCHED.items()})
    ran = site.run("verify", "root")
    assert (ran.code, ran.out) == (1, "")
    assert "2 places: a/, b/" in ran.err
    assert site.states("root", "--prefix", "b") == BOTH
    assert site.states("root", "--prefix", "a/") == NEITHER
    # Where Python looks is better than a cache.
    site.folder("image", {f"root/.cache/x/{path}": text for path, text in PRISTINE.items()})
    site.folder("image", {f"lib/site-packages/{path}": text for path, text in PATCHED.items()})
    assert site.states("image") == BOTH


def test_an_installed_package_is_found_by_its_interpreter_and_not_imported(site: Site) -> None:
    boom = "raise SystemExit('imported')\n"
    python, place = site.environment("venv", {**PATCHED, "pkg/__init__.py": boom})
    (place / "boom.pth").write_text("import sys; sys.exit('run')\n")
    assert site.states("--installed", "pkg", "--python", str(python)) == BOTH
    (place / "pkg/gate.py").write_text(GATE)
    ran = site.run("verify", "--installed", "PKG", "--python", str(python))
    assert ran.code == 1
    assert ran.out.splitlines()[-1] == f"2 patches: 1 present, 1 absent; series of v1 in pkg 1.0 ({place})"
    nowhere = site.run("verify", "--installed", "nowhere", "--python", str(python))
    assert (nowhere.code, nowhere.out) == (1, "")
    assert "nowhere: is not installed in" in nowhere.err
    none = site.run("verify", "--installed", "pkg", "--python", str(site.home / "none"))
    assert none.err.splitlines()[1] == "hint: name an interpreter, such as .venv/bin/python"


def test_an_editable_install_is_its_project(site: Site) -> None:
    project = site.folder("project", {f"src/{path}": text for path, text in PATCHED.items()})
    python, place = site.environment("venv", {"pkg.pth": f"{project}/src\n"})
    told = {"url": project.as_uri(), "dir_info": {"editable": True}}
    (place / "pkg-1.0.dist-info/direct_url.json").write_text(json.dumps(told))
    ran = site.run("verify", "--installed", "pkg", "--python", str(python))
    assert (ran.code, ran.out.splitlines()[-1].endswith(f"pkg 1.0 (editable, {project})")) == (0, True)
    # A copy in the site folder comes first on the search path.
    site.folder(str(place.relative_to(site.home)), PRISTINE)
    told_twice = site.run("verify", "--installed", "pkg", "--python", str(python), "--json").json["installed_twice"]
    assert told_twice == [str(place / "pkg"), f"{project}/src/pkg"]


def test_stale_bytecode_is_named_and_counts_where_python_would_use_it(site: Site) -> None:
    tree = site.folder("tree", PRISTINE)
    source = tree / "pkg/table.py"
    unchecked = py_compile.PycInvalidationMode.UNCHECKED_HASH
    for mode, code, effect in (
        (py_compile.PycInvalidationMode.TIMESTAMP, 0, "recompiled"),
        (py_compile.PycInvalidationMode.CHECKED_HASH, 0, "recompiled"),
        (unchecked, 1, "used"),
    ):
        source.write_text(TABLE)
        py_compile.compile(str(source), invalidation_mode=mode, doraise=True)
        site.folder("tree", PATCHED)
        ran = site.run("verify", "tree", "--json")
        assert (ran.code, [one["effect"] for one in ran.json["stale_bytecode"]]) == (code, [effect])
    assert "the old code runs" in site.run("verify", "tree").out
    py_compile.compile(str(source), invalidation_mode=unchecked, doraise=True)
    assert site.run("verify", "tree", "--json").json["stale_bytecode"] == []
    # Bytecode of another Python has its own magic number in the key of its hash.
    cached = source.parent / "__pycache__" / "table.cpython-39.pyc"
    cached.write_bytes(b"\x61\x0d\r\n" + b"\1\0\0\0" + importlib.util.source_hash(WITH_12.encode()))
    assert site.run("verify", "tree").code == 1


def test_hostile_archives_end_in_an_error(site: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    make_tar(site.home / "slip.tar.gz", entry("../../pkg/table.py", WITH_12.encode()))
    assert "'..'" in site.run("verify", "slip.tar.gz").err
    make_tar(site.home / "huge.tar.gz", entry("pkg/table.py", b"x" * 2048))
    monkeypatch.setattr("patchq.pypi.gathered.MAX_KEPT_FILE", 1024)
    ran = site.run("verify", "huge.tar.gz")
    assert (ran.code, "has a" in ran.err, "bomb" in ran.err) == (1, True, True)
    monkeypatch.undo()
    make_tar(site.home / "bomb.tar.gz", entry("other", b"\0" * (4 << 20)))
    monkeypatch.setattr("patchq.pypi.gathered.RATIO_FROM", 1 << 20)
    assert "200 times its size" in site.run("verify", "bomb.tar.gz").err
    (site.home / "cut.tar.gz").write_bytes((site.home / "bomb.tar.gz").read_bytes()[:2000])
    monkeypatch.undo()
    assert "the archive is broken" in site.run("verify", "cut.tar.gz").err
    make_tar(site.home / "image.tar.gz", entry("manifest.json", b"[]"))
    assert "a container image, not a layer" in site.run("verify", "image.tar.gz").err


def test_a_ref_needs_no_record_and_files_may_have_moved(tmp_path: Path) -> None:
    fork = site_fork(tmp_path / "fork")
    (fork.repo.path / "series/v1/record.yaml").unlink()
    assert fork.run("verify", "patched/v1").code == 0
    fork.repo.git("checkout", "-q", "patched/v1")
    fork.repo.git("mv", "python/pkg/table.py", "python/pkg/sizes.py")
    fork.repo.git("commit", "-qm", "moved")
    assert fork.run("verify", "HEAD").code == 0
    ran = fork.run("verify", "v2", "--json")
    assert (ran.code, [patch["state"] for patch in ran.json["patches"]]) == (1, ["absent", "absent"])
    assert ran.json["patches"][0]["files"][0]["path"] == "python/pkg/table.py"


def test_a_comment_alone_is_seen_beside_the_anchors(tmp_path: Path) -> None:
    fork = site_fork(tmp_path / "fork")
    patch = fork.repo.path / "series/v1/size-12.patch"
    patch.write_bytes(patch.read_bytes().replace(b"+    12: [6, 8],\n", b"+    12: [6, 8],  # as 10\n"))
    site = Site(tmp_path)
    site.folder("tree", {**PATCHED, "pkg/table.py": WITH_12.replace("12: [6, 8],", "12: [6, 8],  # as 10")})
    assert fork.run("verify", str(tmp_path / "tree")).code == 0


def test_what_a_later_patch_changes_again_is_asked_of_that_one(tmp_path: Path) -> None:
    fork = built_fork(tmp_path / "fork")
    words = dict.fromkeys(("alpha", "beta", "gamma", "delta"), "present")
    site = Site(tmp_path)
    shutil.copytree(fork.repo.path / "series", tmp_path / "series")
    shutil.copytree(fork.repo.path / "pkg", tmp_path / "tree/pkg")
    shutil.rmtree(fork.repo.path)
    assert site.states("tree") == words
    text = tmp_path / "tree/pkg/t.txt"
    whole = text.read_text()
    text.write_text("another line\n" + whole)
    assert site.states("tree") == words
    text.write_text("another line\n" + whole.replace("line 20 by beta", "line 20"))
    assert site.states("tree") == {**words, "beta": "absent"}
    text.write_text(BY_ALPHA)
    (tmp_path / "tree/pkg/new.txt").unlink()
    assert site.states("tree") == {"alpha": "present", "beta": "absent", "gamma": "partial", "delta": "absent"}


def test_a_statement_that_was_there_already_proves_nothing(tmp_path: Path) -> None:
    once = "def f(x):\n    a = 1\n    x += 1\n    b = 2\n    c = 3\n    d = 4\n    e = 5\n    return x\n"
    twice = once.replace("    d = 4\n", "    d = 4\n    x += 1\n")
    fork = Fork.create(tmp_path / "fork", v1={"m.py": once}, v2={}, changes=[Change("twice", {"m.py": twice})])
    assert fork.run("build").code == 0
    shutil.copytree(fork.repo.path / "series", tmp_path / "series")
    site = Site(tmp_path)
    for text, state in ((once, "diverged"), (twice, "present")):
        drifted = text.replace("c = 3", "c = 33").replace("e = 5", "e = 55")
        site.folder("tree", {"m.py": drifted})
        assert fork.run("verify", str(tmp_path / "tree")).out.split()[2] == state
        fork.repo.path.rename(tmp_path / "away")
        assert site.states("tree") == {"twice": state}
        (tmp_path / "away").rename(fork.repo.path)


def test_the_command_line_names_one_tree(site: Site) -> None:
    assert site.run("verify").code == 2
    assert site.run("verify", "x", "--installed", "pkg").code == 2
    assert site.run("verify", "x", "--python", "y").code == 2
    assert "there is no series for v9" in site.run("verify", "series", "--ref", "v9").err
    unnamed = patchq("verify", "series", cwd=site.home)
    assert (unnamed.code, unnamed.err.splitlines()[-1]) == (1, "hint: name it: --series DIR")
    empty = site.folder("empty", {"x": ""})
    ran = site.run("verify", str(empty))
    assert ran.code == 1
    assert "is it the right tree?" in ran.err
