from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from patchq.errors import SeriesError
from patchq.model.names import PatchName
from patchq.model.series import Standing
from patchq.model.verdict import Verdict
from patchq.seriesstore.seriesfile import Slot, Wanted, arrange, join, listed_files, read_slots, split
from tests.seriesstore import values

FILE = "series/v1/series"
TEXT = b"""\
# the GPU work

one.patch -p1
# two is needed for three
two.patch\t# ask Ada
#patchq:not-carried three.patch  # conflict
four.patch"""


def wanted(*names: str, **open_names: Verdict | None) -> tuple[Wanted, ...]:
    return tuple(
        Wanted(name=PatchName(name), standing=Standing.NOT_CARRIED, verdict=open_names[name])
        if name in open_names
        else Wanted(name=PatchName(name), standing=Standing.CARRIED)
        for name in names
    )


def rewritten(text: bytes, *names: str, **open_names: Verdict | None) -> bytes:
    return join(arrange(split(text), wanted(*names, **open_names), file=FILE))


def slots(text: bytes) -> tuple[Slot, ...]:
    return read_slots(split(text), file=FILE)


def error_of(text: bytes) -> str:
    with pytest.raises(SeriesError) as caught:
        slots(text)
    return str(caught.value)


@given(st.binary(max_size=80))
def test_lines_joined_are_the_file_whatever_it_holds(data: bytes) -> None:
    assert join(split(data)) == data


def test_patches_are_read_in_order_with_their_standing() -> None:
    assert [(slot.index, slot.name.value, slot.standing) for slot in slots(TEXT)] == [
        (2, "one", Standing.CARRIED),
        (4, "two", Standing.CARRIED),
        (5, "three", Standing.NOT_CARRIED),
        (6, "four", Standing.CARRIED),
    ]


def test_windows_line_ends_and_leading_blanks_are_read() -> None:
    assert [slot.file_name for slot in slots(b"# c\r\n  one.patch\r\n\r\ntwo.diff -p1 # x\r\n")] == [
        "one.patch",
        "two.diff",
    ]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (b"\n../x.patch\n", "series/v1/series:2: '../x.patch' lies in a sub-folder"),
        (b"debian/x.patch\n", "series/v1/series:1: 'debian/x.patch' lies in a sub-folder"),
        (b"/etc/passwd\n", "series/v1/series:1: '/etc/passwd' lies in a sub-folder"),
        (b"..\n", "series/v1/series:1: '..' cannot be the name of a patch"),
        (b"-x.patch\n", "series/v1/series:1: '-x' cannot be the name of a patch"),
        (b"caf\xe9.patch\n", "series/v1/series:1: 'caf\\udce9' cannot be"),
        (b"x.patch.gz\n", "series/v1/series:1: 'x.patch.gz' is a packed patch"),
        (b"record.yaml\n", "series/v1/series:1: 'record.yaml' is a file of the series itself"),
        (b"x.patch -p0\n", "series/v1/series:1: patches with -p0 are not read"),
        (b"x.patch -R\n", "series/v1/series:1: reversed patches"),
        (b"x.patch y.patch\n", "series/v1/series:1: the option 'y.patch' is not understood"),
        (b"x.patch\n\nx.patch\n", "series/v1/series:3: x.patch is the same patch as x.patch in line 1"),
        (b"x.patch\nx.diff\n", "series/v1/series:2: x.diff is the same patch as x.patch in line 1"),
        (b"x.patch\n#patchq:not-carried x.patch\n", "series/v1/series:2: x.patch is the same patch"),
        (b"x.patch\nX.patch\n", "series/v1/series:2: X.patch differs only in case from x.patch in line 1"),
        (b"#patchq:not-caried x.patch\n", "series/v1/series:1: '#patchq:not-caried x.patch' is not understood"),
        (b"#patchq:not-carried\n", "series/v1/series:1: '#patchq:not-carried' is not understood"),
        (b"a\rb.patch\n", "series/v1/series:1: 'a\\rb.patch' is not understood"),
    ],
)
def test_what_cannot_be_meant_is_refused_with_file_and_line(text: bytes, message: str) -> None:
    assert error_of(text).startswith(message)


