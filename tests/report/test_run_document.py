from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

from patchq.errors import PatchqError
from patchq.model.names import PatchName
from patchq.model.outcome import Answer, Asked, Replay
from patchq.report.document import BuiltBranch, rebase_document, status_document
from patchq.report.markdown_report import run_markdown
from patchq.report.run_document import read_run
from patchq.report.todo import Stage
from tests.report.overview_samples import HOSTILE
from tests.report.samples import V9, V23, clash, clean, multimem, story
from tests.report.series_samples import ledger, series

if TYPE_CHECKING:
    from patchq.model.outcome import PatchOutcome


def written(*outcomes: PatchOutcome, dry_run: bool = True, branch: BuiltBranch | None = None) -> Any:  # noqa: ANN401
    asked = (Asked(PatchName("sm120-old"), Answer.ABSORBED), Asked(PatchName("sm120-far"), Answer.CHANGED, "since"))
    replay = Replay(outcomes, asked)
    made = rebase_document("rebase", dry_run=dry_run, from_=V9, onto=V23, branch=branch, replay=replay)
    return json.loads(json.dumps(made))


def markdown(document: object) -> str:
    return run_markdown(read_run(json.dumps(document).encode(), file="run.json"), program="patchq")


def test_a_dry_run_is_told_as_it_was_found() -> None:
    told = markdown(written(*clash())).splitlines()
    assert told[2:8] == [
        "# Patches onto `v0.5.23` (`3f2a9c1e0b`)",
        "",
        "**5 patches: 1 adapted, 1 absorbed, 1 superseded, 1 conflict, 1 blocked**; 1 to review, from `v0.5.9`.",
        "This is a dry run: nothing was changed.",
        "",
        "## A person is needed",
    ]
    assert "- `!` conflict `sm120-attn-backend`: no way to carry it could be proved right" in told
    (place,) = (line for line in told if "forward_extend" in line)
    path = "python/sglang/srt/layers/attention/triton_backend.py"
    assert place == (
        f"  - `{path}: TritonAttnBackend.forward_extend`: upstream added the argument `` `window` ``, "
        "the patch the argument `` `sm` ``"
    )
    assert "  - look: `patchq explain sm120-attn-backend --onto v0.5.23`" in told
    assert "  - waits for `sm120-attn-backend`" in told
    assert "## To be looked at" in told
    assert any(line.endswith("`patchq rebase v0.5.23 --skip-conflicts --accept review`") for line in told)
    landed = '`9ae01f77c2 "[Dep] Raise flashinfer to 0.6.4 for SM120" (#19876)`'
    row = f"| `sm120-flashinfer-version` | `-` absorbed | {landed} |"
    assert row in told
    assert "- upstream has gone on from what it had taken over: `sm120-far`" in told
    assert told.index("| `sm120-attn-backend` | `!` conflict |  |") < told.index(row)


@pytest.mark.parametrize(
    ("dry_run", "branch", "stage", "line"),
    [
        (True, None, Stage.DRY_RUN, "This is a dry run: nothing was changed."),
        (False, None, Stage.STOPPED, "Nothing was published; the series and the branch are as they were."),
        (False, BuiltBranch("patched/x", "77" * 20), Stage.PUBLISHED, "Branch `patched/x` is at `7777777777`."),
    ],
)
def test_how_far_the_run_went_is_told(dry_run: bool, branch: BuiltBranch | None, stage: Stage, line: str) -> None:  # noqa: FBT001
    document = written(*story(), dry_run=dry_run, branch=branch)
    assert read_run(json.dumps(document).encode(), file="run.json").stage is stage
    assert line in markdown(document).splitlines()


def test_nothing_to_do_is_said_in_a_few_lines() -> None:
    told = markdown(written(clean("one"), multimem(), dry_run=False, branch=BuiltBranch("b", "77" * 20)))
    assert "Nothing waits for a person." in told.splitlines()
    assert "A person is needed" not in told
    assert "What to do next" not in told


def test_an_optional_patch_keeps_nobody_waiting_and_what_is_overdue_is_named() -> None:
    document = written(*story())
    for patch in document["patches"][2:]:
        patch["policy"]["need"] = "optional"
    document["patches"][0]["policy"].update(expires="2026-01-31", overdue=True)
    told = markdown(document)
    assert "Nothing waits for a person." in told
    assert "## A person is needed" not in told
    assert "## Optional, and not carried\n\n- `?` orphaned `sm120-moe-tuned-config`: what it patches is gone" in told
    assert "## Overdue: still needed?\n\n- `sm120-symm-mem-max-sizes` since `2026-01-31`\n" in told
    assert "- **optional**: `sm120-moe-tuned-config, sm120-attention-default`: to be published without it" in told
    assert "- **next**: publish: `patchq rebase v0.5.23`" in told
    document["patches"][2]["policy"]["need"] = "required"
    assert "- **required**: `sm120-moe-tuned-config`: nothing is published without it" in markdown(document)


def test_hostile_texts_of_a_document_stay_text() -> None:
    document = written(*clash())
    patch = document["patches"][0]
    patch["title"] = patch["files"][0]["path"] = patch["files"][0]["conflicts"][0]["reason"] = HOSTILE
    document["onto"]["ref"] = document["from"]["ref"] = "a`b|@user#1"
    told = markdown(document)
    assert "# Patches onto ``a`b|@user#1`` (`3f2a9c1e0b`)" in told
    assert "\x1b" not in told
    assert "\n<script>" not in told
    assert "``<!-- |" not in told


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"{", "run.json: is not JSON"),
        (b"[" * 100_000, "run.json: is not JSON"),
        (b"[]", "run.json: is not of the kind dict"),
        (b"{}", "run.json: schema: is not of the kind int"),
        (b'{"schema": 2, "command": "rebase"}', "run.json: schema: is schema 2, and this patchq reads schema 1"),
        (b'{"schema": 1, "command": "judge"}', "run.json: command: is 'judge', not a rebase"),
    ],
)
def test_what_is_no_such_document_is_refused(data: bytes, message: str) -> None:
    with pytest.raises(PatchqError) as caught:
        read_run(data, file="run.json")
    assert str(caught.value).startswith(message)
    assert caught.value.hint


@pytest.mark.parametrize(
    ("field", "value", "message"),
    [
        ("verdict", "fine", "run.json: patches[0].verdict: is 'fine', which this patchq does not know"),
        ("verdict", None, "run.json: patches[0].verdict: is not of the kind str"),
        ("name", "../x", "run.json: patches[0].name: '../x' cannot be the name of a patch"),
        ("needs_review", 1, "run.json: patches[0].needs_review: is not of the kind bool"),
        ("notes", [1], "run.json: patches[0].notes[0]: is not of the kind str"),
        ("files", [[]], "run.json: patches[0].files[0]: is not of the kind dict"),
    ],
)
def test_a_wrong_field_is_named(field: str, value: object, message: str) -> None:
    document = written(*clash())
    document["patches"][0][field] = value
    with pytest.raises(PatchqError) as caught:
        markdown(document)
    assert str(caught.value) == message


def test_the_recorded_status_is_no_run() -> None:
    with pytest.raises(PatchqError, match="is the recorded status, not a run"):
        markdown(status_document(series(), ledger()))
