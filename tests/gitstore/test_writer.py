from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from patchq.errors import PublishError
from patchq.gitstore.fastimport import check_path, quote_path
from patchq.gitstore.objects import CommitTree, ObjectReader
from patchq.gitstore.repository import Repository
from patchq.gitstore.writer import CommitSpec, write_commits
from patchq.model.patch import GitDate, Person
from patchq.model.tree import FileState, Mode
from tests.gitrepo import GitRepo

if TYPE_CHECKING:
    from collections.abc import Mapping

HOSTILE = """
[user]
	name = Mallory
	email = mallory@example.org
	signingKey = 1234
[commit]
	gpgSign = true
[gpg]
	program = /nonexistent/gpg
[i18n]
	commitEncoding = latin1
[core]
	ignoreCase = true
	autocrlf = true
	compression = 9
	logAllRefUpdates = always
[fastimport]
	unpackLimit = 1000
"""


def text(data: str) -> FileState:
    return FileState(Mode.REGULAR, data.encode())


def spec(writes: Mapping[bytes, FileState | None], message: bytes = b"change\n", **changes: object) -> CommitSpec:
    author = changes.get("author", Person("Zoë".encode(), b"zoe@example.org"))
    date = changes.get("date", GitDate(1700000000, "+0530"))
    assert isinstance(author, Person)
    assert isinstance(date, GitDate)
    return CommitSpec(message=message, author=author, date=date, writes=writes)


def base(repo: GitRepo) -> str:
    return repo.commit("base", {"a": "1\n", "d/b": "2\n", "d/c": "3\n", "run": "#!\n"})


def listing(repo: GitRepo, commit: str) -> list[str]:
    return repo.text("ls-tree", "-r", "--name-only", commit).splitlines()


SERIES = (
    spec({b"a": text("1\r\n"), b"new/x y": text("x\n")}, b"first\n\nwith a body\n\nKey: value\n"),
    spec({b"d/b": None, b"run": FileState(Mode.EXECUTABLE, b"#!\n")}, "café\n".encode()),
    spec({b"link": FileState(Mode.SYMLINK, b"d/c"), b"module": FileState(Mode.GITLINK, b"12" * 20)}, b"no newline"),
)