def test_a_rewrite_that_changes_nothing_keeps_every_byte() -> None:
    assert rewritten(TEXT, "one", "two", "three", "four", three=Verdict.CONFLICT) == TEXT
    assert rewritten(TEXT, "one", "two", "three", "four", three=None) == TEXT


def test_a_removed_patch_takes_only_its_own_line_along() -> None:
    assert rewritten(TEXT, "one", "three", "four", three=None) == TEXT.replace(b"two.patch\t# ask Ada\n", b"")


def test_a_new_patch_goes_directly_behind_the_one_before_it() -> None:
    assert rewritten(TEXT, "zero", "one", "two", "new", "three", "four", "last", three=None) == (
        TEXT.replace(b"one.patch", b"zero.patch\none.patch").replace(b"# ask Ada\n", b"# ask Ada\nnew.patch\n")
        + b"\nlast.patch\n"
    )


def test_a_patch_taken_out_of_the_build_keeps_its_place_and_comes_back_as_it_was() -> None:
    out = rewritten(TEXT, "one", "two", "three", "four", two=Verdict.SUPERSEDED, three=Verdict.ORPHANED)
    assert out == TEXT.replace(
        b"two.patch\t# ask Ada", b"#patchq:not-carried two.patch\t# ask Ada  # superseded"
    ).replace(b"# conflict", b"# orphaned")
    assert rewritten(out, "one", "two", "three", "four", three=Verdict.CONFLICT) == TEXT


def test_a_moved_patch_moves_alone() -> None:
    assert rewritten(TEXT, "two", "three", "four", "one", three=None) == (
        TEXT.replace(b"one.patch -p1\n", b"") + b"\none.patch -p1\n"
    )


def test_a_file_name_without_the_suffix_gets_it_with_the_first_rewrite() -> None:
    assert rewritten(b"fix.diff -p1 # why\n", "fix") == b"fix.patch -p1 # why\n"


def test_a_file_of_comments_gets_its_first_patches_at_the_end_in_its_own_line_ends() -> None:
    assert rewritten(b"# hello\r\n", "a", "b") == b"# hello\r\na.patch\r\nb.patch\r\n"
    assert rewritten(b"", "a") == b"a.patch\n"
    assert rewritten(b"# hello", "a") == b"# hello\na.patch\n"


plain = st.sampled_from([b"# note\n", b"\n", b"#\n", b"  # x\n"])
listed = st.lists(values.names, max_size=8, unique_by=lambda name: name.value.casefold())


@given(st.data(), listed, listed)
def test_any_rewrite_names_what_it_should_and_keeps_every_other_line(
    data: st.DataObject, before: list[PatchName], after: list[PatchName]
) -> None:
    old = b""
    for name in before:
        old += b"".join(data.draw(st.lists(plain, max_size=2)))
        old += data.draw(st.sampled_from([b"", b"#patchq:not-carried "])) + name.file_name.encode() + b"\n"
    taken = {name.value.casefold() for name in before}
    mixed = data.draw(st.permutations([*before, *(name for name in after if name.value.casefold() not in taken)]))
    standings = {name: data.draw(st.sampled_from(Standing)) for name in mixed}
    lines = arrange(
        split(old), [Wanted(name=name, standing=standings[name], verdict=Verdict.CONFLICT) for name in mixed], file=FILE
    )
    found = read_slots(lines, file=FILE)
    assert [(slot.name, slot.standing) for slot in found] == [(name, standings[name]) for name in mixed]
    assert [line for line in lines if "patch" not in line] == [line for line in split(old) if "patch" not in line]
    again = [Wanted(name=slot.name, standing=slot.standing) for slot in found]
    assert arrange(lines, again, file=FILE) == lines


def test_file_names_are_found_without_judging_the_file() -> None:
    text = b"one.patch -p0\n../x\n#patchq:not-carried two.patch\nseries\n#patchq:what\none.patch\n-R\n\x00\n"
    assert listed_files(text) == ("one.patch", "two.patch")
