from __future__ import annotations

import contextlib
import time
from typing import TYPE_CHECKING, Any

import pytest
import yaml
from hypothesis import given, settings
from hypothesis import strategies as st

from patchq.errors import SeriesError
from patchq.seriesstore.ledger import plain_ledger, read_ledger, write_ledger
from patchq.seriesstore.manifest import plain_manifest, read_manifest, write_manifest
from patchq.seriesstore.record import plain_record, read_record, write_record
from patchq.seriesstore.yamlread import MAX_NODES, find_line, parse
from patchq.seriesstore.yamlwrite import dump
from tests.seriesstore import values

if TYPE_CHECKING:
    from patchq.model.series import Ledger, Manifest, Record


def error_of(data: bytes) -> SeriesError:
    with pytest.raises(SeriesError) as caught:
        parse(data, file="x.yaml")
    return caught.value


def with_bytes(value: object) -> object:
    """What other readers see: text that is not UTF-8 is `!!binary` and comes back as bytes."""
    match value:
        case str():
            try:
                value.encode()
            except UnicodeEncodeError:
                return value.encode("utf-8", "surrogateescape")
            return value
        case dict():
            return {with_bytes(key): with_bytes(item) for key, item in value.items()}
        case list():
            return [with_bytes(item) for item in value]
        case _:
            return value


def others_read(data: bytes) -> list[object]:
    loaders: list[Any] = [yaml.SafeLoader, yaml.CSafeLoader]
    return [yaml.load(data, Loader=loader) for loader in loaders]  # noqa: S506 - both are safe loaders


@settings(max_examples=60, deadline=None)
@given(values.records)
def test_a_record_reads_back_as_it_was_written_by_us_and_by_any_yaml_reader(record: Record) -> None:
    data = write_record(record)
    assert read_record(data, file="record.yaml") == record
    assert others_read(data) == [with_bytes(plain_record(record))] * 2


@settings(max_examples=60, deadline=None)
@given(values.ledgers)
def test_a_ledger_reads_back_with_every_byte_of_its_patches(ledger: Ledger) -> None:
    data = write_ledger(ledger)
    assert read_ledger(data, file="ledger.yaml") == ledger
    assert others_read(data) == [with_bytes(plain_ledger(ledger))] * 2


@settings(max_examples=60, deadline=None)
@given(values.manifests)
def test_a_manifest_reads_back_with_policies_that_this_version_does_not_know(manifest: Manifest) -> None:
    data = write_manifest(manifest, old=None, file="patchq.yaml")
    assert read_manifest(data, file="patchq.yaml") == manifest
    assert others_read(data) == [with_bytes(plain_manifest(manifest))] * 2


def test_patch_text_with_blank_context_lines_and_tabs_is_a_literal_block() -> None:
    text = "--- a/x\n+++ b/x\n@@ -1,3 +1,3 @@\n \n-\tx = 1\n+\tx = 2  \n \n"
    assert dump({"patch": text}, comment="c").decode() == (
        "# c\npatch: |\n  --- a/x\n  +++ b/x\n  @@ -1,3 +1,3 @@\n   \n  -\tx = 1\n  +\tx = 2  \n   \n"
    )


def test_patch_text_with_carriage_returns_stays_readable_line_by_line() -> None:
    assert dump({"patch": " a\r\n+b\r\n"}, comment="c").decode() == '# c\npatch: "\\ a\\r\\n\\\n  +b\\r\\n"\n'
    assert parse(dump({"patch": " a\r\n+b\r\n"}, comment="c"), file="x") == {"patch": " a\r\n+b\r\n"}


def test_text_that_is_not_utf_8_is_tagged_base64() -> None:
    text = b"caf\xe9".decode("utf-8", "surrogateescape")
    assert dump({"path": text}, comment="c") == b"# c\npath: !!binary |-\n  Y2Fm6Q==\n"


@pytest.mark.parametrize(
    "text", ["1.10", "null", "on", "2024-01-01", "12e45678", "0x1f", "a: b", "a #b", "x:", "", " "]
)
def test_text_that_some_reader_would_take_for_something_else_is_quoted(text: str) -> None:
    assert dump({"ref": text}, comment="c").decode() == f'# c\nref: "{text}"\n'


