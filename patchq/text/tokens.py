"""Any source text as tokens: words, numbers, operators and single marks, white space dropped."""

from __future__ import annotations

import re

_OPERATORS = (
    *("**=", "//=", "<<=", ">>=", "...", "===", "!==", "<=>", "->*", "..="),
    *("==", "!=", "<=", ">=", "->", "=>", ":=", "::", "..", "&&", "||", "++", "--", "**", "//", "<<", ">>", "??", "?."),
    *("+=", "-=", "*=", "/=", "%=", "&=", "|=", "^=", "~=", "@="),
)

# Bytes from 0x80 on count as letters, so that UTF-8 and Latin-1 words stay whole without being decoded.
_WORD = rb"[A-Za-z_$\x80-\xff][A-Za-z0-9_$\x80-\xff]*"
# 1, 0xFF, 1_000u, 1.5e-3, .5; the dot of `1..2` and of `1.method` is an operator.
_NUMBER = rb"(?:[0-9]|\.[0-9])(?:[eEpP][+-][0-9]|[A-Za-z0-9_]|\.[0-9]|\.(?![A-Za-z_.]))*"
_OPERATOR = b"|".join(re.escape(operator.encode()) for operator in _OPERATORS)
_MARK = rb"[^ \t\r\n\f\v]"
_TOKEN = re.compile(b"|".join((_WORD, _NUMBER, _OPERATOR, _MARK)))


def tokens(data: bytes) -> tuple[bytes, ...]:
    """Cut `data` into tokens, in order; nothing but ASCII white space is left out.

    No language is assumed: strings and comments are cut like the rest, and lose their white space. An operator is the
    longest one that some common language has, so that `x=-1` and `x = -1` have equal tokens.
    """
    return tuple(_TOKEN.findall(data))
