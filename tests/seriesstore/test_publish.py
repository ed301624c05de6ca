from __future__ import annotations

import os
import resource
import shutil
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from patchq.errors import PatchqError, PublishError, SeriesError
from patchq.model.series import Ledger, Manifest
from patchq.seriesstore.journal import JOURNAL, NEW, OLD, BranchMove
from patchq.seriesstore.layout import folder_state, ref_folders
from patchq.seriesstore.publication import Publication
from patchq.seriesstore.publish import Recovered, discard, finish, finishing, pending, recover, stage
from patchq.seriesstore.record import read_record
from tests.seriesstore.values import NEW as V2
from tests.seriesstore.values import OLD as V1
from tests.seriesstore.values import a_patch, a_record, a_series, patch_text, tree_of

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

MANIFEST = Manifest(upstream="origin", follow="main", current="v1")
MOVE = BranchMove("patched/v2", None, "d" * 40)


def publish(root: Path, publication: Publication) -> None:
    finish(stage(root, publication))


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """A series of two patches for v1, with files of people beside it and in it."""
    root = tmp_path / "series"
    series = a_series("v1", "one", "two", record=a_record(V1, "one", "two"))
    publish(root, Publication(manifest=MANIFEST, series=(series,)))
    (root / "README.md").write_text("ours\n")
    (root / "v1" / "notes.txt").write_text("why\n")
    return root


def error_of(root: Path, publication: Publication) -> PatchqError:
    before = tree_of(root)
    with pytest.raises(PatchqError) as caught:
        stage(root, publication)
    assert tree_of(root) == before
    return caught.value


def test_a_first_series_is_written_where_nothing_was(root: Path) -> None:
    assert sorted(tree_of(root)) == [
        "README.md", "patchq.yaml", "v1/notes.txt", "v1/one.patch", "v1/record.yaml", "v1/series", "v1/two.patch",
    ]  # fmt: skip
    assert (root / "v1/series").read_bytes() == b"one.patch\ntwo.patch\n"
    assert (root / "v1/one.patch").read_bytes() == patch_text("one")
    assert read_record((root / "v1/record.yaml").read_bytes(), file="r") == a_record(V1, "one", "two")


def test_nothing_is_visible_before_finish_and_nothing_is_left_behind_after_it(root: Path) -> None:
    before = tree_of(root)
    new = a_series("v2", "one", "two", record=a_record(V2, "one", "two"))
    staged = stage(root, Publication(series=(new,), manifest=replace(MANIFEST, current="v2"), move=MOVE))
    assert {name: data for name, data in tree_of(root).items() if not name.startswith(".")} == before
    assert list(ref_folders(root)) == ["v1"]
    finish(staged)
    assert list(ref_folders(root)) == ["v1", "v2"]
    assert not [path for path in root.iterdir() if path.name.startswith(".")]


def test_a_replaced_folder_loses_its_old_patches_and_keeps_what_is_not_patchqs(root: Path) -> None:
    (root / "v1" / "drafts").mkdir()
    (root / "v1" / "drafts" / "x.patch").write_text("draft\n")
    publish(root, Publication(series=(a_series("v1", "two", "three"),)))
    assert sorted(tree_of(root / "v1")) == ["drafts/x.patch", "notes.txt", "series", "three.patch", "two.patch"]


def test_a_patch_that_is_not_carried_stays_in_the_folder_with_its_reason(root: Path) -> None:
    record = a_record(V1, "one", "two", open_names=("one",))
    publish(root, Publication(series=(a_series("v1", "one", "two", open_names=("one",), record=record),)))
    assert (root / "v1/series").read_bytes() == b"#patchq:not-carried one.patch  # conflict\ntwo.patch\n"
    assert (root / "v1/one.patch").read_bytes() == patch_text("one")


def test_patches_are_written_byte_for_byte(root: Path) -> None:
    raw = b"\r\n\x00caf\xe9 no line end"
    series = a_series("v1", "one")
    entry = replace(series.entries[0], patch=a_patch("one", raw))
    publish(root, Publication(series=(replace(series, entries=(entry,)),)))
    assert (root / "v1/one.patch").read_bytes() == raw


def test_what_does_not_change_is_not_written_again(root: Path) -> None:
    before = {path: path.stat().st_ino for path in root.rglob("*")}
    series = a_series("v1", "one", "two", record=a_record(V1, "one", "two"))
    publish(root, Publication(series=(series,), manifest=MANIFEST, remove=("v0",)))
    assert {path: path.stat().st_ino for path in root.rglob("*")} == before


def test_a_removed_folder_goes_unless_somebody_keeps_files_in_it(root: Path) -> None:
    publish(root, Publication(series=(a_series("v2", "one"),)))
    publish(root, Publication(remove=("v1", "v2")))
    assert sorted(tree_of(root)) == ["README.md", "patchq.yaml", "v1/notes.txt"]
    assert not (root / "v2").exists()


def test_a_discarded_state_leaves_no_trace(root: Path) -> None:
    before = tree_of(root)
    discard(stage(root, Publication(series=(a_series("v2", "one"),), move=MOVE)))
    assert tree_of(root) == before
    assert pending(root) is None


