from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from packaging.version import Version

from patchq.errors import GitError, PublishError, ReleaseError
from patchq.gitstore.first_checkout import check_out_first, create_repository, find_repository
from patchq.gitstore.repository import Repository
from patchq.gitstore.snapshot import BRANCH, Branch, Release, Shelf, Snapshot, count_files, publish, read_shelf
from patchq.model.tree import FileState, Mode
from tests.gitrepo import GitRepo

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from pathlib import Path


def release(version: str, files: Mapping[bytes, bytes], *, name: str = "demo", prefix: bytes = b"") -> Release:
    states = {path: FileState(Mode.REGULAR, data) for path, data in files.items()}
    return Release(
        name=name,
        version=Version(version),
        archive=f"{name}-{version}-py3-none-any.whl",
        sha256="ab" * 32,
        seconds=1_700_000_000,
        prefix=prefix,
        files=states.items,
    )


def add(repo: GitRepo, *releases: Release) -> tuple[Shelf, Branch]:
    found = Repository.discover(repo.path)
    return publish(found, read_shelf(found), releases)


def tags(repo: GitRepo) -> dict[str, str]:
    lines = repo.text("for-each-ref", "--format=%(refname:short) %(objectname)", "refs/tags").splitlines()
    return dict(line.split() for line in lines)


A, B = {b"a.py": b"1\n"}, {b"a.py": b"2\r\n", b"d/b": b"\0"}


def test_a_release_is_a_whole_tree_below_its_prefix(repo: GitRepo) -> None:
    add(repo, release("1.0", A, prefix=b"python/"), release("1.1", B, prefix=b"python/"))
    assert repo.text("ls-tree", "-r", "--name-only", "v1.0") == "python/a.py"
    assert repo.text("ls-tree", "-r", "--name-only", "v1.1").split() == ["python/a.py", "python/d/b"]
    assert repo.file("v1.1", "python/a.py") == b"2\r\n"
    repo.git("fsck", "--strict")


def test_modes_and_unusual_names_are_kept(repo: GitRepo) -> None:
    names = [b"tab\t", b'quote"', b"line\nbreak", "é".encode(), b"\xff", b"back\\slash"]
    states = [(name, FileState(Mode.EXECUTABLE, name)) for name in names]
    odd = Release(
        name="demo", version=Version("1"), archive="x", sha256="y", seconds=0, prefix=b"", files=lambda: iter(states)
    )
    add(repo, odd)
    listed = repo.git("ls-tree", "-r", "-z", "v1").split(b"\0")[:-1]
    assert sorted(line.partition(b"\t")[2] for line in listed) == sorted(names)
    assert all(line.startswith(b"100755 ") for line in listed)


