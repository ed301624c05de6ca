from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from hypothesis import given, settings

from patchq.patchfile.parse import parse_changes
from patchq.patchfile.recount import Doubt, Trimmed, recount, restore_blanks
from patchq.patchfile.render import render_changes
from tests.patchfile.strategies import CHANGE_LISTS

if TYPE_CHECKING:
    from patchq.model.change import FileChange

HEAD = b"--- a/f.py\n+++ b/f.py\n"


@settings(max_examples=30)
@given(CHANGE_LISTS)
def test_a_right_patch_is_left_alone(changes: tuple[FileChange, ...]) -> None:
    raw = render_changes(changes)
    assert recount(raw) == (raw, ())
    assert restore_blanks(raw) == (raw, ())


def test_counts_and_later_starts_are_repaired() -> None:
    wrong = (
        HEAD + b"@@ -1,9 +1,9 @@ def f():\n a\n-b\n+c\n+d\n\n@@ -20 +20 @@\n-x\n+y\n+z\n-- \n2.39\n\n"
        b"--- a/g\n+++ b/g\n@@ -1,5 +1,5 @@\n-a\n--- a/x\n+++ b/y\n-- \n2.39\n"
    )
    right = (
        HEAD + b"@@ -1,3 +1,4 @@ def f():\n a\n-b\n+c\n+d\n\n@@ -20 +21,2 @@\n-x\n+y\n+z\n-- \n2.39\n\n"
        b"--- a/g\n+++ b/g\n@@ -1,2 +1 @@\n-a\n--- a/x\n+++ b/y\n-- \n2.39\n"
    )
    fresh, found = recount(wrong)
    assert fresh == right
    assert [(one.line, one.hunk, one.stated, one.counted, one.doubt) for one in found] == [
        (3, 1, (9, 9), (3, 4), None),
        (9, 2, (1, 1), (1, 2), None),
        (18, 1, (5, 5), (2, 1), None),
    ]
    first, second = parse_changes(right, file="x")
    assert (first.path, second.path) == (b"f.py", b"g")


def test_trimmed_blank_lines_that_the_header_counts_are_counted() -> None:
    data = HEAD + b"@@ -1,3 +1,3 @@\n-a\n+b\n\n\n"
    assert recount(data) == (data, ())
    assert restore_blanks(data) == (
        HEAD + b"@@ -1,3 +1,3 @@\n-a\n+b\n \n \n",
        (Trimmed(line=6, hunk=1, count=2),),
    )


@pytest.mark.parametrize(
    ("hunk", "doubt"),
    [
        (b"@@ -1,9 +1,3 @@\n-a\n+b\n\n\n", Doubt.BLANKS),
        (b"@@ -1,4 +1,4 @@\n-a\n+b\n c\n d\n", Doubt.CUT_OFF),
        (b"@@ -1,2 +1,4 @@\n a\n b\n+c\n", Doubt.CUT_OFF),
        (b"@@ -1,2 +1,4 @@\n a\n+c\n b\n", None),
        (b"@@ -1,2 +1,2 @@\n a\n+c\n b\n+d\n", None),
        (b"@@ -1,4 +1,4 @@\n-a\n+b\n c\n d\n-- \n2.39\n", None),
    ],
)
def test_where_a_patch_may_be_cut_off_or_blanks_may_be_context_there_is_a_doubt(
    hunk: bytes, doubt: Doubt | None
) -> None:
    assert [one.doubt for one in recount(HEAD + hunk)[1]] == [doubt]


def test_new_and_deleted_files_are_known() -> None:
    new = b"--- /dev/null\n+++ b/n\n@@ -0,0 +1,9 @@\n+a\n+b\n--- a/o\n+++ /dev/null\n@@ -1,9 +0,0 @@\n-a\n"
    changes = parse_changes(recount(new)[0], file="x")
    assert [change.path for change in changes] == [b"n", b"o"]
    assert b"@@ -0,0 +1,2 @@" in render_changes(changes)
    assert b"@@ -1 +0,0 @@" in render_changes(changes)


def test_blanks_of_crlf_files_come_back_and_what_looks_like_a_hunk_in_the_message_stays() -> None:
    said = b"Subject: x\n\n@@ -1,9 +1,9 @@\n\nwords\n---\n"
    trimmed = said + HEAD + b"@@ -1,3 +1,3 @@\n a\r\n\r\n-b\r\n+c\r\n"
    fresh, found = restore_blanks(trimmed)
    assert fresh == said + HEAD + b"@@ -1,3 +1,3 @@\n a\r\n \r\n-b\r\n+c\r\n"
    assert found == (Trimmed(line=11, hunk=1, count=1),)
    assert recount(fresh) == (fresh, ())
    cut = HEAD + b"@@ -1,9 +1,9 @@\n a\n\n-b\n+c\n"
    assert restore_blanks(cut) == (cut, ())
