from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from patchq.seriesstore.journal import BranchMove
from patchq.seriesstore.publication import Publication
from patchq.seriesstore.publish import stage as stage_publication
from patchq.seriesstore.store import SeriesStore
from tests.commands.guarded import guarded_fork, hook, silent

if TYPE_CHECKING:
    from pathlib import Path

    from tests.fork import Fork


@pytest.fixture
def fork(tmp_path: Path, tmp_path_factory: pytest.TempPathFactory) -> Fork:
    return guarded_fork(tmp_path / "fork", tmp_path_factory)


def test_a_malformed_patch_in_a_staged_series_is_named_with_its_line(fork: Fork) -> None:
    fork.repo.git("add", "-f", "series")
    assert silent(hook(fork))
    patch = fork.repo.path / "series/v1/size-12.patch"
    cut = patch.read_text().splitlines(keepends=True)[:-3]
    patch.write_text("".join(cut))
    assert silent(hook(fork))
    fork.repo.git("add", "-f", "series")
    ran = hook(fork)
    assert ran.code == 1
    assert ran.out.startswith("error: series/v1/size-12.patch:")
    assert "hint: " in ran.out


def test_a_misspelt_intent_in_a_staged_patch_is_stopped_and_a_missing_reason_is_not(fork: Fork) -> None:
    patch = fork.repo.path / "series/v1/size-12.patch"
    text = patch.read_text()
    patch.write_text(text.replace("Because we need it.\n\n", ""))
    fork.repo.git("add", "-f", "series")
    assert silent(hook(fork))
    patch.write_text(text.replace("Expect: ", "Expects: "))
    fork.repo.git("add", "-f", "series")
    ran = hook(fork)
    assert ran.code == 1
    assert "patch size-12: `Expects:` has no effect; it is nearly `Expect:`\nhint: write `Expect: pkg/" in ran.out


def test_a_series_that_names_a_patch_which_is_not_staged_is_stopped(fork: Fork) -> None:
    fork.repo.git("add", "-f", "series")
    fork.repo.git("rm", "-q", "--cached", "series/v1/open-gate.patch")
    ran = hook(fork)
    assert ran.code == 1
    assert "error: series/v1/series:1: open-gate.patch is named here, but the commit has no such file\n" in ran.out


def test_broken_yaml_is_stopped_with_its_line(fork: Fork) -> None:
    fork.repo.git("add", "-f", "series")
    fork.repo.git("commit", "-q", "-m", "the series")
    manifest = fork.repo.path / "series/patchq.yaml"
    manifest.write_text(manifest.read_text() + "folow: main\n")
    fork.repo.git("add", "-u")
    ran = hook(fork)
    assert ran.code == 1
    assert "error: series/patchq.yaml:6: " in ran.out


def test_a_branch_that_was_reset_is_told(fork: Fork) -> None:
    fork.repo.git("checkout", "-q", "patched/v2")
    built = fork.repo.text("rev-parse", "HEAD")
    assert silent(hook(fork))
    fork.repo.git("commit", "-q", "--allow-empty", "-m", "on top")
    assert silent(hook(fork))
    fork.repo.git("reset", "-q", "--hard", "HEAD~2")
    ran = hook(fork)
    assert ran.code == 1
    assert ran.out == (
        "error: branch patched/v2 was built from another series than the recorded one\n"
        "  series   series/v2\n"
        f"  built    {built[:12]}, which is not in the history of the branch\n"
        "hint: build it again; what you have staged goes to a branch of its own first:\n"
        "    git switch -c NAME\n"
        "    patchq build v2\n"
        "\n"
        "1 finding; past them, once: git commit --no-verify\n"
    )
    assert hook(fork, "--json").json["findings"][0] == {
        "kind": "other-build",
        "ref": "v2",
        "folder": str(fork.repo.path / "series/v2"),
        "branch": "patched/v2",
        "commit": built,
        "edited": [],
        "dropped": [],
    }


def test_what_the_hook_advises_builds_the_branch_again(fork: Fork) -> None:
    fork.repo.git("checkout", "-q", "patched/v2")
    fork.repo.git("reset", "-q", "--hard", "HEAD~1")
    assert hook(fork).code == 1
    fork.repo.git("switch", "-q", "-c", "mine")
    assert silent(hook(fork))
    assert fork.run("build", "v2").code == 0
    fork.repo.git("switch", "-q", "patched/v2")
    assert silent(hook(fork))


def test_a_patch_edited_or_dropped_since_the_build_is_told_on_the_built_branch_only(fork: Fork) -> None:
    patch = fork.repo.path / "series/v2/size-12.patch"
    patch.write_bytes(patch.read_bytes().replace(b"Because we need it.", b"Because."))
    listed = fork.repo.path / "series/v2/series"
    listed.write_text(listed.read_text().replace("open-gate.patch\n", ""))
    assert silent(hook(fork))
    fork.repo.git("checkout", "-q", "patched/v2")
    ran = hook(fork)
    assert ran.code == 1
    assert "  edited   since then: size-12\n  dropped  since then: open-gate\n" in ran.out


def test_an_interrupted_publish_is_finished_before_the_branch_is_judged(fork: Fork) -> None:
    fork.repo.git("checkout", "-q", "patched/v2")
    fork.repo.git("reset", "-q", "--hard", "HEAD~1")
    root = fork.repo.path / "series"
    series = SeriesStore(root).load("v2")
    assert series.record is not None
    there = fork.repo.text("rev-parse", "HEAD")
    moved = replace(series, record=replace(series.record, branch_commit=there))
    # The branch is where the new record says, and the old one is still in its place: here the power went out.
    stage_publication(root, Publication(series=(moved,), move=BranchMove("refs/heads/patched/v2", None, there)))
    ran = hook(fork)
    assert (ran.code, ran.out) == (1, "")
    assert ran.err.startswith("error: an earlier patchq was interrupted while it published, ")
    assert ran.err.endswith("\nhint: patchq status finishes it\n")
    assert fork.run("status").code == 3
    assert silent(hook(fork))
