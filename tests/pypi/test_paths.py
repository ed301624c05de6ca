from __future__ import annotations

import pytest

from patchq.errors import ReleaseError, UsageError
from patchq.pypi.paths import check_path, parse_prefix

BAD = [
    b"",
    b"/etc/passwd",
    b"../up",
    b"a/../../up",
    b"a//b",
    b"./a",
    b"a/",
    b"C:/windows",
    b"a\\..\\b",
    b"a\0b",
    b".git/config",
    b"a/.GIT/hooks/post-checkout",
    b"a/.git. /x",
    b"GIT~1/x",
    b".git::$INDEX_ALLOCATION/x",
    ".g\u200cit/x".encode(),
    b"d" * 1025,
    b"d/" * 100 + b"f",
]


@pytest.mark.parametrize("path", BAD, ids=lambda path: repr(path[:20]))
def test_a_path_that_leads_out_of_the_tree_is_refused(path: bytes) -> None:
    with pytest.raises(ReleaseError, match="has a member named"):
        check_path(path)


@pytest.mark.parametrize(
    "path", [b".gitignore", b"a/.github/x.yml", b"a b/\xff.py", b"git/x", b"..a", b"note:b", b"a/..."]
)
def test_an_unusual_path_is_no_attack(path: bytes) -> None:
    assert check_path(path) == path


def test_a_prefix_is_a_folder_with_or_without_its_slash() -> None:
    assert parse_prefix("python/") == parse_prefix("python") == b"python/"
    assert parse_prefix("a/b") == b"a/b/"
    assert parse_prefix("") == b""


@pytest.mark.parametrize("text", ["/", "/usr", "../x", "a//b", ".git", "a\nb"])
def test_a_prefix_that_leads_elsewhere_is_a_usage_error(text: str) -> None:
    with pytest.raises(UsageError, match="prefix"):
        parse_prefix(text)
