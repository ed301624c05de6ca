"""Whether the condition of a patch holds for an upstream state, which has a version or has none."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from packaging.version import InvalidVersion, Version

from patchq.model.policy import Policy, Ruling
from patchq.patchfile.policy import before

if TYPE_CHECKING:
    from collections.abc import Iterable

_PLAIN = re.compile(r"v?\d.*", re.IGNORECASE)
_NAMED = re.compile(r"(?P<product>.*?)[-_/]v?(?P<version>\d.*)", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Standpoint:
    """An upstream state for conditions: the version it counts as (None: not known), and the tag that says so."""

    version: Version | None
    tag: str | None = None


def version_of(tag: str) -> Version | None:
    """Read the version in the name of a release's tag: `v0.5.9`, `0.5.9`, `release-0.5.9`, `engine/v0.5.9`."""
    named = _NAMED.fullmatch(tag)
    for text in (tag, "" if named is None else named["version"]):
        try:
            return Version(text)
        except InvalidVersion:
            continue
    return None


def highest(tags: Iterable[str]) -> Standpoint:
    """Choose among the tags that a state contains: the highest version, for its code is all there.

    Tags that are versions as they stand come first. Where there are none, those with a product in front count, but only
    if it is one product: `kernel-v3.0` says nothing about the engine beside it.
    """
    known = [(version, tag) for tag in tags if (version := version_of(tag)) is not None]
    plain = [one for one in known if _PLAIN.fullmatch(one[1])]
    products = {found["product"] for _, tag in known if (found := _NAMED.fullmatch(tag))}
    chosen = plain or (known if len(products) == 1 else [])
    return Standpoint(*max(chosen, default=(None, None)))


def ruling_of(policy: Policy, ref: str, at: Standpoint) -> Ruling:
    """Say whether `policy` has its patch carried on `ref`; where that cannot be told it is carried, with a note."""
    if not policy.condition:
        return Ruling(policy)
    if at.version is None:
        note = f"whether its condition holds ({policy.condition}) cannot be told: {ref} contains no tag with a version"
        return Ruling(policy, note=f"{note}; it is carried")
    early = policy.since is not None and before(at.version, policy.since)
    late = policy.until is not None and not before(at.version, policy.until)
    if not early and not late:
        return Ruling(policy)
    counts = "" if at.tag == ref else f", which counts as {at.version} by the tag {at.tag}"
    return Ruling(policy, guard=f"{policy.condition}; not for {ref}{counts}")
