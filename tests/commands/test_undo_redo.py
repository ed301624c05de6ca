from __future__ import annotations

import ast
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.queued import BRANCH, built_fork, patch

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.fork import Fork

COMMANDS = Path(__file__).parents[2] / "patchq" / "commands"


def change(fork: Fork) -> None:
    text = fork.repo.file("HEAD", "pkg/t.txt")
    fork.repo.write({"pkg/t.txt": text.replace(b"line 38\n", b"line 38!\n")})


def break_count(fork: Fork) -> None:
    path = fork.repo.path / "series/v1/alpha.patch"
    broken = path.read_bytes().replace(b"@@ -2,7 +2,7 @@", b"@@ -2,6 +2,6 @@")
    assert broken != path.read_bytes()
    path.write_bytes(broken)


def foreign(fork: Fork) -> None:
    fork.repo.git("switch", "-q", "--detach", "v1")
    fork.repo.commit("Say hello\n\nFor a guest.", {"pkg/guest.txt": "hello\n"})
    fork.repo.git("branch", "guest")
    fork.repo.git("switch", "-q", BRANCH)


def remembered(fork: Fork) -> None:
    entry = f"schema: 1\nentries:\n  - {{key: {'a' * 64}, patch: beta, ref: v2, decision: absorbed}}\n"
    fork.repo.write({"series/resolutions.yaml": entry})


def nothing(fork: Fork) -> None:
    del fork


# Every verb that publishes, with what has to be there before.
PUBLISHING: dict[str, tuple[Callable[[Fork], None], tuple[str, ...]]] = {
    "rebase": (nothing, ("rebase", "v2")),
    "build": (nothing, ("build", "--branch", "other")),
    "import": (foreign, ("import", "v1..guest")),
    "init": (nothing, ("init", "--follow", "v2")),
    "new": (change, ("new", "fresh", "-m", "Fresh")),
    "refresh": (change, ("refresh", "beta")),
    "edit": (nothing, ("edit", "beta", "-m", "Another word")),
    "rename": (nothing, ("rename", "beta", "better")),
    "move": (nothing, ("move", "delta", "--before", "alpha")),
    "fold": (nothing, ("fold", "delta", "gamma")),
    "split": (nothing, ("split", "gamma", "--files", "pkg/gate.py", "--name", "gate")),
    "drop": (nothing, ("drop", "delta", "--reason", "not needed")),
    "resolutions": (remembered, ("resolutions", "--forget", "beta")),
    "lint": (break_count, ("lint", "--fix", "--ignore", "no-reason")),
}


def state(fork: Fork) -> dict[str, bytes]:
    """References but for patchq's own, HEAD, what git status says, all files of the series and of the work tree."""
    told = fork.state()
    del told["index"]
    told["refs"] = b"\n".join(line for line in told["refs"].splitlines() if b"refs/patchq/" not in line)
    work = {str(path): path.read_bytes() for path in (fork.repo.path / "pkg").rglob("*") if path.is_file()}
    return {**told, **work}


@pytest.fixture
def fork(tmp_path: Path) -> Fork:
    return built_fork(tmp_path / "fork")


@pytest.mark.parametrize("verb", PUBLISHING)
def test_every_verb_that_publishes_is_undone_and_redone_byte_for_byte(fork: Fork, verb: str) -> None:
    prepare, command = PUBLISHING[verb]
    prepare(fork)
    before = state(fork)
    assert fork.run(*command).code in {0, 1 if verb == "lint" else 0}
    after = state(fork)
    assert after != before
    undone = fork.run("undo", "--json")
    assert undone.json["undone"] == verb
    assert state(fork) == before
    assert fork.run("redo", "--json").json["redone"] == verb
    assert state(fork) == after
    assert fork.run("undo").code == 0
    assert state(fork) == before


