from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from patchq.errors import GitError
from patchq.gitstore.repository import Repository
from patchq.gitstore.staged import Staging, find_staging
from patchq.gitstore.staged_trees import open_trees
from tests.gitrepo import GitRepo

if TYPE_CHECKING:
    from pathlib import Path


def staging(repo: GitRepo) -> Staging:
    found = find_staging(repo.path)
    assert found is not None
    return found


def test_it_knows_head_its_tree_and_the_branch(repo: GitRepo) -> None:
    commit = repo.commit("one", {"a": "1\n"})
    found = staging(repo)
    assert found.repo == Repository.discover(repo.path)
    assert (found.head, found.branch) == (commit, "main")
    assert found.head_tree == repo.text("rev-parse", "HEAD^{tree}")
    repo.git("checkout", "-q", "--detach")
    assert (staging(repo).head, staging(repo).branch) == (commit, None)


@pytest.mark.parametrize("object_format", ["sha1", "sha256"])
def test_before_the_first_commit_everything_is_new(tmp_path: Path, object_format: str) -> None:
    repo = GitRepo.create(tmp_path / "fresh", f"--object-format={object_format}")
    repo.write({"HEAD": "a file by this name\n", "b/c": "1\n"})
    repo.git("add", "-A")
    found = staging(repo)
    assert (found.head, found.branch) == (None, None)
    assert found.changes() == {b"HEAD": "A", b"b/c": "A"}
    assert not found.may_contain("0" * 40)


def test_changes_are_those_of_the_index_with_renames_taken_apart(repo: GitRepo) -> None:
    repo.commit("one", {"a": "1\n", "b b": "2\n", "c": "3\n", "HEAD": "not the commit\n"})
    repo.git("mv", "a", "d\te")
    repo.write({"b b": "two\n", "c": "three\n"})
    repo.git("add", "b b")
    for name, value in {"diff.renames": "true", "diff.relative": "true", "status.renames": "copies"}.items():
        repo.git("config", name, value)
    assert staging(repo).changes() == {b"a": "D", b"d\te": "A", b"b b": "M"}


def test_the_trees_are_head_and_the_index(repo: GitRepo) -> None:
    repo.commit("one", {"a": "1\n"})
    repo.write({"a": "2\n"})
    repo.git("add", "a")
    repo.write({"a": "3\n"})
    with open_trees(staging(repo), [b"a"]) as (head, index):
        before, after = head.read(b"a"), index.read(b"a")
    assert before is not None
    assert after is not None
    assert (before.data, after.data) == (b"1\n", b"2\n")


def test_the_history_of_head_is_asked(repo: GitRepo) -> None:
    first = repo.commit("one", {"a": "1\n"})
    second = repo.commit("two", {"a": "2\n"})
    assert staging(repo).may_contain(first)
    assert staging(repo).may_contain(second)
    repo.git("reset", "-q", "--hard", first)
    assert not staging(repo).may_contain(second)
    assert not staging(repo).may_contain("1234" * 10)


def test_a_shallow_clone_cannot_tell_what_it_does_not_have(repo: GitRepo, tmp_path: Path) -> None:
    first = repo.commit("one", {"a": "1\n"})
    repo.commit("two", {"a": "2\n"})
    repo.git("clone", "-q", "--depth=1", f"file://{repo.path}", str(tmp_path / "shallow"))
    assert staging(GitRepo(tmp_path / "shallow")).may_contain(first)


def test_a_missing_file_is_not_fetched(repo: GitRepo, tmp_path: Path) -> None:
    repo.commit("one", {"a": "1\n"})
    repo.git("config", "uploadpack.allowFilter", "true")
    repo.git("config", "uploadpack.allowAnySHA1InWant", "true")
    repo.git("clone", "-q", "--no-checkout", "--filter=blob:none", f"file://{repo.path}", str(tmp_path / "partial"))
    partial = GitRepo(tmp_path / "partial")
    partial.git("config", "protocol.file.allow", "always")
    with (
        pytest.raises(GitError, match=r"cannot be read|is not in this repository") as refused,
        open_trees(staging(partial), None) as (head, _),
    ):
        head.read(b"a")
    assert refused.value.hint is not None
    assert refused.value.hint.startswith("git fetch origin ")
    assert partial.git("rev-list", "--objects", "--missing=print", "HEAD").count(b"?") == 1


def test_a_bare_repository_has_no_commit_in_the_making(tmp_path: Path) -> None:
    bare = GitRepo.create(tmp_path / "bare.git", "--bare")
    assert find_staging(bare.path) is None


def test_a_folder_without_a_repository_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(GitError, match="not a git repository"):
        find_staging(tmp_path)


def test_the_place_of_copies_is_the_one_that_verbs_use(repo: GitRepo) -> None:
    place = staging(repo).cache_dir
    assert not place.parent.exists()
    assert place == Repository.discover(repo.path).state_dir / "cache"