def test_the_same_releases_give_the_same_ids_whoever_and_wherever_one_is(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    one, two = GitRepo.create(tmp_path / "one"), GitRepo.create(tmp_path / "two", "--bare")
    add(one, release("1.0", A), release("1.1", B))
    for name, value in {"TZ": "Asia/Tokyo", "GIT_COMMITTER_NAME": "Eve", "GIT_AUTHOR_DATE": "1 +0100"}.items():
        monkeypatch.setenv(name, value)
    for key, value in {"core.autocrlf": "true", "commit.gpgSign": "true", "user.name": "Eve"}.items():
        two.git("config", key, value)
    add(two, release("1.1", B), release("1.0", A))
    assert tags(one) == tags(two)
    assert one.text("log", "-1", "--format=%an <%ae> %ad|%cn <%ce> %cd", "--date=raw", "v1.0") == "|".join(
        ["patchq snapshot <snapshot@patchq.invalid> 1700000000 +0000"] * 2
    )


def test_the_parent_is_the_nearest_lower_version_of_the_project(repo: GitRepo) -> None:
    add(repo, release("1.10", B), release("1.2", A), release("1.10rc1", A))
    add(repo, release("1.9", A), release("0.9", B, name="other"))
    add(repo, release("2.0", A))

    def parents(tag: str) -> list[str]:
        commits = {commit: name for name, commit in tags(repo).items()}
        return [commits[commit] for commit in repo.text("log", "-1", "--format=%P", tag).split()]

    assert {tag: parents(tag) for tag in tags(repo)} == {
        "v1.2": [],
        "v1.10rc1": ["v1.2"],
        "v1.10": ["v1.10rc1"],
        "v1.9": ["v1.2"],
        "v0.9": [],
        "v2.0": ["v1.10"],
    }


def test_a_snapshot_is_found_again_with_all_that_is_known_of_it(repo: GitRepo) -> None:
    shelf, _ = add(repo, release("1.0", A, prefix="p\u00e4th/".encode()))
    found = Repository.discover(repo.path)
    assert read_shelf(found) == shelf
    snapshot = shelf.find("demo", Version("1"), "p\u00e4th/".encode())
    assert isinstance(snapshot, Snapshot)
    assert (snapshot.commit, snapshot.tree) == tuple(repo.text("log", "-1", "--format=%H %T", "v1.0").split())
    assert (snapshot.archive, snapshot.sha256, count_files(found, snapshot)) == (
        "demo-1.0-py3-none-any.whl",
        "ab" * 32,
        1,
    )
    assert shelf.find("demo", Version("1.1"), b"") is None


def test_a_tag_that_means_something_else_is_refused_and_says_what(repo: GitRepo) -> None:
    add(repo, release("1.0", A))
    repo.commit("ours", {"x": "1"}, tag="v3.0")
    repo.git("checkout", "-q", "--detach", "v1.0")
    repo.git("commit", "-q", "--amend", "--no-edit")
    repo.git("tag", "v1.0.1")
    shelf = read_shelf(Repository.discover(repo.path))
    with pytest.raises(GitError, match=r"v1\.0 was made without a prefix"):
        shelf.find("demo", Version("1.0"), b"python/")
    with pytest.raises(GitError, match=r"the tag v1\.0 is taken: it is demo==1\.0"):
        shelf.find("other", Version("1.0"), b"")
    for version in ("3.0", "1.0.1"):
        with pytest.raises(GitError, match=f"the tag v{version} exists and was not made by patchq snapshot"):
            shelf.find("demo", Version(version), b"")


def test_a_failure_in_the_middle_leaves_no_reference_and_no_litter(repo: GitRepo) -> None:
    def broken() -> Iterator[tuple[bytes, FileState]]:
        yield b"a", FileState(Mode.REGULAR, b"1")
        raise ReleaseError("the archive is broken")

    second = Release(name="demo", version=Version("2"), archive="x", sha256="y", seconds=0, prefix=b"", files=broken)
    with pytest.raises(ReleaseError, match="the archive is broken"):
        add(repo, release("1.0", A), second)
    assert repo.text("for-each-ref") == ""
    assert [path.name for path in (repo.path / ".git").rglob("*") if "crash" in path.name or "tmp_" in path.name] == []


def test_a_path_that_git_may_not_have_is_refused(repo: GitRepo) -> None:
    with pytest.raises(PublishError):
        add(repo, release("1.0", {b"a/../b": b""}))
    assert repo.text("for-each-ref") == ""


def test_of_two_runs_at_once_one_is_refused_as_a_whole(repo: GitRepo) -> None:
    found = Repository.discover(repo.path)
    stale = read_shelf(found)
    add(repo, release("1.1", B))
    before = repo.text("for-each-ref")
    with pytest.raises(PublishError):
        publish(found, stale, [release("1.0", A), release("1.1", A)])
    assert repo.text("for-each-ref") == before


def test_the_branch_goes_to_the_highest_version_of_its_project(repo: GitRepo) -> None:
    for one, at in ((release("1.0", A), "v1.0"), (release("2.0", B), "v2.0"), (release("1.5", A), "v2.0")):
        _, branch = add(repo, one)
        assert branch == Branch(BRANCH, repo.text("rev-parse", at), None)
        assert repo.text("rev-parse", BRANCH) == branch.commit
    add(repo, release("9.0", A, name="other"))
    assert repo.text("rev-parse", BRANCH) == repo.text("rev-parse", "v2.0")


def test_a_branch_that_somebody_uses_is_left_alone_with_a_note(repo: GitRepo) -> None:
    add(repo, release("1.0", A))
    repo.git("checkout", "-q", BRANCH)
    _, branch = add(repo, release("1.1", A))
    assert branch.commit == repo.text("rev-parse", "v1.0")
    assert branch.note is not None
    assert "git merge --ff-only v1.1" in branch.note
    repo.git("merge", "-q", "--ff-only", "v1.1")
    ours = repo.commit("ours", {"x": "1"})
    repo.git("checkout", "-q", "--detach")
    _, branch = add(repo, release("1.2", A))
    assert branch == Branch(BRANCH, ours, f"branch {BRANCH} was left alone: its tip is not a snapshot")


def test_a_new_repository_gets_the_files_and_stands_on_the_branch(tmp_path: Path) -> None:
    repo = create_repository(tmp_path / "new")
    publish(repo, Shelf(), [release("1.0", A, prefix=b"p/"), release("1.1", B, prefix=b"p/")])
    assert check_out_first(repo, BRANCH)
    plain = GitRepo(tmp_path / "new")
    assert plain.text("status", "--porcelain", "--branch") == f"## {BRANCH}"
    assert (tmp_path / "new/p/a.py").read_bytes() == b"2\r\n"
    assert not check_out_first(repo, BRANCH)


@pytest.mark.parametrize("state", ["files", "commit", "bare", "no branch"])
def test_the_first_files_come_only_where_there_were_none(tmp_path: Path, state: str) -> None:
    plain = GitRepo.create(tmp_path / "repo", *(["--bare"] if state == "bare" else []))
    if state == "files":
        plain.write({"a.py": "mine"})
    if state == "commit":
        plain.commit("mine", {"a.py": "mine"})
        plain.git("rm", "-q", "a.py")
    head = plain.text("symbolic-ref", "HEAD")
    if state != "no branch":
        add(plain, release("1.0", A))
    assert not check_out_first(Repository.discover(plain.path), BRANCH)
    assert plain.text("symbolic-ref", "HEAD") == head
    assert not (plain.path / "a.py").exists() or (plain.path / "a.py").read_text() == "mine"


def test_a_first_checkout_that_was_killed_is_finished_or_begun_again(tmp_path: Path) -> None:
    repo = create_repository(tmp_path / "new")
    publish(repo, Shelf(), [release("1.0", {b"a": b"1", b"d/b": b"2"})])
    plain = GitRepo(tmp_path / "new")
    # what a run leaves that is killed while git writes the files …
    (repo.state_dir / "first-checkout-1" / "tree" / "d").mkdir(parents=True)
    assert check_out_first(repo, BRANCH)
    assert plain.text("status", "--porcelain", "--branch") == f"## {BRANCH}"
    # … and one that is killed after it has moved one of two entries in
    stage = repo.state_dir / "first-checkout-2"
    (stage / "tree").mkdir(parents=True)
    (plain.path / "d").rename(stage / "tree" / "d")
    (repo.git_dir / "index").rename(stage / "index")
    assert check_out_first(repo, BRANCH)
    assert plain.text("status", "--porcelain", "--branch") == f"## {BRANCH}"
    assert [path.name for path in repo.state_dir.iterdir()] == []


def test_a_named_folder_without_a_repository_gets_its_own_even_inside_of_another(repo: GitRepo) -> None:
    assert find_repository(repo.path / "new") is None
    (repo.path / "empty").mkdir()
    assert find_repository(repo.path / "empty") is None
    inner = create_repository(repo.path / "new")
    assert inner.work_tree == repo.path / "new"
    found = find_repository(repo.path)
    assert found is not None
    assert found.work_tree == repo.path
    repo.write({"sub/x": "1"})
    assert find_repository(repo.path / "sub") == found


def test_a_folder_that_cannot_be_made_is_named(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(GitError, match=r"cannot make the folder .*/file/new: Not a directory"):
        create_repository(tmp_path / "file" / "new")


def test_the_current_folder_is_where_to_look_by_default(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GIT_CEILING_DIRECTORIES", str(tmp_path.parent))
    monkeypatch.chdir(tmp_path)
    assert find_repository(None) is None
    (tmp_path / "sub").mkdir()
    create_repository(tmp_path)
    monkeypatch.chdir("sub")
    found = find_repository(None)
    assert found is not None
    assert found.work_tree == tmp_path
