from __future__ import annotations

import os
from typing import TYPE_CHECKING

import pytest

from patchq.errors import PatchFormatError, PatchqError, SeriesError
from patchq.model.series import Ledger, LedgerEntry, Manifest, Standing
from patchq.seriesstore.disk import MAX_PATCH
from patchq.seriesstore.publication import Publication
from patchq.seriesstore.publish import finish, stage
from patchq.seriesstore.store import SeriesStore
from tests.seriesstore.values import OLD as V1
from tests.seriesstore.values import a_patch, a_record, a_series, patch_text

if TYPE_CHECKING:
    from pathlib import Path

MANIFEST = Manifest(upstream="origin", follow="main", current="v1")


@pytest.fixture
def root(tmp_path: Path) -> Path:
    root = tmp_path / "series"
    series = a_series("v1", "one", "two", "three", open_names=("two",), record=a_record(V1, "one", "three"))
    finish(stage(root, Publication(manifest=MANIFEST, series=(series,))))
    return root


def error_of(root: Path, ref: str = "v1") -> PatchqError:
    with pytest.raises(PatchqError) as caught:
        SeriesStore(root).load(ref)
    return caught.value


def test_what_was_published_is_what_is_loaded(root: Path) -> None:
    series = SeriesStore(root).load("v1")
    assert [(entry.patch.name.value, entry.standing) for entry in series.entries] == [
        ("one", Standing.CARRIED),
        ("two", Standing.NOT_CARRIED),
        ("three", Standing.CARRIED),
    ]
    assert [patch.raw for patch in series.carried] == [patch_text("one"), patch_text("three")]
    assert [change.path for change in series.carried[0].changes] == [b"one.txt"]
    assert series.record == a_record(V1, "one", "three")
    assert series.lines == ("one.patch\n", "#patchq:not-carried two.patch\n", "three.patch\n")
    assert SeriesStore(root).manifest() == MANIFEST


def test_loading_and_publishing_again_changes_nothing(root: Path) -> None:
    store = SeriesStore(root)
    state = store.state("v1")
    staged = stage(root, Publication(series=(store.load("v1"),), manifest=store.manifest(), expect={"v1": state}))
    assert staged.journal.folders == ()
    assert staged.journal.files == ()
    finish(staged)
    assert store.state("v1") == state


def test_refs_are_listed_as_people_count(root: Path) -> None:
    for ref in ("v0.5.10", "v0.5.9", "main", "feature/x"):
        finish(stage(root, Publication(series=(a_series(ref, "one"),))))
    (root / "docs").mkdir()
    (root / "alias").symlink_to(root / "v1")
    assert SeriesStore(root).refs() == ("feature/x", "main", "v0.5.9", "v0.5.10", "v1")
    assert SeriesStore(root).load("feature/x").ref == "feature/x"


def test_folders_that_are_one_without_case_are_refused(root: Path) -> None:
    (root / "V1").mkdir()
    (root / "V1" / "series").write_bytes(b"")
    with pytest.raises(SeriesError, match=r"V1 and v1 in .* differ only in case"):
        SeriesStore(root).refs()


def test_without_a_series_the_hint_is_to_make_one(tmp_path: Path) -> None:
    store = SeriesStore(tmp_path)
    assert not store.exists()
    for call in (store.manifest, SeriesStore(tmp_path / "none").refs):
        with pytest.raises(SeriesError, match="there is no series in") as caught:
            call()
        assert caught.value.hint == "patchq init"
    assert store.ledger() == Ledger()


def test_an_empty_series_has_no_entries(root: Path) -> None:
    finish(stage(root, Publication(series=(a_series("v2"),))))
    series = SeriesStore(root).load("v2")
    assert (series.entries, series.record, series.strays) == ((), None, ())


def test_an_unknown_ref_is_answered_with_the_nearest_known_one(root: Path) -> None:
    finish(stage(root, Publication(series=(a_series("v0.5.23", "one"),))))
    error = error_of(root, "v0.5.22")
    assert "there is no series for v0.5.22" in str(error)
    assert error.hint == "did you mean 'v0.5.23'?"
    assert error_of(root, "zzz").hint == "there is one for v0.5.23, v1"


def test_a_missing_patch_is_told_by_the_line_that_names_it(root: Path) -> None:
    (root / "v1/three.patch").unlink()
    error = error_of(root)
    assert str(error) == f"{root}/v1/series:3: three.patch is named here, but there is no such file"
    assert "git checkout" in (error.hint or "")


