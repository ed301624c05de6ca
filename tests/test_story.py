"""The story that must always work, on real releases from PyPI and with the series that ships: `pytest -m pypi`."""

from __future__ import annotations

import ast
import os
import py_compile
import shutil
import subprocess
from pathlib import Path

import pytest

from tests.gitrepo import GitRepo
from tests.readme import screen
from tests.running import patchq

pytestmark = pytest.mark.pypi

SHIPPED = Path(__file__).parents[1] / "series"
COMMUNICATORS = "python/sglang/srt/distributed/device_communicators"
STORY = {
    "sm120-symm-mem-max-sizes": "clean",
    "sm120-symm-mem-multimem": "adapted",
    "sm120-allreduce-fusion-gate": "orphaned",
    "sm120-allreduce-fusion-auto": "orphaned",
}


@pytest.fixture
def upstream(tmp_path: Path) -> GitRepo:
    """The two releases as `patchq snapshot` makes them, and the shipped series beside the files."""
    path = tmp_path / "sglang"
    done = patchq(
        "--repo", "sglang", "snapshot", "sglang==0.5.9", "sglang==0.5.23", "--prefix", "python/", cwd=tmp_path
    )
    assert done.code == 0, done.err
    shutil.copytree(SHIPPED, path / "series")
    return GitRepo(path)


def dictionary(source: bytes, name: str) -> object:
    """Evaluate the dict assigned to `name`, in which other names stand for numbers; nothing is imported."""
    tree = ast.parse(source)
    units = {"MiB": 1024 * 1024}
    for node in ast.walk(tree):
        if isinstance(node, ast.Assign) and any(isinstance(t, ast.Name) and t.id == name for t in node.targets):
            return eval(compile(ast.Expression(node.value), name, "eval"), {"__builtins__": {}}, units)  # noqa: S307 - a dict display of our own branch, without builtins
    raise AssertionError(name)


def test_the_series_is_carried_to_the_newer_release(upstream: GitRepo, tmp_path: Path) -> None:
    words = ("rebase", "v0.5.23", "--from", "v0.5.9", "--skip-conflicts", "--json")
    first = patchq(*words, cwd=upstream.path)
    assert first.code == 3
    assert {patch["name"]: patch["verdict"] for patch in first.json["patches"]} == STORY
    multimem = first.json["patches"][1]
    assert multimem["rung"] == "anchored"
    assert multimem["notes"] == ["copied [10], which upstream has changed: [6, 8] -> [4, 6, 8]"]

    branch = first.json["branch"]["name"]
    sizes = dictionary(
        upstream.file(branch, f"{COMMUNICATORS}/all_reduce_utils.py"), "TORCH_SYMM_MEM_ALL_REDUCE_MAX_SIZES"
    )
    assert isinstance(sizes, dict)
    assert sizes[12] == {2: 64 << 20, 4: 64 << 20, 6: 128 << 20, 8: 128 << 20}
    multimem_sizes = dictionary(upstream.file(branch, f"{COMMUNICATORS}/torch_symm_mem.py"), "_WORLD_SIZES_MULTIMEM")
    assert multimem_sizes == {9: [4, 6, 8], 10: [4, 6, 8], 12: [4, 6, 8]}
    for path in upstream.text("diff", "--name-only", "v0.5.23", branch).splitlines():
        built = tmp_path / Path(path).name
        built.write_bytes(upstream.file(branch, path))
        py_compile.compile(str(built), doraise=True)

    again = patchq(*words, cwd=upstream.path)
    assert again.json["branch"] == first.json["branch"]
    plain = patchq("rebase", "v0.5.23", "--skip-conflicts", "--json", cwd=upstream.path)
    assert plain.json["branch"] == first.json["branch"]
    assert {patch["name"]: patch["verdict"] for patch in plain.json["patches"]} == STORY
    other = tmp_path / "other"
    upstream.git("clone", "-q", "--no-checkout", str(upstream.path), str(other))
    shutil.copytree(SHIPPED, other / "series")
    assert patchq(*words, cwd=other).json["branch"]["commit"] == first.json["branch"]["commit"]


def test_the_shipped_folders_are_what_patchq_makes_of_them(upstream: GitRepo) -> None:
    patchq("rebase", "v0.5.23", "--from", "v0.5.9", "--skip-conflicts", cwd=upstream.path)
    for path in sorted(path for path in SHIPPED.rglob("*") if path.is_file()):
        made = upstream.path / "series" / path.relative_to(SHIPPED)
        assert made.read_bytes() == path.read_bytes(), path


def test_quilt_and_git_am_take_the_series(upstream: GitRepo) -> None:
    if shutil.which("quilt") is None:
        pytest.skip("quilt is not installed")
    upstream.git("checkout", "-q", "-B", "quilted", "v0.5.9")
    environment = {**os.environ, "QUILT_PATCHES": "series/v0.5.9"}
    pushed = subprocess.run(
        ["quilt", "push", "-a"], cwd=upstream.path, env=environment, capture_output=True, text=True, check=False
    )
    assert pushed.returncode == 0, pushed.stdout + pushed.stderr
    assert "fuzz" not in pushed.stdout + pushed.stderr
    by_quilt = upstream.git("diff")
    upstream.git("checkout", "-q", "--", "python")
    names = (SHIPPED / "v0.5.9/series").read_text().split()
    upstream.git("am", "-q", *(f"series/v0.5.9/{name}" for name in names))
    assert upstream.git("diff", "v0.5.9", "HEAD") == by_quilt
    patchq("build", "v0.5.9", cwd=upstream.path)
    assert upstream.git("diff", "v0.5.9", "patched/v0.5.9") == by_quilt


def test_the_screens_in_the_readme_are_what_is_printed(tmp_path: Path) -> None:
    ran = patchq("demo", "--dir", "sglang", cwd=tmp_path)
    assert screen("online demo").strip() in ran.out
    explained = patchq("--repo", "sglang", "explain", "sm120-symm-mem-multimem", cwd=tmp_path)
    assert explained.out.rstrip() == screen("online explain").rstrip()
