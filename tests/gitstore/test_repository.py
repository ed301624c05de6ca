from __future__ import annotations

import shutil
from typing import TYPE_CHECKING

import pytest

from patchq.errors import GitError
from patchq.gitstore.repository import Remote, Repository
from patchq.model.patch import Person
from tests.gitrepo import GitRepo

if TYPE_CHECKING:
    from pathlib import Path


def test_a_repository_is_found_from_a_folder_below(repo: GitRepo) -> None:
    repo.write({"a b/ü/file": "1\n"})
    found = Repository.discover(repo.path / "a b" / "ü")
    assert (found.work_tree, found.git_dir, found.common_dir) == (repo.path, repo.path / ".git", repo.path / ".git")
    assert found.object_format == "sha1"


def test_a_linked_worktree_shares_the_state_of_the_main_one(repo: GitRepo, tmp_path: Path) -> None:
    repo.commit("one", {"a": "1\n"})
    linked = tmp_path / "linked"
    repo.git("worktree", "add", "-q", str(linked), "-b", "other")
    found = Repository.discover(linked)
    assert (found.work_tree, found.current_branch) == (linked, "other")
    assert found.git_dir == repo.path / ".git" / "worktrees" / "linked"
    assert found.state_dir == repo.path / ".git" / "patchq"
    assert found.state_dir.is_dir()


def test_a_bare_repository_has_no_work_tree(repo: GitRepo, tmp_path: Path) -> None:
    commit = repo.commit("one", {"a": "1\n"})
    bare = tmp_path / "bare.git"
    repo.git("clone", "-q", "--bare", ".", str(bare))
    found = Repository.discover(bare)
    assert (found.work_tree, found.git_dir, found.head) == (None, bare, commit)


def test_the_git_folder_itself_is_a_place_to_start_from(repo: GitRepo) -> None:
    commit = repo.commit("one", {"a": "1\n"})
    found = Repository.discover(repo.path / ".git")
    assert (found.git_dir, found.work_tree, found.head) == (repo.path / ".git", None, commit)


def test_a_sha256_repository_is_recognised(tmp_path: Path) -> None:
    repo = GitRepo.create(tmp_path / "r", "--object-format=sha256")
    commit = repo.commit("one", {"a": "1\n"})
    found = Repository.discover(repo.path)
    assert found.object_format == "sha256"
    assert found.head == commit
    assert len(found.null_id) == 64


def test_nothing_found_tells_how_to_get_a_repository(tmp_path: Path) -> None:
    with pytest.raises(GitError, match="is not in a git repository") as caught:
        Repository.discover(tmp_path)
    assert "git clone" in str(caught.value.hint)
    assert "patchq snapshot" in str(caught.value.hint)


def test_a_path_with_a_line_break_is_refused_rather_than_misread(tmp_path: Path) -> None:
    repo = GitRepo.create(tmp_path / "two\nlines")
    with pytest.raises(GitError, match="line break"):
        Repository.discover(repo.path)


def test_create_makes_a_repository_only_where_there_is_none(tmp_path: Path) -> None:
    made = Repository.create(tmp_path / "new" / "folder")
    assert made.work_tree == tmp_path / "new" / "folder"
    assert made.head is None
    assert Repository.create(tmp_path / "new" / "folder" / "below").git_dir == made.git_dir


def test_head_and_branch_before_the_first_commit_and_when_detached(repo: GitRepo) -> None:
    found = Repository.discover(repo.path)
    assert (found.head, found.current_branch) == (None, "main")
    commit = repo.commit("one", {"a": "1\n"})
    repo.git("checkout", "-q", "--detach")
    assert (found.head, found.current_branch) == (commit, None)


def test_configuration_is_read_over_all_files_and_written_with_comments_kept(repo: GitRepo) -> None:
    found = Repository.discover(repo.path)
    file = repo.path / ".git" / "config"
    file.write_text(file.read_text() + "# mine\n[patchq] ; here\n\tother = 1\n")
    assert found.config("patchq.series") is None
    found.set_config("patchq.series", "-x y\nz")
    assert found.config("patchq.series") == "-x y\nz"
    assert "# mine\n[patchq] ; here\n" in file.read_text()
    assert found.config("init.defaultBranch") == "main"


def test_a_broken_configuration_is_an_error_and_no_absent_key(repo: GitRepo) -> None:
    found = Repository.discover(repo.path)
    (repo.path / ".git" / "config").write_text("[core\n")
    with pytest.raises(GitError, match="bad config"):
        found.config("patchq.series")


def test_remotes_come_with_their_first_url(repo: GitRepo) -> None:
    found = Repository.discover(repo.path)
    assert found.remotes() == ()
    repo.git("remote", "add", "origin", "https://example.org/a.git")
    repo.git("remote", "set-url", "--add", "origin", "https://example.org/b.git")
    repo.git("remote", "add", "team/fork.x", "ssh://example.org/c")
    assert found.remotes() == (
        Remote("origin", "https://example.org/a.git"),
        Remote("team/fork.x", "ssh://example.org/c"),
    )


def test_the_default_branch_of_a_remote_is_known_from_the_clone(repo: GitRepo, tmp_path: Path) -> None:
    repo.commit("one", {"a": "1\n"})
    repo.git("branch", "-m", "release/trunk")
    repo.git("clone", "-q", ".", str(tmp_path / "clone"))
    found = Repository.discover(tmp_path / "clone")
    assert found.default_branch("origin") == "release/trunk"
    assert found.default_branch("upstream") is None


def test_identity_is_what_git_would_write(repo: GitRepo, monkeypatch: pytest.MonkeyPatch) -> None:
    found = Repository.discover(repo.path)
    assert found.identity() == Person(b"Ada Author", b"ada@example.org")
    monkeypatch.delenv("GIT_AUTHOR_NAME")
    monkeypatch.delenv("GIT_AUTHOR_EMAIL")
    repo.git("config", "user.name", "Zoë <Z>")
    repo.git("config", "user.email", "z@example.org")
    assert found.identity() == Person("Zoë Z".encode(), b"z@example.org")


def test_an_unknown_identity_is_not_guessed_from_the_machine(repo: GitRepo, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("GIT_AUTHOR_NAME", "GIT_AUTHOR_EMAIL"):
        monkeypatch.delenv(name)
    with pytest.raises(GitError, match="author of a patch is not known") as caught:
        Repository.discover(repo.path).identity()
    assert "git config user.name" in str(caught.value.hint)


def test_a_repository_without_a_configuration_file_can_be_used(repo: GitRepo, tmp_path: Path) -> None:
    commit = repo.commit("one", {"a": "1\n"})
    bare = tmp_path / "bare.git"
    repo.git("clone", "-q", "--bare", ".", str(bare))
    (bare / "config").unlink()
    shutil.rmtree(bare / "hooks", ignore_errors=True)
    found = Repository.discover(bare)
    assert (found.head, found.current_branch) == (commit, "main")
