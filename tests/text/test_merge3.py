from __future__ import annotations

import subprocess
from typing import TYPE_CHECKING

import pytest
from hypothesis import given, settings

from patchq.text.conflict import ConflictStyle, Labels, opened, render_conflict
from patchq.text.merge3 import Both, Chunk, Clash, OnlyOurs, OnlyTheirs, Part, Same, merge3, merged
from tests.text.texts import random_text, randomly_edited, seeded, two_edits

if TYPE_CHECKING:
    from pathlib import Path

_LAWS = settings(max_examples=100, deadline=None)


def git_merge(folder: Path, base: bytes, theirs: bytes, ours: bytes, *options: str) -> tuple[int, bytes]:
    for name, data in (("base", base), ("theirs", theirs), ("ours", ours)):
        (folder / name).write_bytes(data)
    names = ("-L", "ours", "-L", "base", "-L", "theirs", "ours", "base", "theirs")
    done = subprocess.run(["git", "merge-file", "-p", *options, *names], cwd=folder, capture_output=True, check=False)
    return done.returncode, done.stdout


def marked(chunks: tuple[Chunk, ...], style: ConflictStyle = ConflictStyle.DIFF3) -> bytes:
    return render_conflict(chunks, Labels(ours="ours", base="base", theirs="theirs"), style=style)


@_LAWS
@given(two_edits())
def test_the_chunks_hold_all_three_texts_in_order(sides: tuple[bytes, bytes, bytes]) -> None:
    chunks = merge3(*sides)
    for name, text in zip(("base", "theirs", "ours"), sides, strict=True):
        parts: list[Part] = [getattr(chunk, name) for chunk in chunks]
        assert b"".join(line for part in parts for line in part.lines) == text
        row = 0
        for part in parts:
            assert part.start == row
            row = part.end


@_LAWS
@given(two_edits())
def test_each_kind_of_chunk_keeps_its_promise(sides: tuple[bytes, bytes, bytes]) -> None:
    for chunk in merge3(*sides):
        base, theirs, ours = chunk.base.lines, chunk.theirs.lines, chunk.ours.lines
        match chunk:
            case Same():
                assert base == theirs == ours
            case OnlyTheirs():
                assert base == ours != theirs
            case OnlyOurs():
                assert base == theirs != ours
            case Both():
                assert theirs == ours != base
            case Clash():
                assert theirs != ours
                assert theirs[:1] != ours[:1] or not theirs or not ours
                assert theirs[-1:] != ours[-1:] or not theirs or not ours


@_LAWS
@given(two_edits())
def test_sides_can_be_exchanged(sides: tuple[bytes, bytes, bytes]) -> None:
    base, theirs, ours = sides
    assert merged(merge3(base, theirs, ours)) == merged(merge3(base, ours, theirs))


@_LAWS
@given(two_edits())
def test_merging_with_an_unchanged_side_or_the_same_change_gives_the_change(sides: tuple[bytes, bytes, bytes]) -> None:
    base, theirs, _ = sides
    assert merged(merge3(base, theirs, base)) == theirs
    assert merged(merge3(base, base, theirs)) == theirs
    assert merged(merge3(base, theirs, theirs)) == theirs


def test_results_and_conflicts_are_those_of_git(tmp_path: Path) -> None:
    rng = seeded(6)
    clean = 0
    for _ in range(150):
        base = random_text(rng, rng.choice([0, 2, 8, 30, 100]), rng.choice([2, 5, 20, 300]))
        theirs, ours = randomly_edited(rng, base, 4), randomly_edited(rng, base, 4)
        chunks = merge3(base, theirs, ours)
        clashes = sum(isinstance(chunk, Clash) for chunk in chunks)
        assert git_merge(tmp_path, base, theirs, ours, "--zdiff3") == (clashes, marked(chunks))
        clean += clashes == 0
    assert 50 < clean < 130


def test_changes_that_touch_clash_and_one_line_between_them_is_enough() -> None:
    base = b"1\n2\n3\n4\n5\n"
    assert merged(merge3(base, b"1\nx\n3\n4\n5\n", b"1\n2\ny\n4\n5\n")) is None
    assert merged(merge3(base, b"1\nx\n3\n4\n5\n", b"1\n2\n3\ny\n5\n")) == b"1\nx\n3\ny\n5\n"


def test_the_same_insertion_beside_another_change_is_taken_out_of_the_clash() -> None:
    chunks = merge3(b"1\n2\n", b"1\nnew\nx\n2\n", b"1\nnew\ny\n2\n")
    assert [type(chunk) for chunk in chunks] == [Same, Both, Clash, Same]


def test_markers_carry_the_words_of_the_user_and_end_like_the_file() -> None:
    chunks = merge3(b"1\r\n2\r\n3\r\n", b"1\r\nx\r\n3\r\n", b"1\r\ny\r\n3\r\n")
    shown = render_conflict(chunks, Labels(ours="up\nstream", base="v0.1", theirs="my patch"))
    assert shown == (b"1\r\n<<<<<<< up stream\r\ny\r\n||||||| v0.1\r\n2\r\n=======\r\nx\r\n>>>>>>> my patch\r\n3\r\n")


@pytest.mark.parametrize("style", ConflictStyle)
def test_the_base_is_shown_in_diff3_style_only(style: ConflictStyle) -> None:
    shown = marked(merge3(b"1\n", b"2\n", b"3\n"), style)
    assert (b"||||||| base\n1\n" in shown) is (style is ConflictStyle.DIFF3)


def test_markers_grow_where_the_text_has_such_lines() -> None:
    quoted = b"<<<<<<< a\n1\n=======\n2\n>>>>>>> b\n"
    shown = marked(merge3(quoted + b"x\n", quoted + b"y\n", quoted + b"z\n"))
    assert b"<<<<<<<< ours\nz\n|||||||| base\nx\n========\ny\n>>>>>>>> theirs\n" in shown
    heading = b"Title\n=================\n"
    assert b"<<<<<<< ours\n" in marked(merge3(heading + b"x\n", heading + b"y\n", heading + b"z\n"))


def test_sides_without_a_last_line_end_get_one_before_the_marker() -> None:
    assert marked(merge3(b"1\n", b"2", b"3")) == b"<<<<<<< ours\n3\n||||||| base\n1\n=======\n2\n>>>>>>> theirs\n"


def test_a_size_that_is_asked_for_is_kept_to() -> None:
    chunks = merge3(b"1\n", b"2\n", b"<<<<<<<<< x\n")
    shown = render_conflict(chunks, Labels(ours="a", base="b", theirs="c"), size=9)
    assert shown.startswith(b"<<<<<<<<< a\n<<<<<<<<< x\n||||||||| b\n1\n=========\n2\n>>>>>>>>> c\n")


@_LAWS
@given(two_edits())
def test_opened_leaves_no_change_of_theirs_unmarked(sides: tuple[bytes, bytes, bytes]) -> None:
    base, theirs, ours = sides
    chunks = opened(merge3(base, theirs, ours))
    assert any(isinstance(chunk, Clash) for chunk in chunks) is (base != theirs)
    assert not any(isinstance(chunk, OnlyTheirs) for chunk in chunks)
    assert b"".join(line for chunk in chunks for line in chunk.ours.lines) == ours
