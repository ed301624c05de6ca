from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.fork import GATE, TABLE, WITH_12, Change, Fork

if TYPE_CHECKING:
    from pathlib import Path

LINES = "".join(f"line {number}\n" for number in range(12))


@pytest.fixture
def fork(tmp_path: Path) -> Fork:
    """Five patches at v1; at v2 one is as it was, one stands in other context, one is adapted, two are upstream's."""
    v1 = {"gate.py": GATE, "table.py": TABLE, "lines.txt": LINES, "far.py": "A = 1\n", "old.py": "O = 1\n"}
    changes = [
        Change("open-gate", {"gate.py": GATE.replace("== 10)", "== 10 or capability == 12)")}),
        Change("far-2", {"far.py": "A = 2\n"}),
        Change("five", {"lines.txt": LINES.replace("line 5", "LINE 5")}),
        Change("size-12", {"table.py": WITH_12}, "Mirror: table.py::SIZES[12] = [10]"),
        Change("knob", {"old.py": "O = 2\n"}),
    ]
    v2 = {
        "far.py": "A = 2\n",
        "lines.txt": "first\n" + LINES.replace("line 8", "line eight"),
        "table.py": TABLE.replace("10: [6, 8]", "10: [4, 6, 8]"),
        "old.py": None,
    }
    made = Fork.create(tmp_path / "fork", v1=v1, v2=v2, changes=changes)
    made.run("rebase", "v2", "--skip-conflicts")
    return made


def test_every_patch_gets_a_mark_in_the_manner_of_range_diff(fork: Fork) -> None:
    ran = fork.run("compare", "v1", "v2")
    assert ran.code == 0
    rows = [line for line in ran.out.splitlines() if line[:1] in {"=", "~", "!", "<", ">"}]
    assert rows == ["= 1 1  open-gate", "< 2 -  far-2", "~ 3 2  five", "! 4 3  size-12", "= 5 4  knob"]
    assert "    upstream has it at v2" in ran.out.splitlines()
    assert "    not carried at v2" in ran.out.splitlines()
    assert ran.out.splitlines()[-1] == "5 patches: 2 the same, 1 in other context, 1 changed, 1 only at v1"


def test_the_interdiff_tells_content_from_context(fork: Fork) -> None:
    told = fork.run("compare", "v1", "--patch").out
    assert "    < line 8" in told
    assert "    > line eight" in told
    assert "    -+    12: [6, 8]," in told
    assert "    ++    12: [4, 6, 8]," in told
    document = fork.run("compare", "v1", "v2", "-p", "--json").json
    marks = {(patch["left"] or patch["right"])["name"]: patch["mark"] for patch in document["patches"]}
    assert marks == {"open-gate": "=", "far-2": "<", "five": "~", "size-12": "!", "knob": "="}
    assert "-+    12: [6, 8]," in document["patches"][3]["interdiff"]
    assert document["summary"] == {"same": 2, "context": 1, "content": 1, "left": 1, "right": 0}


def test_a_renamed_patch_is_paired_by_what_it_says(fork: Fork) -> None:
    folder = fork.repo.path / "series/v2"
    (folder / "open-gate.patch").rename(folder / "wider-gate.patch")
    (folder / "series").write_text((folder / "series").read_text().replace("open-gate", "wider-gate"))
    assert "= 1 1  open-gate -> wider-gate" in fork.run("compare", "v1", "v2").out
    assert "= 1 1  wider-gate -> open-gate" in fork.run("compare", "v2", "v1").out
    assert "> - 2  far-2" in fork.run("compare", "v2", "v1").out


def test_another_message_is_told(fork: Fork) -> None:
    path = fork.repo.path / "series/v2/open-gate.patch"
    path.write_text(path.read_text().replace("Because we need it.", "Because."))
    assert "= 1 1  open-gate\n    the message differs" in fork.run("compare", "v1", "v2").out


def test_a_ref_without_series_is_one_clear_error(fork: Fork) -> None:
    ran = fork.run("compare", "v1", "v3")
    assert ran.code == 1
    assert "there is no series for v3" in ran.err
