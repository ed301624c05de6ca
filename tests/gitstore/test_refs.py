from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from patchq.errors import GitError, PublishError
from patchq.gitstore.refs import RefUpdate, resolve, short_ref, update_refs
from patchq.gitstore.repository import Repository
from patchq.gitstore.worktrees import checked_out
from patchq.model.series import RefPoint
from tests.gitrepo import GitRepo

if TYPE_CHECKING:
    from pathlib import Path

ABSENT = "1234567890" * 4


def found(repo: GitRepo) -> Repository:
    return Repository.discover(repo.path)


def test_a_name_means_a_commit_and_its_tree(repo: GitRepo) -> None:
    commit = repo.commit("one", {"a": "1\n"})
    repo.git("tag", "-a", "-m", "inner", "inner")
    repo.git("tag", "-a", "-m", "a tag of a tag", "v1", "inner")
    tree = repo.text("rev-parse", "HEAD^{tree}")
    for name in ("v1", "refs/tags/v1", "main", "HEAD", "main~0", "main^{/one}", commit, commit[:9]):
        assert resolve(found(repo), name) == RefPoint(name, commit, tree)


def test_an_unknown_name_comes_with_the_names_that_are_near(repo: GitRepo) -> None:
    repo.commit("one", {"a": "1\n"}, tag="v0.5.23")
    with pytest.raises(GitError, match=r"no reference or commit 'v0.5.32'; near: v0.5.23") as caught:
        resolve(found(repo), "v0.5.32")
    assert caught.value.hint == "patchq rebase v0.5.23"


def test_a_branch_known_only_from_a_remote_is_offered_by_its_full_name(repo: GitRepo) -> None:
    repo.commit("one", {"a": "1\n"})
    repo.git("update-ref", "refs/remotes/upstream/trunk", "HEAD")
    with pytest.raises(GitError, match="near: upstream/trunk"):
        resolve(found(repo), "trunk")


def test_an_absent_commit_id_comes_with_the_fetch_that_brings_it(repo: GitRepo) -> None:
    repo.commit("one", {"a": "1\n"})
    with pytest.raises(GitError, match=f"commit {ABSENT} is not in this repository") as caught:
        resolve(found(repo), ABSENT)
    assert caught.value.hint == f"git fetch origin {ABSENT}"


@pytest.mark.parametrize("expression", ["x", "x~1", "x^{tree}"])
def test_a_name_that_is_both_tag_and_branch_is_refused_with_both_full_names(repo: GitRepo, expression: str) -> None:
    repo.commit("one", {"a": "1\n"})
    repo.git("branch", "x")
    repo.commit("two", {"a": "2\n"}, tag="x")
    with pytest.raises(GitError, match="'x' could mean refs/tags/x or refs/heads/x") as caught:
        resolve(found(repo), expression)
    assert caught.value.hint == "write refs/tags/x"
    assert resolve(found(repo), "refs/heads/x").commit == repo.text("rev-parse", "refs/heads/x")


def test_a_local_branch_named_like_a_remote_one_is_refused(repo: GitRepo) -> None:
    repo.commit("one", {"a": "1\n"})
    repo.git("update-ref", "refs/remotes/origin/main", "HEAD")
    repo.git("branch", "origin/main")
    with pytest.raises(GitError, match="could mean refs/heads/origin/main or refs/remotes/origin/main"):
        resolve(found(repo), "origin/main")


def test_a_name_that_git_would_take_for_something_else_is_refused(repo: GitRepo) -> None:
    repo.commit("one", {"a": "1\n"})
    for name in ("", "-x", "--all", "--output=/tmp/x", "^main", "a\nb", "a\0b"):
        with pytest.raises(GitError, match="cannot be the name of a commit"):
            resolve(found(repo), name)


def test_a_reference_that_starts_with_a_dash_is_reached_by_its_full_name(repo: GitRepo) -> None:
    commit = repo.commit("one", {"a": "1\n"})
    repo.git("update-ref", "refs/heads/-x", commit)
    point = resolve(found(repo), "refs/heads/-x")
    assert (point.commit, short_ref(found(repo), point)) == (commit, "-x")


