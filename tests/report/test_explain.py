from __future__ import annotations

from dataclasses import replace

import pytest

from patchq.model.attempt import Applied, Conflict, ConflictKind, Edit, EditFate, Evidence, Trial
from patchq.model.verdict import ReviewClass, Rung, Verdict
from patchq.report.cells import cells
from patchq.report.explain import explain
from patchq.report.style import Colour, Style
from tests.report.golden import expected, without_colour
from tests.report.samples import FOLDER, V23, clash, clean, file_outcome, multimem, outcome, patch, story

PLAIN = Style(Colour.OFF, 80)


@pytest.mark.parametrize("width", [80, 120])
def test_the_story_is_explained_rung_by_rung(width: int) -> None:
    assert explain(multimem(), style=Style(Colour.OFF, width), onto=V23, folder=FOLDER) == expected(f"explain-{width}")


def test_a_conflict_is_explained_with_its_three_sides() -> None:
    assert explain(clash()[0], style=PLAIN, onto=V23, folder=FOLDER) == expected("explain-conflict-80")


def test_colour_is_the_same_text_with_sequences() -> None:
    coloured = explain(multimem(), style=Style(Colour.ON, 80), onto=V23, folder=FOLDER)
    assert coloured == expected("explain-80-colour")
    assert without_colour(coloured) == expected("explain-80")


@pytest.mark.parametrize("width", [40, 57, 80, 120])
def test_no_line_is_wider_than_the_terminal(width: int) -> None:
    for told in (*story(), *clash()):
        text = explain(told, style=Style(Colour.ON, width), onto=V23, folder=FOLDER)
        assert max(map(cells, without_colour(text).splitlines())) <= width


@pytest.mark.parametrize("verdict", Verdict)
def test_every_explanation_ends_with_what_to_do(verdict: Verdict) -> None:
    text = explain(outcome("p", verdict), style=PLAIN, onto=V23, folder=FOLDER)
    last = text.split("\n\n")[-1]
    assert last.startswith(("next  ", f"{verdict.value}  "))


def test_without_a_ref_the_advice_says_where_to_put_one() -> None:
    assert "patchq rebase REF" in explain(clash()[0], style=PLAIN)


def test_an_absorbed_patch_says_what_brought_it() -> None:
    text = explain(clash()[4], style=PLAIN)
    assert 'landed    9ae01f77c2 "[Dep] Raise flashinfer to 0.6.4 for SM120"' in text


def test_an_untouched_patch_has_no_interdiff() -> None:
    assert "before and after" not in explain(clean("p"), style=PLAIN)


def test_a_blocked_patch_names_what_it_waits_for() -> None:
    assert "  waits     sm120-attn-backend\n" in explain(clash()[1], style=PLAIN)


def test_long_sides_start_where_they_differ_and_are_cut_short() -> None:
    same = b"".join(b"line %d\n" % at for at in range(50))
    sides = {"base": same + b"b\n", "theirs": same + b"t\n", "ours": same + b"o\n" * 30}
    conflict = Conflict(kind=ConflictKind.CLASH, reason="r", anchor="a.py::f", **sides)
    lines = explain(outcome("p", Verdict.CONFLICT, file_outcome(b"a.py", Verdict.CONFLICT, conflict)), style=PLAIN)
    assert "    base      | ...\n              | line 49\n              | b\n    patch     | ...\n" in lines
    assert "              | ... and 24 more lines\n" in lines


def test_a_long_line_of_code_is_broken_and_not_lost() -> None:
    conflict = Conflict(kind=ConflictKind.CLASH, reason="r", anchor="", theirs=b"x" * 100 + b"END\n")
    text = explain(outcome("p", Verdict.CONFLICT, file_outcome(b"a.py", Verdict.CONFLICT, conflict)), style=PLAIN)
    assert f"    patch     | {'x' * 64}\n              : {'x' * 36}END\n" in text
    assert "    base      | (nothing)\n" in text


def test_nothing_from_a_patch_or_a_remote_reaches_the_terminal_as_a_sequence() -> None:
    evil = "\x1b]0;owned\x07\x9b31m\r\u202e"
    raw = evil.encode()
    conflict = Conflict(kind=ConflictKind.CLASH, reason=evil, anchor=evil, base=raw, theirs=raw, ours=raw)
    file = file_outcome(raw, Verdict.CONFLICT, conflict, evidence=evil, notes=(evil,), old_path=b"\x1b" + raw)
    told = outcome("p", Verdict.CONFLICT, file, title=evil)
    text = explain(told, style=PLAIN, onto=replace(V23, ref=evil), folder=evil)
    assert all(char == "\n" or char.isprintable() for char in text)


def test_a_patch_that_was_rewritten_is_compared_with_what_it_was() -> None:
    told = replace(clean("p"), after=patch("p", *multimem().before.changes))
    assert "the change itself differs" in explain(told, style=PLAIN)


def test_a_place_given_as_a_line_of_the_file_is_told_as_a_line() -> None:
    evidence = Evidence(
        rung=Rung.OFFSET,
        edits=(Edit(fate=EditFate.CARRIED, review=ReviewClass.A, anchor="a.py:41", how="3 lines further down"),),
    )
    file = file_outcome(b"a.py", Verdict.CLEAN, trials=(Trial(Rung.OFFSET, Applied(b"", evidence)),))
    text = explain(outcome("p", Verdict.CLEAN, file), style=PLAIN)
    assert "  edits     carried: line 41: 3 lines further down (class A)" in text
    assert "  anchor" not in text


def test_reasons_that_quote_whole_files_are_cut_short() -> None:
    flood = "word " * 100_000
    conflict = Conflict(kind=ConflictKind.CLASH, reason=flood, anchor="a.py::f", ours=b"x" * 1_000_000)
    file = file_outcome(b"a.py", Verdict.CONFLICT, conflict, notes=(flood,) * 99)
    text = explain(outcome("p", Verdict.CONFLICT, file, title=flood), style=PLAIN)
    assert len(text) < 100_000
    assert "... and 69 more (note); --json has all" in text
