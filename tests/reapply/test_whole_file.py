from __future__ import annotations

from itertools import product

import pytest

from patchq.model.attempt import ConflictKind, EditFate
from patchq.model.tree import FileState, Mode
from patchq.reapply.whole_file import NeedsContent, Open, Settled, whole_file


def file(data: bytes, mode: Mode = Mode.REGULAR) -> FileState:
    return FileState(mode, data)


def link(target: bytes) -> FileState:
    return FileState(Mode.SYMLINK, target)


def run(data: bytes) -> FileState:
    return FileState(Mode.EXECUTABLE, data)


_A, _B, _C = file(b"a\n"), file(b"b\n"), file(b"c\n")
_BIN_A, _BIN_B, _BIN_C = file(b"\0a"), file(b"\0b"), file(b"\0c")
_MODULE = FileState(Mode.GITLINK, b"1" * 40)

_CARRIED = [
    pytest.param(None, _A, None, _A, id="created"),
    pytest.param(_A, None, _A, None, id="deleted"),
    pytest.param(_A, run(b"a\n"), _B, run(b"b\n"), id="made executable, while upstream changed the text"),
    pytest.param(_BIN_A, _BIN_B, _BIN_A, _BIN_B, id="binary"),
    pytest.param(_BIN_A, run(b"\0b"), _BIN_B, run(b"\0b"), id="mode of a binary whose contents upstream changed alike"),
    pytest.param(_BIN_A, _BIN_B, run(b"\0a"), run(b"\0b"), id="binary that upstream has made executable"),
    pytest.param(_A, _BIN_B, _A, _BIN_B, id="text became binary"),
    pytest.param(_A, link(b"a"), _A, link(b"a"), id="file became symlink"),
    pytest.param(link(b"a"), _A, link(b"a"), _A, id="symlink became file"),
    pytest.param(link(b"a"), link(b"b"), link(b"a"), link(b"b"), id="symlink target"),
]
_ABSORBED = [
    pytest.param(None, _A, _A, id="created alike"),
    pytest.param(_A, None, None, id="deleted alike"),
    pytest.param(_A, run(b"a\n"), run(b"b\n"), id="made executable alike"),
    pytest.param(_BIN_A, _BIN_B, _BIN_B, id="binary"),
    pytest.param(_A, link(b"a"), link(b"a"), id="file became symlink"),
    pytest.param(link(b"a"), link(b"b"), link(b"b"), id="symlink target"),
    pytest.param(_A, _A, _B, id="nothing changed"),
    pytest.param(None, None, _B, id="nothing there"),
]
_OPEN = [
    pytest.param(None, _A, _B, ConflictKind.OTHER_VALUE, "different contents", id="created otherwise"),
    pytest.param(None, _A, run(b"a\n"), ConflictKind.OTHER_VALUE, "modes 100644 and 100755", id="created with a mode"),
    pytest.param(_A, None, _B, ConflictKind.CLASH, "deletes what upstream has changed", id="deleted what changed"),
    pytest.param(_A, _B, None, ConflictKind.GONE, "upstream has deleted", id="changed what is gone"),
    pytest.param(_BIN_A, _BIN_B, _BIN_C, ConflictKind.CLASH, "binary contents", id="binary"),
    pytest.param(_A, _B, _BIN_C, ConflictKind.CLASH, "binary contents", id="text that became binary"),
    pytest.param(link(b"a"), link(b"b"), link(b"c"), ConflictKind.CLASH, "different targets", id="symlink target"),
    pytest.param(
        _A, link(b"a"), _B, ConflictKind.CLASH, "made the file a symlink, upstream has changed the file", id="type"
    ),
    pytest.param(_A, _B, link(b"a"), ConflictKind.CLASH, "upstream has made the file a symlink", id="type upstream"),
    pytest.param(_MODULE, _MODULE, _MODULE, ConflictKind.UNPROVEN, "submodule", id="submodule"),
    pytest.param(_A, _B, _MODULE, ConflictKind.UNPROVEN, "submodule", id="upstream made it a submodule"),
]


@pytest.mark.parametrize(("base", "theirs", "ours", "state"), _CARRIED)
def test_what_only_the_patch_did_is_carried(
    base: FileState | None, theirs: FileState | None, ours: FileState | None, state: FileState | None
) -> None:
    attempt = whole_file(b"p", base, theirs, ours)
    assert isinstance(attempt, Settled)
    assert (attempt.state, attempt.fate) == (state, EditFate.CARRIED)


@pytest.mark.parametrize(("base", "theirs", "ours"), _ABSORBED)
def test_what_upstream_did_too_is_absorbed(
    base: FileState | None, theirs: FileState | None, ours: FileState | None
) -> None:
    attempt = whole_file(b"p", base, theirs, ours)
    assert isinstance(attempt, Settled)
    assert (attempt.state, attempt.fate) == (ours, EditFate.ABSORBED)


@pytest.mark.parametrize(("base", "theirs", "ours", "kind", "reason"), _OPEN)
def test_what_cannot_be_both_stays_open_with_its_three_sides(
    base: FileState | None, theirs: FileState | None, ours: FileState | None, kind: ConflictKind, reason: str
) -> None:
    attempt = whole_file(b"dir/p", base, theirs, ours)
    assert isinstance(attempt, Open)
    conflict = attempt.conflict
    assert conflict.kind is kind
    assert reason in conflict.reason
    assert conflict.anchor == "dir/p::"
    sides = [b"" if state is None else state.data for state in (base, theirs, ours)]
    assert [conflict.base, conflict.theirs, conflict.ours] == sides


def test_a_change_of_text_in_text_goes_to_the_ladder_with_the_merged_mode() -> None:
    for ours in (_A, _B, _C):
        assert whole_file(b"p", _A, _B, ours) == NeedsContent(Mode.REGULAR)
    assert whole_file(b"p", _A, run(b"b\n"), _C) == NeedsContent(Mode.EXECUTABLE)
    assert whole_file(b"p", _A, _B, run(b"c\n")) == NeedsContent(Mode.EXECUTABLE)
    assert whole_file(b"p", run(b"a\n"), _B, run(b"c\n")) == NeedsContent(Mode.REGULAR)


def test_absorbed_means_that_nothing_is_left_to_do_and_carried_that_something_is() -> None:
    states = (None, _A, _B, run(b"a\n"), _BIN_A, _BIN_B, run(b"\0a"), link(b"a"), link(b"b"))
    for base, theirs, ours in product(states, repeat=3):
        match whole_file(b"p", base, theirs, ours):
            case Settled(state, fate):
                assert (state == ours) is (fate is EditFate.ABSORBED)
            case NeedsContent():
                assert base is not None
                assert theirs is not None
                assert base.data != theirs.data
            case Open():
                assert len({base, theirs, ours}) == 3
