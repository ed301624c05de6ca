"""The number of the pull request or merge request that a commit of upstream came with, from its messages alone."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

_LARGEST = 9  # digits; a longer run is no number of a request
_NUMBER = rf"(\d{{1,{_LARGEST}}})(?!\d)"

# What forges write into the subject: GitHub's and GitLab's squash merges a suffix; GitHub's, Bitbucket's and Azure's
# merges, and the merge bots bors and homu, a phrase of their own.
_SUFFIX = re.compile(rf"\((?:#|!|PR #?|pull request #){_NUMBER}\)\s*$", re.IGNORECASE)
_PHRASES = (
    re.compile(rf"Merge pull request #{_NUMBER} (?:from|in) "),
    re.compile(rf"Merge(?:d)? PR #?{_NUMBER}\b"),
    re.compile(rf"Merged in .* \(pull request #{_NUMBER}\)"),
    re.compile(rf"Pull request #{_NUMBER}: "),
    re.compile(rf"(?:Auto merge of|Merge) (?:[\w.-]+/[\w.-]+)?#{_NUMBER}\b"),
)
# … and into the body: GitLab's merges, and trailers of landing tools. `Fixes:` and `Closes:` name issues.
_SEE = re.compile(rf"^See merge request \S*!{_NUMBER}\s*$", re.MULTILINE)
_TRAILER = re.compile(
    r"^(?:PR-URL|Pull-Request(?:-URL)?|Pull Request resolved|Part-of|Merge-Request|MR-URL|Reviewed-on):[ \t]*(.*)$",
    re.MULTILINE | re.IGNORECASE,
)
_ADDRESS = re.compile(rf"/(?:pull|pulls|pull-requests|merge_requests)/{_NUMBER}|^<?[#!]?{_NUMBER}>?$")


def pull_request(messages: Sequence[bytes]) -> int | None:
    """Return the number that the first of `messages` with one names, None where none does.

    `messages` are those of a commit and of the merges that brought it, from the innermost one outward. Gerrit's changes
    have no such number.
    """
    for message in messages:
        number = _number(message.decode("utf-8", "replace"))
        if number is not None:
            return number
    return None


def _number(message: str) -> int | None:
    head, _, body = message.strip().partition("\n")
    subject = head.strip()
    for pattern in (_SUFFIX, *_PHRASES):
        found = pattern.search(subject) if pattern is _SUFFIX else pattern.match(subject)
        if found is not None:
            return int(found[1])
    seen = _SEE.search(body)
    if seen is not None:
        return int(seen[1])
    for value in _TRAILER.findall(body):
        found = _ADDRESS.search(value.strip())
        if found is not None:
            return int(found[1] or found[2])
    return None