@pytest.mark.parametrize("text", ["v0.5.9", "python/x.py::A.b[12]", "patched/{ref}", "https://example.org/x.git"])
def test_usual_text_stands_without_quotes(text: str) -> None:
    assert dump({"ref": text}, comment="c").decode() == f"# c\nref: {text}\n"


def test_aliases_and_anchors_are_refused_so_that_no_bomb_can_grow() -> None:
    bomb = b"a: &a [x, x]\n" + b"".join(b"b%d: [*a, *a]\n" % i for i in range(50))
    error = error_of(bomb)
    assert str(error) == "x.yaml:1: anchors and aliases are not used in this format"
    assert error_of(b"a: 1\nb: *a\n").where.line == 2


@pytest.mark.parametrize("opening", [b"[", b"{a: ", b"- ", b"? "])
def test_deep_nesting_is_refused_in_no_time(opening: bytes) -> None:
    started = time.perf_counter()
    message = str(error_of(opening * 1_000_000))
    assert "nest" in message or "a key must be text" in message
    assert time.perf_counter() - started < 5


def test_more_values_than_any_series_has_are_refused() -> None:
    assert f"more than {MAX_NODES} values" in str(error_of(b"-\n" * (MAX_NODES + 10)))


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"a: 1\nb: 2\na: 3\n", "x.yaml:3: the key 'a' is given twice"),
        (
            b"a: !!python/object/apply:os.system [ls]\n",
            "x.yaml:1: the tag 'tag:yaml.org,2002:python/object/apply:os.system'",
        ),
        (b"a: !x 1\n", "x.yaml:1: the tag '!x' is not used"),
        (b"a: !!binary '?'\n", "x.yaml:1: is not base64"),
        (b"a: 1\n---\nb: 2\n", "x.yaml:2: a second document"),
        (b"? [a, b]\n: 1\n", "x.yaml:1: a key must be text"),
        (b"ok: 1\nx: caf\xe9\n", "x.yaml:2: is not UTF-8"),
        (b"a: [1\nb: 2\n", "x.yaml:2: is not YAML: did not find expected"),
        (b"a: \x00\n", "x.yaml: is not YAML: "),
        (b"\ta: 1\n", "x.yaml:1: is not YAML: found character that cannot start any token"),
    ],
)
def test_what_is_not_plain_yaml_is_refused_with_its_line(data: bytes, message: str) -> None:
    assert str(error_of(data)).startswith(message)


@settings(max_examples=200, deadline=None)
@given(st.binary(max_size=40) | st.text(alphabet="schema:1 base\n-[]{}'\"|>#&*!?,~%\t", max_size=40).map(str.encode))
def test_any_bytes_are_read_or_refused(data: bytes) -> None:
    for read in (read_manifest, read_record, read_ledger):
        with contextlib.suppress(SeriesError):
            read(data, file="x.yaml")


@settings(max_examples=60, deadline=None)
@given(values.manifests, values.manifests)
def test_a_manifest_changed_in_place_reads_as_the_new_one(before: Manifest, after: Manifest) -> None:
    old = write_manifest(before, old=None, file="patchq.yaml")
    assert read_manifest(write_manifest(after, old=old, file="patchq.yaml"), file="patchq.yaml") == after


def test_an_empty_file_is_nothing() -> None:
    assert parse(b"# only a comment\n", file="x.yaml") is None


def test_lines_are_found_by_path() -> None:
    data = b"schema: 1\npatches:\n  - name: a\n  - name: b\n    files: [x]\n"
    assert find_line(data, ("patches", 1, "files", 0), file="x") == 5
    assert find_line(data, ("patches", 1, "missing"), file="x") == 4
    assert find_line(data, ("nothing",), file="x") == 1


def test_the_pure_parser_gives_the_same_where_libyaml_is_missing(monkeypatch: pytest.MonkeyPatch) -> None:
    data = write_record(values.a_record(values.NEW, "one", "two"))
    expected = parse(data, file="x")
    monkeypatch.delattr(yaml, "CSafeLoader")
    assert parse(data, file="x") == expected
    assert "given twice" in str(error_of(b"a: 1\na: 2\n"))
    assert "is not YAML" in str(error_of(b"a: [1\nb: 2\n"))
