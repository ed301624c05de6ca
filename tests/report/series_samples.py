"""A recorded series for the tests of the report room: carried, not carried, and not yet carried patches."""

from __future__ import annotations

from patchq.model.anchor import Fact
from patchq.model.names import PatchName
from patchq.model.series import Entry, FileRecord, Ledger, PatchRecord, Record, RefPoint, Series, Standing
from patchq.model.verdict import ReviewClass, Rung, Verdict
from tests.report.samples import MIRROR_NOTE, MULTIMEM, MULTIMEM_ANCHOR, V9, V23, patch, retired

HOSTILE_TITLE = "\x1b[31mred\x1b[0m \x1b]0;owned\x07 and \u202edesrever"
LONG_TITLE = "SM120 に multimem の世界サイズを与える、長い題名でも端末の幅を超えないこと"


def entry(name: str, title: str, standing: Standing = Standing.CARRIED) -> Entry:
    return Entry(patch=patch(name, title=title), standing=standing)


def recorded(
    name: str,
    verdict: Verdict,
    rung: Rung | None = None,
    *,
    review: ReviewClass | None = None,
    made_for: RefPoint = V23,
    digest: str = "",
    evidence: str = "",
    notes: tuple[str, ...] = (),
    files: tuple[FileRecord, ...] = (),
) -> PatchRecord:
    return PatchRecord(
        name=PatchName(name),
        verdict=verdict,
        rung=rung,
        review=review,
        digest=digest,
        made_for=made_for,
        origin="imported",
        evidence=evidence,
        notes=notes,
        files=files,
    )


def series() -> Series:
    file = FileRecord(
        path=MULTIMEM.decode(),
        old_path=None,
        verdict=Verdict.ADAPTED,
        rung=Rung.ANCHORED,
        evidence="entry 12 added beside its sibling 10",
        facts=(Fact(anchor=MULTIMEM_ANCHOR, holds=("12 : [ 4 , 6 , 8 ]",)),),
    )
    return Series(
        ref=V23.ref,
        entries=(
            entry("sm120-symm-mem-max-sizes", "Give SM120 the symmetric memory sizes of SM100"),
            entry("sm120-attention-default", HOSTILE_TITLE, Standing.NOT_CARRIED),
            entry("sm120-symm-mem-multimem", LONG_TITLE),
            entry("sm120-capture-sizes", "Größere Graphen"),
            entry("sm120-new", "Not carried by anybody yet"),
        ),
        record=Record(
            base=V23,
            branch="patched/v0.5.23",
            branch_commit="77aa01c5d2e84c55a1b2c3d4e5f60718293a4b5c",
            patches=(
                recorded("sm120-symm-mem-max-sizes", Verdict.CLEAN, Rung.EXACT, review=ReviewClass.A),
                recorded(
                    "sm120-attention-default",
                    Verdict.ORPHANED,
                    made_for=V9,
                    evidence="ServerArgs._handle_sm120 is gone; nothing like it is left",
                ),
                recorded(
                    "sm120-symm-mem-multimem",
                    Verdict.ADAPTED,
                    Rung.ANCHORED,
                    review=ReviewClass.B,
                    notes=(MIRROR_NOTE,),
                    files=(file,),
                ),
                recorded("sm120-capture-sizes", Verdict.ADAPTED, Rung.STRUCTURAL, review=ReviewClass.D),
            ),
        ),
    )


def ledger() -> Ledger:
    return Ledger(entries=(retired("sm120-flashinfer-version"), retired("sm120-old-one")))
