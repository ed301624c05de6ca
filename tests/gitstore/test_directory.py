from __future__ import annotations

import os
from typing import TYPE_CHECKING

import pytest

from patchq.errors import GitError
from patchq.gitstore import directory
from patchq.gitstore.directory import DirectoryTree
from patchq.model.tree import FileState, Mode

if TYPE_CHECKING:
    from pathlib import Path


def test_files_links_and_the_executable_bit_are_read_as_git_would(tmp_path: Path) -> None:
    (tmp_path / "d").mkdir()
    (tmp_path / "d" / "a").write_bytes(b"1\r\n")
    (tmp_path / "run").write_bytes(b"#!\n")
    (tmp_path / "run").chmod(0o755)
    (tmp_path / "link").symlink_to("/etc/passwd")
    name = b"\xff\n"
    (tmp_path / os.fsdecode(name)).write_bytes(b"odd")
    tree = DirectoryTree(tmp_path)
    assert tree.read(b"d/a") == FileState(Mode.REGULAR, b"1\r\n")
    assert tree.read(b"run") == FileState(Mode.EXECUTABLE, b"#!\n")
    assert tree.read(b"link") == FileState(Mode.SYMLINK, b"/etc/passwd")
    assert tree.read(name) == FileState(Mode.REGULAR, b"odd")


@pytest.mark.parametrize(
    "path", [b"none", b"d", b"d/", b"", b"..", b"../secret", b"d/../../secret", b"/etc/passwd", b"a\0b"]
)
def test_nothing_else_is_read(tmp_path: Path, path: bytes) -> None:
    (tmp_path / "root" / "d").mkdir(parents=True)
    (tmp_path / "secret").write_bytes(b"s")
    assert DirectoryTree(tmp_path / "root").read(path) is None


def test_a_link_is_followed_inside_of_the_root_only(tmp_path: Path) -> None:
    root = tmp_path / "root"
    (root / "real").mkdir(parents=True)
    (root / "real" / "a").write_bytes(b"1")
    (tmp_path / "outside").mkdir()
    (tmp_path / "outside" / "a").write_bytes(b"2")
    (root / "in").symlink_to("real")
    (root / "out").symlink_to("../outside")
    (root / "loop").symlink_to("loop")
    (tmp_path / "alias").symlink_to("root")
    tree = DirectoryTree(tmp_path / "alias")
    assert tree.read(b"in/a") == FileState(Mode.REGULAR, b"1")
    assert tree.read(b"out/a") is None
    assert tree.read(b"loop/a") is None


def test_a_pipe_is_no_file_and_does_not_block(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    assert DirectoryTree(tmp_path).read(b"pipe") is None


def test_a_file_beyond_all_measure_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "big").write_bytes(b"x" * 100)
    monkeypatch.setattr(directory, "LARGEST_OBJECT", 99)
    with pytest.raises(GitError, match="too large"):
        DirectoryTree(tmp_path).read(b"big")
