from __future__ import annotations

import os
from typing import TYPE_CHECKING

import git
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from patchq.errors import GitError
from patchq.gitstore import objects
from patchq.gitstore.objects import CommitTree, ObjectReader
from patchq.gitstore.repository import Repository
from patchq.model.tree import FileState, Mode
from tests.gitrepo import GitRepo

if TYPE_CHECKING:
    from pathlib import Path

ODD_NAMES = (b"a b", b'q"uote', b"tab\there", b"back\\slash", b"new\nline", b"\xff\xfe", "ü".encode(), b"-dash", b"*")


def tree_id(repo: GitRepo, rev: str = "HEAD") -> str:
    return repo.text("rev-parse", f"{rev}^{{tree}}")


def test_files_come_with_their_modes(repo: GitRepo) -> None:
    repo.write({"plain": "1\n", "dir/run": b"#!\n", "dir/deep/x": b"\0\r\n"})
    (repo.path / "dir/run").chmod(0o755)
    (repo.path / "link").symlink_to("dir/deep")
    repo.commit("one", {})
    repo.git("update-index", "--add", "--cacheinfo", f"160000,{'12' * 20},module")
    repo.git("commit", "-q", "-m", "two")
    with ObjectReader(Repository.discover(repo.path)) as reader:
        tree = CommitTree(reader, tree_id(repo))
        assert tree.read(b"plain") == FileState(Mode.REGULAR, b"1\n")
        assert tree.read(b"dir/run") == FileState(Mode.EXECUTABLE, b"#!\n")
        assert tree.read(b"dir/deep/x") == FileState(Mode.REGULAR, b"\0\r\n")
        assert tree.read(b"link") == FileState(Mode.SYMLINK, b"dir/deep")
        assert tree.read(b"module") == FileState(Mode.GITLINK, b"12" * 20)


def test_where_no_file_is_there_is_none(repo: GitRepo) -> None:
    repo.write({"plain": "1\n", "dir/x": "1\n"})
    (repo.path / "link").symlink_to("dir")
    repo.commit("one", {})
    with ObjectReader(Repository.discover(repo.path)) as reader:
        tree = CommitTree(reader, tree_id(repo))
        for path in (b"none", b"dir", b"dir/", b"plain/x", b"link/x", b"", b"/plain", b"dir//x", b"../plain"):
            assert tree.read(path) is None


@pytest.mark.parametrize("format_", ["sha1", "sha256"])
def test_every_name_that_git_can_store_is_read(tmp_path: Path, format_: str) -> None:
    repo = GitRepo.create(tmp_path / "r", f"--object-format={format_}")
    folder = os.fsencode(repo.path)
    for name in ODD_NAMES:
        (repo.path / os.fsdecode(name)).write_bytes(name)
    repo.commit("one", {})
    assert len(os.listdir(folder)) == len(ODD_NAMES) + 1  # noqa: PTH208 - pathlib cannot list bytes
    with ObjectReader(Repository.discover(repo.path)) as reader:
        tree = CommitTree(reader, tree_id(repo))
        assert [tree.read(name) for name in ODD_NAMES] == [FileState(Mode.REGULAR, name) for name in ODD_NAMES]