@pytest.mark.parametrize(
    ("commit", "recovered", "refs"),
    [
        ("d" * 40, Recovered.FINISHED, ["v1", "v2"]),
        (None, Recovered.DISCARDED, ["v1"]),
        ("e" * 40, Recovered.DISCARDED, ["v1"]),
    ],
)
def test_the_next_run_lets_the_branch_decide(
    root: Path, commit: str | None, recovered: Recovered, refs: list[str]
) -> None:
    stage(root, Publication(series=(a_series("v2", "one"),), move=MOVE))
    assert recover(root, {"patched/v2": commit}.__getitem__) is recovered
    assert list(ref_folders(root)) == refs
    assert recover(root, lambda _: None) is Recovered.NOTHING


def test_without_a_branch_the_journal_itself_decides(root: Path) -> None:
    stage(root, Publication(series=(a_series("v2", "one"),)))
    assert recover(root, lambda _: None) is Recovered.FINISHED
    assert list(ref_folders(root)) == ["v1", "v2"]


def test_a_second_publish_does_not_run_over_a_waiting_one(root: Path) -> None:
    staged = stage(root, Publication(series=(a_series("v2", "one"),), move=MOVE))
    assert "an earlier publish was interrupted" in str(error_of(root, Publication(series=(a_series("v3", "one"),))))
    finish(staged)


def test_an_edit_between_stage_and_finish_is_never_lost(root: Path) -> None:
    staged = stage(root, Publication(series=(a_series("v1", "two"),), move=MOVE))
    (root / "v1/two.patch").write_bytes(b"my edit\n")
    with pytest.raises(PublishError, match="v1: was edited while a publish was under way"):
        finish(staged)
    assert (root / "v1/two.patch").read_bytes() == b"my edit\n"
    (root / "v1/two.patch").write_bytes(patch_text("two"))
    assert recover(root, lambda _: None) is Recovered.FINISHED
    assert (root / "v1/series").read_bytes() == b"two.patch\n"


def test_an_edited_manifest_or_ledger_is_never_lost_either(root: Path) -> None:
    staged = stage(root, Publication(manifest=replace(MANIFEST, current="v2"), ledger=Ledger()))
    (root / "patchq.yaml").write_bytes(b"schema: 1\n")
    with pytest.raises(PublishError, match=r"patchq.yaml: was edited while"):
        finish(staged)
    assert (root / "patchq.yaml").read_bytes() == b"schema: 1\n"


def test_a_state_that_did_not_reach_the_disk_is_not_put_in_place(root: Path) -> None:
    staged = stage(root, Publication(series=(a_series("v1", "two"),), move=MOVE))
    (root / NEW / "v1/two.patch").write_bytes(b"")
    with pytest.raises(PublishError, match="is not what was staged"):
        finish(staged)
    assert (root / "v1/two.patch").read_bytes() == patch_text("two")


@pytest.mark.parametrize("lost", ["", "v1", "patchq.yaml"])
def test_a_staged_state_that_was_deleted_is_not_reported_as_published(root: Path, lost: str) -> None:
    staged = stage(root, Publication(series=(a_series("v1", "two"),), manifest=replace(MANIFEST, current=None)))
    path = root / NEW / lost
    path.unlink() if path.is_file() else shutil.rmtree(path)
    with pytest.raises(PublishError, match="was deleted before its publish was finished"):
        finish(staged)


def test_an_edit_right_after_a_crash_behind_the_swap_is_kept(root: Path) -> None:
    staged = stage(root, Publication(series=(a_series("v1", "two"),)))
    for step in finishing(staged)[:-1]:
        step()
    (root / "v1/two.patch").write_bytes(b"my edit\n")
    assert recover(root, lambda _: None) is Recovered.FINISHED
    assert (root / "v1/two.patch").read_bytes() == b"my edit\n"


def test_names_of_people_that_differ_only_in_case_do_not_stand_in_the_way(root: Path) -> None:
    (root / "Docs").mkdir()
    (root / "docs").mkdir()
    publish(root, Publication(series=(a_series("v2", "one"),)))
    assert "v2 and V2" in str(error_of(root, Publication(series=(a_series("V2", "one"),))))


def test_an_edit_since_the_series_was_loaded_stops_the_publish(root: Path) -> None:
    expect = {"v1": folder_state(root / "v1")}
    (root / "v1/one.patch").write_bytes(b"my edit\n")
    error = error_of(root, Publication(series=(a_series("v1", "two"),), expect=expect))
    assert str(error).endswith("v1: was edited while patchq worked")


def test_a_begun_finish_cannot_be_discarded(root: Path) -> None:
    staged = stage(root, Publication(series=(a_series("v1", "two"),), move=MOVE))
    (root / "v1/one.patch").write_bytes(b"my edit\n")
    with pytest.raises(PublishError):
        finish(staged)
    begun = pending(root)
    assert begun is not None
    with pytest.raises(PublishError, match="can only be finished"):
        discard(begun)


