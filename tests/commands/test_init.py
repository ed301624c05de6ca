from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from packaging.version import Version

from patchq.cli import main
from patchq.gitstore.repository import Repository
from patchq.gitstore.snapshot import Release, Shelf, publish
from patchq.model.tree import FileState, Mode
from tests.gitrepo import GitRepo
from tests.running import patchq

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture
def clone(tmp_path: Path) -> GitRepo:
    """A clone with the remote `origin`, whose default branch is main."""
    upstream = GitRepo.create(tmp_path / "upstream")
    upstream.commit("one", {"a.py": "A = 1\n"}, tag="v1")
    upstream.git("clone", "-q", str(upstream.path), str(tmp_path / "clone"))
    return GitRepo(tmp_path / "clone")


def manifest(repo: GitRepo, folder: str = "series") -> list[str]:
    return (repo.path / folder / "patchq.yaml").read_text().splitlines()[1:]


def test_a_clone_follows_the_default_branch_of_its_origin(clone: GitRepo) -> None:
    ran = patchq("init", cwd=clone.path)
    assert ran.code == 0
    assert manifest(clone) == [
        "schema: 1",
        "upstream: origin",
        "follow: origin/main",
        "current: null",
        "branch: patched/{ref}",
        "policy: {}",
    ]
    assert "patchq import FILE..." in ran.out
    assert "git add series" in ran.out


def test_nothing_but_the_manifest_is_written_and_nothing_is_staged(clone: GitRepo) -> None:
    head, refs = clone.text("rev-parse", "HEAD"), clone.git("for-each-ref", "refs/heads", "refs/remotes", "refs/tags")
    assert patchq("init", cwd=clone.path).code == 0
    assert [path.name for path in (clone.path / "series").iterdir()] == ["patchq.yaml"]
    assert clone.text("status", "--porcelain", "--untracked-files=all") == "?? series/patchq.yaml"
    assert clone.text("rev-parse", "HEAD") == head
    assert clone.git("for-each-ref", "refs/heads", "refs/remotes", "refs/tags") == refs
    assert clone.try_git("config", "patchq.series").returncode == 1


def test_a_remote_called_upstream_goes_before_origin(clone: GitRepo) -> None:
    clone.git("remote", "add", "upstream", str(clone.path.parent / "upstream"))
    clone.git("fetch", "-q", "upstream")
    assert patchq("init", cwd=clone.path).code == 0
    assert manifest(clone)[1:3] == ["upstream: upstream", "follow: upstream/main"]


def test_a_repository_of_releases_follows_the_project(repo: GitRepo) -> None:
    def files() -> list[tuple[bytes, FileState]]:
        return [(b"kiln.py", FileState(Mode.REGULAR, b"A = 1\n"))]

    release = Release(
        name="kiln", version=Version("1.0"), archive="k.whl", sha256="0" * 64, seconds=0, prefix=b"", files=files
    )
    publish(Repository.discover(repo.path), Shelf(), [release])
    assert patchq("init", cwd=repo.path).code == 0
    assert manifest(repo)[1:3] == ["upstream: pypi:kiln", "follow: upstream"]


def test_a_repository_without_any_upstream_says_what_is_missing(repo: GitRepo) -> None:
    repo.commit("one", {"a": "1\n"})
    ran = patchq("init", cwd=repo.path)
    assert ran.code == 0
    assert manifest(repo)[1:3] == ["upstream: null", "follow: null"]
    assert "patchq init --follow BRANCH" in ran.out


def test_several_unusual_remotes_are_a_question(repo: GitRepo) -> None:
    for name in ("alice", "bob"):
        repo.git("remote", "add", name, f"https://example.org/{name}.git")
    ran = patchq("init", cwd=repo.path)
    assert ran.code == 1
    assert ran.err == "error: which one is upstream: alice, bob?\nhint: patchq init --upstream alice\n"


