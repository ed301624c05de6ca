"""Against git's mail tools: git am reads from our files what we wrote, and we read what git-format-patch writes."""

from __future__ import annotations

import shutil
import subprocess
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from patchq.model.change import ChangeKind, FileChange, Hunk, HunkLine, LineKind, TextBody
from patchq.model.names import PatchName
from patchq.model.patch import GitDate, Message, Patch, Person, Trailer
from patchq.model.tree import Mode
from patchq.patchfile.imports import read_import
from patchq.patchfile.mailing import write_mail, write_mailbox
from patchq.patchfile.read import read_patch, write_patch

if TYPE_CHECKING:
    from pathlib import Path

    from tests.gitrepo import GitRepo

_PEOPLE = ["Ada", "J. R. Doe", 'Q "x" y', "Jürgen Müller", "Doe, Ada", "bot[bot]", "A (b) C", "O\\x", "=?x?= y", "漢字"]
_SUBJECTS = [
    "fix",
    "[ROCm] fix",
    "[a][b] c",
    "Re: x",
    "re: [x] y",
    ":sparkles: x",
    "[PATCH] y",
    "[PATCH 1/2] z",
    "[open",
    "[x]",
    "=?UTF-8?q?a?= b",
    "é [x] ü",
    "[é]: =?x",
    "漢字 " * 40 + "x",
    "diff --git a b",
    "From x 10:11:12 2020",
    "---",
    "R",
]
_BODIES = [
    "",
    "one\n\ntwo\n  indented",
    "a\n---\nb",
    "diff --git a/x b/x",
    "--- a\n+++ b\n@@ -1 +1 @@\n-x\n+y",
    "Index: foo",
    "From: me <a@b>\nx",
    "Subject: x\n\ny",
    "From abcdef Mon Sep 17 00:00:00 2001\nx",
    ">From x\ny",
    "[PATCH] hello\ny",
    "-----\nx",
    "=?UTF-8?q?a?= ünï",
    "date: x",
    "Date: now\n\ny",
    "-- \nsig",
    "[x] y",
    "From 1\n>From 2",
]
_TRAILERS: list[tuple[Trailer, ...]] = [(), (Trailer("Signed-off-by", "A <a@b>"), Trailer("Expect", "a.py::C.d[12]"))]


def _new_file(name: bytes) -> FileChange:
    hunk = Hunk(old_start=0, new_start=1, lines=(HunkLine(LineKind.ADDED, name + b"\n"),))
    return FileChange(
        kind=ChangeKind.CREATE, old_path=None, new_path=name, new_mode=Mode.REGULAR, body=TextBody((hunk,))
    )


def _patches() -> list[Patch]:
    heads = zip(_SUBJECTS, (_BODIES * 2)[: len(_SUBJECTS)], _PEOPLE * 2, _TRAILERS * 9, strict=False)
    return [
        Patch(
            name=PatchName(f"p{number}"),
            message=Message(
                author=Person(person.encode(), b"a@example.org"),
                date=GitDate(1_700_000_000 + number, ("+0000", "-0330", "+1245")[number % 3]),
                subject=subject.encode(),
                body=body.encode(),
                trailers=trailers,
            ),
            changes=(_new_file(b"file %d" % number),),
        )
        for number, (subject, body, person, trailers) in enumerate(heads)
    ]


def _tidy(text: bytes) -> bytes:
    return b"\n".join(line.rstrip() for line in text.strip().split(b"\n"))


def _text(message: Message) -> bytes:
    trailers = "\n".join(f"{trailer.key}: {trailer.value}" for trailer in message.trailers).encode()
    return _tidy(b"\n\n".join(part for part in (message.subject, message.body, trailers) if part))