def test_a_file_that_no_series_names_is_not_overwritten(root: Path) -> None:
    (root / "v1/Three.patch").write_bytes(b"mine\n")
    error = error_of(root, Publication(series=(a_series("v1", "one", "three"),)))
    assert "Three.patch: a patch of the name three.patch would replace this file" in str(error)


def test_names_that_differ_only_in_case_are_refused(root: Path) -> None:
    assert "differ only in case" in str(error_of(root, Publication(series=(a_series("V1", "one"),))))
    assert "differ only in case" in str(error_of(root, Publication(series=(a_series("v2", "one", "One"),))))
    assert "one.patch stands twice" in str(error_of(root, Publication(series=(a_series("v2", "one", "one"),))))
    assert "published twice" in str(error_of(root, Publication(series=(a_series("v2", "one"),), remove=("v2",))))


def test_a_patch_without_text_is_refused(root: Path) -> None:
    series = a_series("v2", "one")
    entry = replace(series.entries[0], patch=a_patch("one", b""))
    assert "patch one: has no text" in str(error_of(root, Publication(series=(replace(series, entries=(entry,)),))))


def test_a_value_that_would_not_read_back_is_not_written(root: Path) -> None:
    record = replace(a_record(V1, "one"), branch_commit="HEAD")
    assert "is 'HEAD', not an object id" in str(error_of(root, Publication(series=(a_series("v2", record=record),))))


def test_a_linked_folder_is_refused_instead_of_replaced(root: Path, tmp_path: Path) -> None:
    (root / "v1").rename(tmp_path / "elsewhere")
    (root / "v1").symlink_to(tmp_path / "elsewhere")
    error = error_of(root, Publication(series=(a_series("v1", "two"),)))
    assert isinstance(error, SeriesError)
    assert "v1: is a symbolic link" in str(error)


@pytest.mark.parametrize("name", [NEW, OLD])
def test_a_link_in_place_of_our_own_folders_is_not_followed(root: Path, tmp_path: Path, name: str) -> None:
    (tmp_path / "precious").mkdir()
    (tmp_path / "precious" / "file").write_text("keep\n")
    (root / name).symlink_to(tmp_path / "precious")
    with pytest.raises(SeriesError, match="is a symbolic link"):
        stage(root, Publication(series=(a_series("v2", "one"),)))
    assert (tmp_path / "precious" / "file").exists()


def test_an_old_state_whose_journal_is_gone_is_left_to_a_person(root: Path) -> None:
    (root / OLD / "v1").mkdir(parents=True)
    assert "whose journal is gone" in str(error_of(root, Publication(series=(a_series("v2", "one"),))))


HEAD = '{"schema": 1, "phase": "staged", "move": null, '


@pytest.mark.parametrize(
    "text",
    [
        "",
        "[]",
        "{}",
        "[" * 5000,
        '{"schema": 2}',
        HEAD + '"files": [], "folders": [{"folder": "../x", "was": null, "now": "", "managed": []}]}',
        HEAD + '"files": [], "folders": [{"folder": "x", "was": null, "now": "", "managed": ["../y"]}]}',
        HEAD + '"folders": [], "files": [{"name": "../z", "was": null, "now": ""}]}',
        HEAD.replace("null", '{"name": 1}') + '"folders": [], "files": []}',
    ],
)
def test_a_journal_that_patchq_cannot_have_written_is_refused(root: Path, text: str) -> None:
    (root / JOURNAL).write_text(text)
    with pytest.raises(SeriesError, match="is not a journal that this patchq reads"):
        pending(root)


@pytest.fixture
def _full_disk() -> Iterator[None]:
    """No file may grow beyond 600 bytes: the nearest to a full disk that a test can have for itself."""
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (600, hard))
    yield
    resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))


@pytest.mark.usefixtures("_full_disk")
def test_a_full_disk_leaves_the_old_state(tmp_path: Path) -> None:
    root = tmp_path / "series"
    publish(root, Publication(series=(a_series("v1", "a"),)))
    series = a_series("v1", "a", "b")
    big = replace(series.entries[1], patch=a_patch("b", b"x" * 1000))
    error = error_of(root, Publication(series=(replace(series, entries=(series.entries[0], big)),)))
    assert isinstance(error, PublishError)
    assert error.message == "file too large; the old state stands"
    assert error.hint == "make room on the disk and run it again"
    assert error.where.file == str(root)


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write everywhere")
def test_a_folder_that_cannot_be_written_is_refused_before_the_branch_moves(root: Path) -> None:
    (root / "v1").chmod(0o555)
    try:
        assert "v1: cannot be written" in str(error_of(root, Publication(series=(a_series("v1", "two"),))))
    finally:
        (root / "v1").chmod(0o755)


def test_a_root_that_is_a_file_is_an_error_with_its_path(tmp_path: Path) -> None:
    (tmp_path / "series").write_text("no folder\n")
    with pytest.raises(PublishError, match="series: file exists; the old state stands"):
        stage(tmp_path / "series", Publication(manifest=MANIFEST))