def test_the_url_of_a_remote_is_that_remote_and_another_url_is_kept(clone: GitRepo) -> None:
    assert patchq("init", "--upstream", str(clone.path.parent / "upstream"), cwd=clone.path).code == 0
    assert manifest(clone)[1:3] == ["upstream: origin", "follow: origin/main"]
    assert patchq("init", "--upstream", "https://example.org/x.git", "--dir", "other", cwd=clone.path).code == 0
    assert manifest(clone, "other")[1:3] == ["upstream: https://example.org/x.git", "follow: null"]


@pytest.mark.parametrize(
    ("arguments", "code", "error"),
    [
        (["--upstream", "nobody"], 1, "error: there is no remote 'nobody'; there is origin"),
        (["--upstream", "-x:y"], 1, "error: there is no remote '-x:y'; there is origin"),
        (["--upstream", "https://me:secret@example.org/x"], 2, "error: this URL has a password in it"),
        (["--upstream", "pypi:a b"], 2, "error: 'pypi:a b' names no project"),
        (["--follow", "nothing"], 1, "error: there is no branch 'nothing' here"),
        (["--branch", "x..y"], 1, "error: 'x..y' cannot be the name of a branch"),
        (["--branch", "{ref}"], 2, "error: a built branch must not have the name of the upstream branch"),
        (["--branch", "{name}/{ref}"], 2, "error: only {ref} is replaced in a pattern"),
        (["--dir", "a.py"], 2, "error: a.py is a file"),
        (["--dir", "x", "--series", "y"], 2, "error: --dir and --series both name the folder"),
    ],
)
def test_what_cannot_be_meant_is_refused_and_nothing_is_written(
    clone: GitRepo, arguments: list[str], code: int, error: str
) -> None:
    ran = patchq("init", *arguments, cwd=clone.path)
    assert (ran.code, ran.out) == (code, "")
    assert ran.err.startswith(error)
    assert "\nhint: " in ran.err
    assert clone.text("status", "--porcelain") == ""


def test_a_secret_is_not_repeated(clone: GitRepo) -> None:
    ran = patchq("init", "--upstream", "https://me:secret@example.org/x", cwd=clone.path)
    assert "secret" not in ran.out + ran.err


def test_a_bare_name_may_be_a_branch_of_the_upstream_remote(clone: GitRepo) -> None:
    clone.git("push", "-q", "origin", "HEAD:refs/heads/release")
    assert patchq("init", "--follow", "release", cwd=clone.path).code == 0
    assert manifest(clone)[2] == "follow: origin/release"


def test_a_second_init_is_told_that_there_is_a_series(clone: GitRepo) -> None:
    patchq("init", cwd=clone.path)
    ran = patchq("init", cwd=clone.path)
    assert ran.code == 1
    assert ran.err.startswith("error: there is a series in series already\nhint: patchq status")


def test_a_second_init_changes_only_what_is_asked_for_and_keeps_comments(clone: GitRepo) -> None:
    patchq("init", cwd=clone.path)
    file = clone.path / "series/patchq.yaml"
    file.write_text(file.read_text().replace("follow: origin/main", "follow: origin/main  # nightly"))
    ran = patchq("init", "--branch", "ours/{ref}", cwd=clone.path)
    assert ran.code == 0
    assert "was there already; changed in it:" in ran.out
    assert "ours/{ref}" in ran.out
    assert "origin/main" not in ran.out
    assert manifest(clone)[1:5] == [
        "upstream: origin",
        "follow: origin/main  # nightly",
        "current: null",
        "branch: ours/{ref}",
    ]
    assert "nothing to change" in patchq("init", "--branch", "ours/{ref}", cwd=clone.path).out


def test_another_folder_is_remembered_and_found_from_a_folder_below(clone: GitRepo) -> None:
    below = clone.path / "deep/down"
    below.mkdir(parents=True)
    assert patchq("init", "--dir", "../patches", cwd=below).code == 0
    assert clone.text("config", "patchq.series") == "deep/patches"
    assert manifest(clone, "deep/patches")[1] == "upstream: origin"
    again = patchq("init", cwd=below)
    assert again.code == 1
    assert "deep/patches already" in again.err


