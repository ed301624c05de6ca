from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.fork import TABLE, WITH_12, Change, Fork

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture
def fork(tmp_path: Path) -> Fork:
    other = WITH_12.replace("    12: [6, 8],\n", "    12: [6, 8],\n    11: [2],\n")
    v1 = {"table.py": TABLE, "far.py": "A = 1\n"}
    changes = [Change("size-12", {"table.py": WITH_12}), Change("far-2", {"far.py": "A = 2\n"})]
    made = Fork.create(tmp_path / "fork", v1=v1, v2={"table.py": other}, changes=changes)
    made.release("v3", {"table.py": TABLE})
    made.run("rebase", "v2")
    return made


def test_the_ledger_is_listed_with_where_and_how(fork: Fork) -> None:
    ran = fork.run("absorbed")
    assert ran.code == 0
    assert ran.out.splitlines()[0] == "- size-12  v2"
    assert "size-12 does it" in ran.out
    assert "upstream has the same" in ran.out
    assert ran.out.splitlines()[-1] == "1 patch in the ledger"
    (patch,) = fork.run("absorbed", "--json").json["patches"]
    assert patch["seen_at"]["ref"] == "v2"
    assert patch["absorbed_at"] == ["v2"]
    assert patch["in_series_of"] == ["v1"]
    assert patch["found_in"] == ["table.py"]


def test_the_story_of_a_patch_that_came_back_is_told(fork: Fork) -> None:
    fork.run("rebase", "v3")
    told = " ".join(fork.run("absorbed").out.split())
    brought, back = (fork.repo.text("rev-parse", "--short=10", ref) for ref in ("v2", "v3"))
    assert f'absorbed at v2 by {brought} "release 2"; back at v3 by {back} "next release"' in told
    assert "in the series of v1, v3" in told


def test_our_change_stands_above_upstreams(fork: Fork) -> None:
    ran = fork.run("absorbed", "--diff", "size")
    ours, upstream = ran.out.split("== ")[1:]
    assert ours.startswith("ours: size-12, made for v1\n")
    assert upstream.startswith(f"upstream's: {fork.repo.text('rev-parse', '--short=12', 'v2')} release 2\n")
    assert "+    12: [6, 8],\n" in ours
    assert "+    12: [6, 8],\n+    11: [2],\n" in upstream
    assert "-A = 1" not in upstream
    document = fork.run("absorbed", "--diff", "size-12", "--json").json
    assert "+    11: [2]," in document["patches"][0]["upstream"]
    assert "\x1b[1m== ours" in fork.run("absorbed", "--diff", "size-12", "--color", "always").out


def test_without_a_commit_upstreams_change_since_the_base_is_shown(fork: Fork) -> None:
    path = fork.repo.path / "series/ledger.yaml"
    kept = [line for line in path.read_text().splitlines() if not line.startswith(("    commit:", "    subject:"))]
    path.write_text("\n".join(kept) + "\n")
    _, upstream = fork.run("absorbed", "--diff", "size-12").out.split("== ")[1:]
    assert upstream.startswith("upstream's: from v1 to v2, what shares a line with it\n")
    assert "+    12: [6, 8],\n+    11: [2],\n" in upstream


def test_a_name_that_the_ledger_has_not_is_one_clear_error(fork: Fork) -> None:
    ran = fork.run("absorbed", "--diff", "sise-12")
    assert ran.code == 1
    assert ran.err.startswith("error: the ledger has no patch 'sise-12'; near: size-12")


def test_an_empty_ledger_says_so(fork: Fork) -> None:
    fork.run("undo")
    assert fork.run("absorbed").out == "the ledger is empty\n"
    assert fork.run("absorbed", "--json").json["patches"] == []
