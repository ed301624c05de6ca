from __future__ import annotations

import os
from typing import TYPE_CHECKING

import pytest

from patchq.errors import GitError
from patchq.gitstore import workdiff
from patchq.gitstore.repository import Repository
from patchq.gitstore.workdiff import work_tree_diff
from tests.gitrepo import GitRepo

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path


def diff(repo: GitRepo, *, without: Sequence[bytes] = ()) -> bytes:
    return work_tree_diff(Repository.discover(repo.path), without=without)


def state(repo: GitRepo) -> dict[str, object]:
    """Take down all that a person would miss: every file with its time (git refreshes those of objects)."""
    files = [path for path in repo.path.rglob("*") if path.is_file() and not path.is_symlink()]
    return {str(path): (path.read_bytes(), "objects" in path.parts or path.stat().st_mtime_ns) for path in files}


def applied(repo: GitRepo, patch: bytes) -> str:
    """Apply a diff to HEAD by git itself and return the tree."""
    other = {"GIT_INDEX_FILE": str(repo.path.parent / "other-index")}
    os.environ.update(other)
    try:
        repo.git("read-tree", "HEAD")
        repo.git("apply", "--cached", "--binary", "--whitespace=nowarn", stdin=patch)
        return repo.text("write-tree")
    finally:
        del os.environ["GIT_INDEX_FILE"]


def test_staged_unstaged_new_and_deleted_files_are_one_diff_and_nothing_is_touched(repo: GitRepo) -> None:
    repo.commit(
        "one", {"staged": "1\n", "dirty": "1\n", "gone": "1\n", "removed": "1\n", ".gitignore": "*.o\n", "bin": b"\0\1"}
    )
    repo.write({"stash": "1\n"})
    repo.git("stash", "-q", "-u")
    repo.write({"staged": "2\n", "new": "1\n"})
    repo.git("add", "staged", "new")
    repo.git("rm", "-q", "removed")
    odd = {"dirty": "2\n", "staged": "3\n", "un tracked\n": "1\n", "x.o": "1\n", "bin": b"\0\2", "gone": None}
    repo.write(odd)
    (repo.path / os.fsdecode(b"\xff")).write_bytes(b"1\n")
    (repo.path / "link").symlink_to("staged")
    (repo.path / "dirty").chmod(0o755)
    before = state(repo)
    patch = diff(repo)
    assert state(repo) == before
    repo.git("add", "-A")
    assert applied(repo, patch) == repo.text("write-tree")


def test_a_clean_work_tree_has_an_empty_diff(repo: GitRepo) -> None:
    repo.commit("one", {"a": "1\n"})
    assert diff(repo) == b""


def test_before_the_first_commit_everything_is_new(repo: GitRepo) -> None:
    repo.write({"a": "1\n"})
    assert b"new file mode 100644" in diff(repo)
    assert not (repo.path / ".git" / "index").exists()


def test_a_change_within_the_same_clock_tick_is_seen(repo: GitRepo) -> None:
    repo.commit("one", {"a": "1\n"})
    index, file = repo.path / ".git" / "index", repo.path / "a"
    repo.write({"a": "2\n"})
    stamp = index.stat().st_mtime_ns
    os.utime(file, ns=(stamp, stamp))
    assert b"+2\n" in diff(repo)


def test_filters_and_line_ends_are_converted_as_git_add_does(repo: GitRepo) -> None:
    repo.commit("one", {"crlf": "1\n", "up.x": "LOW\n", ".gitattributes": "*.x filter=upper\n*.txt text eol=crlf\n"})
    repo.git("config", "core.autocrlf", "input")
    repo.git("config", "filter.upper.clean", "tr a-z A-Z")
    repo.write({"crlf": b"1\r\n2\r\n", "up.x": "low\nmore\n", "new.txt": b"x\r\n"})
    patch = diff(repo)
    assert b"\r" not in patch
    assert b"+MORE\n" in patch
    repo.git("add", "-A")
    assert applied(repo, patch) == repo.text("write-tree")


