from __future__ import annotations

import json
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from patchq.model.attempt import ConflictKind
from patchq.model.outcome import Replay
from patchq.model.patch import GitDate, Message, Person, Trailer
from patchq.model.series import Entry, Ledger, Manifest, Standing
from patchq.model.verdict import AbsorbedHow, Verdict
from patchq.report.document import BuiltBranch, patch_entry, rebase_document, status_document
from patchq.report.explained import explain_document
from patchq.report.inventory import (
    Undone,
    import_document,
    init_document,
    series_document,
    show_document,
    undo_document,
)
from patchq.report.jsonsafe import document, text
from tests.report.samples import (
    MULTIMEM,
    MULTIMEM_ANCHOR,
    V9,
    V23,
    clash,
    clean,
    file_outcome,
    multimem,
    outcome,
    patch,
    story,
)
from tests.report.series_samples import ledger, series

if TYPE_CHECKING:
    from patchq.report.jsonsafe import JsonObject

NO_VERDICTS = dict.fromkeys(
    ("clean", "moved", "adapted", "partial", "absorbed", "guarded", "superseded", "orphaned", "conflict", "blocked"), 0
)
NO_POLICY = {
    **dict.fromkeys(("since", "until", "owner", "forwarded", "expires", "overdue")),
    "need": "usual",
}


def test_a_rebase_is_the_document_of_the_design() -> None:
    made = rebase_document(
        "rebase",
        dry_run=False,
        from_=V9,
        onto=V23,
        branch=BuiltBranch("patched/v0.5.23", "77" * 20),
        replay=Replay((clean("sm120-symm-mem-max-sizes"), multimem())),
    )
    assert made == {
        "schema": 1,
        "command": "rebase",
        "dry_run": False,
        "from": {"ref": "v0.5.9", "commit": V9.commit},
        "onto": {"ref": "v0.5.23", "commit": V23.commit},
        "branch": {"name": "patched/v0.5.23", "commit": "77" * 20},
        "patches": [
            {
                "name": "sm120-symm-mem-max-sizes",
                "title": "Teach SM120",
                "verdict": "clean",
                "rung": "exact",
                "class": "A",
                "needs_review": False,
                "held": False,
                "blocked_by": [],
                "notes": [],
                "files": [],
                "absorbed_by": None,
                "landed_in": [],
                "policy": NO_POLICY,
                "broken_by": None,
            },
            {
                "name": "sm120-symm-mem-multimem",
                "title": "Give SM120 the multimem world sizes of SM100",
                "verdict": "adapted",
                "rung": "anchored",
                "class": "B",
                "needs_review": False,
                "held": False,
                "blocked_by": [],
                "notes": ["copied [10], which upstream has changed: [6, 8] -> [4, 6, 8]"],
                "files": [
                    {
                        "path": MULTIMEM.decode(),
                        "old_path": None,
                        "verdict": "adapted",
                        "rung": "anchored",
                        "anchors": [MULTIMEM_ANCHOR],
                        "evidence": "entry 12 added beside its sibling 10",
                        "absorbed_edits": [],
                        "conflicts": [],
                    }
                ],
                "absorbed_by": None,
                "landed_in": [],
                "policy": NO_POLICY,
                "broken_by": None,
            },
        ],
        "asked_again": [],
        "summary": {"total": 2, **NO_VERDICTS, "clean": 1, "adapted": 1},
    }
    assert list(made)[:3] == ["schema", "command", "dry_run"]


def entries_of(made: JsonObject) -> list[JsonObject]:
    patches = made["patches"]
    assert isinstance(patches, list)
    return [entry for entry in patches if isinstance(entry, dict)]


def replayed(*names: str) -> list[JsonObject]:
    chosen = tuple(it for it in (*story(), *clash()) if str(it.name) in names)
    made = rebase_document("rebase", dry_run=True, from_=None, onto=V23, branch=None, replay=Replay(chosen))
    assert made["from"] is None
    assert made["branch"] is None
    return entries_of(made)


