from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.fork import Change, Fork
from tests.queued import BRANCH, built_fork

if TYPE_CHECKING:
    from pathlib import Path

GIT_DIFF = ("diff", "--full-index", "--binary", "-M")


@pytest.fixture
def fork(tmp_path: Path) -> Fork:
    return built_fork(tmp_path / "fork")


@pytest.mark.parametrize(
    ("typed", "span"),
    [
        ((), ("v1", BRANCH)),
        (("alpha..beta",), ("v1", f"{BRANCH}~2")),
        (("gam..",), (f"{BRANCH}~2", BRANCH)),
        (("..beta",), ("v1", f"{BRANCH}~2")),
        (("gamma",), (f"{BRANCH}~2", f"{BRANCH}~1")),
    ],
)
def test_diff_prints_what_git_prints(fork: Fork, typed: tuple[str, ...], span: tuple[str, str]) -> None:
    assert fork.run("diff", *typed).out == fork.repo.git(*GIT_DIFF, *span).decode()


def test_diff_of_a_renamed_and_changed_file_is_a_rename_as_in_git(tmp_path: Path) -> None:
    text = "".join(f"line {number}\n" for number in range(20))
    changes = [
        Change("edit", {"a.txt": text.replace("line 3\n", "line 3!\n")}),
        Change("rename", {"a.txt": None, "b/c.txt": text.replace("line 3\n", "line 3!\n")}),
        Change("again", {"b/c.txt": text.replace("line 3\n", "line 3!\n") + "end\n"}),
    ]
    fork = Fork.create(tmp_path / "moved", v1={"a.txt": text}, v2={}, changes=changes)
    assert fork.run("build").code == 0
    expected = fork.repo.git(*GIT_DIFF, "v1", BRANCH).decode()
    assert "rename from a.txt" in expected
    assert fork.run("diff").out == expected
    # Moved below the rename, the edit follows the file to where it was, and above it to where it is.
    assert fork.run("move", "again", "--first").code == 0
    assert "--- a/a.txt" in fork.run("show", "again").out
    assert fork.run("move", "edit", "--last").code == 0
    assert "--- a/b/c.txt" in fork.run("show", "edit").out
    assert fork.run("diff").out == expected
    assert fork.run("fold", "edit", "rename").code == 0
    assert "rename from a.txt" in fork.run("show", "rename").out
    assert fork.run("diff").out == expected


def test_files_are_told_with_the_patches_that_touch_them(fork: Fork) -> None:
    told = fork.run("files", "--json").json["files"]
    assert [(it["path"], [by["name"] for by in it["patches"]]) for it in told] == [
        ("pkg/gate.py", ["gamma"]),
        ("pkg/new.txt", ["delta"]),
        ("pkg/t.txt", ["alpha", "beta", "gamma"]),
    ]
    assert fork.run("files", "delta").out == "pkg/new.txt\n    create delta\n\n1 file touched by 1 patch\n"


def test_a_range_that_is_none_is_refused(fork: Fork) -> None:
    turned = fork.run("diff", "beta..alpha")
    assert (turned.code, "patchq diff alpha..beta" in turned.err) == (2, True)
    assert "near: alpha" in fork.run("diff", "alhpa").err
    document = fork.run("diff", "beta..gamma", "--json").json
    assert document["patches"] == ["beta", "gamma"]
    assert document["text"].startswith("diff --git a/pkg/gate.py b/pkg/gate.py\n")
