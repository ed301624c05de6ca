"""Model values for the tests of the report room: plain constructors with short arguments."""

from __future__ import annotations

from dataclasses import replace

from patchq.model.anchor import Fact
from patchq.model.attempt import (
    Applied,
    Conflict,
    Conflicted,
    ConflictKind,
    Declined,
    Edit,
    EditFate,
    Evidence,
    Trial,
)
from patchq.model.change import ChangeKind, FileChange, Hunk, HunkLine, LineKind, TextBody
from patchq.model.judgement import UpstreamCommit
from patchq.model.names import PatchName
from patchq.model.outcome import FileOutcome, PatchOutcome
from patchq.model.patch import GitDate, Message, Patch
from patchq.model.series import LedgerEntry, RefPoint
from patchq.model.verdict import AbsorbedHow, ReviewClass, Rung, Verdict

V9 = RefPoint("v0.5.9", "bbe9c7eeb520b0a67e92d133dfc137a3688dc7f2", "11" * 20)
V23 = RefPoint("v0.5.23", "3f2a9c1e0bd84c55a1b2c3d4e5f60718293a4b5c", "22" * 20)
FOLDER = "series/v0.5.9"
COMMUNICATORS = b"python/sglang/srt/distributed/device_communicators/"
MIRROR_NOTE = "copied [10], which upstream has changed: [6, 8] -> [4, 6, 8]"


def hunk(*lines: str, at: int = 1, section: str = "") -> Hunk:
    """Make a hunk from lines with their sign: `" context"`, `"-old"`, `"+new"`."""
    return Hunk(
        old_start=at,
        new_start=at,
        lines=tuple(HunkLine(LineKind(line[:1].encode()), line[1:].encode() + b"\n") for line in lines),
        section=section.encode(),
    )


def change(path: bytes, *hunks: Hunk) -> FileChange:
    return FileChange(kind=ChangeKind.MODIFY, old_path=path, new_path=path, body=TextBody(hunks))


def patch(name: str, *changes: FileChange, title: str = "Teach SM120") -> Patch:
    return Patch(
        name=PatchName(name),
        message=Message(author=None, date=None, subject=title.encode("utf-8", "surrogateescape")),
        changes=changes,
    )


def file_outcome(
    path: bytes,
    verdict: Verdict,
    *conflicts: Conflict,
    rung: Rung | None = None,
    review: ReviewClass | None = None,
    notes: tuple[str, ...] = (),
    evidence: str = "",
    trials: tuple[Trial, ...] = (),
    facts: tuple[Fact, ...] = (),
    old_path: bytes | None = None,
) -> FileOutcome:
    return FileOutcome(
        path=path,
        old_path=old_path,
        verdict=verdict,
        rung=rung,
        review=review,
        evidence=evidence,
        notes=notes,
        facts=facts,
        conflicts=conflicts,
        trials=trials,
    )


def outcome(
    name: str,
    verdict: Verdict,
    *files: FileOutcome,
    rung: Rung | None = None,
    review: ReviewClass | None = None,
    title: str = "Teach SM120",
    blocked_by: tuple[str, ...] = (),
    absorbed_how: AbsorbedHow | None = None,
    before: Patch | None = None,
    after: Patch | None = None,
) -> PatchOutcome:
    made = before or patch(name, title=title)
    return PatchOutcome(
        name=PatchName(name),
        before=made,
        after=after or (made if verdict.carried else None),
        verdict=verdict,
        rung=rung,
        review=review,
        files=files,
        absorbed_how=absorbed_how,
        blocked_by=tuple(map(PatchName, blocked_by)),
    )


def clean(name: str, *, title: str = "Teach SM120") -> PatchOutcome:
    return outcome(name, Verdict.CLEAN, rung=Rung.EXACT, review=ReviewClass.A, title=title)


def gone(path: str, anchor: str, reason: str) -> FileOutcome:
    conflict = Conflict(kind=ConflictKind.GONE, reason=reason, anchor=f"{path}::{anchor}")
    return file_outcome(path.encode(), Verdict.ORPHANED, conflict)


MULTIMEM = COMMUNICATORS + b"torch_symm_mem.py"
MULTIMEM_ANCHOR = f"{MULTIMEM.decode()}::TorchSymmMemCommunicator._WORLD_SIZES_MULTIMEM[12]"


