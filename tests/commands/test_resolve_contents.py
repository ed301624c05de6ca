from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.fork import TABLE, WITH_12, Change, Fork
from tests.resolving import one_file_fork, tree_of

if TYPE_CHECKING:
    from pathlib import Path

CASES = {
    "binary": ("data.bin", b"\0one", b"\0two", b"\0three", b"\0\xff\r\nfour"),
    "latin-1": ("a.txt", b"caf\xe9 1\n", b"caf\xe9 2\n", b"caf\xe9 3\n", b"caf\xe9 5\n"),
    "crlf": ("a.txt", b"one\r\ntwo\r\n", b"one\r\ntwo 2\r\n", b"one\r\ntwo 3\r\n", b"one\r\ntwo 5\r\n"),
    "no-end": ("a.txt", b"one", b"two", b"three", b"five"),
    "empty": ("a.txt", b"one\n", b"two\n", b"three\n", b""),
    "added-by-both": ("n.txt", None, b"ours\n", b"upstream\n", b"both\n"),
    "markers-of-its-own": ("a.rst", b"<<<<<<< x\n1\n", b"<<<<<<< x\n2\n", b"<<<<<<< x\n3\n", b"<<<<<<< x\n5\n"),
    "deleted-upstream": ("a.py", b"A = 1\n", b"A = 2\n", None, b"A = 3\n"),
    "deleted-by-us": ("a.py", b"A = 1\n", None, b"A = 2\n", b"A = 4\n"),
    "odd-name": ("a \xc3\xa9\"'.txt", b"1\n", b"2\n", b"3\n", b"5\n"),
}


@pytest.mark.parametrize("name", CASES)
def test_any_contents_are_resolved_and_remembered_byte_for_byte(tmp_path: Path, name: str) -> None:
    file, base, theirs, ours, right = CASES[name]
    fork = one_file_fork(tmp_path / "fork", file, base, theirs, ours)
    fork.repo.write({".git/info/attributes": "* -text\n"})
    assert fork.run("resolve", "--onto", "v2").code == 3
    tree = tree_of(fork)
    assert fork.run("continue").code == 1
    (tree.path / file).write_bytes(right)
    tree.git("add", "-A")
    ran = fork.run("continue")
    assert ran.code == 0, ran.err
    assert fork.repo.file("patched/v2", file) == right
    tip = fork.repo.text("rev-parse", "patched/v2")
    remembered = (fork.repo.path / "series/resolutions.yaml").read_bytes()
    assert fork.run("rebase", "v2", "--from", "v1", "--json").json["branch"]["commit"] == tip
    assert (fork.repo.path / "series/resolutions.yaml").read_bytes() == remembered


def test_a_mode_in_question_and_a_deletion_that_is_kept(tmp_path: Path) -> None:
    fork = one_file_fork(tmp_path / "fork", "a.sh", "echo 1\n", None, "echo 2\n")
    fork.run("resolve", "--onto", "v2")
    tree = tree_of(fork)
    tree.git("rm", "-q", "a.sh")
    assert fork.run("continue").code == 0
    assert "a.sh" not in fork.repo.text("ls-tree", "--name-only", "patched/v2")


def test_a_result_that_waits_for_review_lies_in_the_files_as_it_is_proposed(tmp_path: Path) -> None:
    fork = Fork.create(
        tmp_path / "fork",
        v1={"t.py": TABLE},
        v2={"t.py": TABLE.replace("[6, 8]", "[4, 6, 8]")},
        changes=[Change("size-12", {"t.py": WITH_12})],
    )
    ran = fork.run("resolve", "--onto", "v2")
    assert "proposed result" in ran.out
    tree = tree_of(fork)
    text = (tree.path / "t.py").read_text()
    assert "12: [6, 8]" in text
    assert "<<<" not in text
    untouched = fork.run("continue")
    assert (untouched.code, "git has it as unmerged" in untouched.err) == (1, True)
    tree.write({"t.py": text.replace("12: [6, 8]", "12: [4, 6, 8]")})
    assert fork.run("continue").code == 0
    assert b"12: [4, 6, 8]" in fork.repo.file("patched/v2", "t.py")
    assert fork.run("rebase", "v2", "--from", "v1", "--accept", "review").code == 0
    assert b"12: [4, 6, 8]" in fork.repo.file("patched/v2", "t.py")  # what a person has decided wins


def test_a_blocked_patch_is_resolved_without_the_one_that_it_waits_for(tmp_path: Path) -> None:
    text = "".join(f"line {number}\n" for number in range(9))
    first = text.replace("line 4", "line 4 first")
    changes = [Change("a", {"t.txt": first}), Change("b", {"t.txt": first.replace("4 first", "4 first and b")})]
    fork = Fork.create(
        tmp_path / "fork", v1={"t.txt": text}, v2={"t.txt": text.replace("line 4", "line four")}, changes=changes
    )
    fork.run("resolve", "--onto", "v2")
    assert fork.run("skip", "--json").json["open"] == "b"
    tree_of(fork).write({"t.txt": text.replace("line 4", "line four and b")})
    assert fork.run("continue").code == 3
    assert b"four and b" in fork.repo.file("patched/v2", "t.txt")
    assert "not-carried a.patch" in (fork.repo.path / "series/v2/series").read_text()


def test_a_renamed_file_in_conflict_is_shown_under_its_new_name(tmp_path: Path) -> None:
    text = "".join(f"line {number}\n" for number in range(20))
    changes = [Change("move", {"old.txt": None, "new.txt": text.replace("line 4\n", "line 4 ours\n")})]
    fork = Fork.create(
        tmp_path / "fork",
        v1={"old.txt": text},
        v2={"old.txt": text.replace("line 4\n", "line four\n")},
        changes=changes,
    )
    ran = fork.run("resolve", "--onto", "v2", "--json")
    assert ran.json["files"] == ["new.txt"]
    tree = tree_of(fork)
    assert not (tree.path / "old.txt").exists()
    tree.write({"new.txt": text.replace("line 4\n", "line four, ours\n")})
    assert fork.run("continue").code == 0
    assert "old.txt" not in fork.repo.text("ls-tree", "--name-only", "patched/v2")
