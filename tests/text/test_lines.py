from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from patchq.text.lines import LineEnding, is_binary, line_ending, split_lines, with_ending


@given(st.binary())
def test_lines_joined_give_back_the_text(data: bytes) -> None:
    lines = split_lines(data)
    assert b"".join(lines) == data
    assert all(line.index(b"\n") == len(line) - 1 for line in lines[:-1])


def test_only_a_newline_ends_a_line() -> None:
    assert split_lines(b"a\rb\x0bc\x0cd\x1ce\x85f\xe2\x80\xa8g\nlast") == (
        b"a\rb\x0bc\x0cd\x1ce\x85f\xe2\x80\xa8g\n",
        b"last",
    )
    assert split_lines(b"") == ()


def test_a_nul_makes_a_file_binary_only_among_the_first_8000_bytes() -> None:
    assert is_binary(b"a" * 7999 + b"\0")
    assert not is_binary(b"a" * 8000 + b"\0")


@pytest.mark.parametrize(
    ("data", "ending"),
    [
        (b"a\nb", LineEnding.LF),
        (b"a\r\nb\r\n", LineEnding.CRLF),
        (b"a\r\nb\n", None),
        (b"a\rb\n", LineEnding.LF),
        (b"a\r", None),
        (b"", None),
    ],
)
def test_one_line_ending_is_named_and_mixed_ones_are_not(data: bytes, ending: LineEnding | None) -> None:
    assert line_ending(data) is ending


def test_line_endings_change_without_touching_a_lone_cr_or_the_last_line() -> None:
    assert with_ending(b"a\rb\nc", LineEnding.CRLF) == b"a\rb\r\nc"
    assert with_ending(b"a\r\nb\r\n", LineEnding.LF) == b"a\nb\n"
