from __future__ import annotations

import pytest

from patchq.errors import SeriesError
from patchq.model.names import PatchName
from patchq.model.resolution import Decision, Resolution, Resolutions
from patchq.seriesstore.foldername import folder_name
from patchq.seriesstore.resolutions import read_resolutions, write_resolutions


def resolution(digit: str, diff: bytes = b"", decision: Decision = Decision.RESULT) -> Resolution:
    return Resolution(key=digit * 64, name=PatchName("gate"), ref="v2", decision=decision, diff=diff, also=("a\udce9",))


@pytest.mark.parametrize(
    "diff",
    [b"", b"-one\n+two\n", b"-caf\xe9\r\n+\0\x1b\r\n", b" \n\t\n", b"+no end", "+\u2028\ufeff é\n".encode(), b"\n\n"],
)
def test_every_diff_is_read_back_byte_for_byte(diff: bytes) -> None:
    kept = Resolutions((resolution("a", diff), resolution("b", diff, Decision.ABSORBED)))
    assert read_resolutions(write_resolutions(kept), file="resolutions.yaml") == kept


def test_the_same_decisions_give_the_same_file_in_whatever_order_they_were_made() -> None:
    one, two, again = resolution("b"), resolution("a"), resolution("b", b"+x\n")
    made = Resolutions().joined((one,)).joined((two,)).joined((again,))
    assert made == Resolutions().joined((two, again))
    assert made.find("b" * 64) == again


@pytest.mark.parametrize(
    ("entry", "where"),
    [
        ("key: short, patch: gate, ref: v2", "entries[0].key"),
        (f"key: {'a' * 64}, patch: ../gate, ref: v2", "entries[0].patch"),
        (f"key: {'a' * 64}, patch: gate, ref: v2, decision: maybe", "entries[0].decision"),
        (f"key: {'a' * 64}, patch: gate, ref: v2, dif: x", "entries[0].dif"),
    ],
)
def test_what_is_no_resolution_is_refused_by_its_field(entry: str, where: str) -> None:
    with pytest.raises(SeriesError) as refused:
        read_resolutions(f"schema: 1\nentries:\n  - {{{entry}}}\n".encode(), file="resolutions.yaml")
    assert refused.value.where.field == where


def test_a_ref_of_that_name_has_a_folder_of_another() -> None:
    assert folder_name("resolutions.yaml") == "%72esolutions.yaml"
