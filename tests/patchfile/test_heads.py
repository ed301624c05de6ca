"""Heads of patches in every form in which people keep them: mail, DEP-3, git show, StGit, free text."""

from __future__ import annotations

import pytest

from patchq.errors import PatchFormatError
from patchq.model.patch import GitDate, Message, Person, Trailer
from patchq.patchfile.dates import parse_date, render_date
from patchq.patchfile.mail import parse_message, render_message, replace_diff, split_mail, split_mbox
from patchq.patchfile.notes import notes_below
from patchq.patchfile.parse import parse_changes
from patchq.patchfile.people import parse_person
from patchq.patchfile.words import decode_words

_DIFF = b"diff --git a/f b/f\n--- a/f\n+++ b/f\n@@ -1 +1 @@\n-a\n+b\n"
_ADA = Person(b"Ada", b"a@b")


def _read(head: bytes) -> Message:
    return parse_message(head, file="x.patch")


@pytest.mark.parametrize(
    ("rest", "what"),
    [
        (b"---\n" + _DIFF, "divider"),
        (b"---  \n" + _DIFF, "divider with blanks"),
        (_DIFF, "git diff"),
        (b"diff -ru a b\n", "plain diff"),
        (b"Index: f\n", "index line"),
        (b"--- a/f\n+++ b/f\n", "plain header"),
    ],
)
def test_a_head_ends_where_git_mailinfo_ends_it(rest: bytes, what: str) -> None:
    head = b"Subject: x\n\n---- four\n ---\n-- \nindex: y\n--- \t\n"[:-6]
    assert split_mail(head + rest) == (head, rest), what


def test_a_file_without_any_diff_is_all_head() -> None:
    assert split_mail(b"Subject: x\n") == (b"Subject: x\n", b"")


def test_mail_is_read() -> None:
    head = (
        b"From 0123456789012345678901234567890123456789 Mon Sep 17 00:00:00 2001\n"
        b"From: =?UTF-8?q?J=C3=BCrgen=20M?=\n =?UTF-8?q?=C3=BCller?= <j@x>\n"
        b"Date: Tue, 14 Nov 2023 22:13:20 +0100 (CET)\n"
        b"Subject: [RFC PATCH v2 3/7] [ROCm] a subject\n that goes on\nMIME-Version: 1.0\n"
        b"Content-Type: text/plain; charset=UTF-8\nMessage-Id: <x@y>\n\nwhy\n\nmore\n\nBug: 1\nSigned-off-by: A <a@b>\n"
    )
    assert _read(head) == Message(
        author=Person("Jürgen Müller".encode(), b"j@x"),
        date=GitDate(1_700_000_000 - 3600, "+0100"),
        subject=b"[ROCm] a subject that goes on",
        body=b"why\n\nmore",
        trailers=(Trailer("Bug", "1"), Trailer("Signed-off-by", "A <a@b>")),
    )


def test_lines_on_top_of_the_body_win_over_the_header_as_in_git_am() -> None:
    head = b"From: list <l@x>\nDate: 2023-11-14\nSubject: [PATCH] a\n\n\nFrom: Ada <a@b>\nSubject: [PATCH] b\n\n"
    message = _read(head + b"Subject: prose\non.\n")
    assert (message.author, message.subject, message.body) == (_ADA, b"b", b"Subject: prose\non.")
    prose = _read(b"Subject: a\n\nFrom: the start of the sentence\non.\n")
    assert prose.body == b"From: the start of the sentence\non."


def test_8_bit_headers_and_bodies_are_kept_as_they_are() -> None:
    message = _read(b"From: J\xfcrgen <j@x>\nSubject: caf\xe9\n\n\xff body\n\nBug: \xfe\n")
    assert message.author == Person(b"J\xfcrgen", b"j@x")
    assert (message.subject, message.body, message.trailers) == (b"caf\xe9", b"\xff body", (Trailer("Bug", "\udcfe"),))


def test_dep3_fields_become_trailers_and_lose_nothing() -> None:
    head = (
        b"Description: short one\n Long text that\n goes on.\n .\n New paragraph.\nAuthor: Ada <a@b>\n"
        b"Origin: upstream, https://x/y\nBug-Debian: https://bugs/1\nForwarded: not-needed\nX-Local: 7\n"
        b"Last-Update: 2024-01-02\n"
    )
    message = _read(head)
    assert (message.subject, message.author, message.date) == (
        b"short one",
        _ADA,
        GitDate(1704153600, "+0000"),
    )
    assert message.body == b"Long text that\ngoes on.\n\nNew paragraph."
    assert [(trailer.key, trailer.value) for trailer in message.trailers] == [
        ("Origin", "upstream, https://x/y"),
        ("Bug-Debian", "https://bugs/1"),
        ("Forwarded", "not-needed"),
        ("X-Local", "7"),
        ("Last-Update", "2024-01-02"),
    ]


