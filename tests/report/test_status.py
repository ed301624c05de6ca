from __future__ import annotations

import hashlib
from dataclasses import replace

import pytest

from patchq.model.series import Entry, Ledger, Series
from patchq.model.verdict import Verdict
from patchq.report.cells import cells
from patchq.report.status import edited_since, series_table, status_table
from patchq.report.style import Colour, Style
from tests.report.golden import expected, without_colour
from tests.report.samples import patch
from tests.report.series_samples import ledger, recorded, series

PLAIN = Style(Colour.OFF, 80)


@pytest.mark.parametrize("width", [80, 120])
def test_the_recorded_state_reads_as_expected(width: int) -> None:
    assert status_table(series(), ledger(), style=Style(Colour.OFF, width)) == expected(f"status-{width}")


def test_a_series_reads_as_expected_whatever_its_titles_hold() -> None:
    assert series_table(series(), style=PLAIN) == expected("series-80")


@pytest.mark.parametrize("width", [40, 57, 80, 120])
@pytest.mark.parametrize("colour", Colour)
def test_no_line_is_wider_than_the_terminal(width: int, colour: Colour) -> None:
    style = Style(colour, width)
    for text in (status_table(series(), ledger(), style=style), series_table(series(), style=style)):
        assert max(map(cells, without_colour(text).splitlines())) <= width


def test_a_series_that_was_never_carried_says_how_to_begin() -> None:
    new = replace(series(), record=None)
    text = status_table(new, Ledger(), style=PLAIN)
    assert text.startswith("v0.5.23, never carried yet\n")
    assert "patchq rebase v0.5.23" in text


def test_an_empty_series_is_said_to_be_empty() -> None:
    empty = Series(ref="v1", entries=())
    assert status_table(empty, Ledger(), style=PLAIN).splitlines()[-1] == "0 patches"
    assert series_table(empty, style=PLAIN) == "0 patches for v1"


def test_a_patch_file_that_was_edited_by_hand_is_noticed() -> None:
    written = replace(patch("p"), raw=b"as it was written")
    record = recorded("p", Verdict.CLEAN, digest=hashlib.sha256(written.raw).hexdigest())
    assert not edited_since(written, record)
    assert edited_since(replace(written, raw=b"and edited"), record)
    sample = series()
    assert sample.record is not None
    edited = Series(
        ref=sample.ref,
        entries=(Entry(patch=replace(written, raw=b"and edited")),),
        record=replace(sample.record, patches=(record,)),
    )
    text = status_table(edited, Ledger(), style=PLAIN)
    assert "its file was edited after it was last carried" in text
    assert "carry 1 new or edited patch:" in text


def test_a_patch_file_that_no_line_names_is_told_before_it_is_lost() -> None:
    strays = ("forgotten.patch", *(f"more-{at}.patch" for at in range(9)))
    text = status_table(Series(ref="v1", entries=(), strays=strays), Ledger(), style=PLAIN)
    assert "stray  forgotten.patch, more-0.patch" in text
    assert "and 4 more: no line of the series names this" in " ".join(text.split())
