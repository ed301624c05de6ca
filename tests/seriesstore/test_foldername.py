from __future__ import annotations

import re

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from patchq.errors import SeriesError
from patchq.seriesstore.foldername import folder_name, ref_of, refuse_case_twins

refs = st.binary(min_size=1, max_size=60).map(lambda raw: raw.decode("utf-8", "surrogateescape"))


@given(refs)
def test_a_ref_comes_back_from_its_folder_name(ref: str) -> None:
    assume(not ref.startswith("-"))
    folder = folder_name(ref)
    assert re.fullmatch(r"[A-Za-z0-9._+%-]+", folder)
    assert not folder.startswith((".", "-"))
    assert ref_of(folder) == ref


@pytest.mark.parametrize(
    ("ref", "folder"),
    [
        ("v0.5.9", "v0.5.9"),
        ("feature/x y", "feature%2Fx%20y"),
        (".hidden", "%2Ehidden"),
        ("..", "%2E."),
        ("100%", "100%25"),
        ("über", "%C3%BCber"),
        ("patchq.yaml", "%70atchq.yaml"),
        ("README.md", "%52EADME.md"),
        ("Ledger.YAML", "%4Cedger.YAML"),
    ],
)
def test_unsafe_bytes_and_reserved_names_are_percent_encoded(ref: str, folder: str) -> None:
    assert folder_name(ref) == folder


@pytest.mark.parametrize("folder", [".git", "a b", "a%2f", "%41", "README.md", "a%", "%C3%BC%", "é", "-x"])
def test_a_name_that_no_ref_gives_is_no_folder_of_a_ref(folder: str) -> None:
    assert ref_of(folder) is None


@pytest.mark.parametrize("ref", ["", "-x", "x" * 201, "/" * 100])
def test_a_ref_that_no_folder_can_stand_for_is_refused(ref: str) -> None:
    with pytest.raises(SeriesError):
        folder_name(ref)


def test_names_that_are_one_without_case_are_refused() -> None:
    with pytest.raises(SeriesError, match="Main and main in series differ only in case"):
        refuse_case_twins(["Main", "v1", "main"], file="series")
