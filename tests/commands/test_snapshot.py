from __future__ import annotations

import os
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

from tests.gitrepo import GitRepo
from tests.pypi.archives import make_sdist, make_wheel
from tests.pypi.wheelhouse import make_wheelhouse
from tests.running import Ran, patchq

if TYPE_CHECKING:
    from pathlib import Path

OLD = {"demo/a.py": b"SIZES = {10: [6, 8]}\n"}
NEW = {"demo/a.py": b"SIZES = {10: [4, 6, 8]}\n", "demo/b.py": b""}


@pytest.fixture(autouse=True)
def wheelhouse(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The only place where pip finds something."""
    monkeypatch.setenv("GIT_CEILING_DIRECTORIES", str(tmp_path.parent))
    return make_wheelhouse(tmp_path / "wheelhouse", monkeypatch)


def snapshot(*arguments: str, cwd: Path) -> Ran:
    return patchq("--repo", "up", "snapshot", *arguments, cwd=cwd)


def test_releases_become_commits_and_tags_in_a_new_repository(tmp_path: Path, wheelhouse: Path) -> None:
    make_wheel(wheelhouse, "demo", "0.5.9", OLD)
    make_wheel(wheelhouse, "demo", "0.5.23", NEW, tag="cp311-cp311-manylinux_2_34_x86_64")
    ran = snapshot("demo==0.5.23", "demo==0.5.9", "--prefix", "python/", cwd=tmp_path)
    assert ran.code == 0, ran.err
    repo = GitRepo(tmp_path / "up")
    old, new = (repo.text("rev-parse", "--short=12", tag) for tag in ("v0.5.9", "v0.5.23"))
    assert ran.out.splitlines() == [
        f"v0.5.9   {old}       1 files  made from demo-0.5.9-py3-none-any.whl",
        f"v0.5.23  {new}       2 files  made from demo-0.5.23-cp311-cp311-manylinux_2_34_x86_64.whl",
        "2 releases in up: 2 made, branch upstream is at the newest",
    ]
    assert "demo==0.5.23: asking pip" in ran.err
    assert repo.text("log", "--format=%s", "upstream").splitlines() == ["demo 0.5.23", "demo 0.5.9"]
    assert repo.text("status", "--porcelain", "--branch") == "## upstream"
    assert (repo.path / "python/demo/a.py").read_bytes() == NEW["demo/a.py"]


def test_a_release_that_is_there_is_not_fetched_again(tmp_path: Path, wheelhouse: Path) -> None:
    wheel = make_wheel(wheelhouse, "demo", "1.0", OLD)
    assert snapshot(str(wheel), cwd=tmp_path).code == 0
    wheel.unlink()
    ran = snapshot("demo==1", "--json", cwd=tmp_path)
    assert (ran.code, ran.err) == (0, "")
    commit, tree = GitRepo(tmp_path / "up").text("log", "-1", "--format=%H %T", "v1.0").split()
    assert ran.json["command"] == "snapshot"
    assert ran.json["schema"] == 1
    assert ran.json["repository"] == str(tmp_path / "up")
    (found,) = ran.json["releases"]
    assert len(found.pop("sha256")) == 64
    assert found == {
        "name": "demo",
        "version": "1.0",
        "tag": "v1.0",
        "commit": commit,
        "tree": tree,
        "files": 1,
        "created": False,
        "archive": "demo-1.0-py3-none-any.whl",
    }


def test_one_release_that_fails_means_that_nothing_is_written(tmp_path: Path, wheelhouse: Path) -> None:
    wheel = make_wheel(wheelhouse, "demo", "1.0", OLD)
    ran = snapshot(str(wheel), "demo==1.1", cwd=tmp_path)
    assert ran.code == 1
    assert ran.out == ""
    assert ran.err.splitlines()[-2:] == ["error: demo has no release 1.1", "hint: near it there are 1.0"]
    assert not (tmp_path / "up").exists()


def test_archives_are_taken_by_their_path_and_pip_is_not_asked(tmp_path: Path) -> None:
    make_wheel(tmp_path / "dl", "demo", "1.0", OLD)
    make_sdist(tmp_path / "dl", "demo", "1.1", NEW)
    ran = snapshot("dl/demo-1.1.tar.gz", "dl/demo-1.0-py3-none-any.whl", cwd=tmp_path)
    assert ran.code == 0, ran.err
    assert "pip" not in ran.err
    again = snapshot("dl/demo-1.1.tar.gz", cwd=tmp_path)
    assert again.out.splitlines()[0].endswith("already there")
    other = make_sdist(tmp_path / "other", "demo", "1.0", NEW)
    ran = snapshot(str(other), cwd=tmp_path)
    assert ran.code == 1
    assert "error: v1.0 was made from another archive, demo-1.0-py3-none-any.whl" in ran.err


def test_releases_that_cannot_stand_side_by_side_are_a_usage_error(tmp_path: Path) -> None:
    one, two = make_wheel(tmp_path, "demo", "1.0", OLD), make_sdist(tmp_path, "demo", "1.0", NEW)
    three = make_wheel(tmp_path, "other", "1.0", NEW)
    ran = snapshot(str(one), str(two), cwd=tmp_path)
    assert ran.code == 2
    assert "demo==1.0 is asked for twice, from two archives" in ran.err
    ran = snapshot(str(one), str(three), cwd=tmp_path)
    assert ran.code == 2
    assert "two projects would get the same tag" in ran.err
    assert snapshot("demo", cwd=tmp_path).code == 2
    assert snapshot(str(one), "--prefix", "../x", cwd=tmp_path).code == 2
    assert not (tmp_path / "up").exists()


def test_an_existing_repository_keeps_its_files_head_and_branches(repo: GitRepo, tmp_path: Path) -> None:
    repo.commit("ours", {"x": "1"})
    repo.write({"x": "2", "y": "3"})
    before = repo.text("status", "--porcelain", "--branch"), repo.text("rev-parse", "HEAD")
    wheel = make_wheel(tmp_path, "demo", "1.0", OLD)
    ran = patchq("snapshot", str(wheel), cwd=repo.path)
    assert ran.code == 0, ran.err
    assert (repo.text("status", "--porcelain", "--branch"), repo.text("rev-parse", "HEAD")) == before
    assert repo.text("rev-parse", "upstream") == repo.text("rev-parse", "v1.0")


@pytest.mark.pypi
def test_two_real_releases_have_the_same_ids_on_every_machine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("PIP_NO_INDEX", "PIP_FIND_LINKS", "PIP_NO_CACHE_DIR", "PIP_CONFIG_FILE", "PIP_RETRIES"):
        monkeypatch.delenv(name)
    ids = []
    for folder, zone, umask in (("one", "UTC", 0o022), ("two", "Asia/Tokyo", 0o077)):
        program = "import sys; from patchq.cli import main; main(sys.argv[1:])"
        releases = ("sglang==0.5.9", "sglang==0.5.23")
        done = subprocess.run(
            [sys.executable, "-c", program, "--repo", folder, "snapshot", *releases, "--prefix", "python/"],
            cwd=tmp_path,
            env={**os.environ, "TZ": zone},
            umask=umask,
            check=False,
        )
        assert done.returncode == 0
        ids.append(GitRepo(tmp_path / folder).text("for-each-ref", "--format=%(refname) %(objectname)"))
    assert ids[0] == ids[1]
    assert ids[0].splitlines() == [
        "refs/heads/upstream 311ab295d5518060011fd12f174d6097bb84c4e7",
        "refs/tags/v0.5.23 311ab295d5518060011fd12f174d6097bb84c4e7",
        "refs/tags/v0.5.9 58217425a32389dcdb3433e65ac297acd3ae473f",
    ]
