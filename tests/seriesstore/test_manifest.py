from __future__ import annotations

from dataclasses import replace

import pytest

from patchq.errors import SeriesError
from patchq.model.series import Manifest
from patchq.seriesstore.manifest import read_manifest, write_manifest

FILE = "series/patchq.yaml"
TEXT = b"""\
# our fork
schema: 1
upstream: https://example.org/engine.git  # the mirror is faster
follow: main
current: v1     # the release we run
branch: 'patched/{ref}'

# see the wiki
policy:
  accept: review
"""


def read(text: bytes) -> Manifest:
    return read_manifest(text, file=FILE)


def error_of(text: bytes) -> SeriesError:
    with pytest.raises(SeriesError) as caught:
        read(text)
    return caught.value


def test_a_manifest_is_read_field_by_field() -> None:
    assert read(TEXT) == Manifest(
        upstream="https://example.org/engine.git",
        follow="main",
        current="v1",
        branch="patched/{ref}",
        policy={"accept": "review"},
    )


def test_missing_and_null_fields_are_unknown_and_the_branch_pattern_has_a_default() -> None:
    assert read(b"schema: 1\nfollow: null\ncurrent:\n") == Manifest(upstream=None, follow=None, current=None)


@pytest.mark.parametrize("ref", ["1.10", "0x10", "on", "2024-01-01", "012"])
def test_an_unquoted_ref_that_looks_like_a_number_is_the_text_it_is_written_as(ref: str) -> None:
    assert read(f"schema: 1\ncurrent: {ref}\n".encode()).current == ref


def test_policies_are_read_as_yaml_means_them() -> None:
    text = b"schema: 1\npolicy: {a: 1, b: 1.5, c: yes, d: ~, e: '1', f: [x, 0x10], g: 0b_, h: 2024-01-01}\n"
    assert read(text).policy == {
        "a": 1, "b": 1.5, "c": True, "d": None, "e": "1", "f": ["x", 16], "g": "0b_", "h": "2024-01-01",
    }  # fmt: skip


@pytest.mark.parametrize(
    ("text", "message", "hint"),
    [
        (b"schema: 1\nfolow: main\n", "2: folow: is not a known key", "did you mean 'follow'?"),
        (b"schema: 1\nx: 1\n", "2: x: is not a known key", "known are branch, current"),
        (
            b"schema: 2\nnew: 1\n",
            "1: schema: is written in schema 2, and this patchq reads schema 1",
            "upgrade",
        ),
        (b"schema: one\n", "1: schema: is not a whole number", None),
        (b"schema: 0\n", "1: schema: is not a number from 1", "write 'schema: 1'"),
        (b"follow: main\n", "1: 'schema' is missing", "write 'schema: 1'"),
        (b"- a\n", "1: is not a mapping", None),
        (b"", " is not a mapping", None),
        (b"schema: 1\nfollow: [main]\n", "2: follow: is not text", None),
        (b"schema: 1\nbranch:\n", "2: branch: is missing", None),
        (b"schema: 1\npolicy: 3\n", "2: policy: is not a mapping", None),
        (b"schema: 1\nupstream: --upload-pack=x\n", "2: upstream: starts with '-'", None),
    ],
)
def test_what_is_no_manifest_is_refused_with_line_field_and_hint(text: bytes, message: str, hint: str | None) -> None:
    error = error_of(text)
    assert str(error).startswith(f"series/patchq.yaml:{message}")
    assert (error.hint or "").startswith(hint or "")


def test_a_new_manifest_names_every_key_for_people_to_fill_in() -> None:
    assert write_manifest(Manifest(upstream="origin", follow="main", current=None), old=None, file=FILE) == (
        b"# which upstream this series follows; yours to edit, comments stay\n"
        b"schema: 1\nupstream: origin\nfollow: main\ncurrent: null\nbranch: patched/{ref}\npolicy: {}\n"
    )


def test_a_changed_value_changes_its_line_only() -> None:
    changed = replace(read(TEXT), current="v2 #x", upstream=None)
    assert write_manifest(changed, old=TEXT, file=FILE) == TEXT.replace(
        b"current: v1     #", b'current: "v2 #x"     #'
    ).replace(b"https://example.org/engine.git ", b"null ")


def test_a_value_that_the_file_does_not_name_yet_is_added_at_the_end() -> None:
    old = b"schema: 1 # c\nfollow: main"
    assert write_manifest(replace(read(old), current="v1"), old=old, file=FILE) == old + b"\ncurrent: v1\n"


def test_windows_line_ends_stay() -> None:
    old = TEXT.replace(b"\n", b"\r\n")
    assert write_manifest(replace(read(old), current="v2"), old=old, file=FILE) == old.replace(b"v1 ", b"v2 ")


def test_an_unchanged_manifest_keeps_every_byte() -> None:
    assert write_manifest(read(TEXT), old=TEXT, file=FILE) == TEXT


@pytest.mark.parametrize(
    "old",
    [
        TEXT.replace(b"current: v1  ", b"current: >-\n  v1\n#"),
        b"{schema: 1, current: v1}",
        b'"schema": 1\n"current": v1\n',
    ],
)
def test_what_cannot_be_changed_in_place_is_written_anew(old: bytes) -> None:
    changed = replace(read(old), current="v2")
    out = write_manifest(changed, old=old, file=FILE)
    assert read(out) == changed
    assert out.startswith(b"# which upstream")


def test_a_newer_manifest_is_never_overwritten() -> None:
    with pytest.raises(SeriesError, match="schema 2"):
        write_manifest(read(TEXT), old=TEXT.replace(b"schema: 1", b"schema: 2"), file=FILE)
