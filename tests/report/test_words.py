from __future__ import annotations

import re
from itertools import chain

import pytest

from patchq.cli import VERBS
from patchq.model.attempt import ConflictKind
from patchq.model.names import PatchName
from patchq.model.verdict import AbsorbedHow, ReviewClass, Rung, Verdict
from patchq.report.style import verdict_tint
from patchq.report.words import (
    TOLD_ORDER,
    Subject,
    Words,
    counted,
    of_absorption,
    of_conflict,
    of_review,
    of_rung,
    of_verdict,
)

SUBJECT = Subject(name="the-patch", ref="v0.5.23", folder="series/v0.5.9")


def every_word() -> list[Words]:
    return [
        *(of_verdict(verdict, SUBJECT) for verdict in Verdict),
        *(of_conflict(kind, SUBJECT) for kind in ConflictKind),
        *(of_rung(rung, SUBJECT) for rung in Rung),
        *(of_review(review, SUBJECT) for review in ReviewClass),
    ]


def test_every_verdict_conflict_rung_and_class_has_a_phrase_and_something_to_do() -> None:
    for words in every_word():
        assert words.phrase
        assert words.todo


def test_phrases_and_advice_read_as_parts_of_a_sentence() -> None:
    for text in chain.from_iterable((words.phrase, words.todo) for words in every_word()):
        assert not text.endswith((".", ",", ";", " "))
        assert not text[0].isupper()
        assert text.isascii()


def test_a_phrase_tells_its_member_from_the_others() -> None:
    for members in (
        [of_verdict(verdict, SUBJECT).phrase for verdict in Verdict],
        [of_conflict(kind, SUBJECT).phrase for kind in ConflictKind],
        [of_rung(rung, SUBJECT).phrase for rung in Rung],
        [of_review(review, SUBJECT).phrase for review in ReviewClass],
        [of_absorption(how) for how in (*AbsorbedHow, None)],
    ):
        assert len(set(members)) == len(members)


def test_every_command_that_is_advised_is_a_verb_that_patchq_has() -> None:
    verbs = set(chain.from_iterable(VERBS.values()))
    for words in every_word():
        for verb in re.findall(r"\bpatchq (\S+)", f"{words.todo} {words.command}"):
            assert verb in verbs


@pytest.mark.parametrize("verdict", [verdict for verdict in Verdict if verdict.needs_person])
def test_an_open_verdict_says_which_file_to_edit_and_what_to_run(verdict: Verdict) -> None:
    words = of_verdict(verdict, SUBJECT)
    if verdict is Verdict.BLOCKED:
        assert "waits for" in words.todo
    else:
        assert "series/v0.5.9/the-patch.patch" in words.todo
        assert words.command == "patchq rebase v0.5.23"


@pytest.mark.parametrize("review", [review for review in ReviewClass if review.needs_review])
def test_a_class_that_needs_review_says_how_to_accept_it(review: ReviewClass) -> None:
    assert of_review(review, SUBJECT).command == "patchq rebase v0.5.23 --accept review"


def test_every_verdict_is_told_once_in_the_told_order() -> None:
    assert sorted(TOLD_ORDER, key=lambda it: it.value) == sorted(Verdict, key=lambda it: it.value)


def test_open_verdicts_are_coloured_apart_from_carried_ones() -> None:
    open_tints = {verdict_tint(verdict) for verdict in Verdict if verdict.needs_person}
    assert not open_tints & {verdict_tint(verdict) for verdict in Verdict if verdict.carried}


@pytest.mark.parametrize(
    ("ref", "command"),
    [
        ("origin/main", "patchq rebase origin/main --skip-conflicts"),
        ("v1;reboot", "patchq rebase 'v1;reboot' --skip-conflicts"),
        ("$(reboot)", "patchq rebase '$(reboot)' --skip-conflicts"),
        ("-rf", "patchq rebase --skip-conflicts -- -rf"),
    ],
)
def test_a_ref_is_safe_to_paste_into_a_shell(ref: str, command: str) -> None:
    assert Subject(ref=ref).rebase("--skip-conflicts") == command


def test_a_subject_is_narrowed_to_one_patch() -> None:
    assert SUBJECT.of(PatchName("other")).file == "series/v0.5.9/other.patch"


def test_counting_knows_the_plural() -> None:
    assert [counted(1, "file"), counted(0, "file"), counted(2, "patch", "patches")] == [
        "1 file",
        "0 files",
        "2 patches",
    ]
