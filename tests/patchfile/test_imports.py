"""Foreign patches: their order, names and text, and the transport that has been at them."""

from __future__ import annotations

from base64 import b64encode
from quopri import encodestring
from typing import TYPE_CHECKING

import pytest

from patchq.errors import PatchFormatError
from patchq.model.anchor import Anchor, Expect, Step, StepKind
from patchq.model.names import PatchName
from patchq.model.patch import Message, Patch, Trailer
from patchq.patchfile.countercheck import Agrees, Differs, Unreadable, read_again
from patchq.patchfile.imports import read_import
from patchq.patchfile.parse import parse_changes
from patchq.patchfile.read import patch_digest, read_patch, write_patch

if TYPE_CHECKING:
    from tests.gitrepo import GitRepo

_DIFF = "diff --git a/f b/f\n--- a/f\n+++ b/f\n@@ -1 +1 @@\n-a\n+b=é\n".encode()
_MAIL = b"From: Ada <a@b>\nDate: Tue, 14 Nov 2023 22:13:20 +0000\nSubject: [PATCH] do it\n\nwhy\n---\n f | 2 +-\n\n"


def _names(patches: tuple[Patch, ...]) -> list[str]:
    return [str(patch.name) for patch in patches]


@pytest.mark.parametrize(
    ("file", "name"),
    [
        ("some/dir/fix_It.patch", "fix_It"),
        ("0003-fix.diff", "fix"),
        ("C:\\x\\my fix.txt", "my-fix"),
        ("-", "patch"),
        ("12.patch", "12"),
    ],
)
def test_a_plain_diff_is_named_after_its_file(file: str, name: str) -> None:
    (patch,) = read_import(_DIFF, file=file)
    assert str(patch.name) == name
    assert patch.message.author is None
    assert patch.message.subject
    assert patch.raw.endswith(_DIFF)


def test_a_quilt_patch_keeps_its_file_name_and_fields() -> None:
    (patch,) = read_import(
        b"Description: a long title\nForwarded: no\n" + _DIFF, file="debian/patches/CVE-2024-1.patch"
    )
    assert (str(patch.name), patch.message.subject) == ("CVE-2024-1", b"a long title")
    assert patch.message.trailers == (Trailer("Forwarded", "no"),)
    assert patch.raw.startswith(b"Subject: a long title\n\nForwarded: no\n---\n")


def test_mails_are_named_after_their_subjects_and_apart() -> None:
    line = b"From 0123 Mon Sep 17 00:00:00 2001\n"
    cover = line + b"From: Ada <a@b>\nDate: 2023-11-14\nSubject: [PATCH 0/2] cover\n\n f | 2 +-\n\n-- \n2.39.5\n\n"
    mail = line + _MAIL + _DIFF + b"-- \n2.39.5\n\n"
    patches = read_import(cover + mail + mail, file="all.mbox")
    assert _names(patches) == ["do-it", "do-it-2"]
    assert all(patch.raw == _MAIL.replace(b"[PATCH] ", b"").replace(b" f | 2 +-\n\n", b"") + _DIFF for patch in patches)


def test_a_mail_without_a_diff_among_others_is_refused_with_its_line() -> None:
    line = b"From 0123 Mon Sep 17 00:00:00 2001\n"
    mail = line + _MAIL + _DIFF
    with pytest.raises(PatchFormatError, match="no diff found") as caught:
        read_import(mail + line + b"Subject: hello\n\nno patch\n", file="all.mbox")
    assert caught.value.where.line is not None
    assert caught.value.where.line > mail.count(b"\n")


@pytest.mark.parametrize("file", ["x", "x.patch", "0001-x.patch"])
def test_nothing_at_all_is_refused(file: str) -> None:
    for data in (b"", b"commit 0123456\nMerge: 1 2\nAuthor: A <a@b>\n\n    merge\n", b"\xff\n", _MAIL):
        with pytest.raises(PatchFormatError, match="no diff found"):
            read_import(data, file=file)


@pytest.mark.parametrize("order", [(), ("--reverse",)])
def test_git_log_is_brought_into_the_order_of_application(repo: GitRepo, order: tuple[str, ...]) -> None:
    for number in range(4):
        repo.commit(f"[{number}] step\n\nwhy", {"f": f"{number}\n", f"g{number}": "x"})
    repo.git("tag", "-a", "v1", "-m", "a tag")
    patches = read_import(repo.git("log", "-p", *order), file="log.txt")
    assert _names(patches) == ["0-step", "1-step", "2-step", "3-step"]
    assert patches[0].message.subject == b"[0] step"
    (shown,) = read_import(repo.git("show", "v1"), file="show.txt")
    assert (shown.name, shown.message) == (patches[-1].name, patches[-1].message)


def test_merges_in_git_log_are_left_out(repo: GitRepo) -> None:
    repo.commit("one", {"f": "1\n"})
    repo.git("checkout", "-q", "-b", "side")
    repo.commit("two", {"g": "2\n"})
    repo.git("checkout", "-q", "main")
    repo.commit("three", {"h": "3\n"})
    repo.git("merge", "-q", "side", "-m", "merge")
    patches = read_import(repo.git("log", "-p", "--topo-order"), file="log.txt")
    assert sorted(_names(patches)) == ["one", "three", "two"]


