from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from patchq.errors import GitError, PublishError
from patchq.gitstore.operations import (
    OPERATIONS_REF,
    UNDONE_REF,
    Operation,
    RefMove,
    Side,
    last_operation,
    operations,
    prepare_operation,
    series_files,
    undo_updates,
)
from patchq.gitstore.refs import RefUpdate, update_refs
from patchq.gitstore.repository import Repository
from patchq.gitstore.writer import CommitSpec, write_commits
from patchq.model.patch import GitDate, Person
from patchq.model.tree import FileState, Mode

if TYPE_CHECKING:
    from tests.gitrepo import GitRepo

BRANCH = "refs/heads/patched/v1"


def publish(repo: GitRepo, verb: str, old: str | None, new: str | None, files: dict[str, bytes]) -> None:
    found = Repository.discover(repo.path)
    operation = Operation(
        verb=verb,
        moves=(RefMove(ref=BRANCH, old=old, new=new),),
        before={"v1/series": b"old\n"},
        after=files,
    )
    log = prepare_operation(found, operation)
    update_refs(found, [RefUpdate(ref=BRANCH, new=new, expected_old=old), log], message=f"patchq {verb}")


def undo(repo: GitRepo) -> None:
    found = Repository.discover(repo.path)
    last = last_operation(found)
    assert last is not None
    update_refs(found, undo_updates(found, last), message="patchq undo")


def refs(repo: GitRepo) -> list[str]:
    return repo.text("for-each-ref", "--format=%(refname)", "refs/patchq", "refs/heads/patched").splitlines()


def belongings(repo: GitRepo) -> dict[str, object]:
    """Take down what is a person's: work tree, index, HEAD, stash, own branches; with the times of files."""
    own = [path for path in repo.path.iterdir() if path.is_file()]
    own += [repo.path / ".git" / name for name in ("index", "HEAD", "ORIG_HEAD", "refs/stash", "logs/HEAD", "config")]
    return {str(path): (path.read_bytes(), path.stat().st_mtime_ns) for path in own if path.exists()}


def three_commits(repo: GitRepo) -> tuple[str, str, str]:
    ids = [repo.commit(name, {"a": name}) for name in ("one", "two", "three")]
    return ids[0], ids[1], ids[2]


def test_an_empty_log_has_no_last_operation(repo: GitRepo) -> None:
    assert last_operation(Repository.discover(repo.path)) is None


def test_a_publish_is_recorded_with_files_and_moves(repo: GitRepo) -> None:
    one, two, _ = three_commits(repo)
    files = {"v1/series": b"new\n", "v1/\udcff \n.patch": b"\0\r\n", "patchq.yaml": b""}
    publish(repo, "rebase v1", None, one, {})
    publish(repo, "rebase \u00e9\udcff", one, two, files)
    found = Repository.discover(repo.path)
    last = last_operation(found)
    assert last is not None
    assert (last.verb, last.moves) == ("rebase \u00e9\udcff", (RefMove(ref=BRANCH, old=one, new=two),))
    assert series_files(found, last, Side.BEFORE) == {"v1/series": b"old\n"}
    assert series_files(found, last, Side.AFTER) == files
    assert [recorded.verb for recorded in operations(found)] == [last.verb, "rebase v1"]
    assert repo.text("rev-parse", f"{OPERATIONS_REF}^1") == last.previous
    assert last.seconds > 0


def test_undo_brings_back_branch_and_log_and_keeps_the_record(repo: GitRepo) -> None:
    one, two, _ = three_commits(repo)
    publish(repo, "first", None, one, {})
    publish(repo, "second", one, two, {})
    undo(repo)
    assert repo.text("rev-parse", BRANCH) == one
    assert repo.text("log", "-1", "--format=%s", UNDONE_REF) == "second"
    undo(repo)
    assert refs(repo) == [UNDONE_REF]
    assert repo.text("log", "--first-parent", "-2", "--format=%s", UNDONE_REF).splitlines() == ["second", "first"]
    publish(repo, "third", None, two, {})
    undo(repo)
    assert repo.text("log", "-1", "--format=%s", UNDONE_REF) == "third"
    assert repo.text("log", "-g", "--format=%s", UNDONE_REF).splitlines() == ["third", "second"]


def test_publish_and_undo_leave_a_dirty_work_tree_alone(repo: GitRepo) -> None:
    one, _, _ = three_commits(repo)
    repo.write({"stashed": "1"})
    repo.git("stash", "-q", "-u")
    repo.write({"a": "staged", "new": "1"})
    repo.git("add", "a")
    repo.write({"a": "dirty"})
    before = belongings(repo)
    spec = CommitSpec(
        message=b"m\n",
        author=Person(b"A", b"a@b"),
        date=GitDate(1, "+0000"),
        writes={b"a": FileState(Mode.REGULAR, b"patched")},
    )
    (written,) = write_commits(Repository.discover(repo.path), one, (spec,))
    publish(repo, "rebase v1", None, written.commit, {"v1/series": b""})
    assert belongings(repo) == before
    undo(repo)
    assert belongings(repo) == before


def test_undo_of_a_deletion_brings_the_branch_back_even_after_gc(repo: GitRepo) -> None:
    one, two, _ = three_commits(repo)
    publish(repo, "build", None, two, {})
    publish(repo, "drop", two, None, {})
    repo.git("update-ref", "refs/heads/main", one)
    repo.git("reflog", "expire", "--expire=now", "--all")
    repo.git("gc", "-q", "--prune=now")
    undo(repo)
    assert repo.text("rev-parse", BRANCH) == two


def test_undo_refuses_when_somebody_worked_on_the_branch(repo: GitRepo) -> None:
    one, two, three = three_commits(repo)
    publish(repo, "build", None, one, {})
    repo.git("update-ref", BRANCH, three)
    with pytest.raises(PublishError, match="but expected"):
        undo(repo)
    assert repo.text("rev-parse", BRANCH) == three
    assert last_operation(Repository.discover(repo.path)) is not None
    assert two != three


def test_two_publishes_at_once_cannot_both_win(repo: GitRepo) -> None:
    one, two, _ = three_commits(repo)
    found = Repository.discover(repo.path)
    operation = Operation(verb="x", moves=(), before={}, after={"series": b"1"})
    slow = prepare_operation(found, operation)
    publish(repo, "quick", None, one, {})
    with pytest.raises(PublishError):
        update_refs(found, [RefUpdate(ref="refs/heads/slow", new=two, expected_old=None), slow], message="m")
    assert repo.try_git("rev-parse", "-q", "--verify", "refs/heads/slow").returncode != 0


def test_a_log_that_is_none_of_ours_is_an_error(repo: GitRepo) -> None:
    one, _, _ = three_commits(repo)
    repo.git("update-ref", OPERATIONS_REF, one)
    with pytest.raises(GitError, match="is no record of patchq"):
        last_operation(Repository.discover(repo.path))


def test_a_log_of_a_newer_version_is_refused(repo: GitRepo) -> None:
    tree = repo.git("mktree").decode().strip()
    newer = repo.git("commit-tree", tree, stdin=b'x\n\n{"schema": 2}\n').decode().strip()
    repo.git("update-ref", OPERATIONS_REF, newer)
    with pytest.raises(GitError, match="newer patchq"):
        last_operation(Repository.discover(repo.path))
