"""Laws of carrying lines: nothing to do, done already, unrelated lines, and blocks that keep their shape."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from patchq.text.margins import Line
from patchq.text.passage import Footing, Found, Unfit, carry_lines, spliced

WORDS = st.sampled_from(["alpha one", "beta two", "gamma three", "delta four", "", "x"])
LINES = st.lists(st.tuples(st.sampled_from(["", "  ", "    "]), WORDS).map("".join), max_size=9)


def _line(text: str) -> Line[None]:
    words = text.strip()
    return Line(
        key=words.encode(),
        exact=text.encode() if words else b"",
        indent=text[: len(text) - len(text.lstrip())].encode(),
        kind="text" if words else None,
        telling=len(words) > 4,
        item=None,
    )


def _lines(texts: list[str]) -> list[Line[None]]:
    return [_line(text) for text in texts]


def _refuse(base: Line[None], theirs: Line[None], ours: Line[None]) -> None:
    del base, theirs, ours


def _carried(base: list[str], theirs: list[str], ours: list[str]) -> list[str] | None:
    found = carry_lines(_lines(base), _lines(theirs), _lines(ours), _refuse)
    if isinstance(found, Unfit):
        return None
    texts = [line.encode() for line in ours]
    out = [line.decode() for line in spliced(texts, found, _written)]
    return [line if line.strip() else "" for line in out]


def _written(line: Line[None]) -> bytes:
    return b"" if line.blank else line.indent + line.exact.lstrip(b" ")


def _plain(texts: list[str]) -> list[str]:
    return [text if text.strip() else "" for text in texts]


@given(base=LINES, theirs=LINES)
def test_on_its_own_base_a_change_is_itself_or_refused(base: list[str], theirs: list[str]) -> None:
    got = _carried(base, theirs, base)
    assert got is None or got == _plain(theirs)


@given(base=LINES, theirs=LINES)
def test_what_is_there_already_is_not_added_again(base: list[str], theirs: list[str]) -> None:
    got = _carried(base, theirs, theirs)
    assert got is None or got == _plain(theirs)


@given(base=LINES, ours=LINES)
def test_without_a_change_ours_stays(base: list[str], ours: list[str]) -> None:
    assert _carried(base, base, ours) == _plain(ours)


@given(base=LINES, theirs=LINES, shift=st.sampled_from(["  ", "\t"]))
def test_a_change_follows_a_text_that_was_indented_as_a_whole(base: list[str], theirs: list[str], shift: str) -> None:
    def deeper(texts: list[str]) -> list[str]:
        return [shift + text if text.strip() else text for text in texts]

    got = _carried(base, theirs, deeper(base))
    shallow = [text for text in _plain(theirs) if text and text not in base]
    if got is not None and not shallow:
        assert [text.strip() for text in got] == [text.strip() for text in theirs]


def test_changes_of_adjacent_lines_both_stand() -> None:
    base = ["first option", "second option", "third option"]
    assert _carried(base, ["first option", "second one", "third option"], ["first one", *base[1:]]) == [
        "first one",
        "second one",
        "third option",
    ]


def test_a_change_of_the_same_line_is_refused() -> None:
    base = ["first option", "second option"]
    assert _carried(base, ["first one", "second option"], ["first two", "second option"]) is None


def test_added_lines_stay_in_the_block_that_they_belong_to() -> None:
    base = ["host option:", "  kind of text", "port option:"]
    ours = ["host option:", "  kind of text", "user option:", "  kind of path", "port option:"]
    theirs = ["host option:", "  kind of text", "  not a secret", "port option:"]
    assert _carried(base, theirs, ours) == [*ours[:2], "  not a secret", *ours[2:]]


def test_lines_that_stand_more_than_once_hold_no_place() -> None:
    base = ["kind", "kind", "end of all"]
    found = carry_lines(
        _lines(base), _lines(["kind", "secret", "kind", "end of all"]), _lines(["kind", "kind", "kind", "end"]), _refuse
    )
    assert isinstance(found, Found)
    assert found.splices[0].footing is Footing.TWINS


def test_a_line_that_says_little_holds_no_place_though_it_stands_once() -> None:
    found = carry_lines(
        _lines(["head of one", "x", "tail of one"]),
        _lines(["head of one", "x", "what is added", "tail of one"]),
        _lines(["another head", "x", "another tail"]),
        _refuse,
    )
    assert isinstance(found, Found)
    assert found.splices[0].footing is Footing.TWINS
