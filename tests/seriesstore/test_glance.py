from __future__ import annotations

import hashlib
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest
from hypothesis import HealthCheck, given, settings

from patchq.errors import SeriesError
from patchq.model.names import PatchName
from patchq.model.series import FileRecord, Record
from patchq.model.verdict import Verdict
from patchq.patchfile.read import patch_digest
from patchq.seriesstore.glance import glance
from patchq.seriesstore.record import write_record
from patchq.seriesstore.store import SeriesStore
from tests.seriesstore.values import NEW, OLD, a_record, patch_text, records, tree_of

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture
def root(tmp_path: Path) -> Path:
    return tmp_path / "series"


def write(root: Path, ref: str, record: Record | None, series: str = "") -> None:
    (root / ref).mkdir(parents=True, exist_ok=True)
    (root / ref / "series").write_text(series)
    if record is not None:
        (root / ref / "record.yaml").write_bytes(write_record(record))


def touching(record: Record, path: str) -> Record:
    file = FileRecord(path=path, old_path=None, verdict=Verdict.CLEAN, rung=None, evidence="")
    return replace(record, patches=tuple(replace(patch, files=(file,)) for patch in record.patches))


def refs(root: Path, texts: list[str] | None = None) -> list[str]:
    return [folder.ref for folder in glance(root, root / "no-cache", texts)]


def test_it_tells_the_record_and_what_is_carried(root: Path) -> None:
    record = a_record(NEW, "one", "two", "three", open_names=("three",))
    write(root, "v2", record, "# comment\none.patch\ntwo.diff -p1\n#patchq:not-carried three.patch  # conflict\n")
    (folder,) = glance(root, root / "no-cache")
    assert (folder.ref, folder.folder, folder.record) == ("v2", root / "v2", record)
    assert folder.carried == {PatchName("one"): "one.patch", PatchName("two"): "two.diff"}


def test_folders_without_a_record_have_nothing_to_tell(root: Path) -> None:
    write(root, "v1", None)
    write(root, "v2", a_record(NEW, "one"))
    (root / "notes").mkdir()
    assert refs(root) == ["v2"]


def test_digests_are_those_of_the_files_as_they_are_now(root: Path) -> None:
    write(root, "v2", a_record(NEW, "one", "two"), "one.patch\ntwo.patch\n")
    (root / "v2/one.patch").write_bytes(patch_text("one"))
    (folder,) = glance(root, root / "no-cache")
    assert folder.digests() == {PatchName("one"): patch_digest(patch_text("one")), PatchName("two"): None}
    assert patch_digest(b"x") == hashlib.sha256(b"x").hexdigest()


def test_folders_that_mention_nothing_of_interest_are_not_even_parsed(root: Path) -> None:
    write(root, "v1", touching(a_record(OLD, "one"), "pkg/old.py"))
    write(root, "v2", touching(a_record(NEW, "one"), "pkg/new.py"))
    (root / "v1/record.yaml").write_bytes(b"no: [record\n")
    assert refs(root, ["pkg/new.py"]) == ["v2"]
    assert refs(root, ["patched/v2", "pkg/other.py"]) == ["v2"]
    assert refs(root, ["new.py", "ew", "v"]) == []
    assert refs(root, []) == []
    with pytest.raises(SeriesError, match=r"v1/record\.yaml:2"):
        refs(root, ["no"])


def test_a_merge_of_thousands_of_files_reads_every_record(root: Path) -> None:
    write(root, "v2", touching(a_record(NEW, "one"), "pkg/new.py"))
    assert refs(root, [f"{number}.py" for number in range(5_000)]) == ["v2"]


@given(record=records)
@settings(max_examples=40, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_a_folder_that_mentions_a_path_or_a_branch_is_never_left_out(root: Path, record: Record) -> None:
    write(root, "v2", record)
    for path in {file.path for patch in record.patches for file in patch.files} | {record.branch or ""} - {""}:
        assert refs(root, [path]) == ["v2"]


def test_nothing_is_written_and_copies_of_verbs_are_read(root: Path, tmp_path: Path) -> None:
    cache = tmp_path / "cache"
    write(root, "v2", a_record(NEW, "one"), "one.patch\n")
    before = tree_of(tmp_path)
    glance(root, cache)
    assert tree_of(tmp_path) == before
    assert not cache.exists()
    SeriesStore(root, cache=cache).record("v2")
    (copy,) = cache.iterdir()
    copy.write_bytes(copy.read_bytes().replace(b"patched/v2", b"patched/v3"))
    before = tree_of(tmp_path)
    (folder,) = glance(root, cache)
    assert folder.record.branch == "patched/v3"
    assert tree_of(tmp_path) == before


def test_a_series_file_that_is_not_in_order_is_an_error_with_its_line(root: Path) -> None:
    write(root, "v2", a_record(NEW, "one"), "one.patch\none.patch\n")
    with pytest.raises(SeriesError, match=r"series:2: one\.patch is the same patch"):
        glance(root, root / "no-cache")