def test_a_series_has_the_same_ids_under_any_user_and_configuration(
    repo: GitRepo, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    start = base(repo)
    here = write_commits(Repository.discover(repo.path), start, SERIES)
    repo.git("clone", "-q", "--bare", ".", str(tmp_path / "other"))
    (tmp_path / "hostile").write_text(HOSTILE)
    for name, value in {
        "GIT_CONFIG_GLOBAL": str(tmp_path / "hostile"),
        "GIT_AUTHOR_DATE": "1 +0000",
        "GIT_COMMITTER_DATE": "2 +0000",
        "GIT_COMMITTER_NAME": "Mallory",
        "TZ": "Asia/Tokyo",
        "LC_ALL": "de_DE.ISO-8859-1",
    }.items():
        monkeypatch.setenv(name, value)
    there = write_commits(Repository.discover(tmp_path / "other"), start, SERIES)
    assert here == there


def test_the_ids_are_those_of_git_commit_tree(repo: GitRepo, monkeypatch: pytest.MonkeyPatch) -> None:
    start = base(repo)
    odd = spec({b"a": text("2\n")}, author=Person(b' "Jr." <x>\n', b"<zoe@example.org>"), date=GitDate(5, "-0000"))
    series = (*SERIES, odd)
    written = write_commits(Repository.discover(repo.path), start, series)
    parent = start
    for result, wanted in zip(written, series, strict=True):
        for role in ("AUTHOR", "COMMITTER"):
            monkeypatch.setenv(f"GIT_{role}_NAME", os.fsdecode(wanted.author.name))
            monkeypatch.setenv(f"GIT_{role}_EMAIL", os.fsdecode(wanted.author.email))
            monkeypatch.setenv(f"GIT_{role}_DATE", f"@{wanted.date.seconds} {wanted.date.offset}")
        made = repo.git("commit-tree", "-p", parent, result.tree, stdin=wanted.message).decode().strip()
        assert result.commit == made
        parent = made
    repo.git("fsck", "--strict", "--no-dangling")


def test_no_reference_moves_and_gc_may_take_the_pack(repo: GitRepo) -> None:
    start = base(repo)
    refs = repo.text("for-each-ref")
    (written,) = write_commits(Repository.discover(repo.path), start, SERIES[:1])
    assert repo.text("for-each-ref") == refs
    assert repo.text("status", "--porcelain") == ""
    assert [file.name for file in (repo.path / ".git").rglob("patchq/**/*") if file.is_file()] == []
    assert list((repo.path / ".git/objects/pack").glob("*.keep")) == []
    repo.git("branch", "b", written.commit)
    repo.git("gc", "-q", "--prune=now")
    assert len(list((repo.path / ".git/objects/pack").glob("*.pack"))) == 1
    assert repo.text("rev-parse", "b^{tree}") == written.tree


def test_an_empty_series_is_no_commit_and_no_process(repo: GitRepo) -> None:
    assert write_commits(Repository.discover(repo.path), base(repo), ()) == ()


def test_without_a_base_the_first_commit_is_a_root(repo: GitRepo) -> None:
    one, two = write_commits(
        Repository.discover(repo.path), None, (spec({b"a/b": text("1\n")}), spec({b"c": text("2\n")}))
    )
    assert repo.text("rev-list", "--parents", two.commit).splitlines() == [f"{two.commit} {one.commit}", one.commit]
    assert listing(repo, two.commit) == ["a/b", "c"]


def test_a_sha256_repository_gets_sha256_ids(tmp_path: Path) -> None:
    repo = GitRepo.create(tmp_path / "r", "--object-format=sha256")
    start = repo.commit("base", {"a": "1\n"})
    (written,) = write_commits(Repository.discover(repo.path), start, (spec({b"a": text("2\n")}),))
    assert repo.file(written.commit, "a") == b"2\n"
    assert len(written.commit) == len(written.tree) == 64


def test_a_file_takes_the_place_of_a_folder_and_the_reverse(repo: GitRepo) -> None:
    start = base(repo)
    one, two = write_commits(
        Repository.discover(repo.path),
        start,
        (
            spec({b"d": text("file\n"), b"d/b": None, b"d/c": None, b"a/b": text("x\n"), b"a": None}),
            spec({b"d": None, b"d/e/f": text("y\n")}),
        ),
    )
    assert listing(repo, one.commit) == ["a/b", "d", "run"]
    assert listing(repo, two.commit) == ["a/b", "d/e/f", "run"]


@pytest.mark.parametrize("writes", [{b"d": text("x\n"), b"d/b": None}, {b"a/b": text("x\n")}, {b"d": None}])
def test_nothing_is_dropped_that_was_not_named(repo: GitRepo, writes: Mapping[bytes, FileState | None]) -> None:
    start = base(repo)
    with pytest.raises(PublishError, match=r"would also change b'(d/[bc]|a)'"):
        write_commits(Repository.discover(repo.path), start, (spec({b"run": text("1\n")}), spec(writes)))


@pytest.mark.parametrize(
    "path",
    [
        *(b"", b"/a", b"a//b", b"a/", b"../a", b"a/../../b", b"./a", b".git/config", b"d/.GIT/hooks/x", b"a\0b"),
        *(b"git~1/x", b".git /x", b".git./x", b".git::$INDEX_ALLOCATION/x", b"d\\.git\\x", ".g\u200cit/x".encode()),
    ],
)
def test_a_path_that_leaves_the_tree_or_reaches_git_is_refused(path: bytes) -> None:
    with pytest.raises(PublishError, match="is not a path that a commit may contain"):
        check_path(path)


@pytest.mark.parametrize("state", [text("x\n"), None])
def test_no_commit_is_written_to_or_below_such_a_path(repo: GitRepo, state: FileState | None) -> None:
    start = base(repo)
    with pytest.raises(PublishError, match="is not a path that a commit may contain"):
        write_commits(Repository.discover(repo.path), start, (spec({b"d/.Git/hooks/x": state}),))


def test_a_path_that_only_looks_like_git_is_written(repo: GitRepo) -> None:
    paths = (b".gitignore", b".github/x", b"git", b"a.git/x", b"...", b".g", "ü.git".encode())
    (written,) = write_commits(Repository.discover(repo.path), None, (spec({path: text("x\n") for path in paths}),))
    assert repo.git("ls-tree", "-r", "-z", "--name-only", written.commit).split(b"\0")[:-1] == sorted(paths)


@pytest.mark.parametrize(
    ("wrong", "words"),
    [
        (spec({b"a": text("2\n")}, b"NUL \0 here"), "NUL byte"),
        (spec({b"a": text("2\n")}, author=Person(b" <", b">")), "an author with a name or an address"),
        (spec({b"a": text("2\n")}, date=GitDate(-1, "+0000")), "cannot store the date"),
        (spec({b"a": text("2\n")}, date=GitDate(1, "UTC")), "cannot store the date"),
        (spec({b"a": text("2\n")}, date=GitDate(1, "+\u0661\u0662\u0663\u0664")), "cannot store the date"),
        (spec({b"x": text("2\n"), b"x/y": text("3\n")}), "lies below a path that is written as a file"),
        (spec({b"m": FileState(Mode.GITLINK, b"12" * 20 + b" x\nD a\n")}), "is not a full object id"),
    ],
)
def test_what_git_cannot_store_is_refused_by_name(repo: GitRepo, wrong: CommitSpec, words: str) -> None:
    start = base(repo)
    with pytest.raises(PublishError, match=words):
        write_commits(Repository.discover(repo.path), start, (wrong,))


def test_a_message_in_another_encoding_keeps_its_bytes(repo: GitRepo) -> None:
    (written,) = write_commits(Repository.discover(repo.path), base(repo), (spec({b"a": text("2\n")}, b"caf\xe9\n"),))
    assert repo.git("cat-file", "commit", written.commit).endswith(b"\n\ncaf\xe9\n")


def test_an_author_without_a_name_is_called_by_the_address(repo: GitRepo) -> None:
    nameless = spec({b"a": text("2\n")}, author=Person(b"", b"a@b"))
    (written,) = write_commits(Repository.discover(repo.path), base(repo), (nameless,))
    assert repo.text("log", "-1", "--format=%an <%ae>", written.commit) == "a@b <a@b>"


def test_a_base_that_does_not_exist_is_refused_with_the_words_of_git(repo: GitRepo) -> None:
    base(repo)
    with pytest.raises(PublishError, match="the commits could not be written: "):
        write_commits(Repository.discover(repo.path), "12" * 20, SERIES[:1])
    with pytest.raises(PublishError, match="is not a full object id"):
        write_commits(Repository.discover(repo.path), "main", SERIES[:1])
    assert list((repo.path / ".git").glob("fast_import_crash*")) == []


def test_a_commit_may_leave_an_empty_tree(repo: GitRepo) -> None:
    start = repo.commit("one", {"a": "1\n"})
    (written,) = write_commits(Repository.discover(repo.path), start, (spec({b"a": None}),))
    assert listing(repo, written.commit) == []


def test_a_date_of_any_offset_is_kept(repo: GitRepo) -> None:
    far = spec({b"a": text("2\n")}, date=GitDate(4_000_000_000, "-2359"))
    (written,) = write_commits(Repository.discover(repo.path), base(repo), (far,))
    assert repo.text("log", "-1", "--format=%ad", "--date=raw", written.commit) == "4000000000 -2359"


@settings(max_examples=60, deadline=None)
@given(st.binary(min_size=1).filter(lambda path: b"\0" not in path))
def test_a_quoted_path_is_one_line_of_plain_characters(path: bytes) -> None:
    quoted = quote_path(path)
    assert all(32 <= byte < 127 for byte in quoted)
    assert quoted[1:-1].decode("ascii").encode().decode("unicode_escape").encode("latin-1") == path


PARTS = st.binary(min_size=1, max_size=5).filter(
    lambda part: not set(part) & set(b"\0/.") and b"git" not in part.lower()
)


@settings(max_examples=10, suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
@given(writes=st.dictionaries(PARTS.map(lambda part: b"p/" + part), st.binary(max_size=50), min_size=1, max_size=8))
def test_every_byte_of_names_and_contents_comes_back(
    tmp_path_factory: pytest.TempPathFactory, writes: dict[bytes, bytes]
) -> None:
    found = Repository.discover(GitRepo.create(tmp_path_factory.mktemp("law") / "r").path)
    states = {path: FileState(Mode.REGULAR, data) for path, data in writes.items()}
    (written,) = write_commits(found, None, (spec(states),))
    with ObjectReader(found) as reader:
        tree = CommitTree(reader, written.tree)
        assert {path: tree.read(path) for path in states} == states


def test_a_writer_that_is_killed_leaves_the_repository_whole(repo: GitRepo, tmp_path: Path) -> None:
    start = base(repo)
    script = tmp_path / "write.py"
    script.write_text(
        "import os, pathlib, signal, sys\n"
        "from patchq.gitstore import git, writer\n"
        "from patchq.gitstore.repository import Repository\n"
        "from tests.gitstore.test_writer import spec, text\n"
        "real = git.subprocess.Popen.communicate\n"
        "def die(process, data):\n"
        "    if data.startswith(b'feature done'):\n"
        "        process.stdin.write(data[: len(data) // 2]); process.stdin.flush()\n"
        "        os.kill(os.getpid(), signal.SIGKILL)\n"
        "    return real(process, data)\n"
        "git.subprocess.Popen.communicate = die\n"
        f"writer.write_commits(Repository.discover(pathlib.Path(sys.argv[1])), {start!r},\n"
        "    [spec({b'a': text('x' * 100000)})] * 3)\n"
    )
    environment = {**os.environ, "PYTHONPATH": str(Path(__file__).parents[2])}
    done = subprocess.run([sys.executable, str(script), str(repo.path)], env=environment, check=False)
    assert done.returncode == -signal.SIGKILL
    repo.git("fsck", "--strict", "--no-dangling")
    assert repo.text("rev-parse", "HEAD") == start
    assert repo.text("status", "--porcelain") == ""