def test_a_second_series_does_not_hide_the_first_one(clone: GitRepo) -> None:
    patchq("init", cwd=clone.path)
    assert patchq("init", "--dir", "second", cwd=clone.path).code == 0
    assert clone.try_git("config", "patchq.series").returncode == 1
    assert patchq("init", "--follow", "v1", cwd=clone.path).code == 0
    assert (manifest(clone)[2], manifest(clone, "second")[2]) == ("follow: v1", "follow: origin/main")


def test_a_moved_series_is_found_again_by_naming_its_folder(clone: GitRepo) -> None:
    patchq("init", cwd=clone.path)
    (clone.path / "series").rename(clone.path / "moved")
    ran = patchq("init", "--dir", "moved", cwd=clone.path)
    assert (ran.code, "nothing to change" in ran.out) == (0, True)
    assert clone.text("config", "patchq.series") == "moved"


def test_the_global_option_names_the_folder_as_well(clone: GitRepo) -> None:
    assert patchq("--series", "elsewhere", "init", cwd=clone.path).code == 0
    assert clone.text("config", "patchq.series") == "elsewhere"


def test_a_bare_repository_needs_to_be_told_where(clone: GitRepo, tmp_path: Path) -> None:
    bare = tmp_path / "bare.git"
    clone.git("clone", "-q", "--bare", ".", str(bare))
    refused = patchq("init", cwd=bare)
    assert refused.code == 2
    assert refused.err.startswith("error: a bare repository has no place for a series\nhint: patchq init --dir DIR")
    outside = tmp_path / "outside"
    ran = patchq("init", "--dir", str(outside), cwd=bare)
    assert ran.code == 0
    assert "git add" not in ran.out
    assert (outside / "patchq.yaml").exists()
    assert GitRepo(bare).text("config", "patchq.series") == str(outside)


def test_a_linked_worktree_gets_a_series_of_its_own(clone: GitRepo, tmp_path: Path) -> None:
    clone.git("worktree", "add", "-q", str(tmp_path / "linked"), "-b", "other")
    assert patchq("init", cwd=tmp_path / "linked").code == 0
    assert (tmp_path / "linked/series/patchq.yaml").exists()
    assert not (clone.path / "series").exists()


def test_a_folder_with_the_patches_of_one_ref_is_worked_on(clone: GitRepo) -> None:
    clone.write({"series/v1/series": "# none yet\n"})
    ran = patchq("init", cwd=clone.path)
    assert ran.code == 0
    assert manifest(clone)[3] == "current: v1"
    assert "patchq import" not in ran.out


def test_a_branch_with_work_on_it_is_proposed_for_import(clone: GitRepo) -> None:
    clone.commit("ours", {"a.py": "A = 2\n"})
    assert "patchq import origin/main..HEAD" in patchq("init", cwd=clone.path).out


def test_init_can_be_undone(clone: GitRepo) -> None:
    patchq("init", cwd=clone.path)
    assert patchq("undo", cwd=clone.path).code == 0
    assert clone.text("status", "--porcelain") == ""


def test_the_document_has_manifest_and_base(clone: GitRepo) -> None:
    ran = patchq("init", "--json", cwd=clone.path)
    assert ran.json == {
        "schema": 1,
        "command": "init",
        "folder": "series",
        "upstream": "origin",
        "follow": "origin/main",
        "current": None,
        "branch": "patched/{ref}",
        "base": {"ref": "origin/main", "commit": clone.text("rev-parse", "HEAD")},
    }


def test_outside_of_a_repository_there_is_nothing_to_start(tmp_path: Path) -> None:
    ran = patchq("init", cwd=tmp_path)
    assert ran.code == 1
    assert "is not in a git repository" in ran.err


def test_a_current_folder_that_is_gone_is_an_error_with_a_hint(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    gone = tmp_path / "gone"
    gone.mkdir()
    monkeypatch.chdir(gone)
    gone.rmdir()
    with pytest.raises(SystemExit) as ended:
        main(["status"])
    assert ended.value.code == 1
    assert "the current folder is not there any more" in capsys.readouterr().err
