from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from patchq.errors import GitError
from patchq.gitstore.repository import Repository
from patchq.gitstore.upstream_log import UpstreamLog

if TYPE_CHECKING:
    from tests.gitrepo import GitRepo


def log_of(repo: GitRepo, base: str, tip: str, *paths: bytes) -> UpstreamLog:
    return UpstreamLog(Repository.discover(repo.path), base, tip, frozenset(paths))


def test_steps_are_the_commits_that_touch_a_path_newest_first(repo: GitRepo) -> None:
    base = repo.commit("base", {"a": "1\n", "b": "1\n"})
    first = repo.commit("first", {"a": "2\n"})
    repo.commit("other", {"b": "2\n"})
    gone = repo.commit("gone", {"a": None})
    with log_of(repo, base, gone, b"a") as log:
        steps = list(log.steps(gone, frozenset({b"a"})))
        assert [step.commit for step in steps] == [gone, first]
        assert steps[0].changes[b"a"].after is None
        before = steps[1].changes[b"a"].before
        assert before is not None
        assert log.read(before).data == b"1\n"
        assert log.complete


def test_a_merge_is_compared_with_its_first_parent_and_its_branch_is_a_line_of_its_own(repo: GitRepo) -> None:
    base = repo.commit("base", {"a": "1\n"})
    repo.git("checkout", "-q", "-b", "topic")
    topic = repo.commit("topic", {"a": "2\n"})
    repo.git("checkout", "-q", "main")
    repo.commit("main", {"b": "1\n"})
    repo.git("merge", "-q", "--no-ff", "-m", "merge", "topic")
    merge = repo.text("rev-parse", "HEAD")
    with log_of(repo, base, merge, b"a") as log:
        assert [step.commit for step in log.steps(merge, frozenset({b"a"}))] == [merge]
        assert [step.commit for step in log.steps(topic, frozenset({b"a"}))] == [topic]
        assert log.brought_by(topic) == merge
        assert log.brought_by(merge) is None
        assert log.rank(merge) < log.rank(topic)


def test_the_line_ends_at_a_base_that_was_merged_as_a_branch(repo: GitRepo) -> None:
    repo.commit("root", {"a": "1\n"})
    repo.git("checkout", "-q", "-b", "topic")
    base = repo.commit("base", {"a": "2\n"})
    topic = repo.commit("topic", {"a": "3\n"})
    repo.git("checkout", "-q", "main")
    repo.commit("main", {"b": "1\n"})
    repo.git("merge", "-q", "--no-ff", "-m", "merge", "topic")
    merge = repo.text("rev-parse", "HEAD")
    with log_of(repo, base, merge, b"a") as log:
        assert [step.commit for step in log.steps(merge, frozenset({b"a"}))] == [topic]


def test_any_path_is_a_path(repo: GitRepo) -> None:
    names = [b"with space", b'q"uote\\', b"tab\there", b"line\nbreak", "ümlaut".encode(), b"*", b":(top)x", b"\xff"]
    files: dict[bytes, bytes] = dict.fromkeys(names, b"1\n")
    base = repo.commit("base", {"seed": "1\n"})
    for name, data in files.items():
        with open(repo.path / name.decode("utf-8", "surrogateescape"), "wb") as file:  # noqa: PTH123 - raw names
            file.write(data)
    repo.git("add", "-A")
    repo.git("commit", "-q", "-m", "odd")
    tip = repo.text("rev-parse", "HEAD")
    with log_of(repo, base, tip, *names) as log:
        (step,) = log.steps(tip, frozenset(names))
        assert set(step.changes) == set(names)


def test_a_path_that_is_asked_for_later_is_known_as_well(repo: GitRepo) -> None:
    base = repo.commit("base", {"a": "1\n" * 20})
    repo.commit("between", {"a": None, "b": "1\n" * 20})
    tip = repo.commit("moved", {"b": None, "c": "1\n" * 20})
    with log_of(repo, base, tip, b"c") as log:
        (step,) = log.steps(tip, frozenset({b"c"}))
        found = log.came_from(step, b"c")
        assert found is not None
        assert found[0] == b"b"
        assert len(list(log.steps(step.parents[0], frozenset({b"b"})))) == 1


def test_hostile_settings_change_nothing(repo: GitRepo, monkeypatch: pytest.MonkeyPatch) -> None:
    base = repo.commit("base", {"a": "1\n"})
    tip = repo.commit("tip", {"a": "2\n"})
    for setting in ("diff.noprefix=true", "color.ui=always", "log.showRoot=false", "diff.renames=copies"):
        repo.git("config", *setting.split("="))
    repo.git("config", "log.diffMerges", "separate")
    monkeypatch.setenv("GIT_DIR", "/nowhere")
    monkeypatch.setenv("GIT_EXTERNAL_DIFF", "false")
    with log_of(repo, base, tip, b"a") as log:
        assert len(list(log.steps(tip, frozenset({b"a"})))) == 1


def test_a_root_and_the_edge_of_a_shallow_clone_are_no_steps(repo: GitRepo) -> None:
    base = repo.commit("base", {"a": "1\n"})
    repo.git("checkout", "-q", "--orphan", "other")
    root = repo.commit("root", {"a": "2\n"})
    with log_of(repo, base, root, b"a") as log:
        assert list(log.steps(root, frozenset({b"a"}))) == []
        assert log.complete
    (repo.path / ".git/shallow").write_text(root + "\n")
    with log_of(repo, base, root, b"a") as log:
        assert not log.complete


def test_a_commit_that_is_not_here_is_an_error(repo: GitRepo) -> None:
    base = repo.commit("base", {"a": "1\n"})
    with pytest.raises(GitError):
        log_of(repo, base, "1" * 40, b"a")
