"""Hypothesis strategies for file changes as git can state them, and for messages as people write them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hypothesis import strategies as st

from patchq.model.anchor import Anchor, Step, StepKind
from patchq.model.change import (
    BinaryBlock,
    BinaryBody,
    BinaryMethod,
    ChangeKind,
    FileChange,
    Hunk,
    HunkLine,
    LineKind,
    TextBody,
)
from patchq.model.patch import GitDate, Message, Person, Trailer
from patchq.model.tree import Mode
from patchq.patchfile.paths import unsafe_reason

if TYPE_CHECKING:
    from collections.abc import Sequence

MODES = st.sampled_from([Mode.REGULAR, Mode.EXECUTABLE, Mode.SYMLINK])
IDS = st.text("0123456789abcdef", min_size=39, max_size=39).map("1".__add__)
TEXTS = st.binary(max_size=8).map(lambda text: text.replace(b"\n", b"\r") + b"\n")
PATHS = (
    st.lists(st.binary(min_size=1, max_size=5).map(lambda part: part.replace(b"/", b"-")), min_size=1, max_size=3)
    .map(b"/".join)
    .filter(lambda path: unsafe_reason(path) is None and path != b"dev/null")
)


@st.composite
def hunk_lists(draw: st.DrawFn) -> tuple[Hunk, ...]:
    """Hunks in order with true starts; the last one may reach the end of a file without a newline."""
    hunks: list[Hunk] = []
    old_at = shift = 0
    for _ in range(draw(st.integers(1, 3))):
        kinds = draw(st.lists(st.sampled_from(LineKind), min_size=1, max_size=5))
        if all(kind is LineKind.CONTEXT for kind in kinds):
            kinds.append(draw(st.sampled_from([LineKind.ADDED, LineKind.REMOVED])))
        lines = tuple(HunkLine(kind, draw(TEXTS)) for kind in kinds)
        old = sum(kind is not LineKind.ADDED for kind in kinds)
        new = sum(kind is not LineKind.REMOVED for kind in kinds)
        old_at += draw(st.integers(0, 3))
        section = draw(st.sampled_from([b"", b"def f(x):", b" odd ", b"caf\xe9"]))
        hunks.append(
            Hunk(
                old_start=old_at + 1 if old else old_at,
                new_start=old_at + shift + 1 if new else old_at + shift,
                lines=lines,
                section=section,
            )
        )
        old_at += old
        shift += new - old
    if draw(st.booleans()):
        last = hunks[-1]
        hunks[-1] = Hunk(
            old_start=last.old_start,
            new_start=last.new_start,
            lines=without_last_newline(last.lines, draw(st.sampled_from([LineKind.ADDED, LineKind.REMOVED]))),
            section=last.section,
        )
    return tuple(hunks)


def without_last_newline(lines: Sequence[HunkLine], other: LineKind) -> tuple[HunkLine, ...]:
    """Take the newline off the last line of the side that `other` has no part in (a context line: of both)."""
    at = max((index for index, line in enumerate(lines) if line.kind is not other), default=None)
    if at is None or (lines[at].kind is LineKind.CONTEXT and at != len(lines) - 1):
        return tuple(lines)
    cut = HunkLine(lines[at].kind, lines[at].text[:-1])
    return (*lines[:at], cut, *lines[at + 1 :])


def _whole(kind: LineKind) -> st.SearchStrategy[tuple[Hunk, ...]]:
    """One hunk that makes or empties a file."""
    added = kind is LineKind.ADDED

    def build(texts: list[bytes]) -> tuple[Hunk, ...]:
        lines = tuple(HunkLine(kind, text) for text in texts)
        return (Hunk(old_start=int(not added), new_start=int(added), lines=lines),)

    return st.lists(TEXTS, min_size=1, max_size=4).map(build)


_BLOCKS = st.builds(BinaryBlock, st.sampled_from(BinaryMethod), st.binary(max_size=200))
_BINARY = st.builds(BinaryBody, _BLOCKS, st.none() | _BLOCKS)


@st.composite
def file_changes(draw: st.DrawFn) -> FileChange:
    """Any change that git can state in its own format."""
    kind = draw(st.sampled_from(ChangeKind))
    old, new = draw(PATHS), draw(PATHS)
    old_mode, new_mode = draw(MODES), draw(MODES)
    old_id, new_id = draw(st.tuples(IDS, IDS).filter(lambda ids: ids[0] != ids[1]))
    moves = kind in {ChangeKind.RENAME, ChangeKind.COPY}
    whole = {ChangeKind.CREATE: _whole(LineKind.ADDED), ChangeKind.DELETE: _whole(LineKind.REMOVED)}
    body = draw(_BINARY | whole.get(kind, hunk_lists()).map(TextBody))
    return FileChange(
        kind=kind,
        old_path=None if kind is ChangeKind.CREATE else old,
        new_path=None if kind is ChangeKind.DELETE else new if moves else old,
        old_mode=None if kind is ChangeKind.CREATE else old_mode,
        new_mode=None if kind is ChangeKind.DELETE else new_mode,
        old_id="0" * 40 if kind is ChangeKind.CREATE else old_id,
        new_id="0" * 40 if kind is ChangeKind.DELETE else new_id,
        similarity=draw(st.integers(0, 99)) if moves else None,
        body=body,
    )


def _lies_under_link(changes: list[FileChange]) -> bool:
    links = [change.new_path for change in changes if change.new_mode is Mode.SYMLINK]
    return any(link and (change.new_path or b"").startswith(link + b"/") for change in changes for link in links)


CHANGE_LISTS = (
    st.lists(file_changes(), min_size=1, max_size=3).filter(lambda changes: not _lies_under_link(changes)).map(tuple)
)

_PROSE = st.sampled_from(
    [
        "plain words",
        "  indented",
        "* item",
        "---------",
        "ünïcode 漢字",
        "a  double blank",
        "@@ -1 +1 @@",
        "From: the start of prose",
        "Note: one thing",
        "https://example.org/x",
        "-- ",
        ">>> code",
        "\ttab",
        "-x",
        "+y",
        "---",
        "diff --git a/x b/x",
        "Index: x",
        "--- a/x",
        "From abc Mon Sep 17 00:00:00 2001",
        "[PATCH] x",
    ]
)
BODIES = st.lists(_PROSE | st.just(""), max_size=5).map(lambda lines: "\n".join(lines).encode())
NAMES = st.sampled_from(
    ["Ada", "J. R. Doe", 'Q "x" y', "Jürgen Müller", "Doe, Ada", "bot[bot]", "A (b) C", "O\\x", "=?x?= y"]
)
SUBJECTS = st.sampled_from(
    [
        "fix",
        "[ROCm] fix",
        "[a][b] c",
        "Re: x",
        ":sparkles: x",
        "[PATCH] y",
        "[PATCH 1/2] z",
        "[open",
        "[x]",
        "=?UTF-8?q?a?= b",
        "é [x] ü",
        "漢字 " * 30 + "x",
        "diff --git a b",
        "From x 10:11:12 2020",
        "R",
        "x: y",
    ]
)
TRAILERS = st.sampled_from(
    [Trailer("Signed-off-by", "A <a@b>"), Trailer("Bug", "several\n lines"), Trailer("Expect", "a/b.py::C.d[12]")]
)
MESSAGES = st.builds(
    Message,
    author=st.builds(Person, NAMES.map(str.encode), st.just(b"a@example.org")),
    date=st.builds(GitDate, st.integers(0, 4_000_000_000), st.sampled_from(["+0000", "+0530", "-0800", "+1400"])),
    subject=SUBJECTS.map(str.encode),
    body=BODIES,
    trailers=st.lists(TRAILERS, max_size=2).map(tuple),
)

_KEYS = st.sampled_from(
    [
        "12",
        "'a'",
        '"x]"',
        "(1, 2)",
        "f(a)[0]",
        "'it''s'",
        "r'\\d'",
        "{1: [2]}",
        "a::b",
        "torch.float16",
        "&'a str",
        "''",
    ]
)
STEPS = st.one_of(
    st.builds(Step, st.just(StepKind.NAME), st.sampled_from(["x", "Class", "_attr", "operator+", "naïve", "a b"])),
    st.builds(Step, st.just(StepKind.ENTRY), _KEYS),
    st.builds(Step, st.just(StepKind.ARGUMENT), st.sampled_from(["x", "*args", "key"])),
)
ANCHORS = st.builds(
    Anchor,
    st.sampled_from(["a.py", "python/a b/c.py", "caf\udce9.py", "x:y.rs"]),
    st.lists(STEPS, max_size=4).map(tuple),
)
