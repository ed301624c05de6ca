from __future__ import annotations

import pytest

from patchq.errors import SeriesError
from patchq.seriesstore.ledger import read_ledger
from patchq.seriesstore.record import read_record, write_record
from tests.seriesstore import values

BASE = f"schema: 1\nbase:\n  ref: v2\n  commit: {'2' * 40}\n  tree: {'b' * 40}\n"
PATCH = f"""\
patches:
  - name: one
    verdict: clean
    digest: {"0" * 64}
    files:
      - path: x.py
        verdict: clean
        facts:
          - anchor: "x.py::A"
            holds: [x]
"""


def error_of(text: str) -> SeriesError:
    with pytest.raises(SeriesError) as caught:
        read_record(text.encode(), file="record.yaml")
    return caught.value


def test_a_record_without_patches_is_a_record() -> None:
    record = read_record(BASE.encode(), file="record.yaml")
    assert (record.base, record.patches, record.branch) == (values.NEW, (), None)


def test_a_patch_made_for_the_base_does_not_repeat_it() -> None:
    text = write_record(values.a_record(values.NEW, "one", "two", open_names=("two",))).decode()
    assert text.count("made_for:") == 1
    assert text.index("name: two") < text.index("made_for:")


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("holds: [x]", "holds: x", "15: patches[0].files[0].facts[0].holds: is not a list"),
        ("holds: [x]", "holds: [x, [y]]", "15: patches[0].files[0].facts[0].holds[1]: is not text"),
        ("facts:", "fact:", "13: patches[0].files[0].fact: is not a known key"),
        (
            "verdict: clean\n    digest",
            "verdict: clena\n    digest",
            "8: patches[0].verdict: is 'clena', not one of",
        ),
        ("    verdict: clean\n    digest", "    digest", "7: patches[0].verdict: is missing"),
        ("name: one", "name: ../one", "7: patches[0].name: '../one' cannot be the name of a patch"),
        ("2" * 40, "HEAD~1", "4: base.commit: is 'HEAD~1', not an object id"),
        (f"  tree: {'b' * 40}\n", "", "2: base.tree: is missing"),
        (
            "          - anchor",
            "          - x\n          - anchor",
            "14: patches[0].files[0].facts[0]: is not a mapping",
        ),
    ],
)
def test_a_field_that_is_not_in_order_is_named_with_its_line(old: str, new: str, message: str) -> None:
    assert str(error_of((BASE + PATCH).replace(old, new))).startswith(f"record.yaml:{message}")


def test_near_misses_of_verdicts_are_offered() -> None:
    assert error_of((BASE + PATCH).replace("verdict: clean", "verdict: clena")).hint == "did you mean 'clean'?"


def test_a_patch_recorded_twice_is_refused() -> None:
    twice = PATCH + PATCH.removeprefix("patches:\n")
    assert "patches[1].name: one is recorded twice" in str(error_of(BASE + twice))


def test_a_newer_ledger_is_refused_with_both_numbers() -> None:
    with pytest.raises(SeriesError, match="schema 9, and this patchq reads schema 1"):
        read_ledger(b"schema: 9\nwhatever: 1\n", file="ledger.yaml")


def test_a_pull_request_is_a_number() -> None:
    point = f"{{ref: v, commit: {'1' * 40}, tree: {'1' * 40}}}"
    entry = f"  - name: a\n    how: tree\n    patch: x\n    pull_request: many\n    seen_at: {point}\n"
    text = f"schema: 1\nentries:\n{entry}"
    with pytest.raises(SeriesError, match=r"ledger.yaml:6: entries\[0\].pull_request: is not a whole number"):
        read_ledger(text.encode(), file="ledger.yaml")