def test_git_am_gives_back_author_date_subject_and_text(repo: GitRepo) -> None:
    repo.commit("start", {"x": ""})
    patches = _patches()
    assert len(patches) == len(_SUBJECTS)
    written = [write_patch(patch) for patch in patches]
    for patch, raw in zip(patches, written, strict=True):
        (repo.path / patch.name.file_name).write_bytes(raw)
    repo.git("am", "-q", *(patch.name.file_name for patch in patches))
    log = repo.git(
        "log", "--reverse", "--format=%an%x01%ae%x01%ad%x01%B%x00", "--date=raw", f"HEAD~{len(patches)}.."
    ).split(b"\0\n")
    for patch, raw, commit in zip(patches, written, log, strict=False):
        again = read_patch(patch.name, raw, file="x").message
        assert again.author is not None
        assert again.date is not None
        moment = f"{again.date.seconds} {again.date.offset}".encode()
        head = (again.author.name, again.author.email, moment, _text(again))
        name, email, date, text = commit.split(b"\1")
        assert (name, email, date, _tidy(text)) == head
        assert (again.subject, again.author, again.date) == (
            patch.message.subject,
            patch.message.author,
            patch.message.date,
        )


def test_format_patch_is_read_as_the_commit_was_made(repo: GitRepo) -> None:
    repo.commit("start", {"x": ""})
    # git-format-patch itself leaves no way to tell these subjects from its own prefix, and loses backslashes in names.
    subjects = [text for text in _SUBJECTS if not text.startswith(("[PATCH", "Re:", "re:"))]
    people = [text for text in _PEOPLE if "\\" not in text]
    for number, (subject, person) in enumerate(zip(subjects, people * 2, strict=False)):
        repo.write({f"f{number}": "x\n"})
        repo.git("add", "-A")
        repo.git("commit", "-q", f"--author={person} <a@b>", "-m", f"{subject}\n\nwhy {number}\n\nBug: {number}")
    log = repo.git("log", "--reverse", "--format=%an%x01%ae%x01%at%x01%s%x00", f"HEAD~{len(subjects)}..").split(b"\0\n")
    patches = read_import(
        repo.git("format-patch", "--stdout", "--full-index", f"HEAD~{len(subjects)}"), file="all.mbox"
    )
    assert len(patches) == len(subjects)
    for number, (patch, commit) in enumerate(zip(patches, log, strict=False)):
        author, date = patch.message.author, patch.message.date
        assert author is not None
        assert date is not None
        head = [author.name, author.email, str(date.seconds).encode(), patch.message.subject]
        assert head == commit.split(b"\1")
        assert patch.message.trailers == (Trailer("Bug", str(number)),)
    assert len({patch.name for patch in patches}) == len(patches)


@pytest.fixture
def tree(repo: GitRepo) -> tuple[GitRepo, bytes]:
    """A repository at the old state, and a patch file of ours to the new one, with all kinds that every tool knows."""
    lines = "".join(f"line {number}\n" for number in range(20))
    repo.commit("before", {"a.py": lines, "with blank.py": "x", "gone.py": "bye\n", "crlf.txt": b"a\r\nb\r\n"})
    edited = lines.replace("line 3", "LINE 3").replace("line 18\n", "")
    repo.commit(
        "after", {"a.py": edited, "with blank.py": "y\n", "gone.py": None, "d/new.py": "hi", "crlf.txt": b"a\r\nB\r\n"}
    )
    diff = repo.git("diff", "--full-index", "--binary", "HEAD~1", "HEAD")
    (patch,) = read_import(b"Subject: [SM120] all kinds\nFrom: A <a@b>\nDate: 2024-01-02\n\n" + diff, file="x.patch")
    repo.git("reset", "-q", "--hard", "HEAD~1")
    repo.git("tag", "wanted", "ORIG_HEAD")
    return repo, patch.raw