def test_header_lines_that_mail_servers_added_are_no_part_of_the_patch() -> None:
    head = b"Received: by x\n with y\nX-Spam: no\nForwarded: yes\nReply-To: z\nFrom: Ada <a@b>\nSubject: s\n\n"
    assert _read(head).trailers == (Trailer("Forwarded", "yes"),)


@pytest.mark.parametrize(
    "dates",
    [
        b"Author: Ada <a@b>\nDate:   Tue Nov 14 22:13:20 2023 +0000\n",
        b"Author:     Ada <a@b>\nAuthorDate: 2023-11-14 22:13:20 +0000\nCommit:     C <c@d>\nCommitDate: 2024-01-01\n",
        b"Merge: 1234567 89abcde\nAuthor: Ada <a@b>\nDate:   2023-11-14T22:13:20Z\n",
    ],
)
def test_git_show_is_read_whatever_its_date_format(dates: bytes) -> None:
    head = (
        b"commit 0123456789 (HEAD -> main, tag: x)\n"
        + dates
        + b"\n    [x] title\n    folded\n    \n    body\n      more\n    \n"
    )
    message = _read(head + b"    Bug: 1\n\nNotes:\n    private\n\n")
    assert message == Message(
        author=_ADA,
        date=GitDate(1_700_000_000, "+0000"),
        subject=b"[x] title folded",
        body=b"body\n  more",
        trailers=(Trailer("Bug", "1"),),
    )


def test_free_text_has_its_subject_on_the_first_line() -> None:
    assert _read(b"\nmake it fast\n\nbecause\n") == Message(
        author=None, date=None, subject=b"make it fast", body=b"because"
    )
    stgit = _read(b"make it fast\n\nFrom: Ada <a@b>\n\nbecause\n")
    assert (stgit.subject, stgit.author, stgit.body) == (b"make it fast", _ADA, b"because")
    assert _read(b"").subject == b""
    assert _read(b"fix: no header\nat all\n").subject == b"fix: no header"


def test_only_a_paragraph_of_nothing_but_trailers_is_one() -> None:
    assert _read(b"Subject: s\n\nBug: 1\n").trailers == (Trailer("Bug", "1"),)
    assert _read(b"Subject: s\n\nwords\n \t\nBug: 1\n two\n").trailers == (Trailer("Bug", "1\n two"),)
    for body in (
        b"words\nBug: 1",
        b"see\n\nhttps://x/y",
        b"Bug:1",
        b"(cherry picked from commit 1)\nBug: 1",
        b" Bug: 1",
    ):
        message = _read(b"Subject: s\n\n" + body + b"\n")
        assert (message.body, message.trailers) == (body, ())


@pytest.mark.parametrize(
    "value", ["yesterday", "Tue, 31 Feb 2023 00:00:00 +0000", "Tue, 14 Foo 2023 00:00:00 +0000", ""]
)
def test_a_date_that_cannot_be_read_is_refused_with_its_line(value: str) -> None:
    with pytest.raises(PatchFormatError, match="date cannot be read") as caught:
        _read(f"From: Ada <a@b>\nDate: {value}\nSubject: s\n\n".encode())
    assert (caught.value.where.file, caught.value.where.line) == ("x.patch", 2)


@pytest.mark.parametrize(
    ("text", "seconds", "offset"),
    [
        ("Tue, 14 Nov 2023 22:13:20 +0000", 1_700_000_000, "+0000"),
        ("14 Nov 23 22:13:20 GMT", 1_700_000_000, "+0000"),
        ("Tue, 14 Nov 2023 17:13:20 EST", 1_700_000_000, "-0500"),
        ("Tue, 14 Nov 2023 22:13 -0000", 1_699_999_980, "+0000"),
        ("Tue Nov 14 22:13:20 2023 +0000", 1_700_000_000, "+0000"),
        ("2023-11-15 03:43:20.123 +05:30", 1_700_000_000, "+0530"),
        ("2023-11-14", 1_699_920_000, "+0000"),
        ("1700000000 -0330", 1_700_000_000, "-0330"),
        ("Sat, 31 Dec 2016 23:59:60 +0000", 1_483_228_800, "+0000"),
    ],
)
def test_dates_are_read_in_the_forms_that_tools_write(text: str, seconds: int, offset: str) -> None:
    assert parse_date(text) == GitDate(seconds, offset)


def test_a_date_is_written_in_its_own_zone() -> None:
    assert render_date(GitDate(1_700_000_000, "+0530")) == "Wed, 15 Nov 2023 03:43:20 +0530"


