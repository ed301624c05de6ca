from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.running import patchq

if TYPE_CHECKING:
    from tests.gitrepo import GitRepo


@pytest.fixture
def filled(ours: GitRepo) -> GitRepo:
    assert patchq("import", "v1..ours", cwd=ours.path).code == 0
    return ours


def test_patches_are_listed_in_order_with_their_titles(filled: GitRepo) -> None:
    ran = patchq("series", cwd=filled.path)
    assert (ran.code, ran.err) == (0, "")
    assert ran.out == "1  open-the-gate  Open the gate\n2  sizes-for-12   Sizes for 12\n\n2 patches for v1\n"


def test_with_v_the_files_of_each_patch_are_listed_too(filled: GitRepo) -> None:
    for arguments in (["series", "-v"], ["-v", "series", "v1"]):
        assert patchq(*arguments, cwd=filled.path).out.splitlines()[:4] == [
            "1  open-the-gate  Open the gate",
            "    modify  pkg/gate.py",
            "2  sizes-for-12   Sizes for 12",
            "    modify  pkg/table.py",
        ]


def test_a_patch_that_is_not_carried_is_marked(filled: GitRepo) -> None:
    (filled.path / "series/v1/series").write_text("open-the-gate.patch\n#patchq:not-carried sizes-for-12.patch\n")
    out = patchq("series", cwd=filled.path).out
    assert "2  sizes-for-12   (not carried) Sizes for 12\n" in out
    assert "2 patches for v1: 1 carried, 1 not carried\n" in out


def test_the_document_has_positions_files_and_base(filled: GitRepo) -> None:
    document = patchq("series", "--json", cwd=filled.path).json
    assert (document["command"], document["ref"], document["base"]["ref"]) == ("series", "v1", "v1")
    assert [(one["position"], one["name"], one["files"][0]["path"]) for one in document["patches"]] == [
        (1, "open-the-gate", "pkg/gate.py"),
        (2, "sizes-for-12", "pkg/table.py"),
    ]


def test_a_ref_without_a_series_and_a_series_without_patches_say_what_to_do(ours: GitRepo) -> None:
    ran = patchq("series", cwd=ours.path)
    assert (ran.code, ran.out) == (1, "")
    assert ran.err == "error: the series has no patches yet\nhint: patchq import FILE, or patchq import A..B\n"
    assert patchq("series", "v9", cwd=ours.path).code == 1