def test_git_apply_and_git_am_take_our_files(tree: tuple[GitRepo, bytes]) -> None:
    repo, raw = tree
    repo.git("apply", "--check", stdin=raw)
    repo.git("am", "-q", "--keep-cr", stdin=raw)
    assert repo.text("rev-parse", "HEAD^{tree}") == repo.text("rev-parse", "wanted^{tree}")
    assert repo.text("log", "-1", "--format=%s") == "[SM120] all kinds"


@pytest.mark.skipif(shutil.which("patch") is None, reason="GNU patch is not installed")
def test_gnu_patch_takes_our_files(tree: tuple[GitRepo, bytes]) -> None:
    repo, raw = tree
    done = subprocess.run(
        ["patch", "-p1", "--binary", "-F0"], cwd=repo.path, input=raw, capture_output=True, check=False
    )
    assert done.returncode == 0, done.stdout
    repo.git("add", "-A")
    assert repo.text("write-tree") == repo.text("rev-parse", "wanted^{tree}")


@pytest.mark.parametrize("mark", [b"", b"  ", b"\t"])
def test_a_quoted_diff_in_a_message_is_no_diff_to_any_tool(tree: tuple[GitRepo, bytes], mark: bytes) -> None:
    repo, raw = tree
    patch = read_patch(PatchName("p"), raw, file="p")
    quoted = [mark + line for line in (b"--- a/gone.py", b"+++ b/gone.py", b"@@ -1 +1 @@ f", b"-bye", b"+bye, bye")]
    told = replace(patch.message, body=b"Upstream has:\n\n" + b"\n".join(quoted) + b"\n\nand it is wrong.")
    written = write_patch(replace(patch, message=told))
    message = read_patch(PatchName("p"), written, file="p").message
    assert message.body.count(b"> " + mark + b"@@ -1 +1 @@ f\n") == 1
    assert write_patch(replace(patch, message=message)) == written
    repo.git("apply", "--check", stdin=written)
    if shutil.which("patch") is not None:
        command = ["patch", "-p1", "--binary", "-F0", "--dry-run"]
        done = subprocess.run(command, cwd=repo.path, input=written, capture_output=True, check=False)
        assert done.returncode == 0, done.stdout
    repo.git("am", "-q", "--keep-cr", stdin=written)
    assert repo.text("rev-parse", "HEAD^{tree}") == repo.text("rev-parse", "wanted^{tree}")
    assert _tidy(repo.git("log", "-1", "--format=%b")) == _tidy(message.body)


def test_from_lines_of_a_message_come_back_as_they_were(repo: GitRepo, tmp_path: Path) -> None:
    repo.commit("start", {"x": ""})
    repo.commit("quote\n\nmore\n>From the docs\n>>From afar\n", {"f": "x\n"})
    told = repo.git("log", "-1", "--format=%b")
    (patch,) = read_import(repo.git("format-patch", "--stdout", "-1"), file="all.mbox")
    assert patch.message.body + b"\n\n" == told
    (tmp_path / "box").write_bytes(write_mailbox([write_mail(patch)]))
    repo.git("reset", "-q", "--hard", "HEAD~1")
    repo.git("am", "-q", str(tmp_path / "box"))
    assert repo.git("log", "-1", "--format=%b") == told


@pytest.mark.skipif(shutil.which("quilt") is None, reason="quilt is not installed")
def test_quilt_takes_our_files(tree: tuple[GitRepo, bytes], monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    repo, raw = tree
    (tmp_path / "series").write_text("all-kinds.patch\n")
    (tmp_path / "all-kinds.patch").write_bytes(raw)
    monkeypatch.setenv("QUILT_PATCHES", str(tmp_path))
    monkeypatch.setenv("QUILT_PATCH_OPTS", "--binary")
    done = subprocess.run(["quilt", "push", "-a"], cwd=repo.path, capture_output=True, check=False)
    assert done.returncode == 0, done.stdout
    shutil.rmtree(repo.path / ".pc")
    repo.git("add", "-A")
    assert repo.text("write-tree") == repo.text("rev-parse", "wanted^{tree}")