def test_the_body_of_a_commit_survives_format_patch_and_show_alike(repo: GitRepo) -> None:
    repo.commit("[x] title\n\nwhy\n  so\n\n* item\n\nBug: 1\nSigned-off-by: A <a@b>", {"f": "1\n"})
    (shown,) = read_import(repo.git("show", "--full-index", "--stat", "-p"), file="x")
    (mailed,) = read_import(repo.git("format-patch", "--stdout", "--full-index", "-1"), file="x")
    assert shown == mailed
    assert shown.message.body == b"why\n  so\n\n* item"


@pytest.mark.parametrize("encoding", ["8bit", "quoted-printable", "base64"])
@pytest.mark.parametrize("crlf", [False, True])
def test_mail_transport_is_undone(encoding: str, *, crlf: bool) -> None:
    head, body = _MAIL.split(b"\n\n", 1)
    body = b"caf\xe9 " + body + _DIFF.replace("é".encode(), b"\xe9")
    encoded = {"8bit": body, "quoted-printable": encodestring(body), "base64": b64encode(body) + b"\n"}[encoding]
    head += b'\nMIME-Version: 1.0\nContent-Type: text/plain;\n charset="iso-8859-1"\n'
    mail = head + b"Content-Transfer-Encoding: " + encoding.encode() + b"\n\n" + encoded
    (patch,) = read_import(mail.replace(b"\n", b"\r\n") if crlf else mail, file="x.eml")
    assert patch.message.body == "café why".encode()
    assert patch.raw.endswith(b"-a\n+b=\xe9\n")


def test_crlf_inside_a_diff_is_no_transport() -> None:
    (patch,) = read_import(_MAIL + _DIFF.replace(b"-a\n+b", b"-a\r\n+b\r"), file="x.patch")
    assert b"-a\r\n+b\r" in patch.raw


def test_multipart_and_broken_mails_are_refused() -> None:
    for header, message in (
        (b"Content-Type: multipart/mixed; boundary=x\n", "multipart"),
        (b"Content-Transfer-Encoding: base64\n", "no valid base64"),
    ):
        with pytest.raises(PatchFormatError, match=message):
            read_import(header + b"From: Ada <a@b>\nSubject: s\n\nabcde\n", file="x.eml")


def test_an_import_without_prefixes_is_read_with_strip() -> None:
    plain = b"--- f\n+++ f\n@@ -1 +1 @@\n-a\n+b\n"
    (patch,) = read_import(plain, file="x.diff", strip=0)
    assert patch.changes[0].path == b"f"
    assert read_patch(PatchName("x"), patch.raw, file="x") == patch


def test_a_file_of_a_series_keeps_its_bytes_and_lends_its_name_to_a_missing_subject() -> None:
    raw = b"X-Odd: 1\n\nForwarded: no\n" + _DIFF + b"-- \n2.39\n"
    patch = read_patch(PatchName("my-fix"), raw, file="my-fix.patch")
    assert (patch.raw, patch.message.title) == (raw, "X-Odd: 1")
    assert read_patch(PatchName("my-fix"), _DIFF, file="x").message.subject == b"my-fix"


def test_only_a_new_patch_may_be_empty() -> None:
    assert read_patch(PatchName("x"), b"From: Ada <a@b>\nSubject: x\n\n---\n", file="x").changes == ()
    for raw in (b"From: Ada <a@b>\nSubject: x\n\n", b"From: Ada <a@b>\nSubject: x\n\n---\n f | 2 +-\n", b"---\n", b""):
        with pytest.raises(PatchFormatError, match="no diff found"):
            read_patch(PatchName("x"), raw, file="x")


def test_intents_are_read_from_trailers_and_written_once() -> None:
    expect = Expect(Anchor("a.py", (Step(StepKind.NAME, "X"),)))
    (patch,) = read_import(_MAIL.replace(b"why\n", b"why\nExpect: a.py::X\n") + _DIFF, file="x")
    assert patch.intents == (expect,)
    assert write_patch(patch) == patch.raw
    bare = Patch(name=patch.name, message=Message(author=None, date=None, subject=b"s"), changes=(), intents=(expect,))
    assert write_patch(bare) == b"Subject: s\n\nExpect: a.py::X\n---\n"


def test_errors_count_lines_from_the_start_of_the_file() -> None:
    raw = _MAIL + _DIFF.replace(b"-1 +1", b"-1,5 +1")
    with pytest.raises(PatchFormatError) as caught:
        read_patch(PatchName("x"), raw, file="x.patch")
    line = caught.value.where.line
    assert line is not None
    assert raw.split(b"\n")[line - 1].startswith(b"@@ -1,5")


def test_a_digest_is_the_sha256_of_the_bytes() -> None:
    assert patch_digest(b"") == "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"


def test_the_second_reading_agrees_differs_or_gives_up() -> None:
    changes = parse_changes(_DIFF, file="x")
    assert read_again(_MAIL + _DIFF, changes) == Agrees()
    other = _DIFF.replace(b"-a", b"-c")
    assert read_again(_MAIL + other, changes) == Differs("f: hunk 1")
    assert isinstance(read_again(_MAIL + _DIFF + other, changes), Differs)
    assert isinstance(read_again(_DIFF + b"@@ -3 +3 @@\n-a\n+b\n", changes), Differs)
    name = rb'a b/\303\251.py"'
    quoted = b'diff --git "a/' + name + b' "b/' + name + b'\n--- "a/' + name + b'\t\n+++ "b/' + name + b"\t\n"
    quoted += b"@@ -1 +1 @@\n-a\n+b\n"
    assert isinstance(read_again(quoted, parse_changes(quoted, file="x")), Unreadable)
