from __future__ import annotations

from patchq.model.names import PatchName
from patchq.model.series import Ledger, Record, RefPoint, Standing
from patchq.model.verdict import Verdict
from patchq.report.cells import cells
from patchq.report.matrix import Column, matrix_table, rows_of
from patchq.report.style import Style
from tests.readme import screen
from tests.report.series_samples import recorded

PLAIN = Style(width=80)
CLEAN = Verdict.CLEAN


def column(ref: str, names: dict[str, Verdict], retired: tuple[str, ...] = ()) -> Column:
    record = Record(
        base=RefPoint(ref, "1" * 40, "2" * 40),
        branch=None,
        branch_commit=None,
        patches=tuple(recorded(name, verdict) for name, verdict in names.items()),
        retired=tuple(map(PatchName, retired)),
    )
    standing = {
        PatchName(name): Standing.NOT_CARRIED if verdict.needs_person else Standing.CARRIED
        for name, verdict in names.items()
    }
    return Column(ref, standing, record)


def test_the_table_of_the_readme_is_what_is_printed() -> None:
    columns = [
        column("main", {"open-gate": CLEAN, "knob": Verdict.ORPHANED}, ("size-12",)),
        column("v0.5.23", {"open-gate": CLEAN, "size-12": Verdict.ADAPTED, "knob": Verdict.BLOCKED}),
        column("v0.5.9", dict.fromkeys(("open-gate", "size-12", "knob"), CLEAN)),
    ]
    assert matrix_table(columns, Ledger(), PLAIN) + "\n" == screen("matrix")


def test_a_patch_that_only_an_older_ref_has_stands_where_it_stood_there() -> None:
    columns = [column("v2", dict.fromkeys("ad", CLEAN)), column("v1", dict.fromkeys("abcd", CLEAN))]
    assert [str(name) for name in rows_of(columns, Ledger())] == ["a", "b", "c", "d"]


def test_long_names_and_hostile_refs_stay_in_their_columns() -> None:
    columns = [column("\x1b[31mred-and-much-longer-than-that", {"x" * 90: CLEAN}), column("v1", {"x" * 90: CLEAN})]
    lines = matrix_table(columns, Ledger(), Style(width=60)).splitlines()
    assert all(cells(line) <= 60 for line in lines)
    assert "\x1b" not in "".join(lines)


def test_no_ref_and_no_patch_are_a_table_too() -> None:
    assert matrix_table([], Ledger(), PLAIN).splitlines()[-1] == "0 patches, 0 refs"
