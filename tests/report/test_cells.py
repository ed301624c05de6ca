from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from patchq.report.cells import ELLIPSIS, cells, cut, cut_middle, cut_path, decoded, fold, pad, visible, wrap

ANY_TEXT = st.text(st.characters(exclude_categories=()), max_size=60)
SHOWN = ANY_TEXT.map(visible)


@given(ANY_TEXT)
def test_visible_text_is_one_line_that_any_terminal_and_any_utf8_stream_takes(text: str) -> None:
    shown = visible(text)
    assert all(char.isprintable() or char in "\u200c\u200d\u3000" for char in shown)
    shown.encode()


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("\x1b[31mred\x1b[0m", "\\x1b[31mred\\x1b[0m"),
        ("\x9b31m", "\\x9b31m"),
        ("a\tb\r\n\x7f", "a\\tb\\r\\n\\x7f"),
        ("admin\u202etxt.exe", "admin\\u202etxt.exe"),
        ("\u200b\ufeff\u2028", "\\u200b\\ufeff\\u2028"),
        ("e\u0301", "e\u0301"),
        ("z" + "\u0301" * 6, "z" + "\u0301" * 4 + "\\u0301\\u0301"),
        ("日本　語 Größe 👩\u200d💻", "日本　語 Größe 👩\u200d💻"),
        ("\U000e0041", "\\U000e0041"),
    ],
)
def test_visible_writes_out_what_a_terminal_would_obey_and_nothing_else(text: str, shown: str) -> None:
    assert visible(text) == shown


def test_bytes_that_are_not_utf8_read_as_those_bytes() -> None:
    assert visible(decoded(b"caf\xe9 \xff.py")) == "caf\\xe9 \\xff.py"
    assert visible("\ud800") == "\\ud800"


@pytest.mark.parametrize(
    ("text", "width"), [("", 0), ("abc", 3), ("日本", 4), ("e\u0301", 1), ("❤\ufe0f", 2), ("ﬀ", 1)]
)
def test_cells_counts_what_a_terminal_shows(text: str, width: int) -> None:
    assert cells(text) == width


@given(SHOWN, st.integers(0, 30))
def test_nothing_that_is_cut_is_wider_than_asked(text: str, width: int) -> None:
    for shortened in (cut(text, width), cut_middle(text, width), cut_path(text, width)):
        assert cells(shortened) <= max(width, len(ELLIPSIS))
        assert shortened == text or ELLIPSIS[:width] in shortened
    assert cells(cut(text, width)) <= width


def test_a_cut_keeps_the_part_that_tells_most() -> None:
    assert cut("Support SM120 everywhere", 16) == "Support SM120..."
    assert cut_middle("sm120-attention-fallback", 15) == "sm120-...llback"
    assert cut_path("python/sglang/srt/layers/fp8.py", 20) == ".../layers/fp8.py"


@given(SHOWN, st.integers(4, 30))
def test_wrapped_lines_fit_and_keep_every_word(text: str, width: int) -> None:
    lines = wrap(text, width, first="- ", rest="  ")
    assert all(cells(line) <= width for line in lines)
    assert "".join("".join(lines)[2:].split()) == "".join(text.split())


def test_a_word_that_is_broken_gets_no_blank_inside() -> None:
    assert wrap("abcdefgh: x", 8, rest="  ") == ["abcdef", "  gh: x"]


@given(SHOWN, st.integers(2, 30))
def test_folding_loses_nothing(text: str, width: int) -> None:
    lines = fold(text, width)
    assert "".join(lines) == text
    assert all(cells(line) <= width for line in lines)


@given(SHOWN, st.integers(0, 80))
def test_padding_fills_up_to_the_width(text: str, width: int) -> None:
    assert cells(pad(text, width)) == max(width, cells(text))
