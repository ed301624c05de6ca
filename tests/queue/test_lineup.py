from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from patchq.model.names import PatchName
from patchq.model.patch import Message, Patch
from patchq.model.series import Entry, Ledger, LedgerEntry, RefPoint
from patchq.queue.lineup import line_up

POINT = RefPoint("v1", "1" * 40, "2" * 40)


def entry(name: str) -> Entry:
    return Entry(patch=Patch(name=PatchName(name), message=Message(author=None, date=None, subject=b""), changes=()))


def retired(name: str, after: str | None) -> LedgerEntry:
    behind = None if after is None else PatchName(after)
    return LedgerEntry(name=PatchName(name), title="", seen_at=POINT, how="tree", evidence="", after=behind, raw=b"x")


def order(standing: str, *asked: LedgerEntry, known: tuple[LedgerEntry, ...] = ()) -> str:
    slots = line_up([entry(name) for name in standing], asked, Ledger((*known, *asked)))
    return "".join(str(slot.name if isinstance(slot, LedgerEntry) else slot.patch.name) for slot in slots)


def test_a_patch_returns_behind_the_one_it_stood_behind() -> None:
    assert order("acd", retired("b", "a")) == "abcd"
    assert order("bc", retired("a", None)) == "abc"


def test_two_that_return_together_keep_their_order() -> None:
    assert order("ad", retired("c", "b"), retired("b", "a")) == "abcd"
    assert order("ad", retired("b", "a"), retired("c", "a")) == "abcd"


def test_one_that_is_retired_itself_passes_its_own_place_on() -> None:
    assert order("ad", retired("c", "b"), known=(retired("b", "a"),)) == "acd"


def test_what_stood_behind_nothing_that_is_known_comes_first() -> None:
    assert order("ad", retired("c", "gone")) == "cad"


def test_a_ring_written_by_hand_loses_nothing() -> None:
    assert sorted(order("a", retired("b", "c"), retired("c", "b"))) == ["a", "b", "c"]


@given(st.permutations("abcdefgh"), st.data())
def test_every_patch_stands_there_once_and_the_series_keeps_its_order(names: list[str], data: st.DataObject) -> None:
    count = data.draw(st.integers(0, len(names)))
    standing, gone = names[:count], names[count:]
    places = st.none() | st.sampled_from([*names, "unknown"])
    found = order("".join(standing), *(retired(name, data.draw(places)) for name in gone))
    assert sorted(found) == sorted(names)
    assert [name for name in found if name in standing] == standing


@given(st.lists(st.integers(0, 7), unique=True, max_size=8))
def test_patches_that_were_retired_in_any_order_come_back_in_the_old_one(leave: list[int]) -> None:
    """Each is retired from the order with those before it still asked, as a carry writes it down."""
    names = list("abcdefgh")
    asked: list[LedgerEntry] = []
    for index in leave:
        name = names[index]
        before = names[index - 1] if index else None
        asked.append(retired(name, before))
    rest = [name for name in names if names.index(name) not in leave]
    assert order("".join(rest), *asked) == "abcdefgh"
