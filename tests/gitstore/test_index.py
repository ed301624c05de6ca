from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from patchq.errors import GitError
from patchq.gitstore.index import IndexTree
from patchq.gitstore.objects import ObjectReader
from patchq.gitstore.repository import Repository
from patchq.model.tree import FileState, Mode

if TYPE_CHECKING:
    from pathlib import Path

    from tests.gitrepo import GitRepo


def read(repo: GitRepo, *paths: bytes, index_file: Path | None = None) -> list[FileState | None]:
    found = Repository.discover(repo.path)
    with ObjectReader(found) as reader:
        whole = IndexTree(found, reader, index_file=index_file)
        asked = IndexTree(found, reader, index_file=index_file, paths=paths)
        states = [whole.read(path) for path in paths]
        assert states == [asked.read(path) for path in paths]
        return states


def test_the_staged_file_is_read_not_the_one_in_the_work_tree(repo: GitRepo) -> None:
    repo.commit("one", {"d/a": "committed\n", "gone": "1\n"})
    repo.write({"d/a": "staged\n", "new\n*": "new\n"})
    repo.git("rm", "-q", "--cached", "gone")
    repo.git("add", "d/a", "new\n*")
    repo.write({"d/a": "dirty\n"})
    assert read(repo, b"d/a", b"new\n*", b"gone", b"d", b"*") == [
        FileState(Mode.REGULAR, b"staged\n"),
        FileState(Mode.REGULAR, b"new\n"),
        None,
        None,
        None,
    ]


def test_modes_links_and_modules_are_told_apart(repo: GitRepo) -> None:
    repo.write({"run": "#!\n"})
    (repo.path / "link").symlink_to("run")
    repo.git("add", ".")
    repo.git("update-index", "--chmod=+x", "run")
    repo.git("update-index", "--add", "--cacheinfo", f"160000,{'12' * 20},module")
    assert read(repo, b"run", b"link", b"module") == [
        FileState(Mode.EXECUTABLE, b"#!\n"),
        FileState(Mode.SYMLINK, b"run"),
        FileState(Mode.GITLINK, b"12" * 20),
    ]


def test_the_index_of_a_partial_commit_is_read_when_it_is_asked_for(repo: GitRepo) -> None:
    repo.commit("one", {"a": "1\n"})
    other = repo.path / ".git" / "next-index"
    other.write_bytes((repo.path / ".git" / "index").read_bytes())
    repo.write({"a": "2\n"})
    repo.git("add", "a")
    assert read(repo, b"a") == [FileState(Mode.REGULAR, b"2\n")]
    assert read(repo, b"a", index_file=other) == [FileState(Mode.REGULAR, b"1\n")]


def test_a_leaked_index_is_not_read(repo: GitRepo, monkeypatch: pytest.MonkeyPatch) -> None:
    repo.commit("one", {"a": "1\n"})
    monkeypatch.setenv("GIT_INDEX_FILE", "/nonexistent/index")
    assert read(repo, b"a") == [FileState(Mode.REGULAR, b"1\n")]


def test_a_file_that_is_only_announced_is_not_there_but_an_empty_one_is(repo: GitRepo) -> None:
    repo.write({"empty": "", "announced": "1\n"})
    repo.git("add", "empty")
    repo.git("add", "-N", "announced")
    assert read(repo, b"empty", b"announced") == [FileState(Mode.REGULAR, b""), None]


def test_an_unmerged_file_is_refused(repo: GitRepo) -> None:
    repo.commit("one", {"a": "1\n"})
    repo.git("checkout", "-q", "-b", "other")
    repo.commit("two", {"a": "2\n"})
    repo.git("checkout", "-q", "main")
    repo.commit("three", {"a": "3\n"})
    assert repo.try_git("merge", "other").returncode != 0
    with pytest.raises(GitError, match="is unmerged"):
        read(repo, b"a")


def test_reading_leaves_the_index_as_it_is(repo: GitRepo) -> None:
    repo.commit("one", {"a": "1\n", "b": ""})
    repo.write({"a": "1\n"})
    index = repo.path / ".git" / "index"
    before = (index.read_bytes(), index.stat().st_mtime_ns)
    read(repo, b"a", b"b")
    assert (index.read_bytes(), index.stat().st_mtime_ns) == before