def test_no_verb_publishes_that_is_not_tried_here() -> None:
    """The verb is the argument that `publish`, `publish_edit` and `publish_replay` are called with."""
    found = set()
    for path in COMMANDS.glob("*.py"):
        for call in ast.walk(ast.parse(path.read_text())):
            if isinstance(call, ast.Call) and isinstance(call.func, ast.Name) and call.func.id.startswith("publish"):
                words = [*call.args, *(it.value for it in call.keywords if it.arg == "verb")]
                found |= {it.value for it in words if isinstance(it, ast.Constant) and isinstance(it.value, str)}
    assert found == set(PUBLISHING)


def test_the_list_says_what_each_operation_moved_and_undo_goes_back_to_one(fork: Fork) -> None:
    states = [state(fork)]
    for command in (("drop", "delta", "--reason", "x"), ("rename", "beta", "better"), ("rebase", "v2")):
        assert fork.run(*command).code == 0
        states.append(state(fork))
    ran = fork.run("undo", "--list", "--json").json["operations"]
    assert [(one["number"], one["operation"], one["series"]) for one in ran] == [
        (4, "rebase", ["patchq.yaml", "v2"]),
        (3, "rename", ["v1"]),
        (2, "drop", ["ledger.yaml", "v1"]),
        (1, "build", ["v1"]),
    ]
    assert [one["patches"] for one in ran] == [["alpha", "better", "gamma"], ["beta", "better"], ["delta"], []]
    assert ran[0]["branches"] == [{"name": "patched/v2", "from": None, "to": fork.repo.text("rev-parse", "patched/v2")}]
    assert ran[0]["when"].endswith("+00:00")
    text = fork.run("undo", "--list").out.splitlines()
    assert text[0].split()[0] == "4"
    assert "alpha, better, gamma; patched/v2 none ->" in text[0]
    assert fork.run("undo", "1").out.splitlines()[:3] == ["undone: rebase", "undone: rename", "undone: drop"]
    assert state(fork) == states[0]
    listed = fork.run("undo", "--list", "--json").json["operations"]
    assert [(one["number"], one["undone"]) for one in listed] == [(4, True), (3, True), (2, True), (1, False)]
    for later in states[1:]:
        assert fork.run("redo").code == 0
        assert state(fork) == later
    assert "nothing to redo" in fork.run("redo").err


def test_going_back_over_an_edit_by_hand_is_refused_as_a_whole(fork: Fork) -> None:
    assert fork.run("rename", "beta", "better").code == 0
    path = fork.repo.path / "series/v1/delta.patch"
    path.write_bytes(path.read_bytes().replace(b"delta does it", b"delta does it well"))
    assert fork.run("rename", "gamma", "gimmel").code == 0
    before = state(fork)
    ran = fork.run("undo", "1")
    assert (ran.code, "by hand between 2 and 3 (rename)" in ran.err) == (1, True)
    assert state(fork) == before
    assert fork.run("undo", "2").code == 0
    assert "delta does it well" in patch(fork, "delta")


def test_a_number_that_is_none_or_undone_is_refused(fork: Fork) -> None:
    assert fork.run("rename", "beta", "better").code == 0
    assert "2 is the last one" in fork.run("undo", "2").err
    assert "9 is no operation" in fork.run("undo", "9").err
    assert fork.run("undo").code == 0
    assert "2 is the last one, or undone" in fork.run("undo", "2").err
    assert fork.run("undo", "1", "--list").code == 2


def test_after_another_publish_there_is_nothing_to_redo(fork: Fork) -> None:
    assert fork.run("rename", "beta", "better").code == 0
    assert fork.run("undo").code == 0
    assert fork.run("rename", "beta", "other").code == 0
    assert fork.run("redo").code == 1
    assert [one["operation"] for one in fork.run("undo", "--list", "--json").json["operations"]] == ["rename", "build"]


def test_redo_refuses_when_the_series_was_edited_meanwhile(fork: Fork) -> None:
    assert fork.run("rename", "beta", "better").code == 0
    assert fork.run("undo").code == 0
    path = fork.repo.path / "series/v1/beta.patch"
    path.write_bytes(path.read_bytes() + b"\n")
    ran = fork.run("redo")
    assert (ran.code, "was changed since it was undone" in ran.err) == (1, True)
