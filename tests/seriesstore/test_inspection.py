from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import pytest

from patchq.errors import GitError
from patchq.model.series import Ledger, Manifest
from patchq.model.tree import FileState, Mode
from patchq.seriesstore.inspection import faults
from patchq.seriesstore.ledger import write_ledger
from patchq.seriesstore.manifest import write_manifest
from patchq.seriesstore.record import write_record
from tests.seriesstore.values import NEW, a_record, patch_text

if TYPE_CHECKING:
    from collections.abc import Mapping

BROKEN = patch_text("one").replace(b"@@ -1,5 +1,5 @@", b"@@ -1,9 +1,5 @@")


@dataclass(frozen=True)
class Tree:
    """A tree in memory; an exception in the place of a file is raised when it is read."""

    files: Mapping[str, bytes | FileState | Exception]

    def read(self, path: bytes) -> FileState | None:
        found = self.files.get(path.decode("utf-8", "surrogateescape"))
        if isinstance(found, Exception):
            raise found
        return FileState(Mode.REGULAR, found) if isinstance(found, bytes) else found


def whole() -> dict[str, bytes | FileState | Exception]:
    """A series in order, below `series/`."""
    manifest = Manifest(upstream=None, follow=None, current="v2")
    return {
        "series/patchq.yaml": write_manifest(manifest, old=None, file="x"),
        "series/ledger.yaml": write_ledger(Ledger()),
        "series/v2/series": b"# ours\none.patch\n#patchq:not-carried two.patch  # conflict\n",
        "series/v2/one.patch": patch_text("one"),
        "series/v2/two.patch": patch_text("two"),
        "series/v2/record.yaml": write_record(a_record(NEW, "one", "two", open_names=("two",))),
        "series/v2/notes.txt": b"\xff anything",
        "series/README.md": b"\xff anything",
    }


def told(
    files: Mapping[str, bytes | FileState | Exception | None], changed: list[str] | None = None, root: str = "series/"
) -> list[str]:
    tree = {**whole(), **files}
    there = {path: state for path, state in tree.items() if state is not None}
    names = list(tree) if changed is None else [f"series/{name}" for name in changed]
    return [str(error) for error in faults(Tree(there), [name.removeprefix(root) for name in names], root=root)]


def test_a_series_in_order_has_no_faults() -> None:
    assert told({}) == []


def test_a_series_may_be_the_whole_tree() -> None:
    files = {path.removeprefix("series/"): state for path, state in whole().items()}
    assert faults(Tree(files), list(files), root="") == ()
    files["v2/one.patch"] = BROKEN
    (fault,) = faults(Tree(files), list(files), root="")
    assert str(fault).startswith("v2/one.patch:")


def test_a_malformed_patch_is_told_with_its_line() -> None:
    (fault,) = told({"series/v2/one.patch": BROKEN})
    assert fault.startswith("series/v2/one.patch:")
    (fault,) = told({"series/v2/two.patch": b"no patch at all\n"})
    assert fault.startswith("series/v2/two.patch")


def test_a_patch_that_no_line_names_must_parse_too() -> None:
    (fault,) = told({"series/v2/stray.patch": BROKEN})
    assert fault.startswith("series/v2/stray.patch:")


def test_only_what_the_commit_changes_is_read() -> None:
    assert told({"series/v2/one.patch": BROKEN}, ["v2/two.patch", "v2/record.yaml"]) == []
    assert len(told({"series/v2/one.patch": BROKEN}, ["v2/series"])) == 1


def test_a_missing_patch_is_told_at_the_line_that_names_it() -> None:
    assert told({"series/v2/one.patch": None}) == [
        "series/v2/series:2: one.patch is named here, but the commit has no such file"
    ]


def test_a_folder_that_is_removed_as_a_whole_is_no_fault() -> None:
    gone = {path: None for path in whole() if path.startswith("series/v2/")}
    assert told(gone) == []


def test_a_folder_that_only_lost_its_list_is_a_fault() -> None:
    (fault,) = told({"series/v2/series": None})
    assert fault == "series/v2/series: is missing, so none of the patches beside it is carried"


@pytest.mark.parametrize(
    ("name", "data", "start"),
    [
        ("patchq.yaml", b"schema: 1\nfolow: main\n", "series/patchq.yaml:2: folow"),
        ("ledger.yaml", b"schema: 1\nentries: [\n", "series/ledger.yaml:"),
        ("v2/record.yaml", b"schema: 1\npatches: 3\n", "series/v2/record.yaml:"),
        ("v2/series", b"one.patch\ntwo.patch -R\n", "series/v2/series:2: reversed"),
    ],
)
def test_every_file_of_the_series_must_load(name: str, data: bytes, start: str) -> None:
    faults_told = told({f"series/{name}": data})
    assert faults_told[0].startswith(start), faults_told


def test_all_faults_are_told_at_once() -> None:
    assert len(told({"series/v2/one.patch": BROKEN, "series/v2/two.patch": None, "series/patchq.yaml": b"x"})) == 3


def test_files_of_people_are_passed_over() -> None:
    others = {"series/v2/sub/x.patch": BROKEN, "series/my notes/x.patch": BROKEN, "series/x.patch": BROKEN}
    assert told(others) == []


def test_a_link_in_the_place_of_a_file_is_a_fault() -> None:
    link = FileState(Mode.SYMLINK, b"../../etc/passwd")
    assert told({"series/v2/one.patch": link}) == ["series/v2/one.patch: is not a file"]


def test_a_file_that_is_too_large_is_a_fault() -> None:
    (fault,) = told({"series/patchq.yaml": b"#" * ((8 << 20) + 1)})
    assert "is larger than the 8 MiB" in fault


def test_a_file_that_a_merge_left_open_is_a_fault() -> None:
    assert told({"series/patchq.yaml": GitError("is unmerged")}) == ["is unmerged"]
