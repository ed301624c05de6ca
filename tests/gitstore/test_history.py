from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from patchq.errors import GitError
from patchq.gitstore.history import commit_patch, commit_patches, commits, known_dates, tree_diff
from patchq.gitstore.repository import Repository
from patchq.model.patch import GitDate, Person

if TYPE_CHECKING:
    from pathlib import Path

    from tests.gitrepo import GitRepo

HOSTILE = """
[diff]
	noprefix = true
	mnemonicPrefix = true
	external = false
	suppressBlankEmpty = true
	algorithm = patience
	context = 0
	interHunkContext = 9
	renames = false
	renameLimit = 1
	orderFile = order
	submodule = log
	relative = true
	wsErrorHighlight = all
	colorMoved = zebra
	indentHeuristic = false
[color]
	ui = always
	diff = always
[core]
	quotePath = false
	abbrev = 5
	pager = false
	whitespace = -trailing-space
[diff "upper"]
	textconv = tr a-z A-Z <
	command = false
[log]
	showSignature = true
"""


def found(repo: GitRepo) -> Repository:
    return Repository.discover(repo.path)


def test_a_range_comes_oldest_first_with_merges_marked(repo: GitRepo) -> None:
    start = repo.commit("start", {"a": "1\n"})
    repo.git("checkout", "-q", "-b", "side")
    side = repo.commit("side", {"b": "1\n"})
    repo.git("checkout", "-q", "main")
    main = repo.commit("main", {"c": "1\n"})
    repo.git("merge", "-q", "--no-ff", "-m", "join", "side")
    found_commits = commits(found(repo), f"{start}..main")
    assert {info.commit for info in found_commits[:2]} == {side, main}
    assert [info.is_merge for info in found_commits] == [False, False, True]
    assert found_commits[2].parents == (main, side)
    assert found_commits[2].message == b"join\n"
    assert found_commits[0].author == Person(b"Ada Author", b"ada@example.org")
    assert found_commits[0].date == GitDate(1700000000, "+0000")
    assert commits(found(repo), "main..main") == ()


def test_messages_come_whole_and_as_utf_8(repo: GitRepo) -> None:
    repo.commit("start", {"a": "1\n"})
    repo.git("config", "i18n.commitEncoding", "latin1")
    message = b"caf\xe9\n\n  body \n\n\nKey: value\n"
    repo.git("-c", "commit.cleanup=verbatim", "commit", "-q", "--allow-empty", "-F", "-", stdin=message)
    raw = repo.git("cat-file", "commit", "HEAD")
    assert raw.endswith(message)
    assert commits(found(repo), "HEAD^!")[0].message == message.decode("latin-1").encode()


def test_bytes_in_no_known_encoding_stay(repo: GitRepo) -> None:
    tree = repo.git("mktree").decode().strip()
    raw = f"tree {tree}\nauthor A <a@b> 1 +0000\ncommitter A <a@b> 1 +0000\n".encode()
    raw += b"encoding klingon\ngpgsig -----\n parent no\n author no\n\ncaf\xe9\n"
    commit = repo.git("hash-object", "-t", "commit", "-w", "--stdin", stdin=raw).decode().strip()
    (info,) = commits(found(repo), commit)
    assert (info.message, info.parents, info.author) == (b"caf\xe9\n", (), Person(b"A", b"a@b"))


@pytest.mark.parametrize("span", ["--all", "-n1", "--output=/tmp/x"])
def test_an_option_is_no_range(repo: GitRepo, span: str) -> None:
    repo.commit("one", {"a": "1\n"})
    with pytest.raises(GitError, match="cannot be a range"):
        commits(found(repo), span)
    with pytest.raises(GitError, match="cannot be a range"):
        commit_patch(found(repo), span)


def test_an_unknown_range_is_refused_with_the_words_of_git(repo: GitRepo) -> None:
    repo.commit("one", {"a": "1\n"})
    with pytest.raises(GitError, match="git rev-list: bad revision 'nowhere"):
        commits(found(repo), "nowhere..main")


def odd_history(repo: GitRepo) -> str:
    """Commit what diff settings change: renames, odd names, blank context, binary files, modes; return the start."""
    start = repo.commit("start", {"a.txt": "".join(f"{n}\n\n" for n in range(20)), "ü": "1\n", "bin": b"\0" * 50})
    repo.write({"a.txt": None, ".gitattributes": "*.up diff=upper\n"})
    repo.write({"b.txt": "".join(f"{n}\n\n" for n in range(20)).replace("10\n", "ten\n"), "x.up": "low\n"})
    (repo.path / "ü").chmod(0o755)
    repo.commit("many", {"bin": b"\0" * 49 + b"\1", 'q"u\\o\te': "1\n", "no-end": "1"})
    repo.commit("empty", {})
    repo.commit("last", {"x.up": "lower\n"})
    return start


def test_patches_have_the_same_bytes_under_any_configuration(
    repo: GitRepo, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    start = odd_history(repo)
    calm = commit_patches(found(repo), commits(found(repo), "main"))
    calm_tree = tree_diff(found(repo), start, "main")
    (tmp_path / "hostile").write_text(HOSTILE)
    (repo.path / "order").write_text("*\n")
    monkeypatch.setenv("GIT_CONFIG_GLOBAL", str(tmp_path / "hostile"))
    monkeypatch.setenv("GIT_EXTERNAL_DIFF", "false")
    monkeypatch.setenv("GIT_DIFF_OPTS", "-u0")
    assert commit_patches(found(repo), commits(found(repo), "main")) == calm
    assert tree_diff(found(repo), start, "main") == calm_tree
    assert b"\n \n" in calm_tree
    assert b"rename from a.txt\nrename to b.txt\n" in calm_tree
    assert b"GIT binary patch\n" in calm_tree
    assert b'"b/q\\"u\\\\o\\te"' in calm_tree
    assert b'"a/\\303\\274"' in calm_tree
    assert b"+low\n" in calm[1]


def test_a_patch_makes_the_next_commit_of_the_one_before(repo: GitRepo) -> None:
    odd_history(repo)
    infos = commits(found(repo), "main")
    patches = commit_patches(found(repo), infos)
    assert patches == tuple(commit_patch(found(repo), info.commit) for info in infos)
    assert patches[2] == b""
    repo.git("read-tree", "--empty")
    for info, patch in zip(infos, patches, strict=True):
        if patch:
            repo.git("apply", "--cached", "--whitespace=nowarn", stdin=patch)
        assert repo.text("write-tree") == repo.text("rev-parse", f"{info.commit}^{{tree}}")


def test_a_merge_has_no_patch_and_says_so(repo: GitRepo) -> None:
    repo.commit("start", {"a": "1\n"})
    repo.git("checkout", "-q", "-b", "side")
    repo.commit("side", {"b": "1\n"})
    repo.git("checkout", "-q", "main")
    repo.git("merge", "-q", "--no-ff", "-m", "join", "side")
    with pytest.raises(GitError, match="is a merge"):
        commit_patch(found(repo), "main")


def test_no_commits_have_no_patches(repo: GitRepo) -> None:
    assert commit_patches(found(repo), ()) == ()


def test_the_dates_of_commits_that_are_here(repo: GitRepo) -> None:
    first = repo.commit("one", {"a": "1\n"})
    tree = repo.text("rev-parse", "HEAD^{tree}")
    asked = ["0" * 40, first, tree, "f" * 64, "dead", first[:8]]
    assert known_dates(Repository.discover(repo.path), asked) == {first: GitDate(1_700_000_000, "+0000")}
    assert known_dates(Repository.discover(repo.path), []) == {}
