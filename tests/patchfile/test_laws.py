"""What holds for every patch: reading gives back what was written, writing gives back what was read."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from patchq.errors import PatchqError
from patchq.model.anchor import Anchor, Expect, Mirror, Step, StepKind
from patchq.model.names import PatchName
from patchq.model.patch import Message, Patch
from patchq.patchfile.countercheck import Differs, read_again
from patchq.patchfile.imports import read_import
from patchq.patchfile.mail import parse_message, render_message, replace_diff, split_mail, split_mbox
from patchq.patchfile.parse import parse_changes
from patchq.patchfile.quoting import quote, unquote
from patchq.patchfile.read import read_patch, write_patch
from patchq.patchfile.render import render_changes
from tests.patchfile.strategies import ANCHORS, CHANGE_LISTS, MESSAGES

if TYPE_CHECKING:
    from patchq.model.change import FileChange

_FEW = settings(max_examples=60, deadline=None)
_MORE = settings(max_examples=150, deadline=None)


@_MORE
@given(CHANGE_LISTS)
def test_reading_gives_back_the_changes_that_were_written(changes: tuple[FileChange, ...]) -> None:
    assert parse_changes(render_changes(changes), file="x") == changes


@_FEW
@given(CHANGE_LISTS)
def test_unidiff_never_sees_other_hunks_than_we_do(changes: tuple[FileChange, ...]) -> None:
    assert not isinstance(read_again(render_changes(changes), changes), Differs)


@_FEW
@given(MESSAGES, CHANGE_LISTS)
def test_what_is_written_once_is_canonical(message: Message, changes: tuple[FileChange, ...]) -> None:
    raw = write_patch(Patch(name=PatchName("x"), message=message, changes=changes))
    patch = read_patch(PatchName("x"), raw, file="x.patch")
    assert patch.changes == changes
    assert write_patch(patch) == raw
    (imported,) = read_import(raw, file="x.patch")
    assert (imported.message, imported.changes, imported.raw) == (patch.message, changes, raw)
    assert split_mbox(raw) == (raw,)


@_MORE
@given(MESSAGES)
def test_author_date_and_subject_survive_and_the_text_is_stable(message: Message) -> None:
    once = parse_message(split_mail(render_message(message))[0], file="x")
    assert (once.author, once.date, once.subject) == (message.author, message.date, message.subject)
    assert parse_message(split_mail(render_message(once))[0], file="x") == once


@_FEW
@given(MESSAGES, CHANGE_LISTS, CHANGE_LISTS)
def test_replacing_the_diff_keeps_every_byte_of_the_head(
    message: Message, before: tuple[FileChange, ...], after: tuple[FileChange, ...]
) -> None:
    head = b"Forwarded: no\n" + render_message(message) + b" a.py | 2 +-\n\n"
    raw = head + render_changes(before)
    assert replace_diff(raw, after) == head + render_changes(after)
    assert replace_diff(raw, before) == raw


@_MORE
@given(ANCHORS)
@example(Anchor("a.py"))
def test_reading_an_address_gives_back_the_address(anchor: Anchor) -> None:
    trailer_message = Message(author=None, date=None, subject=b"x")
    sibling = Step(StepKind.ENTRY, "10")
    entry = Anchor(anchor.path, (*anchor.steps, Step(StepKind.ENTRY, "12")))
    intents = (Expect(anchor), Mirror(entry, sibling))
    raw = write_patch(Patch(name=PatchName("x"), message=trailer_message, changes=(), intents=intents))
    again = parse_message(split_mail(raw)[0], file="x")
    patch = Patch(name=PatchName("x"), message=again, changes=(), intents=intents)
    assert write_patch(patch) == raw


@_MORE
@given(st.binary(min_size=1, max_size=30))
def test_a_quoted_name_is_read_back(name: bytes) -> None:
    quoted = quote(b"a/" + name)
    assert unquote(quoted) == (b"a/" + name, b"") if quoted.startswith(b'"') else quoted == b"a/" + name


_SNIPPETS = st.sampled_from(
    [
        b"diff --git a/x b/x\n",
        b"--- a/x\n",
        b"+++ b/x\n",
        b"@@ -1 +1 @@\n",
        b"@@ -1,2 +1,3 @@\n",
        b"-a\n",
        b"+b\n",
        b" c\n",
        b"\n",
        b"\\ No newline at end of file\n",
        b"index 1234567..89abcde 100644\n",
        b"new file mode 100644\n",
        b"GIT binary patch\n",
        b"literal 0\n",
        b"HcmV?d00001\n",
        b"rename from y\n",
        b"From: a <b@c>\n",
        b"---\n",
        b"@@ ",
        b'diff --git "a/\\',
        b"Subject: x\n",
        b"commit 1234567\n",
        b"-- \n",
        b"Expect: x\n",
        b"\xff\x00\r\n",
    ]
)


@settings(max_examples=200, deadline=None)
@given(st.lists(_SNIPPETS, max_size=12).map(b"".join))
def test_rubbish_is_refused_with_an_error_of_ours_or_read_stably(data: bytes) -> None:
    try:
        patches = read_import(data, file="x")
    except PatchqError:
        return
    for patch in patches:
        assert read_patch(patch.name, patch.raw, file="x") == patch


def test_an_intent_is_written_as_the_design_shows_it() -> None:
    anchor = Anchor("a.py", (Step(StepKind.NAME, "C"), Step(StepKind.NAME, "d"), Step(StepKind.ENTRY, "12")))
    message = Message(author=None, date=None, subject=b"x")
    patch = Patch(
        name=PatchName("x"), message=message, changes=(), intents=(Mirror(anchor, Step(StepKind.ENTRY, "10")),)
    )
    assert write_patch(patch) == b"Subject: x\n\nMirror: a.py::C.d[12] = [10]\n---\n"
    with pytest.raises(PatchqError, match="no diff found"):
        read_patch(patch.name, b"Subject: x\n\n", file="x")
