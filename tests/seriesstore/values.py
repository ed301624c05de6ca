"""Values and strategies that the tests of the series store share."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hypothesis import strategies as st

from patchq.model.anchor import Fact
from patchq.model.judgement import UpstreamCommit
from patchq.model.names import PatchName
from patchq.model.patch import GitDate, Message, Patch
from patchq.model.series import (
    Entry,
    FileRecord,
    Ledger,
    LedgerEntry,
    Manifest,
    PatchRecord,
    Record,
    RefPoint,
    Retirement,
    Seen,
    Series,
    Sighting,
    Standing,
)
from patchq.model.verdict import ReviewClass, Rung, Verdict

if TYPE_CHECKING:
    from pathlib import Path

OLD = RefPoint("v1", "1" * 40, "a" * 40)
NEW = RefPoint("v2", "2" * 40, "b" * 40)

PATCH = b"""\
From: Ada Author <ada@example.org>
Date: Tue, 14 Nov 2023 22:13:20 +0000
Subject: [PATCH] greet %(name)s

Because they are there.
---
diff --git a/%(name)s.txt b/%(name)s.txt
index 8a1218a1024a212bb3db30becd860315f9f3ac52..0123456789012345678901234567890123456789 100644
--- a/%(name)s.txt
+++ b/%(name)s.txt
@@ -1,5 +1,5 @@
 1
 2
-3
+three
 4
 5
"""


def patch_text(name: str) -> bytes:
    return PATCH % {b"name": name.encode()}


def a_patch(name: str, raw: bytes | None = None) -> Patch:
    message = Message(author=None, date=None, subject=f"greet {name}".encode())
    return Patch(name=PatchName(name), message=message, changes=(), raw=patch_text(name) if raw is None else raw)


def a_record(base: RefPoint, *names: str, open_names: tuple[str, ...] = ()) -> Record:
    patches = tuple(
        PatchRecord(
            name=PatchName(name),
            verdict=Verdict.CONFLICT if name in open_names else Verdict.CLEAN,
            rung=None if name in open_names else Rung.EXACT,
            review=None if name in open_names else ReviewClass.A,
            digest="0" * 64,
            made_for=OLD if name in open_names else base,
            origin="v1",
        )
        for name in names
    )
    return Record(base=base, branch=f"patched/{base.ref}", branch_commit="c" * 40, patches=patches)


def a_series(ref: str, *names: str, open_names: tuple[str, ...] = (), record: Record | None = None) -> Series:
    entries = tuple(
        Entry(patch=a_patch(name), standing=Standing.NOT_CARRIED if name in open_names else Standing.CARRIED)
        for name in names
    )
    return Series(ref=ref, entries=entries, record=record)


def tree_of(root: Path) -> dict[str, bytes]:
    """Every file below `root`, hidden ones included."""
    return {str(path.relative_to(root)): path.read_bytes() for path in sorted(root.rglob("*")) if path.is_file()}


# Any text that can come out of bytes with surrogateescape.
texts = st.one_of(
    st.text(max_size=30),
    st.text(alphabet="ab \n\t\r:#-'\"|>&*[]{}\\\x85\u2028\ufeff\x00\x1b", max_size=12),
    st.binary(max_size=12).map(lambda raw: raw.decode("utf-8", "surrogateescape")),
    st.sampled_from(["null", "yes", "1.10", "0x1f", "1e3", "2024-01-01", "12e45678", "~", "- a", "a: b", "=", "<<"]),
)
lines = texts.filter(bool)
names = st.from_regex(r"[A-Za-z0-9_][A-Za-z0-9_+-]{0,20}", fullmatch=True).map(PatchName)
hexes = st.text(alphabet="0123456789abcdef", min_size=40, max_size=40)
ref_points = st.builds(RefPoint, lines, hexes, hexes)
facts = st.builds(
    Fact, anchor=lines, holds=st.lists(texts, max_size=3).map(tuple), lacks=st.lists(texts, max_size=2).map(tuple)
)
file_records = st.builds(
    FileRecord,
    path=lines,
    old_path=st.none() | lines,
    verdict=st.sampled_from(Verdict),
    rung=st.none() | st.sampled_from(Rung),
    evidence=texts,
    facts=st.lists(facts, max_size=2).map(tuple),
    absorbed_edits=st.lists(texts, max_size=2).map(tuple),
)
commits = st.builds(
    UpstreamCommit,
    commit=hexes,
    subject=texts,
    date=st.builds(GitDate, st.integers(-(10**9), 10**11), st.sampled_from(["+0000", "-0930", "+1400"])),
    pull_request=st.none() | st.integers(0, 10**9),
)
patch_records = st.builds(
    PatchRecord,
    name=names,
    verdict=st.sampled_from(Verdict),
    rung=st.none() | st.sampled_from(Rung),
    review=st.none() | st.sampled_from(ReviewClass),
    digest=hexes,
    made_for=st.just(NEW) | ref_points,
    origin=texts,
    evidence=texts,
    notes=st.lists(texts, max_size=3).map(tuple),
    landed_in=st.lists(commits, max_size=2).map(tuple),
    files=st.lists(file_records, max_size=2).map(tuple),
)
records = st.builds(
    Record,
    base=st.just(NEW) | ref_points,
    branch=st.none() | lines,
    branch_commit=st.none() | hexes,
    patches=st.lists(patch_records, max_size=3, unique_by=lambda patch: patch.name).map(tuple),
    retired=st.none() | st.lists(names, max_size=2).map(tuple),
)
raws = st.binary(max_size=60) | texts.map(lambda text: text.encode("utf-8", "surrogateescape"))
sightings = st.builds(
    Sighting,
    seen=st.sampled_from(Seen),
    at=ref_points,
    commit=st.none() | hexes,
    subject=st.none() | texts,
    pull_request=st.none() | st.integers(0, 10**9),
)
ledgers = st.builds(
    Ledger,
    st.lists(
        st.builds(
            LedgerEntry,
            name=names,
            title=texts,
            seen_at=ref_points,
            how=lines,
            evidence=texts,
            after=st.none() | names,
            raw=raws,
            commit=st.none() | hexes,
            subject=st.none() | texts,
            pull_request=st.none() | st.integers(0, 10**9),
            reason=st.sampled_from(Retirement),
            made_for=st.none() | ref_points,
            stands_on=st.lists(raws, max_size=2).map(tuple),
            found_in=st.lists(lines, max_size=2).map(tuple),
            history=st.lists(sightings, max_size=3).map(tuple),
        ),
        max_size=3,
    ).map(tuple),
)
scalars = st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | texts
policies = st.dictionaries(
    texts, st.recursive(scalars, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(texts, inner, max_size=3))
)
option_free = lines.filter(lambda text: not text.startswith("-"))
manifests = st.builds(
    Manifest,
    upstream=st.none() | option_free,
    follow=st.none() | option_free,
    current=st.none() | option_free,
    branch=option_free,
    policy=policies,
)
