from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from patchq.text.tokens import tokens


@given(st.binary())
def test_nothing_but_white_space_is_lost(data: bytes) -> None:
    assert b"".join(tokens(data)) == data.translate(None, b" \t\r\n\f\v")


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        (b"x=-1", [b"x", b"=", b"-", b"1"]),
        (b"12: [6, 8],", [b"12", b":", b"[", b"6", b",", b"8", b"]", b","]),
        (b"a->b::c != d", [b"a", b"->", b"b", b"::", b"c", b"!=", b"d"]),
        (b"1.5e-3 + 0xFF_u8 - .5", [b"1.5e-3", b"+", b"0xFF_u8", b"-", b".5"]),
        (b"1..2 3.real", [b"1", b"..", b"2", b"3", b".", b"real"]),
        (b'"it\'s"', [b'"', b"it", b"'", b"s", b'"']),
        ("größe $x".encode(), ["größe".encode(), b"$x"]),
        (b"{{(\0)}}", [b"{", b"{", b"(", b"\0", b")", b"}", b"}"]),
    ],
)
def test_words_numbers_and_operators_stay_whole(source: bytes, expected: list[bytes]) -> None:
    assert list(tokens(source)) == expected


def test_formatting_does_not_change_tokens() -> None:
    assert tokens(b"f( a,b )\n\tif x==-1 :") == tokens(b"f(a, b)\r\nif x == -1:")
