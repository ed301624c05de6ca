from __future__ import annotations

import subprocess
from typing import TYPE_CHECKING

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from patchq.model.attempt import Carried, Case, Conflict, ConflictKind, Refused
from patchq.reapply.ladder import carry
from patchq.reapply.marked import marked
from patchq.reapply.parts import Left, without_provable
from patchq.text.conflict import Labels, render_conflict
from patchq.text.diff import diff
from patchq.text.lines import split_lines
from patchq.text.merge3 import Clash, merge3, merged
from patchq.text.slide import Slide
from tests.reapply.goldens import gaps, goldens
from tests.reapply.markers import Side, blocks, taken

if TYPE_CHECKING:
    from pathlib import Path

    from patchq.model.attempt import Carry
    from tests.reapply.goldens import Golden

LABELS = Labels(ours="ours", base="base", theirs="theirs")
LINES = st.sampled_from([b"\n", b"}\n", b"  a\n", b"    b\n", b"def f():\n", b"x\n", b"y\n", b"z\n"])
TEXTS = st.lists(LINES, max_size=14).map(b"".join)
REFUSAL = Refused((Conflict(kind=ConflictKind.UNPROVEN, reason="a gate", anchor="a.txt::"),), ())
_LAWS = settings(max_examples=150, deadline=None)
OPEN = [
    golden
    for golden in (*goldens(), *gaps())
    if isinstance(carry(golden.case), Refused) and b"<<<<" not in golden.case.ours and b"\r" not in golden.case.ours
]


def case_of(base: bytes, theirs: bytes, ours: bytes, name: bytes = b"a.txt") -> Case:
    return Case(path=name, ours_path=name, base=base, theirs=theirs, ours=ours)


def text_of(left: Left) -> bytes:
    shown = marked(left)
    return render_conflict(shown.chunks, LABELS, style=shown.style)


def believed(answer: Carry) -> bool:
    return isinstance(answer, Carried) and not answer.evidence.review.needs_review


@_LAWS
@given(TEXTS, TEXTS, TEXTS)
def test_upstreams_side_everywhere_is_upstream_and_something_is_always_marked(
    base: bytes, theirs: bytes, ours: bytes
) -> None:
    assume(base != theirs)
    text = text_of(Left(case_of(base, theirs, ours), REFUSAL))
    assert taken(text, Side.OURS) == ours
    assert blocks(text) >= 1


@_LAWS
@given(TEXTS, TEXTS, TEXTS)
def test_the_patchs_side_everywhere_is_the_merge_by_lines_where_there_is_one(
    base: bytes, theirs: bytes, ours: bytes
) -> None:
    by_lines = merged(merge3(base, theirs, ours))
    assume(base != theirs and by_lines is not None)
    assert taken(text_of(Left(case_of(base, theirs, ours), REFUSAL)), Side.THEIRS) == by_lines


@_LAWS
@given(TEXTS, TEXTS, TEXTS)
def test_neither_side_of_a_conflict_begins_or_ends_with_a_line_of_the_other(
    base: bytes, theirs: bytes, ours: bytes
) -> None:
    chunks = merge3(base, theirs, ours)
    assume(any(isinstance(chunk, Clash) for chunk in chunks))
    for chunk in marked(Left(case_of(base, theirs, ours), REFUSAL)).chunks:
        if isinstance(chunk, Clash) and chunk.base.lines != chunk.ours.lines:
            ours_side, theirs_side = chunk.ours.lines, chunk.theirs.lines
            assert not ours_side or not theirs_side or ours_side[0] != theirs_side[0]
            assert not ours_side or not theirs_side or ours_side[-1] != theirs_side[-1]


@settings(max_examples=60, deadline=None)
@given(TEXTS, TEXTS, TEXTS)
def test_a_clash_of_one_change_is_marked_as_git_does(
    tmp_path_factory: pytest.TempPathFactory, base: bytes, theirs: bytes, ours: bytes
) -> None:
    one_change = len(diff(split_lines(base), split_lines(theirs), how=Slide.LOW)) == 1
    assume(one_change and merged(merge3(base, theirs, ours)) is None)
    code, said = git_says(tmp_path_factory.mktemp("git"), base, theirs, ours)
    assert code > 0
    assert text_of(Left(case_of(base, theirs, ours), REFUSAL)) == said


