"""Diffs without git's header lines: diff(1), quilt, Subversion, and the -p of patch(1)."""

from __future__ import annotations

import pytest

from patchq.errors import PatchFormatError
from patchq.model.change import ChangeKind, FileChange
from patchq.model.tree import Mode
from patchq.patchfile.parse import find_diff, parse_changes
from patchq.patchfile.render import render_changes

_HUNK = b"@@ -1 +1 @@\n-a\n+b\n"
_ADDED = b"@@ -0,0 +1 @@\n+b\n"
_REMOVED = b"@@ -1 +0,0 @@\n-a\n"


def _one(data: bytes, strip: int = 1) -> FileChange:
    (change,) = parse_changes(data, file="x", strip=strip)
    return change


@pytest.mark.parametrize(
    "header",
    [
        b"--- a/d/f.py\n+++ b/d/f.py\n",
        b"--- a/d/f.py\t2024-01-02 03:04:05.678901234 +0100\n+++ b/d/f.py\t2024-01-02 03:04:06.000000000 +0100\n",
        b"--- a/d/f.py 2024-01-02 03:04:05 +0100\n+++ b/d/f.py 2024-01-02 03:04:05 +0100\n",
        b"Index: project/d/f.py\n" + b"=" * 67 + b"\n--- project.orig/d/f.py\n+++ project/d/f.py\n",
        b"Index: d/f.py\n" + b"=" * 67 + b"\n--- a/d/f.py\t(revision 12)\n+++ b/d/f.py\t(working copy)\n",
        b"diff -ru old/d/f.py new/d/f.py\n--- old/d/f.py\tx\n+++ new/d/f.py\tx\n",
        b"--- a/d/f.py.orig\n+++ b/d/f.py\n",
        b'--- "a/d/f.py"\n+++ "b/d/f.py"\t2024-01-02 03:04:05 +0100\n',
        b"--- a/d/f.py\t1970-01-01 00:00:00.000000000 +0000\n+++ b/d/f.py\t1970-01-01 00:00:00 +0000\n",
    ],
)
def test_names_are_read_without_what_stands_behind_them(header: bytes) -> None:
    change = _one(header + _HUNK)
    assert (change.kind, change.old_path, change.new_path) == (ChangeKind.MODIFY, b"d/f.py", b"d/f.py")
    assert (change.old_mode, change.old_id) == (None, None)


def test_a_name_with_blanks_keeps_them() -> None:
    assert _one(b"--- a/my file.py\n+++ b/my file.py\n" + _HUNK).path == b"my file.py"
    assert _one(b"--- a/my file.py\t\n+++ b/my file.py\t\n" + _HUNK).path == b"my file.py"


@pytest.mark.parametrize(("strip", "path"), [(0, b"a/deep/f.py"), (1, b"deep/f.py"), (2, b"f.py")])
def test_leading_parts_are_removed_as_asked(strip: int, path: bytes) -> None:
    assert _one(b"--- a/deep/f.py\n+++ a/deep/f.py\n" + _HUNK, strip).path == path


def test_removing_the_whole_name_is_refused_with_the_option_to_try() -> None:
    with pytest.raises(PatchFormatError, match="nothing left after removing 1") as caught:
        parse_changes(b"--- f.py\n+++ f.py\n" + _HUNK, file="x")
    assert "-p0" in (caught.value.hint or "")


@pytest.mark.parametrize(
    "old",
    [
        b"/dev/null",
        b"/dev/null\t2024-01-02 03:04:05 +0000",
        b"a/f.py\t1970-01-01 00:00:00.000000000 +0000",
        b"a/f.py\t1970-01-01 01:00:00.000000000 +0100",
        b"a/f.py\t1969-12-31 19:00:00.000000000 -0500",
    ],
)
def test_a_new_file_is_known_by_dev_null_or_by_the_oldest_timestamp(old: bytes) -> None:
    change = _one(b"--- " + old + b"\n+++ b/f.py\t2024-01-02 03:04:05 +0000\n" + _ADDED)
    assert (change.kind, change.old_path, change.new_mode) == (ChangeKind.CREATE, None, Mode.REGULAR)


def test_an_empty_file_that_gets_its_first_line_is_not_new() -> None:
    assert _one(b"--- a/f.py\n+++ b/f.py\n" + _ADDED).kind is ChangeKind.MODIFY


@pytest.mark.parametrize("new", [b"/dev/null", b"b/f.py\t1970-01-01 00:00:00 +0000"])
def test_a_deleted_file_is_known_alike_and_written_without_a_mode_that_nobody_knows(new: bytes) -> None:
    change = _one(b"--- a/f.py\n+++ " + new + b"\n" + _REMOVED)
    assert (change.kind, change.new_path, change.old_mode) == (ChangeKind.DELETE, None, None)
    written = render_changes((change,))
    assert written == b"--- a/f.py\n+++ /dev/null\n" + _REMOVED
    assert parse_changes(written, file="x") == (change,)


def test_a_plain_change_is_written_as_git_writes_it() -> None:
    change = _one(b"--- a/f g.py\n+++ b/f g.py\n" + _HUNK)
    assert render_changes((change,)) == b"diff --git a/f g.py b/f g.py\n--- a/f g.py\t\n+++ b/f g.py\t\n" + _HUNK


def test_text_around_and_between_files_is_passed_over_and_the_section_is_found() -> None:
    one = b"Index: x/f\n======\n--- x/f\n+++ x/f\n" + _HUNK
    two = b"some words\n\ndiff -u x/g\n--- x/g\n+++ x/g\n" + _HUNK
    section = find_diff(b"why\n\n" + one + two + b"\nend\n", file="x")
    assert [change.path for change in section.changes] == [b"f", b"g"]
    assert (b"why\n\n" + one + two + b"\nend\n")[section.start : section.end] == one + two


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"--- a/f\n+++ b/g\n" + _HUNK, "names two files"),
        (b"--- /dev/null\n+++ /dev/null\n" + _HUNK, "both sides"),
        (b"--- a/f\n+++ b/f\nno hunk\n", "without any hunk"),
        (b"--- /dev/null\n+++ b/f\n" + _HUNK, "new file f is not given as one hunk of added lines"),
        (b"--- a/f\n+++ /dev/null\n" + _HUNK, "deleted file f is not given as one hunk of removed lines"),
        (b"--- /dev/null\n+++ b/f\n@@ -0,0 +1 @@\n+a\n@@ -5,0 +7 @@\n+b\n", "not given as one hunk"),
        (b"--- a/f\r\n+++ b/f\r\n@@ -1 +1 @@\r\n-a\r\n+b\r\n", "carriage return"),
        (b"--- a/f\n+++ b/f\n" + _HUNK + b"Only in b: g\n", "leaves a whole file out"),
        (b"Binary files a/f and b/f differ\n", "contents of a binary file are missing"),
        (b"*** a/f\n--- b/f\n***************\n*** 1 ****\n", "context diff"),
        (_HUNK, "hunk without a file header"),
    ],
)
def test_what_would_be_lost_or_guessed_is_refused(data: bytes, message: str) -> None:
    with pytest.raises(PatchFormatError, match=message):
        parse_changes(data, file="x")