def test_a_patch_that_does_not_parse_is_told_by_file_and_line(root: Path) -> None:
    (root / "v1/three.patch").write_bytes(patch_text("three").replace(b"@@ -1,5 +1,5 @@", b"@@ -1,9 +1,9 @@"))
    error = error_of(root)
    assert isinstance(error, PatchFormatError)
    assert (error.where.file, error.where.hunk) == (f"{root}/v1/three.patch", 1)
    assert error.where.line is not None


def test_a_folder_without_its_series_file_is_an_error(root: Path) -> None:
    (root / "v1/series").unlink()
    assert str(error_of(root)) == f"{root}/v1/series: is missing"


def test_patches_that_no_line_names_are_told(root: Path) -> None:
    (root / "v1/stray.patch").write_bytes(b"x\n")
    (root / "v1/notes.txt").write_bytes(b"x\n")
    assert SeriesStore(root).load("v1").strays == ("stray.patch",)


def test_comments_written_by_hand_survive_a_publish(root: Path) -> None:
    (root / "v1/series").write_bytes(b"# first\none.patch # mine\n\n#patchq:not-carried two.patch\nthree.patch\n")
    series = SeriesStore(root).load("v1")
    finish(stage(root, Publication(series=(series,))))
    assert (root / "v1/series").read_bytes() == b"".join(line.encode() for line in series.lines)


@pytest.mark.parametrize("path", ["v1", "v1/series", "v1/one.patch", "v1/record.yaml", "patchq.yaml"])
def test_links_are_not_followed(root: Path, tmp_path: Path, path: str) -> None:
    (root / path).rename(tmp_path / "elsewhere")
    (root / path).symlink_to(tmp_path / "elsewhere")
    with pytest.raises(SeriesError, match="is a symbolic link"):
        (SeriesStore(root).manifest(), SeriesStore(root).load("v1"))


def test_a_pipe_does_not_block_and_a_folder_is_no_patch(root: Path) -> None:
    (root / "v1/one.patch").unlink()
    os.mkfifo(root / "v1/one.patch")
    assert "one.patch: is not a file" in str(error_of(root))
    (root / "v1/one.patch").unlink()
    (root / "v1/one.patch").mkdir()
    assert "one.patch: is not a file" in str(error_of(root))


def test_a_patch_above_the_bound_is_refused_without_reading_it(root: Path) -> None:
    with (root / "v1/one.patch").open("wb") as stream:
        stream.truncate(MAX_PATCH + 1)
    assert "one.patch: is larger than the 64 MiB" in str(error_of(root))


def test_the_ledger_gives_back_the_last_text_of_a_patch(root: Path) -> None:
    patch = a_patch("gone", b"From: x\n\n---\n \n+caf\xe9\r\n")
    entry = LedgerEntry(
        name=patch.name,
        title="gone",
        seen_at=V1,
        how="patch-id",
        evidence="",
        after=None,
        raw=patch.raw,
        pull_request=7,
    )
    finish(stage(root, Publication(ledger=Ledger((entry,)))))
    assert SeriesStore(root).ledger() == Ledger((entry,))


def test_the_cache_is_used_only_for_the_yaml_it_was_made_from(root: Path, tmp_path: Path) -> None:
    store = SeriesStore(root, cache=tmp_path / "cache")
    first = store.record("v1")
    kept = tmp_path / "cache" / "record-v1.json"
    head, body = kept.read_bytes().split(b"\n", 1)
    kept.write_bytes(head + b"\n" + body.replace(b'"origin":"v1"', b'"origin":"cache"'))
    from_cache = store.record("v1")
    assert from_cache is not None
    assert [patch.origin for patch in from_cache.patches] == ["cache", "cache"]
    path = root / "v1/record.yaml"
    path.write_bytes(path.read_bytes() + b"# edited\n")
    assert store.record("v1") == first


@pytest.mark.parametrize("spoil", [b"", b"{", b"[]", b'{"schema": 1}', b'{"schema": 1, "base": 3}', b"\xff"])
def test_a_spoiled_cache_is_passed_over(root: Path, tmp_path: Path, spoil: bytes) -> None:
    store = SeriesStore(root, cache=tmp_path / "cache")
    first = store.record("v1")
    kept = tmp_path / "cache" / "record-v1.json"
    kept.write_bytes(kept.read_bytes().split(b"\n", 1)[0] + b"\n" + spoil)
    assert store.record("v1") == first
    kept.write_bytes(spoil)
    assert store.record("v1") == first


def test_a_cache_that_cannot_be_written_costs_nothing_but_time(root: Path, tmp_path: Path) -> None:
    (tmp_path / "cache").write_text("a file in the way\n")
    assert SeriesStore(root, cache=tmp_path / "cache").record("v1") == SeriesStore(root).record("v1")
