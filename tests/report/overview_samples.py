"""A series at three refs for the tests of reports, made of patch files as people write them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from patchq.model.judgement import UpstreamCommit
from patchq.model.names import PatchName
from patchq.model.patch import GitDate
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
from patchq.patchfile.read import patch_digest, read_patch
from patchq.report.ledger import Held
from patchq.report.overview import Overview, overview_of

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

REFS = {ref: RefPoint(ref, digit * 40, digit * 40) for ref, digit in (("v1", "1"), ("v2", "2"), ("v3", "3"))}
LANDED = UpstreamCommit(
    commit="c" * 40, subject="Support 12 (#77)", date=GitDate(1_772_000_000, "+0100"), pull_request=77
)
HOSTILE = "</pre></style><script>alert(1)</script> & \" ' <!-- | ` `` @user #12 \x1b[31m \u202eevil\t \udcff"


def text(
    name: str, *, new: str = "b", line: int = 1, beside: str = "x", body: str = "It is needed.", trailers: str = ""
) -> bytes:
    """Write a patch file: `a` becomes `new` at `line` of NAME.py, below the line `beside`."""
    head = (
        f"From: Ada Author <ada@example.org>\nDate: Tue, 14 Nov 2023 22:13:20 +0000\nSubject: Teach {name}\n\n{body}\n"
    )
    gap = "\n" if trailers else ""
    diff = f"--- a/{name}.py\n+++ b/{name}.py\n@@ -{line},2 +{line},2 @@\n {beside}\n-a\n+{new}\n"
    told = f"{head}{gap}{trailers}---\ndiff --git a/{name}.py b/{name}.py\n{diff}"
    return told.encode("utf-8", "surrogateescape")


def recorded(name: str, raw: bytes, verdict: Verdict, ref: str, **more: object) -> PatchRecord:
    files = (FileRecord(path=f"{name}.py", old_path=None, verdict=verdict, rung=None, evidence=f"found so at {ref}"),)
    fields: dict[str, object] = {
        "rung": Rung.EXACT if verdict.carried else None,
        "review": ReviewClass.A,
        "files": files,
    }
    return PatchRecord(
        name=PatchName(name),
        verdict=verdict,
        digest=patch_digest(raw),
        made_for=REFS[ref],
        origin="series",
        evidence=f"found so at {ref}",
        **{**fields, **more},  # type: ignore[arg-type]  # the fields of the record by name
    )


def series(
    ref: str, patches: Mapping[str, tuple[bytes, Verdict | None]], retired: Sequence[str] = (), **more: object
) -> Series:
    entries, records = [], []
    for name, (raw, verdict) in patches.items():
        left_out = verdict is not None and verdict.needs_person
        patch = read_patch(PatchName(name), raw, file=name)
        entries.append(Entry(patch=patch, standing=Standing.NOT_CARRIED if left_out else Standing.CARRIED))
        if verdict is not None:
            records.append(recorded(name, raw, verdict, ref, **more))
    record = Record(
        base=REFS[ref],
        branch=f"patched/{ref}",
        branch_commit="b" * 40,
        patches=tuple(records),
        retired=tuple(map(PatchName, retired)),
    )
    return Series(ref=ref, entries=tuple(entries), record=record)


def gone(name: str, raw: bytes, reason: Retirement = Retirement.ABSORBED, **more: object) -> LedgerEntry:
    return LedgerEntry(
        name=PatchName(name),
        title=f"Teach {name}",
        seen_at=REFS["v2"],
        how="tree",
        evidence="nobody uses it",
        after=None,
        raw=raw,
        reason=reason,
        commit=LANDED.commit if reason is Retirement.ABSORBED else None,
        subject=LANDED.subject if reason is Retirement.ABSORBED else None,
        pull_request=LANDED.pull_request if reason is Retirement.ABSORBED else None,
        **more,  # type: ignore[arg-type]  # the fields of the entry by name
    )


def overview(*states: Series, ledger: Sequence[LedgerEntry] = ()) -> Overview:
    """Put a report together; the first of `states` is the current one."""
    current = states[0].ref if states else None
    return overview_of(
        Manifest(upstream="https://example.org/engine.git", follow="main", current=current),
        states,
        Ledger(tuple(ledger)),
        [Held(entry, ("v2",), ()) for entry in ledger],
        folder=f"series/{current}",
        policies={},
        dates={LANDED.commit: LANDED.date, REFS["v2"].commit: LANDED.date},
    )


def story() -> Overview:
    """At v3 one patch is as ever, one adapted, one open, one back from upstream, and one was never carried."""
    old, new = text("sizes", new="b"), text("sizes", new="c", beside="y")
    gate = text("gate", trailers="Forwarded: https://example.org/pull/9\nOwner: Ada Author <ada@example.org>\n")
    gate_moved = gate.replace(b"@@ -1,2 +1,2 @@", b"@@ -8,2 +8,2 @@")
    knob = text("knob")
    history = (
        Sighting(seen=Seen.ABSORBED, at=REFS["v2"], commit=LANDED.commit, subject=LANDED.subject, pull_request=77),
        Sighting(seen=Seen.RETURNED, at=REFS["v3"]),
    )
    return overview(
        series(
            "v3",
            {
                "gate": (gate_moved, Verdict.CLEAN),
                "sizes": (new, Verdict.ADAPTED),
                "knob": (knob, Verdict.ORPHANED),
                "far": (text("far"), Verdict.CLEAN),
                "fresh": (text("fresh"), None),
            },
        ),
        series(
            "v2",
            {"gate": (gate, Verdict.CLEAN), "sizes": (new, Verdict.ADAPTED), "knob": (knob, Verdict.CLEAN)},
            ["far"],
        ),
        series("v1", {"gate": (gate, Verdict.CLEAN), "sizes": (old, Verdict.CLEAN), "knob": (knob, Verdict.CLEAN)}),
        ledger=[gone("far", text("far"), history=history), gone("dropped", text("dropped"), Retirement.DROPPED)],
    )


def hostile() -> Overview:
    """One open patch whose every text is made to break out."""
    raw = text("evil", new=HOSTILE, beside="y" * 5000 + "<b>", body=HOSTILE, trailers=f"Owner: {HOSTILE}\n")
    raw = raw.replace(b"Subject: Teach evil", b"Subject: " + HOSTILE.encode("utf-8", "surrogateescape"))
    notes = (HOSTILE, HOSTILE * 1000)
    return overview(
        series("v3", {"evil": (raw, Verdict.CONFLICT)}, notes=notes),
        series("v2", {"evil": (text("evil"), Verdict.CLEAN)}),
        ledger=[gone("evil-2", raw, Retirement.DROPPED), gone("evil-3", text("evil-3"))],
    )
