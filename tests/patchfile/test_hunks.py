"""Hunks that people edited: counts, markers and blanks, told apart from what cannot be meant."""

from __future__ import annotations

import pytest

from patchq.errors import PatchFormatError
from patchq.model.change import Hunk, HunkLine, LineKind, TextBody
from patchq.patchfile.parse import parse_changes

_HEAD = b"diff --git a/f.py b/f.py\n--- a/f.py\n+++ b/f.py\n"
_MARKER = b"\\ No newline at end of file\n"


def _hunks(data: bytes) -> tuple[Hunk, ...]:
    (change,) = parse_changes(data, file="f.patch")
    assert isinstance(change.body, TextBody)
    return change.body.hunks


def _refusal(data: bytes) -> PatchFormatError:
    with pytest.raises(PatchFormatError) as caught:
        parse_changes(data, file="f.patch", first_line=100)
    return caught.value


def test_a_missing_count_means_one() -> None:
    (hunk,) = _hunks(_HEAD + b"@@ -7 +7 @@ class A:\n-a\n+b\n")
    assert (hunk.old_start, hunk.new_start, hunk.section) == (7, 7, b"class A:")
    assert (hunk.old_lines, hunk.new_lines) == ((b"a\n",), (b"b\n",))


@pytest.mark.parametrize(
    ("body", "message"),
    [
        (b"@@ -1,3 +1,3 @@\n a\n-b\n+c\n", "the patch ends inside a hunk: 1 old and 1 new lines"),
        (b"@@ -1,3 +1,3 @@\n a\n-b\n+c\ndiff --git a/x b/x\n", "the hunk is too short: 1 old and 1 new lines"),
        (b"@@ -1,1 +1,3 @@\n a\n-b\n+c\n", "more lines than its header says"),
        (b"@@ -1,2 +1,1 @@\n a\n-b\n+c\n", "more lines than its header says"),
        (b"@@ -1,2 +1,1 @@\n a\n-b\n c\n", "more lines than its header says"),
        (b"@@ -1,2 +1,1 @@\n a\n-b\n\n\n-c\n", "more lines than its header says"),
    ],
)
def test_wrong_counts_are_refused_with_file_line_and_hunk(body: bytes, message: str) -> None:
    error = _refusal(_HEAD + b"@@ -0,0 +1 @@\n+first\n" + body.replace(b"-1,", b"-5,").replace(b"+1,", b"+6,"))
    assert message in error.message
    assert (error.where.file, error.where.hunk) == ("f.patch", 2)
    assert error.where.line is not None
    assert error.where.line >= 105
    assert "git diff" in (error.hint or "")


def test_a_new_file_with_a_short_count_is_refused_where_git_apply_drops_a_line() -> None:
    data = b"--- /dev/null\n+++ b/f.py\n@@ -0,0 +1,2 @@\n+a\n+b\n+c\n"
    assert "more lines" in _refusal(data).message


@pytest.mark.parametrize(
    "tail", [b"-- \n2.39.5\n", b"--\n2.39.5\n", b"\n-- \n2.39.5\n\n", b"\nFrom me\n", b"text\n", b"\n\n"]
)
def test_a_signature_or_text_behind_the_last_hunk_is_passed_over(tail: bytes) -> None:
    data = _HEAD + b"@@ -1 +1 @@\n-a\n+b\n"
    assert _hunks(data + tail) == _hunks(data)


def test_a_removed_line_that_looks_like_a_signature_or_header_is_a_line() -> None:
    (hunk,) = _hunks(_HEAD + b"@@ -1,3 +1,3 @@\n-- \n-- a/x\n---\n+++ b/x\n++\n+@@ -1 +1 @@\n")
    assert hunk.old_lines == (b"- \n", b"- a/x\n", b"--\n")
    assert hunk.new_lines == (b"++ b/x\n", b"+\n", b"@@ -1 +1 @@\n")


def test_blank_context_lines_that_an_editor_trimmed_count_as_context() -> None:
    (hunk,) = _hunks(_HEAD + b"@@ -1,4 +1,4 @@\n\n-a\n+b\n \n\n")
    assert hunk.old_lines == (b"\n", b"a\n", b"\n", b"\n")


@pytest.mark.parametrize(
    ("body", "old", "new"),
    [
        (b"-a\n" + _MARKER + b"+b\n", b"a", b"b\n"),
        (b"-a\n+b\n" + _MARKER, b"a\n", b"b"),
        (b"-a\n" + _MARKER + b"+b\n" + _MARKER, b"a", b"b"),
        (b"-a\n\\ Kein Zeilenumbruch am Dateiende.\n+b\n", b"a", b"b\n"),
    ],
)
def test_the_no_newline_marker_is_read_on_either_side(body: bytes, old: bytes, new: bytes) -> None:
    (hunk,) = _hunks(_HEAD + b"@@ -1 +1 @@\n" + body)
    assert (b"".join(hunk.old_lines), b"".join(hunk.new_lines)) == (old, new)


def test_the_marker_behind_a_context_line_holds_for_both_sides() -> None:
    (hunk,) = _hunks(_HEAD + b"@@ -1,2 +1 @@\n-a\n b\n" + _MARKER)
    assert hunk.lines[-1] == HunkLine(LineKind.CONTEXT, b"b")


@pytest.mark.parametrize(
    ("body", "message"),
    [
        (b"@@ -1,2 +1,2 @@\n-a\n" + _MARKER + b"-b\n+c\n+d\n", "lines follow behind the end of the file"),
        (b"@@ -1 +1 @@\n" + _MARKER + b"-a\n+b\n", "no-newline marker without a line"),
        (b"@@ -1 +1 @@\n-a\n+b\n" + _MARKER + _MARKER, "more lines than its header says"),
        (b"@@ -1,2 +1,2 @@\n a\n b\n", "changes nothing"),
        (b"@@ -0,1 +1,2 @@\n a\n+b\n", "count from 1"),
        (b"@@ -1 +1 @\n-a\n+b\n", "malformed hunk header"),
        (b"@@ -99999999999 +1 @@\n-a\n+b\n", "malformed hunk header"),
        (b"@@ -5 +5 @@\n-a\n+b\n@@ -5 +5 @@\n-a\n+b\n", "overlaps"),
        (b"@@ -5 +5 @@\n-a\n+b\n@@ -1 +1 @@\n-a\n+b\n", "overlaps"),
        (b"@@ -1 +1 @@\n-a\n+b", "ends in the middle of a line"),
        (b"@@ -1,2 +1,2 @@\r\n a\r\n\r\n", "malformed|too short|ends inside"),
    ],
)
def test_hunks_that_no_diff_can_hold_are_refused(body: bytes, message: str) -> None:
    with pytest.raises(PatchFormatError, match=message):
        parse_changes(_HEAD + body, file="f.patch")