def test_an_absorbed_patch_names_what_brought_it_where_that_is_known() -> None:
    (known,) = replayed("sm120-flashinfer-version")
    brought = {
        "commit": "9ae01f77c2d84c55a1b2c3d4e5f60718293a4b5c",
        "subject": "[Dep] Raise flashinfer to 0.6.4 for SM120",
        "author_date": "2026-02-25T07:13:20+01:00",
        "pull_request": 19876,
    }
    assert known["absorbed_by"] == {**brought, "how": "syntax"}
    assert known["landed_in"] == [brought]
    unknown = patch_entry(outcome("p", Verdict.ABSORBED, absorbed_how=AbsorbedHow.TREE))
    assert unknown["absorbed_by"] == {**dict.fromkeys(brought), "how": "tree"}
    assert unknown["landed_in"] == []


def test_an_open_file_lists_its_conflicts() -> None:
    files = replayed("sm120-fp8-block-size")[0]["files"]
    assert isinstance(files, list)
    assert isinstance(files[0], dict)
    assert files[0]["conflicts"] == [
        {
            "kind": "other-value",
            "reason": "upstream has `12: 64`, the patch `12: 128`",
            "anchor": "python/sglang/srt/layers/quantization/fp8.py::BLOCK_SIZES[12]",
        }
    ]


def test_the_recorded_state_has_the_same_shape_as_a_replay() -> None:
    made = status_document(series(), ledger())
    replay = rebase_document("status", dry_run=True, from_=V23, onto=V23, branch=None, replay=Replay((multimem(),)))
    assert set(replay) | {"ledger", "strays"} == set(made)
    recorded, replayed_entry = entries_of(made)[2], entries_of(replay)[0]
    assert set(replayed_entry) | {"standing", "made_for"} == set(recorded)
    assert recorded["files"] == replayed_entry["files"]
    assert made["summary"] == {"total": 5, **NO_VERDICTS, "clean": 1, "adapted": 2, "orphaned": 1}
    assert [entry["verdict"] for entry in entries_of(made)] == ["clean", "orphaned", "adapted", "adapted", None]
    assert [entry["needs_review"] for entry in entries_of(made)] == [False, False, False, True, False]


def test_a_series_without_a_record_has_no_points() -> None:
    made = status_document(replace(series(), record=None), Ledger())
    assert (made["from"], made["onto"], made["branch"], made["ledger"]) == (None, None, None, 0)


def test_explain_gives_every_rung_the_sides_and_the_interdiff() -> None:
    made = explain_document(multimem())
    assert (made["schema"], made["command"], made["name"]) == (1, "explain", "sm120-symm-mem-multimem")
    files = made["files"]
    assert isinstance(files, list)
    assert isinstance(files[0], dict)
    trials = files[0]["trials"]
    assert isinstance(trials, list)
    answers = [(trial["rung"], trial["answer"]) for trial in trials if isinstance(trial, dict)]
    assert answers == [
        ("exact", "declined"),
        ("offset", "declined"),
        ("three-way", "conflicted"),
        ("anchored", "applied"),
    ]
    assert str(made["interdiff"]).startswith(" ## python/")
    open_file = explain_document(clash()[0])["files"]
    assert isinstance(open_file, list)
    assert isinstance(open_file[0], dict)
    conflicts = open_file[0]["conflicts"]
    assert isinstance(conflicts, list)
    assert isinstance(conflicts[0], dict)
    assert conflicts[0]["kind"] == ConflictKind.CLASH.value
    assert conflicts[0]["sides"] == {
        "base": "    def forward_extend(self, q, k, v, layer):\n",
        "patch": "    def forward_extend(self, q, k, v, layer, sm=120):\n",
        "upstream": "    def forward_extend(self, q, k, v, layer, *, window: int):\n",
    }
    assert explain_document(clash()[1])["blocked_by"] == ["sm120-attn-backend"]


