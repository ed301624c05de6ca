from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from patchq.errors import PatchFormatError
from patchq.model.names import PatchName
from patchq.model.patch import Message, Trailer
from patchq.patchfile.read import read_patch
from patchq.patchfile.rehead import replace_text, text_of

DIFF = b"diff --git a/f b/f\nindex 1111111..2222222 100644\n--- a/f\n+++ b/f\n@@ -1 +1 @@\n-a\n+b\n"
MAIL = (
    b"From: Ada <ada@example.org>\nDate: Tue, 14 Nov 2023 22:13:20 +0000\nX-One: 1\nSubject: [PATCH 1/2] old\n"
    b" and folded\nX-Two:  2\n\nbody\n\nBug: 1\n---\n f | 2 +-\n\n"
)
DEP3 = b"Description: old\n long text\nAuthor: Ada <ada@example.org>\nForwarded: no\nX-Odd: 1\n\n"
NEW = Message(author=None, date=None, subject=b"new", body=b"why", trailers=(Trailer("Bug", "2"),))


def test_only_the_subject_and_the_text_of_a_mail_are_written_anew() -> None:
    made = replace_text(MAIL + DIFF, NEW, file="f")
    assert made == (
        b"From: Ada <ada@example.org>\nDate: Tue, 14 Nov 2023 22:13:20 +0000\nX-One: 1\nSubject: new\nX-Two:  2\n"
        b"\nwhy\n\nBug: 2\n---\n f | 2 +-\n\n" + DIFF
    )


def test_fields_of_dep3_stay_unless_they_are_taken_out() -> None:
    text = text_of(DEP3 + DIFF, file="f")
    assert (text.subject, text.body, text.trailers) == (b"old", b"long text", ())
    made = replace_text(DEP3 + DIFF, NEW, file="f", without={"forwarded"})
    assert made == b"Subject: new\nAuthor: Ada <ada@example.org>\nX-Odd: 1\n\nwhy\n\nBug: 2\n---\n" + DIFF


def test_an_author_on_top_of_the_body_stays_there() -> None:
    head = b"From: list@example.org\nSubject: old\n\nFrom: Ada <ada@example.org>\nSubject: really\n\nbody\n---\n"
    made = replace_text(head + DIFF, NEW, file="f")
    assert made.startswith(b"From: list@example.org\nSubject: new\n\nFrom: Ada <ada@example.org>\n\nwhy\n")


def test_free_text_becomes_a_mail() -> None:
    assert replace_text(b"old\n\nbody\n" + DIFF, NEW, file="f") == b"Subject: new\n\nwhy\n\nBug: 2\n---\n" + DIFF


def test_a_message_that_would_not_read_back_is_refused() -> None:
    with pytest.raises(PatchFormatError):
        replace_text(MAIL + DIFF, Message(author=None, date=None, subject=b"two\nlines"), file="f")


@settings(max_examples=60)
@given(
    st.text("ab:[]-=? \u00e9", min_size=1, max_size=20).map(str.strip).filter(bool),
    st.lists(st.text("ab:- >\u00e9", max_size=12), max_size=4).map("\n".join),
)
def test_what_is_written_reads_back_or_is_refused(subject: str, body: str) -> None:
    wanted = Message(author=None, date=None, subject=subject.encode(), body=body.strip().encode())
    old = read_patch(PatchName("p"), MAIL + DIFF, file="f")
    try:
        made = replace_text(MAIL + DIFF, wanted, file="f")
    except PatchFormatError:
        return
    new = read_patch(PatchName("p"), made, file="f")
    assert (new.message.subject, new.message.body) == (wanted.subject, wanted.body)
    assert (new.message.author, new.message.date, new.changes) == (old.message.author, old.message.date, old.changes)
    assert new.message.trailers[:2] == old.message.trailers[:2]