def test_what_is_no_commit_is_refused_as_such(repo: GitRepo) -> None:
    repo.commit("one", {"a": "1\n"})
    with pytest.raises(GitError, match="is not a commit"):
        resolve(found(repo), repo.text("rev-parse", "HEAD:a"))
    with pytest.raises(GitError, match="no reference or commit"):
        resolve(found(repo), "main..main")


SHORT_NAMES = {
    "origin/main": "main",
    "origin": "main",
    "refs/remotes/team/fork/topic": "topic",
    "refs/tags/v1": "v1",
    "v1": "v1",
    "heads/release/v2": "release/v2",
    "refs/pull/1/head": "pull/1/head",
    "HEAD": "main",
    "@{upstream}": "main",
}


def test_a_reference_is_called_by_its_short_name(repo: GitRepo) -> None:
    repo.commit("one", {"a": "1\n"}, tag="v1")
    repo.git("branch", "release/v2")
    for remote in ("origin", "team", "team/fork"):
        repo.git("remote", "add", remote, "https://example.org/x")
    for name in ("remotes/origin/main", "remotes/team/fork/topic", "pull/1/head"):
        repo.git("update-ref", f"refs/{name}", "HEAD")
    repo.git("symbolic-ref", "refs/remotes/origin/HEAD", "refs/remotes/origin/main")
    repo.git("branch", "--set-upstream-to=origin/main")
    assert {typed: short_ref(found(repo), resolve(found(repo), typed)) for typed in SHORT_NAMES} == SHORT_NAMES


def test_an_expression_or_an_id_is_called_by_twelve_digits(repo: GitRepo) -> None:
    commit = repo.commit("one", {"a": "1\n"})
    repo.commit("two", {"a": "2\n"})
    for typed in ("main~1", commit, commit[:8]):
        assert short_ref(found(repo), resolve(found(repo), typed)) == commit[:12]


def test_references_move_together_and_say_why_in_the_reflog(repo: GitRepo) -> None:
    one = repo.commit("one", {"a": "1\n"})
    two = repo.commit("two", {"a": "2\n"})
    repo.git("branch", "b", one)
    repo.git("branch", "gone", one)
    update_refs(
        found(repo),
        [
            RefUpdate(ref="refs/heads/b", new=two, expected_old=one),
            RefUpdate(ref="refs/heads/gone", new=None, expected_old=one),
            RefUpdate(ref="refs/patchq/operations", new=one, expected_old=None),
            RefUpdate(ref="refs/heads/never", new=None, expected_old=None),
        ],
        message="patchq rebase\nv2",
    )
    assert repo.text("for-each-ref", "--format=%(refname) %(objectname)").splitlines() == [
        f"refs/heads/b {two}",
        f"refs/heads/main {two}",
        f"refs/patchq/operations {one}",
    ]
    assert repo.text("log", "-g", "-1", "--format=%gs", "refs/patchq/operations") == "patchq rebase v2"


@pytest.mark.parametrize(
    ("ref", "expected"), [("refs/heads/b", "two"), ("refs/heads/b", None), ("refs/heads/c", "two")]
)
def test_one_unmet_expectation_stops_all_moves(repo: GitRepo, ref: str, expected: str | None) -> None:
    one = repo.commit("one", {"a": "1\n"})
    two = repo.commit("two", {"a": "2\n"})
    repo.git("branch", "a", one)
    repo.git("branch", "b", one)
    before = repo.text("for-each-ref")
    with pytest.raises(PublishError, match="the references were not moved") as caught:
        update_refs(
            found(repo),
            [
                RefUpdate(ref="refs/heads/a", new=two, expected_old=one),
                RefUpdate(ref=ref, new=two, expected_old=two if expected else None),
            ],
            message="m",
        )
    assert "moved one meanwhile" in str(caught.value.hint)
    assert repo.text("for-each-ref") == before


