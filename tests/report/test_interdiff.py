from __future__ import annotations

from dataclasses import replace
from time import monotonic

from hypothesis import given
from hypothesis import strategies as st

from patchq.model.change import BinaryBlock, BinaryBody, BinaryMethod, ChangeKind, FileChange, HunkLine, LineKind
from patchq.model.tree import Mode
from patchq.report.interdiff import MOST_LINES, Mark, compare, interdiff, same_change
from tests.report.samples import change, hunk, multimem, patch

LINES = st.lists(st.sampled_from([" a", " b", "-c", "+d", "+e", " "]), max_size=12)


def test_the_story_shows_the_neighbour_as_context_and_the_entry_as_content() -> None:
    carried = multimem()
    assert carried.after is not None
    assert interdiff(carried.before, carried.after).splitlines()[1:] == [
        " @@ class TorchSymmMemCommunicator:",
        "      _WORLD_SIZES_MULTIMEM = {",
        "          9: [4, 6, 8],",
        "<         10: [6, 8],",
        "-+        12: [6, 8],",
        ">         10: [4, 6, 8],",
        "++        12: [4, 6, 8],",
        "      }",
    ]


@given(LINES, st.integers(1, 999), st.integers(1, 999))
def test_line_numbers_make_no_difference(lines: list[str], here: int, there: int) -> None:
    before = patch("p", change(b"a.py", hunk(*lines, at=here)))
    after = patch("p", change(b"a.py", hunk(*lines, at=there)))
    assert interdiff(before, after) == ""


@given(LINES, LINES)
def test_an_interdiff_holds_every_line_that_differs_and_marks_it_by_its_part(old: list[str], new: list[str]) -> None:
    told = compare(patch("p", change(b"a.py", hunk(*old))), patch("p", change(b"a.py", hunk(*new))))
    assert bool(told) == (old != new)
    for line in told:
        context = line.text.startswith((" ", "@@", "##", "..."))
        assert line.mark is Mark.SAME or (line.mark in {Mark.OLD_CONTEXT, Mark.NEW_CONTEXT}) == context
    gained = [line.text for line in told if line.mark is Mark.NEW_CONTENT]
    lost = [line.text for line in told if line.mark is Mark.OLD_CONTENT]
    for sign in "+-":
        count = sum(line.startswith(sign) for line in new) - sum(line.startswith(sign) for line in old)
        assert sum(line.startswith(sign) for line in gained) - sum(line.startswith(sign) for line in lost) == count


def test_a_change_in_context_only_is_the_same_change() -> None:
    before = patch("p", change(b"old.py", hunk(" a", "+b")))
    assert same_change(compare(before, patch("p", change(b"new.py", hunk(" x", "+b")))))
    assert not same_change(compare(before, patch("p", change(b"old.py", hunk(" a", "+c")))))


def test_each_file_is_named_once_and_equal_stretches_are_left_out() -> None:
    old = [" begin", "+x", *[f" line {at}" for at in range(30)], "+y", " end"]
    new = [" begin", "+X", *[f" line {at}" for at in range(30)], "+Y", " end"]
    lines = interdiff(
        patch("p", change(b"same.py", hunk("+s")), change(b"a.py", hunk(*old))),
        patch("p", change(b"same.py", hunk("+s")), change(b"a.py", hunk(*new))),
    ).splitlines()
    assert lines == [
        " ## a.py",
        " @@ ",
        "  begin",
        "-+x",
        "++X",
        "  line 0",
        "  line 1",
        "  line 2",
        " ...",
        "  line 27",
        "  line 28",
        "  line 29",
        "-+y",
        "++Y",
        "  end",
    ]


def test_modes_renames_and_binary_contents_are_part_of_the_change() -> None:
    plain = FileChange(kind=ChangeKind.MODIFY, old_path=b"a", new_path=b"a")
    renamed = replace(plain, kind=ChangeKind.RENAME, old_path=b"b", new_mode=Mode.EXECUTABLE)
    assert interdiff(patch("p", plain), patch("p", renamed)).splitlines() == [
        " ## a",
        "+rename from b",
        "+mode none -> 100755",
    ]
    before = replace(plain, body=BinaryBody(BinaryBlock(BinaryMethod.LITERAL, b"1"), None))
    after = replace(plain, body=BinaryBody(BinaryBlock(BinaryMethod.LITERAL, b"2"), None))
    lines = compare(patch("p", before), patch("p", after))
    assert [line.mark for line in lines] == [Mark.SAME, Mark.OLD_CONTENT, Mark.NEW_CONTENT]


def test_a_missing_newline_at_the_end_is_a_difference() -> None:
    whole = hunk("+last")
    broken = replace(whole, lines=(HunkLine(LineKind.ADDED, b"last"),))
    lines = interdiff(patch("p", change(b"a", whole)), patch("p", change(b"a", broken))).splitlines()
    assert lines[-1] == "+\\ no newline at the end"


def test_control_characters_and_strange_bytes_are_written_out() -> None:
    before = patch("p", change(b"a\x1b.py", hunk("+x")))
    evil = replace(hunk(), lines=(HunkLine(LineKind.ADDED, b"\x1b[2J\xff\tx\r\n"),))
    assert interdiff(before, patch("p", change(b"a\x1b.py", evil))).splitlines()[-1] == "++\\x1b[2J\\xff    x\\r"


def test_what_is_too_long_is_said_to_be_too_long_at_once() -> None:
    old = patch("p", change(b"a", hunk(*(f"+{at}" for at in range(MOST_LINES * 4)))))
    new = patch("p", change(b"a", hunk(*(f"+{at if at % 2 else -at}" for at in range(MOST_LINES * 4)))))
    lines = compare(old, new)
    assert [line.mark for line in lines] == [Mark.UNKNOWN]
    assert not same_change(lines)


def test_a_small_difference_in_a_long_patch_is_found() -> None:
    body = [f"+{at}" for at in range(MOST_LINES * 4)]
    old, new = patch("p", change(b"a", hunk(*body))), patch("p", change(b"a", hunk(*body[:5000], "+new", *body[5000:])))
    started = monotonic()
    assert [line.text for line in compare(old, new) if line.mark is Mark.NEW_CONTENT] == ["+new"]
    assert monotonic() - started < 5