@pytest.mark.parametrize(
    ("text", "name", "email"),
    [
        (b"Ada <a@b>", b"Ada", b"a@b"),
        (b'"Doe, \\"A\\"" <a@b>', b'Doe, "A"', b"a@b"),
        (b"a@b (Ada)", b"Ada", b"a@b"),
        (b"a@b", b"", b"a@b"),
        (b"<a@b>", b"", b"a@b"),
        (b"Ada Lovelace", b"Ada Lovelace", b""),
        (b"=?iso-8859-1?B?SvxyZ2Vu?= <j@x>", "Jürgen".encode(), b"j@x"),
    ],
)
def test_authors_are_read_in_the_forms_that_mail_has(text: bytes, name: bytes, email: bytes) -> None:
    assert parse_person(text) == Person(name, email)


def test_encoded_words_that_do_not_decode_stay_as_they_are() -> None:
    for text in (b"=?nonsense?q?=E9?=", b"=?UTF-8?b?A?= x", b"a =? b ?= c", b"=?utf-8?q?x?"):
        assert decode_words(text) in {text, b"\xe9"}
    assert decode_words(b"=?UTF-8?q?a_b?= =?UTF-8*en?Q?=C3=A9?= c") == "a bé c".encode()


def test_a_mailbox_is_cut_at_its_from_lines_only() -> None:
    line = b"From 0123 Mon Sep 17 00:00:00 2001\n"
    mails = split_mbox(line + b"Subject: a\n\nFrom here on\n>From there\n" + line + b"Subject: b\n\n")
    assert mails == (line + b"Subject: a\n\nFrom here on\n>From there\n", line + b"Subject: b\n\n")
    assert split_mbox(b"Subject: a\n\n>From x\n") == (b"Subject: a\n\n>From x\n",)
    assert split_mbox(b"words\n" + line) == (b"words\n" + line,)


def test_a_new_diff_leaves_every_unknown_header_line_alone() -> None:
    head = b"From: Ada <a@b>\nX-What:  Odd \t\nForwarded: no\nSubject:\ts\n\nwhy  \n\n\n---\n f | 2 +-\n\n"
    tail = b"-- \n2.39.5\n"
    changes = parse_changes(_DIFF.replace(b"+b", b"+c"), file="x")
    assert replace_diff(head + _DIFF + tail, changes) == head + _DIFF.replace(b"+b", b"+c") + tail
    assert replace_diff(head + _DIFF, ()) == head
    assert replace_diff(b"Subject: new\n\n---\n", changes) == b"Subject: new\n\n---\n" + _DIFF.replace(b"+b", b"+c")
    assert replace_diff(b"only words", changes) == b"only words\n---\n" + _DIFF.replace(b"+b", b"+c")
    assert replace_diff(b"", changes) == _DIFF.replace(b"+b", b"+c")


def test_an_encoded_line_break_cannot_add_header_lines() -> None:
    message = _read(b"From: =?UTF-8?q?A=0ADate:_x?= <a@b>\nSubject: [PATCH] =?UTF-8?q?s=0D=0AX=00?=: y\n\n")
    assert message.author == Person(b"A Date: x", b"a@b")
    assert message.subject == b"s X : y"


@pytest.mark.parametrize(
    "message",
    [
        Message(author=None, date=None, subject=b"a\nb"),
        Message(author=None, date=None, subject=b"a\0b"),
        Message(author=Person(b"A\nX: y", b"a@b"), date=None, subject=b"s"),
        Message(author=Person(b"A", b"a\n@b"), date=None, subject=b"s"),
        Message(author=None, date=None, subject=b"s", body=b"\0"),
        Message(author=None, date=GitDate(10**15, "+0000"), subject=b"s"),
        Message(author=None, date=GitDate(10**11 * 3, "+0000"), subject=b"s"),
    ],
)
def test_what_no_mail_head_can_hold_is_refused(message: Message) -> None:
    with pytest.raises(PatchFormatError):
        render_message(message)


def test_notes_below_the_dashes_are_told_apart_from_the_table_of_changes() -> None:
    table = b"\n a/f.py    | 2 +-\n b | Bin 0 -> 4 bytes\n 2 files changed, 1 insertion(+)\n mode change 1 => 2 b\n\n"
    diff = b"diff --git a/f b/f\n--- a/f\n+++ b/f\n@@ -1 +1 @@\n-a\n+b\n"
    head = b"Subject: x\n\nwhy\n---\n"
    assert notes_below(head + table + diff) == b""
    assert notes_below(head + b"\nNotes:\n    tested | twice\n" + table + diff) == b"Notes: tested | twice"
    assert notes_below(b"Subject: x\n\n" + diff) == b""
