from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from patchq.model.attempt import Applied, Carried, Case, Declined, Refused
from patchq.model.verdict import AbsorbedHow, Rung
from patchq.reapply.anchored import anchored
from patchq.reapply.ladder import carry
from patchq.reapply.paragraphs import by_paragraph
from patchq.text.prose import Style

BLOCKS = st.lists(
    st.sampled_from(["# One", "# Two", "some words here", "other words there", "- first", "- second", "| a | b |"]),
    min_size=1,
    max_size=7,
    unique=True,
)


def _case(base: str, theirs: str, ours: str, path: bytes = b"a.md") -> Case:
    return Case(path=path, ours_path=path, base=base.encode(), theirs=theirs.encode(), ours=ours.encode())


def test_line_ends_are_those_of_upstream() -> None:
    base = "One word here.\n\n- a thing\n- b thing\n"
    case = _case(base, base.replace("a thing", "a new thing"), base.replace("b thing", "c").replace("\n", "\r\n"))
    answer = carry(case)
    assert isinstance(answer, Carried)
    assert answer.data == b"One word here.\r\n\r\n- a new thing\r\n- c\r\n"


def test_what_the_patch_removes_elsewhere_is_not_taken_for_it() -> None:
    base = "# A\n\nSet the limit to four.\n\n# B\n\nNothing yet to be said here.\n"
    theirs = base.replace("four", "five")
    ours = "# A\n\nGone.\n\n# B\n\nSet the limit to four.\n"
    assert isinstance(carry(_case(base, theirs, ours)), Refused)


def test_a_rewrapped_paragraph_that_has_the_words_is_absorbed() -> None:
    base = "A text of some words\nover two lines.\n"
    answer = carry(_case(base, "A text of many words\nover two lines.\n", "A text of many\nwords over two lines.\n"))
    assert isinstance(answer, Carried)
    assert answer.absorbed is AbsorbedHow.SYNTAX


def test_a_block_at_the_front_gets_a_line_of_its_own() -> None:
    answer = anchored(_case("# A\n\n- one\n- two\n", "# N\n\n# A\n\n- one\n- two\n", "# A\n\n- one\n- 2\n"))
    assert isinstance(answer, Applied)
    assert answer.data == b"# N\n\n# A\n\n- one\n- 2\n"


def test_a_readable_tree_is_not_read_by_words() -> None:
    case = _case("x = 1\ny = 2\n", "x = 1\ny = 3\n", "x = 4\ny = 2\n", b"a.py")
    answer = anchored(case)
    assert isinstance(answer, Applied)
    assert all("words" not in edit.how for edit in answer.evidence.edits)


def test_a_tree_that_cannot_be_read_leaves_the_lines() -> None:
    deep = "x = " + "[" * 300 + "]" * 300 + "\n"
    base = f"first = 1\nsecond = 2\n{deep}"
    case = _case(base, base.replace("second = 2", "second = 3"), base.replace("first = 1", "first = 0"), b"a.py")
    answer = carry(case)
    assert isinstance(answer, Carried)
    assert answer.evidence.rung is Rung.ANCHORED
    assert answer.data == case.ours.replace(b"second = 2", b"second = 3")


def test_bytes_that_are_no_text_are_declined() -> None:
    assert isinstance(by_paragraph(_case("a\0b\n", "a\0c\n", "a\0b\nd\n"), Style.LINES), Declined)


@given(base=BLOCKS, theirs=BLOCKS, ours=BLOCKS)
def test_a_result_is_made_of_the_blocks_of_the_three_texts(base: list[str], theirs: list[str], ours: list[str]) -> None:
    texts = ["\n\n".join(side) + "\n" for side in (base, theirs, ours)]
    answer = carry(_case(texts[0], texts[1], texts[2]))
    if isinstance(answer, Carried):
        result = {line for line in answer.data.decode().splitlines() if line}
        assert result <= {line for text in texts for line in text.splitlines() if line}
        assert set(theirs) - set(base) <= result
