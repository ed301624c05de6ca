from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from patchq.errors import Where
from patchq.model.finding import Rule, Severity
from patchq.model.names import PatchName
from patchq.queue.lint import Linted, lint_patch
from patchq.queue.lint_pairs import order_findings, same_changes
from tests.queue.series import DictTree, Texts, patch

if TYPE_CHECKING:
    from patchq.model.patch import Patch

HEAD = b"From: A <a@b>\nDate: Mon, 1 Jan 2024 00:00:00 +0000\nSubject: x\n\nBecause.\n\nForwarded: no\n"
DIFF = b"---\n--- a/f.py\n+++ b/f.py\n@@ -1,3 +1,3 @@\n a\n-b\n+B\n c\n"


def lint(data: bytes) -> Linted:
    return lint_patch(PatchName("x"), data, file="x.patch")


def rules(data: bytes) -> list[tuple[str, int | None, int | None, bool]]:
    return [(one.rule.value, one.where.line, one.where.hunk, one.fixable) for one in lint(data).findings]


def test_a_patch_in_order_has_no_findings_and_is_its_own_repair() -> None:
    linted = lint(HEAD + DIFF)
    assert (linted.findings, linted.mended) == ((), linted.patch)


@pytest.mark.parametrize(
    ("data", "expected"),
    [
        (HEAD + DIFF.replace(b"1,3 @@", b"1,9 @@") + b" d\n", ("wrong-count", 11, 1, True)),
        (HEAD + DIFF.replace(b"-1,3", b"-1,9"), ("wrong-count", 11, 1, False)),
        (HEAD + DIFF.replace(b" c\n", b"\n"), ("trimmed-blank", 15, 1, True)),
        (HEAD + DIFF.replace(b"@@ -1,3 +1,3 @@", b"@@ one @@"), ("malformed", 9, None, False)),
        (HEAD + DIFF.replace(b" a\n", b" a\r\n").replace(b" c\n", b" c\r\n"), ("line-ends", None, 1, False)),
        (HEAD.replace(b"Because.\n\n", b"") + DIFF, ("no-reason", 3, None, False)),
        (HEAD.replace(b"Forwarded: no", b"Bug: 1") + DIFF, ("no-status", 3, None, False)),
        (HEAD + b"Singed-off-by: A <a@b>\n" + DIFF, ("unknown-trailer", 8, None, False)),
        (HEAD + b"Expects: f.py::A[12]\n" + DIFF, ("misspelt-intent", 8, None, False)),
        (HEAD.replace(b"Because.", b"Because.\nMirorr: f.py::A[1] = [2]") + DIFF, ("misspelt-intent", 6, None, False)),
        (HEAD + b"---\n", ("changes-nothing", None, None, False)),
    ],
)
def test_each_rule_names_line_and_hunk(data: bytes, expected: tuple[str, int | None, int | None, bool]) -> None:
    assert rules(data) == [expected]


@pytest.mark.parametrize(
    "trailer", [b"Signed-Off-By: A <a@b>", b"Bug-Debian: 7", b"X-Forwarde: 1", b"Cc: x", b"Frobnicate: 1", b"Except: x"]
)
def test_known_and_strange_trailers_are_no_near_misses(trailer: bytes) -> None:
    assert rules(HEAD + trailer + b"\n" + DIFF) == []


@pytest.mark.parametrize(
    "told", [b"Applied-Upstream: 1.2", b"Origin: backport, https://x", b"Upstream-Status: Pending"]
)
def test_each_way_to_say_what_upstream_knows_counts(told: bytes) -> None:
    assert rules(HEAD.replace(b"Forwarded: no", told) + DIFF) == []


def test_repairs_are_counts_and_blanks_and_the_patch_says_the_same() -> None:
    broken = HEAD + DIFF.replace(b"@@ -1,3 +1,3 @@", b"@@ -1,2 +1,2 @@").replace(b" a\n", b"\n")
    linted = lint(broken)
    assert linted.patch is None
    assert linted.mended is not None
    assert linted.mended.raw == HEAD + DIFF.replace(b" a\n", b" \n")
    assert lint(linted.mended.raw).findings == ()


def order(base: Texts, *patches: Patch) -> list[tuple[str, str, str]]:
    found = order_findings(patches, DictTree.of(base), lambda one: Where(patch=str(one.name)))
    return [(one.rule.value, str(one.where.patch), one.message) for one in found]


TEXT = "".join(f"{number}\n" for number in range(20))


def test_what_applies_in_order_and_touches_nothing_of_the_others_is_silent() -> None:
    one = patch("one", {"f": TEXT}, {"f": TEXT.replace("2\n", "two\n", 1)})
    two = patch("two", {"f": TEXT}, {"f": TEXT.replace("15\n", "fifteen\n")})
    assert order({"f": TEXT}, one, two) == []


def test_a_patch_that_needs_a_later_one_and_one_that_fits_nowhere_are_told_apart() -> None:
    added = TEXT + "new\n"
    needs = patch("needs", {"f": added}, {"f": added.replace("new\n", "newer\n")})
    adds = patch("adds", {"f": TEXT}, {"f": added})
    assert order({"f": TEXT}, needs, adds) == [
        ("wrong-order", "needs", "it applies only behind adds, which stands behind it")
    ]
    assert [one[:2] for one in order({"f": TEXT}, needs)] == [("does-not-apply", "needs")]


def test_leaning_on_context_and_changing_lines_of_a_patch_further_off_are_notes() -> None:
    states = [TEXT, TEXT.replace("5\n", "5\nnew\n", 1), "", ""]
    states[2] = states[1].replace("6\n", "six\n", 1)
    states[3] = states[2].replace("new\n", "newer\n")
    names = ("adds", "beside", "changes")
    patches = [patch(name, {"f": a}, {"f": b}) for name, a, b in zip(names, states, states[1:], strict=False)]
    found = order({"f": TEXT}, *patches)
    assert found[0] == (
        "leans-on",
        "beside",
        "it applies only behind adds, whose lines it has as context and does not change",
    )
    assert ("apart", "changes", "it changes lines of adds, with 1 patch between them") in found


def test_white_space_at_line_ends_is_named_as_the_cause() -> None:
    made = patch("x", {"f": "a\nb\nc\n"}, {"f": "a\nB\nc\n"})
    assert order({"f": "a \nb\nc\r\n"}, made) == [
        ("damaged-context", "x", "f: line 1 is the patch's but for white space at its end")
    ]


def test_the_same_edit_in_two_patches_is_told_at_the_later_one() -> None:
    line = "a_line_that_is_long_enough()\n"
    one = patch("one", {"f": TEXT}, {"f": line + TEXT})
    two = patch("two", {"f": TEXT}, {"f": TEXT + line, "g": "more\n"})
    short = patch("short", {"f": TEXT}, {"f": TEXT + "}\n"})
    again = patch("again", {"f": TEXT}, {"f": "}\n" + TEXT})
    found = [*same_changes([one, two, short, again], lambda patch: Where(patch=str(patch.name)))]
    assert [(one.where.patch, one.message) for one in found] == [("two", "f: hunk 1 makes an edit of one")]
    twin = patch("twin", {"f": TEXT}, {"f": TEXT + line})
    (told,) = same_changes([one, twin], lambda patch: Where(patch=str(patch.name)))
    assert (told.rule, told.severity, told.message) == (Rule.SAME_CHANGE, Severity.WARNING, "it does the same as one")
