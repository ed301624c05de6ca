"""Binary patches: what git's base-85, zlib and delta formats allow, and every way to damage them."""

from __future__ import annotations

import zlib

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from patchq.errors import PatchFormatError
from patchq.model.change import BinaryBlock, BinaryBody, BinaryMethod
from patchq.patchfile.binary import apply_block, apply_delta, literal_body, read_binary, render_binary
from patchq.patchfile.limits import MAX_BLOCK_BYTES
from patchq.patchfile.lines import Lines
from patchq.patchfile.parse import parse_changes

_BASE = bytes(range(200))
_HEAD = b"diff --git a/f b/f\nindex 1234567..89abcde 100644\n"


def _read(data: bytes, budget: int = MAX_BLOCK_BYTES) -> BinaryBody:
    return read_binary(Lines.of(data, file="x"), budget)


@settings(max_examples=60, deadline=None)
@given(st.binary(max_size=600), st.binary(max_size=600))
def test_contents_are_read_back(old: bytes, new: bytes) -> None:
    body = literal_body(old, new)
    assert _read(render_binary(body)) == body
    assert (apply_block(body.forward, old), apply_block(body.reverse or body.forward, new)) == (new, old)


def test_a_patch_may_have_only_its_forward_side() -> None:
    body = BinaryBody(BinaryBlock(BinaryMethod.LITERAL, b"\0x"), None)
    assert _read(render_binary(body)) == body
    (change,) = parse_changes(_HEAD + render_binary(body), file="x")
    assert change.body == body


def test_copies_and_inserts_build_the_target() -> None:
    # base 200 bytes, target 8: copy 3 from offset 10, insert 2, copy 3 from offset 197
    delta = b"\xc8\x01\x08" + b"\x91\x0a\x03" + b"\x02XY" + b"\x91\xc5\x03"
    assert apply_delta(_BASE, delta) == _BASE[10:13] + b"XY" + _BASE[197:]


def test_a_copy_without_a_size_takes_65536_bytes() -> None:
    base = bytes(0x10000) + b"x"
    assert apply_delta(base, b"\x81\x80\x04\x80\x80\x04\x80") == bytes(0x10000)


@pytest.mark.parametrize(
    ("delta", "message"),
    [
        (b"", "proper header"),
        (b"\xff" * 30, "proper header"),
        (b"\xc7\x01\x01\x01x", "base of 199 bytes"),
        (b"\xc8\x01\xff\xff\xff\xff\x0f", "limit"),
        (b"\xc8\x01\x03\x00", "reserved instruction"),
        (b"\xc8\x01\x03\x03ab", "reaches outside"),
        (b"\xc8\x01\x03\x91\xc6\x03", "reaches outside"),
        (b"\xc8\x01\x03\x04abcd", "reaches outside"),
        (b"\xc8\x01\x03\x91", "inside an instruction"),
        (b"\xc8\x01\x03\x02ab", "ends after 2 of 3"),
    ],
)
def test_a_delta_that_does_not_fit_is_refused(delta: bytes, message: str) -> None:
    with pytest.raises(PatchFormatError, match=message):
        apply_delta(_BASE, delta)


@settings(max_examples=200, deadline=None)
@given(st.binary(max_size=40))
def test_a_hostile_delta_ends_in_an_error_or_in_the_size_it_announces(rest: bytes) -> None:
    try:
        target = apply_delta(_BASE, b"\xc8\x01\x20" + rest)
    except PatchFormatError:
        return
    assert len(target) == 32


@pytest.mark.parametrize(
    ("block", "message"),
    [
        (b"raw 3\nHcmV?d00001\n\n", "starts with `literal SIZE`"),
        (b"literal x\nHcmV?d00001\n\n", "starts with `literal SIZE`"),
        (b"literal 1\nHcmV?d00001\n\n", "does not inflate to 1"),
        (b"literal 0\nHcmV?d0000\n\n", "malformed line"),
        (b"literal 0\nGcmV?d00001 \n\n", "malformed line"),
        (b"literal 0\n?cmV?d00001\n\n", "malformed line"),
        (b"literal 0\nH~~~~~~~~~~\n\n", "malformed line"),
        (b"literal 0\nHcmV?d00001\n", "ends inside a binary block"),
        (b"literal 0\n\n", "does not inflate"),
        (b"literal 9999999999999999999999999999\nHcmV?d00001\n\n", "too large"),
    ],
)
def test_a_damaged_block_is_refused_with_its_line(block: bytes, message: str) -> None:
    with pytest.raises(PatchFormatError, match=message) as caught:
        parse_changes(_HEAD + b"GIT binary patch\n" + block, file="x")
    assert (caught.value.where.line or 0) >= 4


def test_a_block_that_inflates_to_more_than_it_says_is_not_inflated_in_full() -> None:
    bomb = render_binary(BinaryBody(BinaryBlock(BinaryMethod.LITERAL, bytes(10_000_000)), None))
    with pytest.raises(PatchFormatError, match="does not inflate to 10"):
        _read(bomb.replace(b"literal 10000000", b"literal 10", 1))
    with pytest.raises(PatchFormatError, match="too large"):
        _read(bomb, budget=9_999_999)


def test_bytes_behind_the_end_of_the_stream_are_refused() -> None:
    body = render_binary(BinaryBody(BinaryBlock(BinaryMethod.LITERAL, b""), None))
    assert body.count(b"H") == 1
    assert len(zlib.compress(b"", 1)) == 8
    with pytest.raises(PatchFormatError, match="does not inflate"):
        _read(body.replace(b"HcmV?d00001\n", b"HcmV?d00001\nDcmV?d\n"))
