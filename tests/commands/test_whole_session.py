from __future__ import annotations

import os
import shutil
import subprocess
from typing import TYPE_CHECKING

import pytest

from tests.gitrepo import GitRepo
from tests.running import patchq
from tests.sixty import ABSORBED, CONTESTED, STEPS, Sixty, formula, name, path, source

if TYPE_CHECKING:
    from pathlib import Path

# What becomes of the contested lines: both changes.
SETTLED = {place: f"{value} + {formula(*place).split()[-1]}" for place, value in CONTESTED.items()}
BUILT = "3"  # the operations before it: init, import
RENAMED_STAGE = ('NAME = "stage-5"', 'NAME = "stage-five"')


def ours(module: int, steps: int = STEPS) -> str:
    """Give a module with the first `steps` functions as our patches have them."""
    return source(module, {step: formula(module, step) for step in range(steps)})


@pytest.fixture
def sixty(tmp_path: Path) -> Sixty:
    return Sixty.create(tmp_path / "fork")


def edit_in_the_middle(sixty: Sixty) -> None:
    """Use each editing verb once, on the built branch."""
    sixty.repo.git("switch", "-q", "patched/v1")
    sixty.repo.write({path(5): ours(5).replace(*RENAMED_STAGE)})
    carried = sixty.run("refresh", "m05-s2", "--json").json
    assert {one["name"]: one["verdict"] for one in carried["patches"]} == {"m05-s3": "clean", "m05-s4": "clean"}
    assert sixty.repo.git("status", "--porcelain") == b""
    whole = sixty.repo.text("rev-parse", "patched/v1^{tree}")
    sixty.run("edit", "m05-s3", "-m", "Stage 5, said anew", "-m", "It was unclear.")
    sixty.run("move", "m07-s3", "--before", "m07-s1")
    sixty.run("fold", "m03-s4", "m03-s3")
    sixty.run("split", "m08-s0", "--files", "docs", "--name", "stage-8-docs")
    sixty.run("rename", "m10-s2", "ten")
    assert sixty.repo.text("rev-parse", "patched/v1^{tree}") == whole  # only the story of it is another one
    sixty.run("drop", "m11-s4", "--reason", "tried, and not worth it")


def resolve_three(sixty: Sixty) -> None:
    """Settle the three conflicts in the linked work tree, as they are opened."""
    tree = GitRepo(sixty.repo.path.with_name("fork.resolve"))
    ran = patchq("resolve", "--onto", "v2", "--json", cwd=sixty.repo.path)
    for module, step in CONTESTED:
        assert ran.code == 3
        assert ran.json["open"] == name(module, step)
        assert tree.text("diff", "--name-only", "--diff-filter=U") == path(module)
        refused = patchq("continue", cwd=tree.path)
        assert refused.code != 0
        assert path(module) in refused.err
        earlier = {before: formula(module, before) for before in range(step)}
        tree.write({path(module): source(module, earlier | {step: SETTLED[module, step]})})
        ran = patchq("continue", "--json", cwd=tree.path)
    assert ran.code == 0, ran.err
    assert not tree.path.exists()


def by_quilt(sixty: Sixty, patches: Path, work: Path) -> str:
    """Apply an exported folder on v2 by quilt alone; return the tree that is left."""
    sixty.repo.git("worktree", "add", "-q", "--detach", str(work), "v2")
    environment = {**os.environ, "QUILT_PATCHES": str(patches), "QUILT_PC": str(work.with_name("pc"))}
    pushed = subprocess.run(
        ["quilt", "--quiltrc", "-", "push", "-a"],
        cwd=work,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )
    assert pushed.returncode == 0, pushed.stdout + pushed.stderr
    assert "fuzz" not in pushed.stdout + pushed.stderr
    tree = GitRepo(work)
    tree.git("add", "-A")
    return tree.text("write-tree")


def test_sixty_patches_from_import_to_quilt_and_back(sixty: Sixty, tmp_path: Path) -> None:
    sixty.run("import", "v1..ours")
    sixty.run("build")
    built = sixty.published()
    assert len(sixty.names("v1")) == 60
    assert sixty.repo.text("rev-parse", "patched/v1^{tree}") == sixty.repo.text("rev-parse", "ours^{tree}")
    edit_in_the_middle(sixty)
    edited = sixty.published()

    conflicts = patchq("rebase", "v2", "--json", cwd=sixty.repo.path)
    assert conflicts.code == 3
    verdicts = {one["name"]: one["verdict"] for one in conflicts.json["patches"]}
    assert {one for one, verdict in verdicts.items() if verdict == "conflict"} == {name(*at) for at in CONTESTED}
    assert {one for one, verdict in verdicts.items() if verdict == "absorbed"} == {name(*ABSORBED)}
    assert set(verdicts.values()) == {"clean", "conflict", "absorbed"}
    assert sixty.published() == edited

    resolve_three(sixty)
    rebased = sixty.published()
    expected = {path(5): ours(5).replace(*RENAMED_STAGE), path(4): ours(4), path(11): ours(11, STEPS - 1)}
    for module, step in CONTESTED:
        changed = {other: formula(module, other) for other in range(STEPS)} | {step: SETTLED[module, step]}
        expected[path(module)] = source(module, changed)
    for file, text in expected.items():
        assert sixty.repo.file("patched/v2", file).decode() == text
    assert len(sixty.names("v2")) == 60 - 3 + 1  # folded, dropped and absorbed; and one of two

    sixty.run("undo")
    assert sixty.published() == edited
    sixty.run("undo", BUILT)
    assert sixty.published() == built
    assert sixty.repo.text("diff", "--name-only") == path(5)  # what `refresh` had taken is a change again
    for _ in range(8):
        sixty.run("redo")
    assert sixty.repo.git("status", "--porcelain") == b""
    assert sixty.published() == rebased

    out = tmp_path / "quilt/patches"
    sixty.run("export", "--quilt", str(out))
    sixty.run("--series", "copy", "init")
    sixty.run("--series", "copy", "import", str(out), "--base", "v2", "--no-mirror")
    copy = sixty.repo.path / "copy/v2"
    assert {one.name: one.read_bytes() for one in out.iterdir()} == {
        one.name: one.read_bytes() for one in copy.iterdir() if one.name != "record.yaml"
    }
    if shutil.which("quilt") is None:
        pytest.skip("quilt is not installed")
    assert by_quilt(sixty, out, tmp_path / "quilted") == sixty.repo.text("rev-parse", "patched/v2^{tree}")
