from __future__ import annotations

import pytest

from patchq.syntax.judge import Accepted, Rejected
from patchq.syntax.judge_data import judge_json, judge_toml
from patchq.syntax.judge_yaml import judge_yaml


@pytest.mark.parametrize(
    "text",
    [
        b'{"a": 1,}',
        b"[1, 2,]",
        b'{"a": 1, "a": 2}',
        b'{"b": {"a": 1, "a": 1}}',
        b"{a: 1}",
        b"\xff",
        b"[" * 100_000,
        b"",
    ],
)
def test_what_is_no_json_is_rejected_with_a_reason(text: bytes) -> None:
    judgement = judge_json(text)
    assert isinstance(judgement, Rejected)
    assert judgement.reason


@pytest.mark.parametrize(
    "text",
    [b"a = 1\na = 2\n", b"[a]\n[a]\n", b"[a]\nb.c = 1\n[a.b]\nc = 2\n", b"a = [1, 2\n", b"a = " + b"[" * 10_000],
)
def test_what_is_no_toml_is_rejected_with_a_reason(text: bytes) -> None:
    judgement = judge_toml(text)
    assert isinstance(judgement, Rejected)
    assert judgement.reason


@pytest.mark.parametrize(
    "text",
    [b"a: 1\na: 2\n", b"a: b: c\n", b"a:\n  b: 1\n c: 2\n", b"- {x: 1, x: 2}\n", b"a: *nothing\nb: [\n", b"\ta: 1\n"],
)
def test_what_is_no_yaml_is_rejected_with_a_reason(text: bytes) -> None:
    judgement = judge_yaml(text)
    assert isinstance(judgement, Rejected)
    assert judgement.reason


def test_data_that_is_right_is_accepted_and_has_no_names() -> None:
    assert judge_json(b'{"a": [1, {"a": 2}]}') == Accepted(None)
    assert judge_toml(b"[[a]]\nb = 1\n[[a]]\nb = 2\n") == Accepted(None)
    assert judge_yaml(b"a: &x {k: 1}\nb: {<<: *x, k: 2}\nc: [a, b]\n---\na: 1\n") == Accepted(None)


def test_an_alias_bomb_stays_small() -> None:
    lines = [b"a0: &a0 [x, x, x, x, x, x, x, x, x]"]
    lines.extend(b"a%d: &a%d [%s]" % (n, n, b", ".join([b"*a%d" % (n - 1)] * 9)) for n in range(1, 30))
    assert judge_yaml(b"\n".join(lines)) == Accepted(None)
