from __future__ import annotations

import pytest

from patchq.queue.pull_request import pull_request


@pytest.mark.parametrize(
    ("message", "number"),
    [
        (b"Support SM120 (#12345)\n", 12345),
        (b'Revert "Support SM120 (#12345)" (#130)\n\nThis reverts commit 1234.\n', 130),
        (b"Support SM120 (!77)\n", 77),
        (b"Merge pull request #42 from ada/sizes\n\nSizes\n", 42),
        (b"Merge pull request #42 in PROJ/repo from sizes to main\n", 42),
        (b"Merged in sizes (pull request #8)\n\nSizes\n", 8),
        (b"Pull request #9: sizes\n", 9),
        (b"Merged PR 17: sizes\n", 17),
        (b"Auto merge of #501 - ada:sizes, r=carl\n", 501),
        (b"Merge bitcoin/bitcoin#2711: sizes\n", 2711),
        (b"Merge branch 'sizes' into 'main'\n\nSizes\n\nSee merge request group/sub/proj!123\n", 123),
        (b"sizes\n\nPR-URL: https://github.com/nodejs/node/pull/512\n", 512),
        (b"sizes\n\nPull Request resolved: https://github.com/pytorch/pytorch/pull/99\n", 99),
        (b"sizes\n\nPull-Request: #14\n", 14),
        (b"sizes\n\nPart-of: <https://gitlab.example.org/mesa/mesa/-/merge_requests/88>\n", 88),
    ],
)
def test_the_number_is_read_where_forges_write_it(message: bytes, number: int) -> None:
    assert pull_request([message]) == number


@pytest.mark.parametrize(
    "message",
    [
        b"Support SM120\n\nCloses: #12\nFixes #13\n",
        b"Support SM120\n\n(cherry picked from commit 1234567890)\n",
        b"Fix #12 in the table\n",
        b"sizes\n\nChange-Id: I0123456789\nReviewed-on: https://review.example.org/c/proj/+/812\n",
        b"Merge branch 'main' into sizes\n",
        b"Support (#99999999999999999999)\n",
        b"\xff\xfe\n",
        b"",
    ],
)
def test_issues_changes_and_picks_are_no_pull_requests(message: bytes) -> None:
    assert pull_request([message]) is None


def test_the_commit_speaks_before_the_merge_that_brought_it() -> None:
    assert pull_request([b"sizes (#5)\n", b"Merge pull request #6 from ada/release\n"]) == 5
    assert pull_request([b"sizes\n", b"Merge branch 'x'\n", b"Merge pull request #6 from ada/release\n"]) == 6
