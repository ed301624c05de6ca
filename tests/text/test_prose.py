from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from patchq.text.prose import BlockKind, Style, blocks_of, style_of
from patchq.text.words import reworded

LINES = st.lists(
    st.sampled_from(
        [
            b"",
            b"",
            b"# Head",
            b"words of a line",
            b"- item",
            b"  goes on",
            b"1. one",
            b"| a | b |",
            b"```",
            b"    x",
            b"---",
        ]
    ),
    max_size=12,
)
WORDS = st.lists(st.sampled_from([b"a", b"b", b"c", b"d", b"e"]), max_size=8)


def _found(text: bytes) -> list[re.Match[bytes]]:
    return list(re.finditer(rb"\S+", text))


def _carried(base: bytes, theirs: bytes, ours: bytes) -> bytes | None:
    done = reworded(_found(base), _found(theirs), _found(ours), ours)
    return None if done is None else done.text


@given(lines=LINES, style=st.sampled_from(list(Style)), end=st.sampled_from([b"", b"\n", b"\n\n"]))
def test_blocks_joined_are_the_text(lines: list[bytes], style: Style, end: bytes) -> None:
    text = b"\n".join(lines) + end
    assert blocks_of(text, style).data == text


def test_markdown_is_cut_into_what_a_reader_sees() -> None:
    listed = b"# Head\n\nA text\nover lines.\n- one\n  goes on\n- two\n\n| a | b |\n|---|---|\n\n"
    text = listed + b"```\nx = 1\n# no head\n```\n"
    blocks = blocks_of(text, Style.MARKDOWN).blocks
    assert [(block.kind, block.text) for block in blocks] == [
        (BlockKind.HEADING, b"Head"),
        (BlockKind.PARAGRAPH, b"A text\nover lines."),
        (BlockKind.ITEM, b"one\n  goes on"),
        (BlockKind.ITEM, b"two"),
        (BlockKind.ROW, b"| a | b |"),
        (BlockKind.ROW, b"|---|---|"),
        (BlockKind.LINE, b"```"),
        (BlockKind.LINE, b"x = 1"),
        (BlockKind.LINE, b"# no head"),
        (BlockKind.LINE, b"```"),
    ]


@pytest.mark.parametrize(
    ("path", "style"),
    [
        (b"docs/a.md", Style.MARKDOWN),
        (b"LICENSE", Style.PROSE),
        (b"a.rst", Style.PROSE),
        (b"requirements.txt", Style.LINES),
        (b"a.conf", Style.LINES),
        (b"Makefile", Style.LINES),
    ],
)
def test_only_what_is_prose_by_its_name_is_read_by_words(path: bytes, style: Style) -> None:
    assert style_of(path) is style


def test_edits_with_a_word_between_them_both_stand() -> None:
    assert _carried(b"one two three four", b"one 2 three four", b"one two three 4") == b"one 2 three 4"
    assert _carried(b"one two three", b"one two three four", b"zero two\nthree") == b"zero two\nthree four"
    assert _carried(b"one two three", b"two three", b"one two 3") == b"two 3"


def test_edits_that_touch_are_refused() -> None:
    assert _carried(b"one two three", b"one 2 three", b"one two 3") is None
    assert _carried(b"one two three", b"one new two three", b"1 two three") is None
    assert _carried(b"one two three", b"one 2 three", b"one zwei three") is None


@given(base=WORDS, theirs=WORDS)
def test_a_change_of_words_is_carried_into_any_line_breaks(base: list[bytes], theirs: list[bytes]) -> None:
    done = _carried(b" ".join(base), b" ".join(theirs), b"\n".join(base))
    assert done is not None
    assert done.split() == theirs


@given(base=WORDS, theirs=WORDS)
def test_a_change_of_words_that_is_there_changes_nothing(base: list[bytes], theirs: list[bytes]) -> None:
    assert _carried(b" ".join(base), b" ".join(theirs), b"\n".join(theirs)) in {b"\n".join(theirs), None}
