from __future__ import annotations

import pytest
from packaging.version import Version

from patchq.model.policy import Policy
from patchq.queue.conditions import Standpoint, highest, ruling_of, version_of


@pytest.mark.parametrize(
    ("tag", "version"),
    [
        ("v0.5.9", "0.5.9"),
        ("0.5.9.post1", "0.5.9.post1"),
        ("v6.1-rc3", "6.1rc3"),
        ("release-1.2", "1.2"),
        ("engine/v0.3", "0.3"),
        ("kernel-v0.3.5", "0.3.5"),
        ("nightly", None),
        ("v0.5.9-is-out", None),
    ],
)
def test_the_version_in_a_tag(tag: str, version: str | None) -> None:
    assert version_of(tag) == (None if version is None else Version(version))


def test_a_branch_counts_as_the_highest_release_that_it_contains() -> None:
    assert highest(["v0.5.9", "v0.5.10", "v0.5.2", "gateway-v3.0", "latest"]) == Standpoint(
        Version("0.5.10"), "v0.5.10"
    )
    assert highest(["engine-1.2", "engine-1.10"]) == Standpoint(Version("1.10"), "engine-1.10")
    assert highest(["engine-1.2", "gateway-v3.0"]) == Standpoint(None)
    assert highest([]) == Standpoint(None)


def test_since_and_until_divide_all_versions_between_them() -> None:
    new, old = Policy(since=Version("0.6")), Policy(until=Version("0.6"))
    for text in ("0.5.9", "0.5.99.post1", "0.6.dev1", "0.6rc1", "0.6", "0.6.1", "1.0a1"):
        at = Standpoint(Version(text), text)
        assert bool(ruling_of(new, text, at).guard) is not bool(ruling_of(old, text, at).guard)


def test_a_guard_says_what_was_asked_and_of_what() -> None:
    policy = Policy(since=Version("0.6"))
    at = Standpoint(Version("0.5.9"), "v0.5.9")
    assert ruling_of(policy, "v0.5.9", at).guard == "Since: 0.6; not for v0.5.9"
    assert ruling_of(policy, "main", at).guard == "Since: 0.6; not for main, which counts as 0.5.9 by the tag v0.5.9"


def test_without_a_version_a_patch_is_carried_and_that_is_said() -> None:
    told = ruling_of(Policy(since=Version("0.6")), "main", Standpoint(None))
    assert not told.guard
    assert "cannot be told" in told.note