def multimem() -> PatchOutcome:
    """The second patch of the story: placed by its anchor, with a mirrored neighbour that changed."""
    section = "class TorchSymmMemCommunicator:"
    head = ("     _WORLD_SIZES_MULTIMEM = {", "         9: [4, 6, 8],")
    before = hunk(*head, "         10: [6, 8],", "+        12: [6, 8],", "     }", at=38, section=section)
    after = hunk(*head, "         10: [4, 6, 8],", "+        12: [4, 6, 8],", "     }", at=45, section=section)
    edit = Edit(fate=EditFate.CARRIED, review=ReviewClass.B, anchor=MULTIMEM_ANCHOR, how="entry added after [10]")
    evidence = Evidence(
        rung=Rung.ANCHORED,
        edits=(edit,),
        proofs=(
            "it parses, without new error nodes",
            "the tokens gained are those of the sibling [10]",
            "everything outside the entry is upstream's",
            "applying it again changes nothing",
            "reversing it gives upstream's file",
        ),
        notes=(MIRROR_NOTE,),
    )
    clash = Conflict(
        kind=ConflictKind.CLASH,
        reason="upstream changed line 40, right above the added line",
        anchor=f"{MULTIMEM.decode()}::TorchSymmMemCommunicator",
        base=b"        10: [6, 8],\n",
        theirs=b"        10: [6, 8],\n        12: [6, 8],\n",
        ours=b"        10: [4, 6, 8],\n",
    )
    trials = (
        Trial(Rung.EXACT, Declined("line 40 is not what the hunk expects")),
        Trial(Rung.OFFSET, Declined("the hunk fits nowhere in the file")),
        Trial(Rung.THREE_WAY, Conflicted((clash,))),
        Trial(Rung.ANCHORED, Applied(b"", evidence)),
    )
    file = file_outcome(
        MULTIMEM,
        Verdict.ADAPTED,
        rung=Rung.ANCHORED,
        review=ReviewClass.B,
        notes=(MIRROR_NOTE,),
        evidence="entry 12 added beside its sibling 10",
        trials=trials,
        facts=(Fact(anchor=MULTIMEM_ANCHOR, holds=("12 : [ 4 , 6 , 8 ]",)),),
    )
    name = "sm120-symm-mem-multimem"
    title = "Give SM120 the multimem world sizes of SM100"
    return outcome(
        name,
        Verdict.ADAPTED,
        file,
        rung=Rung.ANCHORED,
        review=ReviewClass.B,
        before=patch(name, change(MULTIMEM, before), title=title),
        after=patch(name, change(MULTIMEM, after), title=title),
    )


def story() -> tuple[PatchOutcome, ...]:
    """Four patches: clean, adapted with a note, and two orphaned ones, the first in two files."""
    moe = "python/sglang/srt/layers/moe/fused_moe_triton/"
    orphan = outcome(
        "sm120-moe-tuned-config",
        Verdict.ORPHANED,
        gone(f"{moe}fused_moe.py", "get_default_config", "the function is gone from upstream"),
        gone(f"{moe}configs/E=128,N=192,device_name=RTX_6000.json", "", "the file is gone from upstream"),
    )
    other = outcome(
        "sm120-attention-default",
        Verdict.ORPHANED,
        gone(
            "python/sglang/srt/server_args.py",
            "ServerArgs._handle_sm120",
            "the method is gone; nothing like it is left",
        ),
    )
    return (clean("sm120-symm-mem-max-sizes"), multimem(), orphan, other)


def clash() -> tuple[PatchOutcome, ...]:
    """A conflict, its blocked follower, a superseded patch, one that needs review and one that upstream has."""
    path = b"python/sglang/srt/layers/attention/triton_backend.py"
    conflict = Conflict(
        kind=ConflictKind.CLASH,
        reason="upstream added the argument `window`, the patch the argument `sm`",
        anchor=f"{path.decode()}::TritonAttnBackend.forward_extend",
        base=b"    def forward_extend(self, q, k, v, layer):\n",
        theirs=b"    def forward_extend(self, q, k, v, layer, sm=120):\n",
        ours=b"    def forward_extend(self, q, k, v, layer, *, window: int):\n",
    )
    value = Conflict(
        kind=ConflictKind.OTHER_VALUE,
        reason="upstream has `12: 64`, the patch `12: 128`",
        anchor="python/sglang/srt/layers/quantization/fp8.py::BLOCK_SIZES[12]",
        theirs=b"    12: 128,\n",
        ours=b"    12: 64,\n",
    )
    trials = (
        Trial(Rung.EXACT, Declined("line 512 is not what the hunk expects")),
        Trial(Rung.THREE_WAY, Conflicted((conflict,))),
        Trial(Rung.STRUCTURAL, Conflicted((conflict,))),
    )
    return (
        outcome("sm120-attn-backend", Verdict.CONFLICT, file_outcome(path, Verdict.CONFLICT, conflict, trials=trials)),
        outcome("sm120-attn-backend-tests", Verdict.BLOCKED, blocked_by=("sm120-attn-backend",)),
        outcome(
            "sm120-fp8-block-size",
            Verdict.SUPERSEDED,
            file_outcome(b"python/sglang/srt/layers/quantization/fp8.py", Verdict.SUPERSEDED, value),
        ),
        outcome(
            "sm120-capture-sizes",
            Verdict.ADAPTED,
            file_outcome(b"a.py", Verdict.ADAPTED, rung=Rung.STRUCTURAL, review=ReviewClass.D),
            rung=Rung.STRUCTURAL,
            review=ReviewClass.D,
        ),
        replace(
            outcome("sm120-flashinfer-version", Verdict.ABSORBED, absorbed_how=AbsorbedHow.SYNTAX),
            landed_in=(BROUGHT_IT,),
        ),
    )


BROUGHT_IT = UpstreamCommit(
    commit="9ae01f77c2d84c55a1b2c3d4e5f60718293a4b5c",
    subject="[Dep] Raise flashinfer to 0.6.4 for SM120",
    date=GitDate(1_772_000_000, "+0100"),
    pull_request=19876,
)


def retired(name: str) -> LedgerEntry:
    return LedgerEntry(
        name=PatchName(name),
        title="Raise the flashinfer version",
        seen_at=V23,
        how="syntax",
        evidence="",
        after=None,
        raw=b"",
        commit="9ae01f77c2d84c55a1b2c3d4e5f60718293a4b5c",
        subject="[Dep] Raise flashinfer to 0.6.4 for SM120",
        pull_request=19876,
    )
