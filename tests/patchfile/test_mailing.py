from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from patchq.errors import PatchFormatError
from patchq.model.names import PatchName
from patchq.model.patch import Message, Patch, Trailer
from patchq.patchfile.imports import read_import
from patchq.patchfile.mailing import write_mail, write_mailbox
from patchq.patchfile.read import canonical
from patchq.queue.arrival import with_own_name
from tests.patchfile.strategies import CHANGE_LISTS, MESSAGES

NAMES = st.sampled_from(["Zwei", "a.b", "0001-x", "fix", "x_y+z"])


@settings(max_examples=20)
@given(st.lists(st.tuples(NAMES, MESSAGES, CHANGE_LISTS), min_size=1, max_size=3, unique_by=lambda one: one[0]))
def test_a_mailbox_gives_back_names_order_and_every_byte(drawn: list[tuple[str, Message, tuple]]) -> None:  # type: ignore[type-arg]
    patches = [canonical(Patch(name=PatchName(name), message=said, changes=did)) for name, said, did in drawn]
    mails = [write_mail(one, (Trailer("Patchq-Patch", str(one.name)),)) for one in patches]
    for data, count in ((write_mailbox(mails), len(mails)), (mails[0], 1)):
        back = [canonical(with_own_name(one)) for one in read_import(data, file="x.mbox")]
        assert [(one.name, one.raw) for one in back] == [(one.name, one.raw) for one in patches[:count]]


def test_what_a_mail_needs_and_the_patch_has_not_is_named() -> None:
    diff = b"Subject: x\n\n---\n--- a/f\n+++ b/f\n@@ -1 +1 @@\n-a\n+b\n"
    (patch,) = read_import(diff, file="x.patch")
    with pytest.raises(PatchFormatError, match="has no author"):
        write_mail(patch)
    signed = read_import(b"From: A <a@b>\nDate: Mon, 1 Jan 2024 00:00:00 +0000\n" + diff, file="x.patch")[0]
    assert write_mail(signed) == signed.raw
    with pytest.raises(PatchFormatError, match="changes nothing yet"):
        write_mail(replace(signed, changes=()))


def test_a_dep_3_patch_is_dated_by_its_last_update() -> None:
    head = b"Description: x\nAuthor: A <a@b>\nLast-Update: 2023-11-14\nForwarded: no\n\n"
    (patch,) = read_import(head + b"--- a/f\n+++ b/f\n@@ -1 +1 @@\n-a\n+b\n", file="x.patch")
    assert patch.message.date is not None
    assert (patch.message.date.seconds, patch.message.date.offset) == (1699920000, "+0000")
    assert patch.message.trailers == (Trailer("Last-Update", "2023-11-14"), Trailer("Forwarded", "no"))
