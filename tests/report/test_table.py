from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from patchq.model.series import RefPoint
from patchq.model.verdict import AbsorbedHow, ReviewClass, Rung, Verdict
from patchq.report.cells import cells
from patchq.report.style import Colour, Style
from patchq.report.table import replay_table
from patchq.report.todo import Stage
from tests.report.golden import expected, without_colour
from tests.report.samples import FOLDER, V23, clash, clean, file_outcome, outcome, story

if TYPE_CHECKING:
    from patchq.model.outcome import PatchOutcome

LONG_NAMES = [f"sm120-{part}-fallback-for-consumer-gpus-when-cutlass-is-missing" for part in ("attention", "moe", "x")]


def table(
    outcomes: tuple[PatchOutcome, ...],
    *,
    width: int = 80,
    colour: Colour = Colour.OFF,
    stage: Stage = Stage.DRY_RUN,
) -> str:
    style = Style(colour, width)
    return replay_table(outcomes, onto=V23, style=style, stage=stage, folder=FOLDER)


def many() -> tuple[PatchOutcome, ...]:
    """Thirty patches with long names, every tenth in conflict."""
    conflict = clash()[0]
    return tuple(
        outcome(f"{LONG_NAMES[at % 3]}-{at:02}", Verdict.CONFLICT, *conflict.files)
        if at % 10 == 9
        else clean(f"{LONG_NAMES[at % 3]}-{at:02}")
        for at in range(30)
    )


@pytest.mark.parametrize("width", [80, 120])
def test_the_story_reads_as_expected(width: int) -> None:
    assert table(story(), width=width) == expected(f"story-{width}")


@pytest.mark.parametrize("width", [80, 120])
def test_a_stopped_rebase_says_what_is_open_and_what_to_type(width: int) -> None:
    assert table(clash(), width=width, stage=Stage.STOPPED) == expected(f"stopped-{width}")


def test_colour_is_the_same_text_with_sequences() -> None:
    assert table(clash(), colour=Colour.ON, stage=Stage.STOPPED) == expected("stopped-80-colour")


def test_thirty_patches_with_long_names_stay_in_their_columns() -> None:
    assert table(many(), stage=Stage.STOPPED) == expected("many-80")


@pytest.mark.parametrize("width", [0, 40, 41, 57, 79, 80, 120, 200])
@pytest.mark.parametrize("colour", Colour)
def test_no_line_is_wider_than_the_terminal(width: int, colour: Colour) -> None:
    for outcomes in (story(), clash(), ()):
        for stage in Stage:
            lines = without_colour(table(outcomes, width=width, colour=colour, stage=stage)).splitlines()
            assert max(map(cells, lines)) <= max(width, 40)
            assert not [line for line in lines if line != line.rstrip()]


def test_only_a_name_wider_than_the_terminal_makes_a_line_wider_so_that_its_command_can_be_pasted() -> None:
    name = "a" * 120
    lines = table((outcome(name, Verdict.CONFLICT),)).splitlines()
    assert [line.strip() for line in lines if cells(line) > 80] == [f"{name} \\"]


def test_colour_off_is_colour_on_without_its_sequences() -> None:
    for outcomes in (story(), clash(), many()):
        assert without_colour(table(outcomes, colour=Colour.ON)) == table(outcomes)


def test_the_summary_line_is_last_and_counts_in_the_order_of_the_verdict_table() -> None:
    outcomes = tuple(outcome(f"p{at}", verdict) for at, verdict in enumerate(Verdict))
    text = table((*outcomes, outcome("again", Verdict.CONFLICT)), width=200)
    assert text.splitlines()[-1] == (
        "11 patches: 1 clean, 1 moved, 1 adapted, 1 partial, 1 absorbed, 1 guarded, "
        "1 superseded, 1 orphaned, 2 conflicts, 1 blocked"
    )
    assert table(story()).splitlines()[-1] == "4 patches: 1 clean, 1 adapted, 2 orphaned"
    assert table(()).splitlines()[-1] == "0 patches"


@pytest.mark.parametrize("verdict", Verdict)
def test_every_verdict_has_one_line_that_starts_with_its_sigil(verdict: Verdict) -> None:
    lines = table((outcome("the-patch", verdict),)).splitlines()
    assert [line for line in lines if line.startswith(f"{verdict.sigil} the-patch  {verdict.value}")] == [lines[1]]


def test_after_publishing_nobody_is_told_to_publish() -> None:
    assert "--skip-conflicts" in table(clash(), stage=Stage.STOPPED)
    assert "publish" not in table(clash(), stage=Stage.PUBLISHED)
    assert table((clean("a"),), stage=Stage.PUBLISHED).splitlines()[1:] == [
        "+ a  clean       exact",
        "",
        "1 patch: 1 clean",
    ]


def test_a_dry_run_without_open_patches_says_how_to_publish() -> None:
    assert "patchq rebase v0.5.23" in table((clean("a"),))
    absorbed = outcome("gone-upstream", Verdict.ABSORBED, absorbed_how=AbsorbedHow.TREE)
    assert "patchq rebase v0.5.23" in table((absorbed,))


def test_what_needs_review_says_so_on_its_line_and_in_the_summary() -> None:
    carried = outcome("relocated", Verdict.ADAPTED, rung=Rung.STRUCTURAL, review=ReviewClass.D)
    text = table((carried,))
    assert "* relocated  adapted     structural, needs review" in text
    assert "patchq rebase v0.5.23 --accept review" in text
    assert text.endswith("1 patch: 1 adapted; 1 to review")


def test_a_partial_patch_names_the_files_that_upstream_has() -> None:
    taken = file_outcome(b"upstream/has/this.py", Verdict.ABSORBED)
    text = table((outcome("half", Verdict.PARTIAL, taken, file_outcome(b"rest.py", Verdict.CLEAN)),))
    assert "    upstream has upstream/has/this.py" in text
    assert "rest.py" not in text


def test_equal_notes_of_patch_and_file_are_told_once() -> None:
    file = file_outcome(b"a.py", Verdict.ADAPTED, notes=("copied [10]",))
    both = replace(outcome("p", Verdict.ADAPTED, file), notes=("copied [10]",))
    assert table((both,)).count("copied [10]") == 1


def test_a_flood_of_notes_files_and_words_is_bounded() -> None:
    files = [
        file_outcome(f"f{at}.py".encode(), Verdict.CONFLICT, *clash()[0].files[0].conflicts * 9) for at in range(99)
    ]
    flood = replace(
        outcome("p", Verdict.CONFLICT, *files), notes=tuple(f"note {at} " + "word " * 999 for at in range(99))
    )
    lines = table((flood,)).splitlines()
    assert len(lines) < 90
    assert "    ... and 93 more notes" in lines
    assert "    ... and 95 more open files" in lines
    assert "      ... and 6 more places" in lines


def test_nothing_from_a_patch_or_a_remote_reaches_the_terminal_as_a_sequence() -> None:
    evil = "\x1b]0;owned\x07\x9b31m\r\n\u202e"
    file = file_outcome(b"a\x1b[2J\xff.py", Verdict.CONFLICT, evidence=evil, notes=(evil,))
    ref = RefPoint(f"v1{evil}", f"\x1b{evil}", "")
    style = Style(Colour.OFF, 80)
    text = replay_table((outcome("p", Verdict.CONFLICT, file),), onto=ref, style=style, folder=f"series/{evil}")
    assert all(char == "\n" or char.isprintable() for char in text)
    assert "a\\x1b[2J\\xff.py" in text
