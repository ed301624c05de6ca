from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from patchq.errors import ApplyError, PatchFormatError, Where
from patchq.model.change import BinaryBlock, BinaryBody, BinaryMethod, ChangeKind, FileChange
from patchq.model.tree import FileState, Mode
from patchq.reapply.apply import apply_change, reverse_change
from patchq.reapply.describe import diff_states
from tests.text.texts import edited, texts

_HERE = Where(file="x.patch")
_MODES = st.sampled_from([Mode.REGULAR, Mode.EXECUTABLE, Mode.SYMLINK])
_BINARY = st.binary(max_size=20).map(b"\0".__add__)


@st.composite
def states(draw: st.DrawFn) -> tuple[FileState | None, FileState | None]:
    text = draw(texts())
    old = st.builds(FileState, _MODES, st.just(text) | _BINARY)
    new = st.builds(FileState, _MODES, st.just(text) | edited(text) | _BINARY)
    return draw(st.none() | old), draw(st.none() | new)


def applied(changes: tuple[FileChange, ...], state: FileState | None) -> FileState | None:
    for change in changes:
        state = apply_change(change, state, where=_HERE)
    return state


@settings(max_examples=120, deadline=None)
@given(states(), st.sampled_from([b"a", b"b"]))
def test_a_described_change_makes_the_new_state_and_its_reverse_the_old(
    pair: tuple[FileState | None, FileState | None], new_path: bytes
) -> None:
    old, new = pair
    changes = diff_states(b"a", old, new_path, new)
    back = tuple(reverse_change(change) for change in reversed(changes))
    assert applied(changes, old) == new
    assert applied(back, new) == old


def one(old: FileState | None, new: FileState | None) -> FileChange:
    (change,) = diff_states(b"a", old, b"a", new)
    return change


_TEXT = FileState(Mode.REGULAR, b"1\n2\n3\n")
_LINK = FileState(Mode.SYMLINK, b"target")
_BLOB = FileState(Mode.REGULAR, b"\0\1")
_OTHER_BLOB = FileState(Mode.REGULAR, b"\0\2")
_CHMOD = one(_TEXT, FileState(Mode.EXECUTABLE, _TEXT.data))


@pytest.mark.parametrize(
    ("change", "state", "message"),
    [
        (one(None, _TEXT), _TEXT, "exists already"),
        (one(_TEXT, None), None, "does not exist"),
        (one(_TEXT, None), FileState(Mode.REGULAR, b"1\n2\n3\n4\n"), "deletes the file, but leaves 2 bytes of it"),
        (one(FileState(Mode.REGULAR, b""), None), _TEXT, "leaves 6 bytes"),
        (_CHMOD, FileState(Mode.EXECUTABLE, _TEXT.data), "the mode is 100755, but the patch changes 100644 to 100755"),
        (
            one(_LINK, FileState(Mode.SYMLINK, b"other")),
            FileState(Mode.REGULAR, b"target"),
            "has mode 100644, not 120000",
        ),
        (one(_BLOB, _OTHER_BLOB), FileState(Mode.REGULAR, b"\0\3"), "not the one that the binary patch was made for"),
        (one(_TEXT, None), FileState(Mode.GITLINK, b"1" * 40), "submodules are not carried"),
    ],
)
def test_a_change_is_refused_where_the_file_is_not_as_it_says(
    change: FileChange, state: FileState | None, message: str
) -> None:
    with pytest.raises(ApplyError, match=message):
        apply_change(change, state, where=_HERE)


def test_permissions_that_the_change_does_not_touch_are_kept() -> None:
    change = one(_TEXT, FileState(Mode.REGULAR, b"1\nx\n3\n"))
    made = apply_change(change, FileState(Mode.EXECUTABLE, _TEXT.data), where=_HERE)
    assert made == FileState(Mode.EXECUTABLE, b"1\nx\n3\n")


def test_a_plain_diff_without_modes_keeps_a_symlink_a_symlink() -> None:
    change = replace(one(_LINK, FileState(Mode.SYMLINK, b"other")), old_mode=None, new_mode=None)
    assert apply_change(change, _LINK, where=_HERE) == FileState(Mode.SYMLINK, b"other")


def test_a_binary_delta_is_applied_to_the_old_contents() -> None:
    old, new = b"\0" + b"abc" * 30, b"\0" + b"abc" * 30 + b"X"
    delta = BinaryBlock(BinaryMethod.DELTA, bytes([91, 92, 0b10010000, 91, 1]) + b"X")
    (described,) = diff_states(b"a", FileState(Mode.REGULAR, old), b"a", FileState(Mode.REGULAR, new))
    change = replace(described, body=BinaryBody(delta, None))
    assert apply_change(change, FileState(Mode.REGULAR, old), where=_HERE) == FileState(Mode.REGULAR, new)
    with pytest.raises(ApplyError, match="has no way back"):
        reverse_change(change)


def test_a_binary_patch_that_nothing_proves_is_refused() -> None:
    literal = BinaryBody(BinaryBlock(BinaryMethod.LITERAL, _OTHER_BLOB.data), None)
    change = replace(one(_BLOB, _OTHER_BLOB), body=literal, old_id="1234567", new_id="89abcde")
    with pytest.raises(ApplyError, match="nothing in the binary patch says what it was made for"):
        apply_change(change, _BLOB, where=_HERE)


def test_a_binary_patch_that_makes_another_blob_than_it_states_is_damaged() -> None:
    change = replace(one(None, _BLOB), new_id="1" * 40)
    with pytest.raises(PatchFormatError, match="does not make the blob 1111"):
        apply_change(change, None, where=_HERE)


def test_a_copy_cannot_be_undone_by_its_patch() -> None:
    change = FileChange(kind=ChangeKind.COPY, old_path=b"a", new_path=b"b")
    assert apply_change(change, _TEXT, where=_HERE) == _TEXT
    with pytest.raises(ApplyError, match="the copy b cannot be undone"):
        reverse_change(change)
