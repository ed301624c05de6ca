from __future__ import annotations

import pytest

from patchq.errors import Where
from patchq.model.anchor import Mirror, Step, StepKind
from patchq.model.attempt import Carried, Case
from patchq.patchfile.intents import parse_anchor
from patchq.reapply.ladder import carry
from patchq.reapply.mirror import follow_mirrors, propose_mirrors, stale_copies

BASE = """\
class Communicator:
    _WORLD_SIZES = {
        9: [4, 6, 8],
        10: [6, 8],
    }
    ranks = (1, 2)
"""
THEIRS = BASE.replace("        10: [6, 8],\n", "        10: [6, 8],\n        12: [6, 8],\n")
OURS = BASE.replace("10: [6, 8]", "10: [4, 6, 8]")
COPY = Mirror(
    parse_anchor("m.py::Communicator._WORLD_SIZES[12]", where=Where()),
    Step(StepKind.ENTRY, "10"),
)


def _case(base: str = BASE, theirs: str = THEIRS, ours: str = OURS, path: bytes = b"m.py") -> Case:
    return Case(path=path, ours_path=path, base=base.encode(), theirs=theirs.encode(), ours=ours.encode())


def test_a_mirrored_entry_takes_the_new_value_of_its_sibling_and_says_so() -> None:
    mirrored = follow_mirrors(_case(), [COPY])
    assert mirrored.changed
    assert mirrored.notes == ("copied [10], which upstream has changed: [6, 8] -> [4, 6, 8]",)
    assert mirrored.case.theirs == THEIRS.replace("12: [6, 8]", "12: [4, 6, 8]").encode()
    answer = carry(mirrored.case)
    assert isinstance(answer, Carried)
    assert (
        answer.data
        == OURS.replace("        10: [4, 6, 8],\n", "        10: [4, 6, 8],\n        12: [4, 6, 8],\n").encode()
    )


def test_a_mirror_whose_sibling_has_not_changed_changes_nothing() -> None:
    case = _case(ours="# upstream\n" + BASE.replace("[6, 8]", "[\n            6,\n            8,\n        ]"))
    mirrored = follow_mirrors(case, [COPY])
    assert mirrored.case == case
    assert not mirrored.changed
    assert mirrored.notes == ()


def test_a_mirror_follows_values_of_several_lines_at_the_right_indentation() -> None:
    ours = BASE.replace("10: [6, 8]", "10: [\n            4,  # new\n            6,\n            8,\n        ]")
    mirrored = follow_mirrors(_case(ours=ours), [COPY])
    assert b"        12: [\n            4,  # new\n            6,\n            8,\n        ],\n" in mirrored.case.theirs


def test_a_mirrored_case_keeps_its_line_ends() -> None:
    base, theirs, ours = (text.replace("\n", "\r\n") for text in (BASE, THEIRS, OURS))
    mirrored = follow_mirrors(_case(base, theirs, ours), [COPY])
    assert mirrored.changed
    assert mirrored.case.theirs.count(b"\n") == mirrored.case.theirs.count(b"\r\n")


@pytest.mark.parametrize(
    ("theirs", "ours", "said"),
    [
        (THEIRS.replace("12: [6, 8]", "12: [8]"), OURS, "is no copy of [10]"),
        (THEIRS, BASE.replace("        10: [6, 8],\n", ""), "is gone upstream"),
        (BASE, OURS, "not found in the patched file"),
    ],
    ids=["no copy", "sibling gone", "no such entry"],
)
def test_a_mirror_that_cannot_be_followed_leaves_the_patch_as_it_is_and_says_why(
    theirs: str, ours: str, said: str
) -> None:
    case = _case(theirs=theirs, ours=ours)
    mirrored = follow_mirrors(case, [COPY])
    assert mirrored.case == case
    assert not mirrored.changed
    assert said in mirrored.notes[0]


def test_a_mirror_in_a_file_without_a_grammar_is_told_about() -> None:
    mirrored = follow_mirrors(_case(path=b"m.ini"), [COPY])
    assert "cannot be read as a tree" in mirrored.notes[0]


def test_without_a_mirror_a_stale_copy_is_noticed() -> None:
    assert stale_copies(_case()) == (
        "[12] copies [10], which upstream has changed since: [6, 8] -> [4, 6, 8]; kept [6, 8]",
    )


@pytest.mark.parametrize(
    "ours",
    [BASE, BASE.replace("9: [4, 6, 8]", "9: [8]"), BASE.replace("10: [6, 8]", "10: [\n6,\n8]")],
    ids=["unchanged", "another one changed", "reformatted"],
)
def test_a_copy_of_an_unchanged_sibling_is_not_stale(ours: str) -> None:
    assert stale_copies(_case(ours=ours)) == ()


def test_an_added_copy_of_a_neighbour_is_proposed_as_a_mirror() -> None:
    assert propose_mirrors(b"m.py", BASE.encode(), THEIRS.encode()) == (COPY,)


def test_small_values_and_other_values_are_no_copies() -> None:
    base = "T = {\n    1: True,\n    2: [6, 8],\n}\n"
    small = base.replace("    2:", "    3: True,\n    2:")
    other = base.replace("    2:", "    3: [6, 9],\n    2:")
    assert propose_mirrors(b"m.py", base.encode(), small.encode()) == ()
    assert propose_mirrors(b"m.py", base.encode(), other.encode()) == ()


def test_the_nearest_equal_sibling_is_proposed() -> None:
    base = "T = {\n    1: f(6, 8),\n    2: f(6, 8),\n}\n"
    theirs = base.replace("}\n", "    3: f(6, 8),\n}\n")
    (mirror,) = propose_mirrors(b"m.py", base.encode(), theirs.encode())
    assert mirror.sibling == Step(StepKind.ENTRY, "2")