def test_show_gives_the_head_in_parts_and_the_whole_file() -> None:
    message = Message(
        author=Person(b"J\xc3\xb6rg", b"j@example.org"),
        date=GitDate(1700000000, "+0100"),
        subject=b"Teach SM120",
        body=b"Because.",
        trailers=(Trailer("Forwarded", "no"),),
    )
    shown = show_document(Entry(patch=replace(patch("p"), message=message, raw=b"From: J\xf6rg\n")))
    assert shown == {
        "schema": 1,
        "command": "show",
        "name": "p",
        "title": "Teach SM120",
        "files": [],
        "standing": "carried",
        "author": {"name": "Jörg", "email": "j@example.org"},
        "date": {"seconds": 1700000000, "offset": "+0100"},
        "body": "Because.",
        "trailers": [{"key": "Forwarded", "value": "no"}],
        "text": "From: J\\xf6rg\n",
    }


def test_a_series_is_listed_in_order_with_its_files() -> None:
    listed = entries_of(series_document(series()))
    assert [entry["position"] for entry in listed] == [1, 2, 3, 4, 5]
    assert listed[1]["standing"] == Standing.NOT_CARRIED.value
    with_files = replace(series(), entries=(Entry(patch=multimem().before),), record=None)
    assert entries_of(series_document(with_files))[0]["files"] == [
        {"path": MULTIMEM.decode(), "old_path": None, "kind": "modify"}
    ]


def test_init_import_and_undo_say_what_they_did() -> None:
    manifest = Manifest(upstream="pypi:sglang", follow=None, current="v0.5.9")
    assert init_document(folder="series", manifest=manifest, base=V9) == {
        "schema": 1,
        "command": "init",
        "folder": "series",
        "upstream": "pypi:sglang",
        "follow": None,
        "current": "v0.5.9",
        "branch": "patched/{ref}",
        "base": {"ref": "v0.5.9", "commit": V9.commit},
    }
    added = patch("p")
    proposed = {added.name: ["Mirror: a.py::SIZES[12] = [10]"]}
    assert import_document(ref="v0.5.9", patches=[added], proposed=proposed) == {
        "schema": 1,
        "command": "import",
        "ref": "v0.5.9",
        "patches": [{"name": "p", "title": "Teach SM120", "files": [], "proposed": ["Mirror: a.py::SIZES[12] = [10]"]}],
    }
    undone = Undone(operation="rebase v0.5.23", ref="v0.5.9", branch=BuiltBranch("patched/v0.5.9", "55" * 20))
    assert undo_document(undone)["branch"] == {"name": "patched/v0.5.9", "commit": "55" * 20}


@pytest.mark.parametrize("ascii_only", [True, False])
def test_a_path_of_any_bytes_goes_through_json(ascii_only: bool) -> None:  # noqa: FBT001 - the option of json.dumps
    made = rebase_document(
        "rebase",
        dry_run=True,
        from_=None,
        onto=replace(V23, ref="ref\udcff"),
        branch=None,
        replay=Replay((outcome("p", Verdict.CLEAN, file_outcome(b"caf\xe9/\xc3\xa9.py", Verdict.CLEAN)),)),
    )
    written = json.dumps(made, ensure_ascii=ascii_only).encode()
    assert json.loads(written) == made
    files = entries_of(made)[0]["files"]
    assert isinstance(files, list)
    assert isinstance(files[0], dict)
    assert files[0]["path"] == "caf\\xe9/é.py"


@given(st.binary(max_size=40), st.text(st.characters(exclude_categories=()), max_size=40))
def test_no_document_has_a_lone_surrogate(data: bytes, value: str) -> None:
    json.dumps(document("x", {"data": text(data), "nested": [{value: value}]}), ensure_ascii=False).encode()
