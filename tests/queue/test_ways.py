from __future__ import annotations

import pytest

from patchq.queue.prefixes import Way, way_below, ways

PATHS = [b"python/pkg/a.py", b"python/pkg/sub/b.py", b"tests/test_a.py", b"python/setup.py"]


@pytest.mark.parametrize(
    ("files", "cut", "put"),
    [
        ([b"python/pkg/a.py", b"python/pkg/sub/b.py", b"build/lib/pkg/a.py"], b"", b""),
        ([b"pkg/a.py", b"pkg/sub/b.py", b"vendor/pkg/a.py", b"vendor/pkg/sub/b.py"], b"python/", b""),
        ([b"x-1.0/python/pkg/a.py", b"x-1.0/tests/test_a.py"], b"", b"x-1.0/"),
        ([b"lib/site-packages/pkg/a.py", b"cache/pkg/a.py"], b"python/", b"lib/site-packages/"),
        ([b"a.py", b"sub/b.py"], b"python/pkg/", b""),
    ],
)
def test_paths_are_found_below_any_prefix(files: list[bytes], cut: bytes, put: bytes) -> None:
    [way] = ways(PATHS, files)
    assert (way.cut, way.put) == (cut, put)


def test_two_places_are_two_and_a_bare_name_is_none() -> None:
    assert {way.put for way in ways(PATHS, [b"one/pkg/a.py", b"two/pkg/a.py"])} == {b"one/", b"two/"}
    assert ways(PATHS, [b"other/a.py", b"lib/b.py"]) == ()
    below = way_below(b"two/", PATHS, [b"one/pkg/a.py", b"two/pkg/a.py"])
    assert below is not None
    assert below.of(b"python/pkg/a.py") == b"two/pkg/a.py"


def test_a_way_says_what_such_a_tree_does_not_hold() -> None:
    [way] = ways(PATHS, [b"pkg/a.py"])
    assert way.of(b"tests/test_a.py") is None
    assert [path for path in PATHS if way.holds(path)] == PATHS[:2]
    assert Way().holds(b"tests/test_a.py")
