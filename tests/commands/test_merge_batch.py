from __future__ import annotations

import json
import subprocess
import sys
from typing import TYPE_CHECKING, Any

import pytest

from tests.commands.test_merge_file import MERGED, PATCHED, TABLE, UPSTREAM
from tests.running import Ran, patchq

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture
def sides(tmp_path: Path) -> Path:
    clash = PATCHED.replace(b"[6, 8]", b"[2, 8]")
    for name, data in (("base", TABLE), ("theirs", PATCHED), ("ours", UPSTREAM), ("clash", clash)):
        (tmp_path / name).write_bytes(data)
    return tmp_path


def order(name: object, path: str = "t.py", **other: object) -> dict[str, object]:
    return {"id": name, "path": path, "base": "base", "theirs": "theirs", "ours": "ours", "out": f"{name}.out", **other}


def batch(folder: Path, *lines: dict[str, object] | str, options: tuple[str, ...] = ()) -> Ran:
    text = "".join((line if isinstance(line, str) else json.dumps(line)) + "\n" for line in lines)
    (folder / "orders.jsonl").write_text(text)
    return patchq("merge-file", "--batch", "orders.jsonl", *options, cwd=folder)


def answers(ran: Ran) -> list[dict[str, Any]]:
    return [json.loads(line) for line in ran.out.splitlines()]


def test_each_line_gets_one_and_a_refusal_is_an_answer(sides: Path) -> None:
    ran = batch(sides, order("a"), order(7, "t.dat", theirs="clash"))
    one, two = answers(ran)
    assert ran.code == 0
    assert [*one] == ["id", "verdict", "rung", "class", "needs_review", "seconds"]
    assert (one["id"], one["verdict"], one["rung"], one["class"]) == ("a", "adapted", "anchored", "B")
    assert (two["id"], two["verdict"], two["rung"], two["class"]) == (7, "conflict", None, None)
    assert two["reason"] == "upstream and the patch change the same lines, or lines that touch"
    assert (sides / "a.out").read_bytes() == MERGED
    assert b"<<<<<<< upstream ours\n" in (sides / "7.out").read_bytes()


@pytest.mark.parametrize(
    ("line", "error"),
    [
        ("{", "line 2: no JSON: "),
        ("[]", "line 2: no JSON object"),
        ('{"id": 1}', "line 2: without path, base, theirs, ours, out"),
        (json.dumps(order("x", base="nowhere")), "line 2: nowhere: cannot be read: No such file"),
        (json.dumps(order("x", out="no/folder")), "line 2: no/folder: cannot be written: No such file"),
        (json.dumps(order("x", ours=3)), "line 2: ours is no name of a file"),
        ("[" * 100_000, "line 2: "),
    ],
)
def test_a_line_that_cannot_be_tried_is_told_and_the_rest_goes_on(sides: Path, line: str, error: str) -> None:
    ran = batch(sides, order(1), line, order(3))
    assert ran.code == 1
    one, bad, three = answers(ran)
    assert (one["verdict"], three["verdict"]) == ("adapted", "adapted")
    assert bad["error"].startswith(error)
    assert bad["id"] == (json.loads(line).get("id") if line[0] == "{" and line != "{" else None)


def test_a_case_that_is_too_deep_for_this_machine_is_an_error_and_not_the_end(
    sides: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def deep(*_: object, **__: object) -> None:
        raise RecursionError

    with monkeypatch.context() as patched:
        patched.setattr("patchq.commands.merge_batch.merge_file", deep)
        ran = batch(sides, order(1), order(2))
    assert ran.code == 1
    assert [answer["error"] for answer in answers(ran)] == [
        f"line {number}: too deep or too large: RecursionError" for number in (1, 2)
    ]
    assert not (sides / "1.out").exists()


def test_any_other_failure_is_a_bug_and_ends_the_run(sides: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def wrong(*_: object, **__: object) -> None:
        raise KeyError("x")

    monkeypatch.setenv("TMPDIR", str(sides))
    monkeypatch.setattr("tempfile.tempdir", str(sides))
    monkeypatch.setattr("patchq.commands.merge_batch.merge_file", wrong)
    ran = batch(sides, order(1), order(2))
    assert (ran.code, ran.out) == (4, "")


def test_accept_is_for_all_lines(sides: Path) -> None:
    (sides / "theirs").write_bytes(PATCHED.replace(b"[2]", b"[6, 8]"))
    (one,) = answers(batch(sides, order(1)))
    assert (one["class"], one["needs_review"], one["reason"][:8]) == ("D", True, "class D:")
    (one,) = answers(batch(sides, order(1), options=("--accept", "review")))
    assert (one["class"], one["needs_review"], "reason" in one) == ("D", True, False)
    assert (sides / "1.out").read_bytes() == MERGED.replace(b"[2]", b"[6, 8]")


def test_each_answer_comes_as_soon_as_it_is_known(sides: Path) -> None:
    program = [sys.executable, "-c", "from patchq.cli import main; main()", "merge-file", "--batch", "-"]
    with subprocess.Popen(program, cwd=sides, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        for number in (1, 2):
            process.stdin.write(json.dumps(order(number)).encode() + b"\n")
            process.stdin.flush()
            assert json.loads(process.stdout.readline())["id"] == number
        process.stdin.close()
        assert process.wait() == 0


def test_empty_lines_are_nothing(sides: Path) -> None:
    ran = batch(sides, "", order(1), "  ")
    assert (ran.code, len(answers(ran))) == (0, 1)
