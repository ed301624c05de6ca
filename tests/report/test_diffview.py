from __future__ import annotations

from patchq.report.diffview import diff_view
from patchq.report.style import Colour, Style

DIFF = b"""\
From: Ada <ada@example.org>
Subject: Remove a comment

---
diff --git a/q.sql b/q.sql
index 1111111..2222222 100644
--- a/q.sql
+++ b/q.sql
@@ -1,3 +1,2 @@ section
 select
--- a comment
 from t
\\ No newline at end of file
"""


def test_without_colour_a_plain_patch_is_itself() -> None:
    assert diff_view(DIFF, Style()) + "\n" == DIFF.decode()


def test_a_removed_line_that_looks_like_a_file_head_is_red() -> None:
    lines = diff_view(DIFF, Style(Colour.ON)).split("\n")
    assert lines[3:] == [
        "\x1b[1m---\x1b[0m",
        "\x1b[1mdiff --git a/q.sql b/q.sql\x1b[0m",
        "\x1b[1mindex 1111111..2222222 100644\x1b[0m",
        "\x1b[1m--- a/q.sql\x1b[0m",
        "\x1b[1m+++ b/q.sql\x1b[0m",
        "\x1b[36m@@ -1,3 +1,2 @@ section\x1b[0m",
        " select",
        "\x1b[31m--- a comment\x1b[0m",
        " from t",
        "\\ No newline at end of file",
    ]


def test_what_the_terminal_would_obey_is_written_out_and_tabs_stay() -> None:
    shown = diff_view(b"@@ -0,0 +1 @@\n+\ta\x1b[2J\xff\r\n", Style(Colour.ON))
    assert shown.split("\n")[1] == "\x1b[32m+\ta\\x1b[2J\\xff\\r\x1b[0m"


def test_a_hunk_without_counts_has_one_line_a_side() -> None:
    shown = diff_view(b"@@ -1 +1 @@\n-a\n+b\n--- a/x\n", Style(Colour.ON)).split("\n")
    assert shown[-1] == "\x1b[1m--- a/x\x1b[0m"
