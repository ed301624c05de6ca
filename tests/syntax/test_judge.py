from __future__ import annotations

import pytest

from patchq.syntax.judge import Accepted, Rejected, judge_python


@pytest.mark.parametrize(
    "source",
    [
        b"f(a=1, b)\n",
        b"def f(a=1, b): pass\n",
        b"def f(a, a): pass\n",
        b"from x import (a) b\n",
        b"return 1 = 2\n",
        b"x = (\n",
        b"\xff = 1\n",
        b"x = 1\0\n",
        b"x = " + b"(" * 5000 + b")" * 5000,
    ],
)
def test_what_python_does_not_take_is_rejected_with_a_reason(source: bytes) -> None:
    judgement = judge_python(source)
    assert isinstance(judgement, Rejected)
    assert judgement.reason


@pytest.mark.parametrize(
    ("source", "unbound"),
    [
        (b"import os\nos.getcwd()\n", set()),
        (b"os.getcwd()\n", {"os"}),
        (b"def f(a):\n    b = a\n    return len(b), c\n", {"c"}),
        (b"class C:\n    x = 1\n    def f(self):\n        return __class__\n", set()),
        (b"def f():\n    global late\n    late = 1\n\n\nlate\n", set()),
        (b"try:\n    pass\nexcept E as e:\n    e\n", {"E"}),
        (b"[y for x in xs if (y := x)]\n", {"xs"}),
        ("# coding: latin-1\ns = '\xe9'\nt\n".encode("latin-1"), {"t"}),
        (b"\xef\xbb\xbfx = 1\n", set()),
    ],
)
def test_names_that_nothing_binds_are_listed(source: bytes, unbound: set[str]) -> None:
    judgement = judge_python(source)
    assert isinstance(judgement, Accepted)
    assert judgement.unbound == frozenset(unbound)


def test_nothing_is_executed_and_no_warning_escapes() -> None:
    judgement = judge_python(b"raise SystemExit('\\d')\n")
    assert isinstance(judgement, Accepted)
