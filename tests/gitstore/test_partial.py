from __future__ import annotations

import shutil
from typing import TYPE_CHECKING

import pytest

from patchq.errors import GitError, NetworkError
from patchq.gitstore.history import commit_patch, commits
from patchq.gitstore.objects import CommitTree, ObjectReader
from patchq.gitstore.partial import absent, prefetch, promisor_remote
from patchq.gitstore.refs import resolve
from patchq.gitstore.repository import Repository
from patchq.model.tree import FileState, Mode
from tests.gitrepo import GitRepo

if TYPE_CHECKING:
    from pathlib import Path

FILES = tuple(f"d/f{number}" for number in range(5))


@pytest.fixture
def upstream(tmp_path: Path) -> GitRepo:
    """An upstream with two versions of each of `FILES`, which serves partial clones."""
    repo = GitRepo.create(tmp_path / "upstream")
    repo.git("config", "uploadpack.allowFilter", "true")
    repo.git("config", "uploadpack.allowAnySHA1InWant", "true")
    for version in ("one", "two"):
        repo.commit(version, {name: f"{version} {name}\n" for name in FILES}, tag=version)
    return repo


def clone(upstream: GitRepo, *args: str) -> Repository:
    path = upstream.path.parent / "clone"
    upstream.git("clone", "-q", *args, f"file://{upstream.path}", str(path))
    return Repository.discover(path)


def packs(repo: Repository) -> int:
    return len(list((repo.common_dir / "objects" / "pack").glob("*.pack")))


@pytest.mark.parametrize("filter_", ["blob:none", "tree:0"])
def test_a_partial_clone_fetches_what_is_read(upstream: GitRepo, filter_: str) -> None:
    repo = clone(upstream, f"--filter={filter_}")
    assert promisor_remote(repo) == "origin"
    with ObjectReader(repo) as reader:
        assert CommitTree(reader, resolve(repo, "one").tree).read(b"d/f1") == FileState(Mode.REGULAR, b"one d/f1\n")


def test_many_files_are_brought_by_one_fetch(upstream: GitRepo) -> None:
    repo = clone(upstream, "--filter=blob:none")
    tree_id = resolve(repo, "one").tree
    with ObjectReader(repo) as reader:
        tree = CommitTree(reader, tree_id)
        blobs = [entry.object_id for name in FILES if (entry := tree.find(name.encode())) is not None]
        before = packs(repo)
        assert absent(repo, blobs) == tuple(blobs)
        prefetch(repo, tree, [*(name.encode() for name in FILES), b"d", b"none"])
        assert (absent(repo, blobs), packs(repo)) == ((), before + 1)
        shutil.rmtree(upstream.path)
        assert [tree.read(name.encode()) for name in FILES] == [
            FileState(Mode.REGULAR, f"one {name}\n".encode()) for name in FILES
        ]
        prefetch(repo, tree, [name.encode() for name in FILES])
    assert not (repo.git_dir / "FETCH_HEAD").exists()


def test_an_upstream_that_is_gone_is_told_with_the_command_to_try(upstream: GitRepo) -> None:
    repo = clone(upstream, "--filter=blob:none")
    point = resolve(repo, "one")
    shutil.rmtree(upstream.path)
    with ObjectReader(repo) as reader:
        tree = CommitTree(reader, point.tree)
        with pytest.raises(NetworkError, match="1 files that this partial clone lacks") as network:
            prefetch(repo, tree, [b"d/f1"])
        with pytest.raises(GitError, match="cannot be read: ") as caught:
            tree.read(b"d/f1")
        blob = tree.find(b"d/f1")
        assert blob is not None
        assert caught.value.hint == network.value.hint == f"git fetch origin {blob.object_id}"


def test_an_ordinary_clone_is_not_asked_for_anything(upstream: GitRepo) -> None:
    repo = clone(upstream)
    before = packs(repo)
    with ObjectReader(repo) as reader:
        prefetch(repo, CommitTree(reader, resolve(repo, "one").tree), [b"d/f1"])
    assert (promisor_remote(repo), packs(repo)) == (None, before)


def test_a_sha256_store_is_asked_in_its_own_format(tmp_path: Path) -> None:
    repo = GitRepo.create(tmp_path / "r", "--object-format=sha256")
    repo.commit("one", {"a": "1\n"})
    here, gone = repo.text("rev-parse", "HEAD:a"), "12" * 32
    assert absent(Repository.discover(repo.path), (here, gone)) == (gone,)


def test_at_the_edge_of_a_shallow_clone_no_patch_is_made_up(upstream: GitRepo) -> None:
    repo = clone(upstream, "--depth=1")
    edge = resolve(repo, "HEAD").commit
    assert repo.is_shallow
    assert [info.parents for info in commits(repo, edge)] == [(upstream.text("rev-parse", "one"),)]
    with pytest.raises(GitError, match="is not in this shallow clone") as caught:
        commit_patch(repo, edge)
    assert caught.value.hint == "git fetch --deepen=1"


def test_what_a_shallow_clone_lacks_is_told_with_the_command_that_brings_it(upstream: GitRepo) -> None:
    repo = clone(upstream, "--depth=1")
    old = upstream.text("rev-parse", "one")
    with pytest.raises(GitError, match=f"commit {old} is not in this repository") as caught:
        resolve(repo, old)
    assert caught.value.hint == "git fetch --unshallow"
    with ObjectReader(repo) as reader, pytest.raises(GitError) as missing:
        CommitTree(reader, upstream.text("rev-parse", "one^{tree}")).read(b"d/f1")
    assert missing.value.hint == "git fetch --unshallow"