def test_a_checked_out_branch_is_never_moved(repo: GitRepo, tmp_path: Path) -> None:
    one = repo.commit("one", {"a": "1\n"})
    repo.git("worktree", "add", "-q", str(tmp_path / "linked"), "-b", "linked")
    GitRepo(tmp_path / "linked").commit("two", {"a": "2\n"})
    for branch, place in (("main", repo.path), ("linked", tmp_path / "linked")):
        with pytest.raises(GitError, match=f"branch {branch} is checked out in {place}") as caught:
            update_refs(found(repo), [RefUpdate(ref=f"refs/heads/{branch}", new=one, expected_old=one)], message="m")
        assert "git switch --detach" in str(caught.value.hint)


def test_a_branch_is_held_while_it_is_unborn_or_being_rebased_or_bisected(repo: GitRepo, tmp_path: Path) -> None:
    repo.commit("one", {"a": "1\n"})
    for name in ("unborn", "bisected"):
        repo.git("worktree", "add", "-q", str(tmp_path / name), "-b", name)
    GitRepo(tmp_path / "unborn").git("checkout", "-q", "--orphan", "later")
    GitRepo(tmp_path / "bisected").git("bisect", "start")
    GitRepo(tmp_path / "bisected").git("checkout", "-q", "--detach")
    repo.git("checkout", "-q", "-b", "topic")
    repo.commit("two", {"a": "2\n"})
    repo.git("checkout", "-q", "main")
    repo.commit("three", {"a": "3\n"})
    repo.git("checkout", "-q", "topic")
    assert repo.try_git("rebase", "main").returncode != 0
    assert dict(checked_out(found(repo))) == {
        "refs/heads/later": tmp_path / "unborn",
        "refs/heads/bisected": tmp_path / "bisected",
        "refs/heads/topic": repo.path,
    }


def test_in_a_bare_repository_the_branch_of_head_may_move(repo: GitRepo, tmp_path: Path) -> None:
    one = repo.commit("one", {"a": "1\n"})
    two = repo.commit("two", {"a": "2\n"})
    repo.git("clone", "-q", "--bare", ".", str(tmp_path / "bare"))
    bare = GitRepo(tmp_path / "bare")
    update_refs(found(bare), [RefUpdate(ref="refs/heads/main", new=one, expected_old=two)], message="m")
    assert bare.text("rev-parse", "main") == one


def test_a_second_name_of_a_branch_is_not_overwritten(repo: GitRepo) -> None:
    one = repo.commit("one", {"a": "1\n"})
    repo.git("branch", "real")
    repo.git("symbolic-ref", "refs/heads/alias", "refs/heads/real")
    with pytest.raises(GitError, match="refs/heads/alias is only another name of refs/heads/real"):
        update_refs(found(repo), [RefUpdate(ref="refs/heads/alias", new=one, expected_old=one)], message="m")


def test_only_full_and_legal_names_are_moved(repo: GitRepo) -> None:
    one = repo.commit("one", {"a": "1\n"})
    for ref in ("HEAD", "main", "-x", "refs/heads/a..b", "refs/heads/*", "refs/heads/x\0"):
        with pytest.raises(PublishError):
            update_refs(found(repo), [RefUpdate(ref=ref, new=one, expected_old=None)], message="m")
    assert repo.text("for-each-ref", "--format=%(refname)") == "refs/heads/main"


def test_hooks_of_the_repository_are_not_run(repo: GitRepo, tmp_path: Path) -> None:
    one = repo.commit("one", {"a": "1\n"})
    hook = repo.path / ".git" / "hooks" / "reference-transaction"
    hook.parent.mkdir(exist_ok=True)
    hook.write_text(f"#!/bin/sh\ntouch '{tmp_path}/ran'\n")
    hook.chmod(0o755)
    update_refs(found(repo), [RefUpdate(ref="refs/heads/b", new=one, expected_old=None)], message="m")
    assert not (tmp_path / "ran").exists()
