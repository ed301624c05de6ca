"""What is never taken for a patch: rubbish, damaged diffs, paths that lead out of the tree, input without bounds."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

import pytest

from patchq.errors import PatchFormatError
from patchq.model.change import ChangeKind
from patchq.patchfile import lines
from patchq.patchfile.limits import MAX_PATCH_BYTES, MAX_PATCH_LINES
from patchq.patchfile.parse import parse_changes
from patchq.patchfile.paths import unsafe_reason
from patchq.patchfile.quoting import quote

if TYPE_CHECKING:
    from tests.gitrepo import GitRepo

_HUNK = b"@@ -1 +1 @@\n-a\n+b\n"
_UNSAFE = [
    b"../x",
    b"a/../x",
    b"..",
    b"/etc/passwd",
    b".git/config",
    b".GIT/config",
    b"a/.Git/hooks/x",
    b".git",
    b"a//b",
    b"a/",
    b"./a",
    b"git~1/config",
    b"GIT~1/x",
    b".git ./x",
    b".git. . /x",
    b".git::$INDEX_ALLOCATION/x",
    b".git:x/y",
    b"a\\.git\\x",
    ".g\u200cit/config".encode(),
    ".\ufeffGiT/x".encode(),
    b"a\0b",
    b"x" * 5000,
]


@pytest.mark.parametrize("path", _UNSAFE)
def test_a_path_that_leaves_the_tree_or_enters_git_is_refused(path: bytes) -> None:
    assert unsafe_reason(path) is not None
    old, new = quote(b"a/" + path), quote(b"b/" + path)
    for data in (
        b"diff --git " + old + b" " + new + b"\n--- " + old + b"\n+++ " + new + b"\n" + _HUNK,
        b"--- /dev/null\n+++ " + new + b"\n@@ -0,0 +1 @@\n+b\n",
        b"diff --git a/ok b/ok\nsimilarity index 100%\nrename from ok\nrename to " + quote(path) + b"\n",
    ):
        with pytest.raises(PatchFormatError):
            parse_changes(data, file="x")


def test_names_that_only_resemble_the_forbidden_ones_are_allowed(repo: GitRepo) -> None:
    for path in (
        ".gitignore",
        ".github/x",
        "a..b",
        "...",
        "git~2",
        ".git-x",
        "x.git",
        "git",
        "a/b\\c",
        "C:/x",
        ".gitx /y",
    ):
        assert unsafe_reason(path.encode()) is None
        repo.git("update-index", "--add", "--cacheinfo", f"100644,{repo.text('hash-object', '-w', '--stdin')},{path}")


def test_git_refuses_the_same_paths(repo: GitRepo) -> None:
    repo.git("config", "core.protectNTFS", "true")
    repo.git("config", "core.protectHFS", "true")
    blob = repo.git("hash-object", "-w", "--stdin", stdin=b"x").decode().strip()
    for path in _UNSAFE:
        if b"\0" in path or len(path) > 4096 or path == b"a/":  # not to be said to git, or allowed on its command line
            continue
        text = path.decode()
        assert repo.try_git("update-index", "--add", "--cacheinfo", f"100644,{blob},{text}").returncode != 0, path


def test_a_patch_may_not_write_through_a_link_that_it_makes() -> None:
    link = b"diff --git a/d b/d\nnew file mode 120000\n--- /dev/null\n+++ b/d\n@@ -0,0 +1 @@\n+/etc\n"
    link += b"\\ No newline at end of file\n"
    inside = b"diff --git a/d/x b/d/x\n%s file mode 100644\n"
    with pytest.raises(PatchFormatError, match="through it"):
        parse_changes(link + inside % b"new", file="x")
    changes = parse_changes(inside % b"deleted" + link, file="x")
    assert [change.kind for change in changes] == [ChangeKind.DELETE, ChangeKind.CREATE]


@pytest.mark.parametrize(
    "data", [b"", b"\n", b"hello\n", b"\x00\xff" * 50, b"Subject: x\n\nbody\n---\n", b"diff --git\n", b"--- a\n"]
)
def test_rubbish_has_no_diff(data: bytes) -> None:
    with pytest.raises(PatchFormatError, match="no diff found") as caught:
        parse_changes(data, file="x.patch")
    assert (caught.value.where.file, caught.value.where.line) == ("x.patch", 1)


_GIT = b"diff --git a/f b/f\n"
_SIDES = b"--- a/f\n+++ b/f\n"


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (_GIT, "header but no contents"),
        (_GIT + b"index 1234567..89abcde 100644\n", "header but no contents"),
        (_GIT + b"new file mode 100644\nindex 0000000..89abcde\n", "header but no contents"),
        (_GIT + b"deleted file mode 100644\nindex 1234567..0000000\n", "header but no contents"),
        (_GIT + b"index 1234567..89abcde 160000\n" + _SIDES + _HUNK, "changes a submodule, f"),
        (_GIT + _SIDES + _HUNK + b"Submodule lib 1234567..89abcde:\n", "changes a submodule"),
        (
            _GIT + b"index 1234567..89abcde 100644\nBinary files a/f and b/f differ\n",
            "contents of a binary file are missing",
        ),
        (b"diff --cc f\nindex 1,2..3\n--- a/f\n+++ b/f\n@@@ -1,1 -1,1 +1,1 @@@\n", "combined diff"),
        (b"diff --combined f\n", "combined diff"),
        (_GIT + b"index 123..456,789\n", "malformed `index` line"),
        (_GIT + b"old mode 100999\n", "unknown file mode"),
        (_GIT + b"old mode 040000\nnew mode 100644\n", "unknown file mode"),
        (_GIT + b"similarity index x%\n", "malformed percentage"),
        (_GIT + b"rename from f\n", "contradicts itself"),
        (_GIT + b"new file mode 100644\ndeleted file mode 100644\n", "contradicts itself"),
        (_GIT + b"new file mode 100644\nrename from f\nrename to g\n", "contradicts itself"),
        (_GIT + b"rename from f\ncopy to g\n", "both copied and renamed"),
        (_GIT + b"--- /dev/null\n+++ b/f\n" + _HUNK, "/dev/null, against the lines above"),
        (_GIT + b"new file mode 100644\n" + _SIDES + _HUNK, "does not say /dev/null"),
        (_GIT + b"--- a/f\n+++ b/g\n" + _HUNK, "names both f and g"),
        (b"diff --git a/f b/g\n--- a/f\n+++ b/g\n" + _HUNK, "no `rename from`"),
        (b"diff --git a/f b/g\nold mode 100644\nnew mode 100755\n", "does not say which file"),
        (b"diff --git src/f src/f\n" + b"--- src/f\n+++ src/f\n" + _HUNK, "without the usual prefixes"),
        (b"diff --git a/f b/f\r\n--- a/f\r\n+++ b/f\r\n", "carriage return"),
        (b'diff --git "a/\\x" "b/\\x"\n--- "a/\\x"\n+++ "b/\\x"\n' + _HUNK, "malformed quoted name"),
        (_GIT + _SIDES + b"@@ -1 +1 @@\n-a\n+b\n@@ junk\n@@ -3 +3 @@\n-a\n+b\n", "hunk without a file header"),
    ],
)
def test_headers_that_are_damaged_or_contradict_themselves_are_refused(data: bytes, message: str) -> None:
    with pytest.raises(PatchFormatError, match=message) as caught:
        parse_changes(data, file="x")
    assert caught.value.where.line is not None


def test_too_many_bytes_or_lines_are_refused_before_they_are_split(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lines, "MAX_PATCH_BYTES", 100)
    with pytest.raises(PatchFormatError, match="larger than"):
        parse_changes(b"x" * 101, file="x")
    monkeypatch.setattr(lines, "MAX_PATCH_BYTES", MAX_PATCH_BYTES)
    with pytest.raises(PatchFormatError, match="larger than"):
        parse_changes(b"\n" * (MAX_PATCH_LINES + 1), file="x")


@pytest.mark.parametrize(
    "unit",
    [
        b"diff --git a/" + b"x " * 2000 + b" b/y\n",
        b'diff --git "a/' + b"\\" * 4000 + b"\n",
        b"--- " + b" " * 4000 + b"\n+++ x\n",
        b"From " + b"1:11:11 111 " * 400 + b"\n",
        b"Binary files " + b" and differ" * 400 + b"\n",
    ],
)
def test_hostile_lines_take_time_in_proportion(unit: bytes) -> None:
    start = time.process_time()
    for _ in range(2):
        with pytest.raises(PatchFormatError):
            parse_changes(unit * 200, file="x")
    assert time.process_time() - start < 2