def test_settings_and_variables_of_the_user_do_not_show(repo: GitRepo, monkeypatch: pytest.MonkeyPatch) -> None:
    repo.commit("one", {"a": "1\n"})
    repo.write({"a": "2\n", "b": "1\n"})
    calm = diff(repo)
    repo.git("update-index", "--split-index")
    for key in ("diff.noprefix", "diff.mnemonicPrefix", "core.fsmonitor", "core.splitIndex", "index.sparse"):
        repo.git("config", key, "true")
    for key in ("diff.external", "core.fsmonitor", "core.hooksPath"):
        repo.git("config", key, "/nonexistent")
    monkeypatch.setenv("GIT_INDEX_FILE", "/nonexistent/index")
    monkeypatch.setenv("GIT_EXTERNAL_DIFF", "false")
    assert diff(repo) == calm


def test_the_series_itself_can_be_left_out(repo: GitRepo) -> None:
    repo.commit("one", {"a": "1\n", "series/s*/p": "1\n", "series2": "1\n"})
    repo.write({"a": "2\n", "series/s*/p": "2\n", "series/new": "1\n", "series2": "2\n"})
    patch = diff(repo, without=(b"series",))
    assert [line for line in patch.splitlines() if line.startswith(b"+++")] == [b"+++ b/a", b"+++ b/series2"]
    assert b"series/new" in diff(repo, without=(b"series/s*",))


def test_a_repository_within_the_work_tree_is_left_out(repo: GitRepo) -> None:
    repo.commit("one", {"a": "1\n"})
    GitRepo.create(repo.path / "empty clone")
    GitRepo.create(repo.path / "clone").commit("x", {"x": "1\n"})
    repo.write({"a": "2\n"})
    assert diff(repo).count(b"diff --git") == 1


def test_in_a_sparse_checkout_absent_files_are_not_deleted(repo: GitRepo) -> None:
    repo.commit("one", {"in/a": "1\n", "out/b": "1\n"})
    repo.git("sparse-checkout", "set", "in")
    assert not (repo.path / "out").exists()
    repo.write({"in/a": "2\n", "out/new": "1\n"})
    patch = diff(repo)
    assert b"out/b" not in patch
    assert patch.count(b"diff --git") == 2


def test_a_linked_worktree_has_its_own_diff(repo: GitRepo, tmp_path: Path) -> None:
    repo.commit("one", {"a": "1\n"})
    repo.git("worktree", "add", "-q", str(tmp_path / 'li:n"ked'), "-b", "other")
    linked = GitRepo(tmp_path / 'li:n"ked')
    linked.write({"a": "2\n"})
    assert b"+2\n" in diff(linked)
    assert diff(repo) == b""


def test_a_path_that_separates_lists_is_no_obstacle(tmp_path: Path) -> None:
    repo = GitRepo.create(tmp_path / 'a:b "c" \\d')
    repo.commit("one", {"a": "1\n"})
    repo.write({"a": "2\n"})
    assert b"+2\n" in diff(repo)


def test_unmerged_files_are_refused(repo: GitRepo) -> None:
    repo.commit("one", {"a": "1\n"})
    repo.git("checkout", "-q", "-b", "other")
    repo.commit("two", {"a": "2\n"})
    repo.git("checkout", "-q", "main")
    repo.commit("three", {"a": "3\n"})
    assert repo.try_git("merge", "other").returncode != 0
    with pytest.raises(GitError, match="unmerged"):
        diff(repo)


def test_a_huge_new_file_is_refused_by_name(repo: GitRepo, monkeypatch: pytest.MonkeyPatch) -> None:
    repo.commit("one", {"a": "1\n"})
    monkeypatch.setattr(workdiff, "LARGEST_UNTRACKED", 99)
    repo.write({"weights.bin": "x" * 100})
    with pytest.raises(GitError, match=r"weights\.bin is too large"):
        diff(repo)


def test_a_bare_repository_has_nothing_to_compare(tmp_path: Path) -> None:
    repo = GitRepo.create(tmp_path / "bare", "--bare")
    with pytest.raises(GitError, match="no work tree"):
        diff(repo)