@settings(max_examples=8, suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
@given(
    files=st.dictionaries(
        st.lists(st.sampled_from(["a", "b", "c d", "é"]), min_size=1, max_size=3).map("/".join),
        st.binary(max_size=40),
        min_size=1,
        max_size=6,
    )
)
def test_a_tree_reads_as_gitpython_reads_it(tmp_path_factory: pytest.TempPathFactory, files: dict[str, bytes]) -> None:
    kept = {path: data for path, data in files.items() if not any(other.startswith(f"{path}/") for other in files)}
    repo = GitRepo.create(tmp_path_factory.mktemp("law") / "r")
    repo.commit("one", dict(kept))
    with git.Repo(repo.path) as other, ObjectReader(Repository.discover(repo.path)) as reader:
        tree = CommitTree(reader, tree_id(repo))
        items = [item for item in other.tree("HEAD").traverse() if isinstance(item, git.Blob)]
        blobs = {str(item.path): item.data_stream.read() for item in items}
        for path, data in blobs.items():
            assert tree.read(path.encode()) == FileState(Mode.REGULAR, data)
        assert blobs == kept


def test_a_replaced_object_is_read_as_it_was_committed(repo: GitRepo) -> None:
    repo.commit("one", {"a": "real\n"})
    fake = repo.git("hash-object", "-w", "--stdin", stdin=b"fake\n").decode().strip()
    repo.git("replace", repo.text("rev-parse", "HEAD:a"), fake)
    with ObjectReader(Repository.discover(repo.path)) as reader:
        assert CommitTree(reader, tree_id(repo)).read(b"a") == FileState(Mode.REGULAR, b"real\n")


def test_modes_of_other_writers_are_read_as_git_reads_them(repo: GitRepo) -> None:
    repo.commit("one", {"a": "1\n", "d/b": "2\n"})
    ids = {name: bytes.fromhex(repo.text("rev-parse", f"HEAD:{name}")) for name in ("a", "d")}
    raw = b"100664 a\0" + ids["a"] + b"100775 b\0" + ids["a"] + b"040000 d\0" + ids["d"]
    odd = repo.git("hash-object", "-t", "tree", "-w", "--literally", "--stdin", stdin=raw).decode().strip()
    with ObjectReader(Repository.discover(repo.path)) as reader:
        tree = CommitTree(reader, odd)
        assert tree.read(b"a") == FileState(Mode.REGULAR, b"1\n")
        assert tree.read(b"b") == FileState(Mode.EXECUTABLE, b"1\n")
        assert tree.read(b"d/b") == FileState(Mode.REGULAR, b"2\n")


def test_only_trees_along_the_path_are_read(repo: GitRepo) -> None:
    repo.commit("one", {"a/b/c": "1\n", "x/y/z": "2\n"})
    (repo.path / ".git/objects" / repo.text("rev-parse", "HEAD:x")[:2] / repo.text("rev-parse", "HEAD:x")[2:]).unlink()
    with ObjectReader(Repository.discover(repo.path)) as reader:
        tree = CommitTree(reader, tree_id(repo))
        assert tree.read(b"a/b/c") == FileState(Mode.REGULAR, b"1\n")
        with pytest.raises(GitError, match="is not in this repository") as caught:
            tree.read(b"x/y/z")
        assert "git fetch origin" in str(caught.value.hint)
        assert tree.read(b"a/b/c") is not None


def test_a_wrong_kind_or_name_of_object_is_refused_and_the_reader_goes_on(repo: GitRepo) -> None:
    commit = repo.commit("one", {"a": "1\n"})
    with ObjectReader(Repository.discover(repo.path)) as reader:
        with pytest.raises(GitError, match="is a commit of"):
            reader.read_blob(commit)
        for name in ("HEAD:a", commit[:12], "a\nb", ""):
            with pytest.raises(GitError, match="is not a full object id"):
                reader.read_blob(name)
        assert reader.read_blob(repo.text("rev-parse", "HEAD:a")) == b"1\n"


def test_a_file_beyond_all_measure_is_refused_before_it_is_read(repo: GitRepo, monkeypatch: pytest.MonkeyPatch) -> None:
    repo.commit("one", {"big": "x" * 1000, "small": "1\n"})
    monkeypatch.setattr(objects, "LARGEST_OBJECT", 999)
    with ObjectReader(Repository.discover(repo.path)) as reader:
        tree = CommitTree(reader, tree_id(repo))
        with pytest.raises(GitError, match="of 1000 bytes: cannot be patched"):
            tree.read(b"big")
        assert tree.read(b"small") == FileState(Mode.REGULAR, b"1\n")


def test_a_damaged_object_is_an_error_with_the_words_of_git(repo: GitRepo) -> None:
    repo.commit("one", {"a": "1\n"})
    blob = repo.text("rev-parse", "HEAD:a")
    file = repo.path / ".git/objects" / blob[:2] / blob[2:]
    file.chmod(0o644)
    file.write_bytes(b"junk")
    with ObjectReader(Repository.discover(repo.path)) as reader, pytest.raises(GitError, match=blob):
        reader.read_blob(blob)
