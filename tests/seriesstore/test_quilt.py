from __future__ import annotations

import os
import shutil
import subprocess
from typing import TYPE_CHECKING

import pytest

from patchq.model.series import Standing
from patchq.seriesstore.publication import Publication
from patchq.seriesstore.publish import finish, stage
from patchq.seriesstore.store import SeriesStore
from tests.seriesstore.values import OLD as V1
from tests.seriesstore.values import a_record, a_series

if TYPE_CHECKING:
    from pathlib import Path

pytestmark = pytest.mark.skipif(shutil.which("quilt") is None, reason="quilt is not installed")


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    for name in ("one", "two", "three"):
        (tmp_path / f"{name}.txt").write_bytes(b"1\n2\n3\n4\n5\n")
    record = a_record(V1, "one", "two", "three", open_names=("two",))
    series = a_series("v1", "one", "two", "three", open_names=("two",), record=record)
    finish(stage(tmp_path / "series", Publication(series=(series,))))
    return tmp_path


def quilt(tree: Path, *args: str) -> str:
    environment = {**os.environ, "QUILT_PATCHES": "series/v1", "QUILTRC": "-"}
    done = subprocess.run(["quilt", *args], cwd=tree, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def test_quilt_applies_our_folder_without_the_patches_that_are_not_carried(tree: Path) -> None:
    assert quilt(tree, "series").split() == ["one.patch", "three.patch"]
    quilt(tree, "push", "-a")
    assert (tree / "one.txt").read_bytes() == b"1\n2\nthree\n4\n5\n"
    assert (tree / "two.txt").read_bytes() == b"1\n2\n3\n4\n5\n"


def test_what_quilt_makes_of_the_series_is_read_back_with_our_own_lines_in_place(tree: Path) -> None:
    quilt(tree, "push")
    quilt(tree, "new", "four.patch")
    quilt(tree, "add", "two.txt")
    (tree / "two.txt").write_bytes(b"1\n2\n3\n4\nfive\n")
    quilt(tree, "refresh")
    quilt(tree, "pop", "-a")
    quilt(tree, "delete", "one.patch")
    series = SeriesStore(tree / "series").load("v1")
    assert series.lines == ("#patchq:not-carried two.patch  # conflict\n", "four.patch\n", "three.patch\n")
    assert [entry.standing for entry in series.entries] == [Standing.NOT_CARRIED, Standing.CARRIED, Standing.CARRIED]
    assert series.strays == ("one.patch",)