def git_says(folder: Path, base: bytes, theirs: bytes, ours: bytes) -> tuple[int, bytes]:
    for name, data in (("base", base), ("theirs", theirs), ("ours", ours)):
        (folder / name).write_bytes(data)
    names = ("-L", "ours", "-L", "base", "-L", "theirs", "ours", "base", "theirs")
    done = subprocess.run(["git", "merge-file", "-p", "--zdiff3", *names], cwd=folder, capture_output=True, check=False)
    return done.returncode, done.stdout


@pytest.mark.parametrize("golden", OPEN, ids=lambda golden: golden.name)
def test_a_refused_golden_is_marked_and_upstreams_side_is_what_was_proved(golden: Golden) -> None:
    left = without_provable(golden.case, carry(golden.case), carry, believed)
    text = text_of(left)
    assert blocks(text) >= 1
    assert taken(text, Side.OURS) == left.case.ours


def test_what_waits_for_a_look_is_shown_as_the_ladder_would_put_it() -> None:
    case = case_of(b"x = old(a, b)\ny = 1\n", b"x = old(a, b, c=1)\ny = 1\n", b"x = new(a, b)\ny = 1\n", b"a.py")
    answer = carry(case)
    assert isinstance(answer, Carried)
    assert answer.evidence.review.needs_review
    text = text_of(Left(case, answer))
    assert text == (
        b"<<<<<<< ours\nx = new(a, b)\n||||||| base\nx = old(a, b)\n=======\nx = new(a, b, c=1)\n>>>>>>> theirs\n"
        b"y = 1\n"
    )
    assert (taken(text, Side.OURS), taken(text, Side.THEIRS)) == (case.ours, answer.data)


def test_a_conflict_stands_where_upstream_has_moved_the_method_to() -> None:
    run = b"    def run(self):\n        check(self)\n        go(self)\n\n"
    rest = b"".join(b"    def %c(self):\n        return 1\n\n" % letter for letter in b"abc")
    base = b"class A:\n" + run + rest
    theirs = base.replace(b"check(self)", b"verify(self)")
    ours = b"class A:\n" + rest + run.replace(b"check(self)", b"validate(self)")
    case = case_of(base, theirs, ours, b"a.py")
    answer = carry(case)
    assert isinstance(answer, Refused)
    text = text_of(Left(case, answer))
    assert text == ours.replace(
        b"        validate(self)\n",
        b"<<<<<<< ours\n        validate(self)\n||||||| base\n        check(self)\n=======\n        verify(self)\n"
        b">>>>>>> theirs\n",
    )


def test_a_method_that_upstream_added_elsewhere_with_another_body_is_compared_with_that() -> None:
    base = b"class A:\n    def a(self):\n        return 1\n\n    def b(self):\n        return 2\n"
    reset = b"    def reset(self):\n        self.x = %d\n\n"
    theirs = base + b"\n" + (reset % 1)[:-1]
    ours = base.replace(b"    def a", reset % 2 + b"    def a")
    case = case_of(base, theirs, ours, b"a.py")
    text = text_of(Left(case, carry(case)))
    assert text == ours.replace(
        b"        self.x = 2\n",
        b"<<<<<<< ours\n        self.x = 2\n||||||| base\n=======\n        self.x = 1\n>>>>>>> theirs\n",
    )


def test_where_upstream_has_every_line_already_that_is_what_is_asked_about() -> None:
    text = text_of(Left(case_of(b"1\n", b"1\n2\n", b"1\n2\n"), REFUSAL))
    assert text == b"1\n<<<<<<< ours\n2\n||||||| base\n=======\n2\n>>>>>>> theirs\n"


def test_line_ends_are_upstreams() -> None:
    text = text_of(Left(case_of(b"1\n2\n", b"1\nx\n", b"1\r\ny\r\n"), REFUSAL))
    assert text == b"1\r\n<<<<<<< ours\r\ny\r\n||||||| base\r\n2\r\n=======\r\nx\r\n>>>>>>> theirs\r\n"
