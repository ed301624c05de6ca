from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from patchq.errors import SeriesError
from patchq.model.series import Ledger, Manifest
from patchq.seriesstore.disk import MAX_PATCH
from patchq.seriesstore.publication import Publication
from patchq.seriesstore.publish import finish, stage
from patchq.seriesstore.snapshot import restore_files, snapshot_files
from tests.seriesstore.values import a_series, tree_of

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture
def root(tmp_path: Path) -> Path:
    manifest = Manifest(upstream=None, follow=None, current="v1")
    finish(stage(tmp_path, Publication(series=(a_series("a/b", "one"),), manifest=manifest, ledger=Ledger())))
    (tmp_path / "README.md").write_text("ours\n")
    (tmp_path / "a%2Fb" / "stray.patch").write_text("mine\n")
    (tmp_path / "docs").mkdir()
    (tmp_path / "docs" / "x.md").write_text("mine\n")
    return tmp_path


def test_a_snapshot_holds_what_patchq_manages_and_nothing_of_peoples(root: Path) -> None:
    assert sorted(snapshot_files(root)) == ["a%2Fb/one.patch", "a%2Fb/series", "ledger.yaml", "patchq.yaml"]


def test_restoring_an_empty_snapshot_undoes_init_and_keeps_peoples_files(root: Path) -> None:
    restore_files(root, {})
    assert sorted(tree_of(root)) == ["README.md", "a%2Fb/stray.patch", "docs/x.md"]
    assert snapshot_files(root) == {}


def test_a_series_file_broken_by_hand_can_be_restored(root: Path) -> None:
    before = snapshot_files(root)
    (root / "a%2Fb" / "series").write_bytes(b"one.patch -p7\n../x\n#patchq:oops\n")
    restore_files(root, before)
    assert snapshot_files(root) == before


def test_there_is_nothing_to_snapshot_where_there_is_no_folder(tmp_path: Path) -> None:
    assert snapshot_files(tmp_path / "none") == {}
    restore_files(tmp_path / "none", {"v1/series": b"one.patch\n", "v1/one.patch": b"x\n"})
    assert sorted(tree_of(tmp_path / "none")) == ["v1/one.patch", "v1/series"]


def test_a_file_above_the_bounds_stops_the_snapshot_instead_of_being_left_out(root: Path) -> None:
    with (root / "a%2Fb/one.patch").open("wb") as stream:
        stream.truncate(MAX_PATCH + 1)
    with pytest.raises(SeriesError, match=r"one\.patch: is larger than the 64 MiB"):
        snapshot_files(root)


@pytest.mark.parametrize("path", ["README.md", "../x", "v1/../x", "v1/", "/etc/x", "v1/a/b", "", ".git/config", "v1"])
def test_a_path_that_no_snapshot_has_is_refused(root: Path, path: str) -> None:
    before = tree_of(root)
    with pytest.raises(SeriesError, match="is no file of a series folder"):
        restore_files(root, {path: b"x"})
    assert tree_of(root) == before
