from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from patchq.errors import GitError, NetworkError
from patchq.gitstore.fetch import fetch
from patchq.gitstore.refs import resolve
from patchq.gitstore.repository import Repository
from tests.gitrepo import GitRepo

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture
def upstream(tmp_path: Path) -> GitRepo:
    repo = GitRepo.create(tmp_path / "upstream")
    repo.commit("one", {"a": "1\n"}, tag="v1")
    return repo


@pytest.fixture
def clone(upstream: GitRepo, tmp_path: Path) -> GitRepo:
    upstream.git("clone", "-q", f"file://{upstream.path}", str(tmp_path / "clone"))
    return GitRepo(tmp_path / "clone")


def fetched(clone: GitRepo, remote: str = "origin", *refspecs: str) -> list[str]:
    heard: list[str] = []
    fetch(Repository.discover(clone.path), remote, refspecs, progress=heard.append)
    return heard


def test_branches_and_tags_arrive_and_a_person_hears_of_it(upstream: GitRepo, clone: GitRepo) -> None:
    two = upstream.commit("two", {"a": "2\n"}, tag="v2")
    heard = fetched(clone)
    assert resolve(Repository.discover(clone.path), "origin/main").commit == two
    assert resolve(Repository.discover(clone.path), "v2").commit == two
    assert any(line.startswith("counting objects: ") for line in heard)
    assert any("[new tag]" in line for line in heard)
    assert not (clone.path / ".git" / "FETCH_HEAD").exists()


def test_a_tag_that_no_branch_leads_to_arrives_too(upstream: GitRepo, clone: GitRepo) -> None:
    upstream.git("checkout", "-q", "--detach")
    lonely = upstream.commit("lonely", {"a": "3\n"}, tag="v1.post1")
    fetched(clone)
    assert resolve(Repository.discover(clone.path), "v1.post1").commit == lonely


def test_into_a_shallow_clone_no_old_history_comes_by_tags(upstream: GitRepo, tmp_path: Path) -> None:
    upstream.commit("two", {"a": "2\n"}, tag="v2")
    upstream.git("clone", "-q", "--depth=1", f"file://{upstream.path}", str(tmp_path / "shallow"))
    shallow = GitRepo(tmp_path / "shallow")
    three = upstream.commit("three", {"a": "3\n"}, tag="v3")
    fetched(shallow)
    assert shallow.text("rev-parse", "origin/main", "v3").split() == [three, three]
    assert shallow.try_git("rev-parse", "-q", "--verify", "v1").returncode != 0


def test_a_force_pushed_branch_is_followed_and_told(upstream: GitRepo, clone: GitRepo) -> None:
    upstream.git("commit", "-q", "--amend", "-m", "rewritten")
    assert any("(forced update)" in line for line in fetched(clone))
    assert resolve(Repository.discover(clone.path), "origin/main").commit == upstream.text("rev-parse", "main")


def test_a_tag_that_upstream_moved_stays_here_while_the_rest_arrives(upstream: GitRepo, clone: GitRepo) -> None:
    old = upstream.text("rev-parse", "v1")
    two = upstream.commit("two", {"a": "2\n"})
    upstream.git("tag", "-f", "v1")
    heard = fetched(clone)
    found = Repository.discover(clone.path)
    assert (resolve(found, "v1").commit, resolve(found, "origin/main").commit) == (old, two)
    assert any("would clobber existing tag" in line for line in heard)


def test_names_that_are_not_utf_8_do_no_harm(upstream: GitRepo, clone: GitRepo) -> None:
    upstream.git("update-ref", b"refs/heads/caf\xe9".decode("utf-8", "surrogateescape"), "HEAD")
    assert any("caf\ufffd" in line for line in fetched(clone))


def test_given_refspecs_are_fetched_from_an_address(upstream: GitRepo, tmp_path: Path) -> None:
    other = GitRepo.create(tmp_path / "other")
    fetched(other, f"file://{upstream.path}", "+refs/heads/*:refs/remotes/up/*")
    assert other.text("rev-parse", "refs/remotes/up/main") == upstream.text("rev-parse", "main")


def test_a_remote_that_does_not_answer_is_told_in_the_words_of_git(clone: GitRepo, tmp_path: Path) -> None:
    clone.git("remote", "set-url", "origin", f"file://{tmp_path}/gone")
    with pytest.raises(NetworkError, match=r"nothing could be fetched from origin: .*gone.* does not") as caught:
        fetched(clone)
    assert "--no-fetch" in str(caught.value.hint)


def test_a_refused_branch_is_an_error_and_not_a_success(upstream: GitRepo, clone: GitRepo) -> None:
    clone.git("config", "remote.origin.fetch", "refs/heads/*:refs/remotes/origin/*")
    upstream.git("commit", "-q", "--amend", "-m", "rewritten")
    with pytest.raises(NetworkError, match="non-fast-forward"):
        fetched(clone)


@pytest.mark.parametrize("address", ["ext::sh -c touch% /tmp/x", "fd::7", "-oProxyCommand=x", "--upload-pack=x"])
def test_an_address_that_runs_a_program_is_refused(clone: GitRepo, address: str) -> None:
    clone.git("config", "remote.origin.url", address)
    clone.git("config", "protocol.ext.allow", "always")
    with pytest.raises(GitError, match="would run a program"):
        fetched(clone)
    with pytest.raises(GitError, match=r"would run a program|as an option"):
        fetched(clone, address)


def test_an_address_is_judged_after_it_was_rewritten(clone: GitRepo) -> None:
    clone.git("config", "url.ext::sh .insteadOf", "short:")
    with pytest.raises(GitError, match="would run a program"):
        fetched(clone, "short:x")


@pytest.mark.parametrize(("remote", "refspec"), [("--all", "main"), ("", "main"), ("origin", "--upload-pack=touch x")])
def test_an_option_is_neither_remote_nor_refspec(clone: GitRepo, remote: str, refspec: str) -> None:
    with pytest.raises(GitError, match="as an option"):
        fetched(clone, remote, refspec)


def test_an_unknown_remote_is_refused_with_those_that_exist(clone: GitRepo) -> None:
    with pytest.raises(GitError, match="there is no remote 'upstream'; there is origin") as caught:
        fetched(clone, "upstream")
    assert caught.value.hint == "git remote add upstream URL"


def test_a_leaked_repository_is_not_fetched_into(
    upstream: GitRepo, clone: GitRepo, monkeypatch: pytest.MonkeyPatch
) -> None:
    upstream.commit("two", {"a": "2\n"})
    monkeypatch.setenv("GIT_DIR", "/nonexistent")
    assert any("main" in line for line in fetched(clone))
