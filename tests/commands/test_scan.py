from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.fork import GATE, TABLE, WITH_12, Change, Fork
from tests.site import PRISTINE, Site, plain_site, site_fork

if TYPE_CHECKING:
    from pathlib import Path

    from tests.running import Ran

OTHER_TABLE = "import os\n\nLANES = {\n    9: 2,\n    10: 4,\n}\n"
GO = """package arch

func Fast(c Chip) bool {
	return c.IsOak() || c.IsElm()
}

func Wide(c Chip) bool {
	return ready && (c.IsElm() || c.IsOak())
}

func Done(c Chip) bool {
	return c.IsOak() || c.IsElm() || c.IsAsh()
}

func Name(c Chip) string {
	switch c.Kind {
	case Oak:
		return "oak"
	case Elm:
		return "elm"
	}
	return ""
}
"""
GO_TABLE = """package arch

var sizes = map[Kind]int{
	Oak: 1,
	Elm: 2,
}
"""


def seen(ran: Ran) -> list[tuple[str, int, str]]:
    assert ran.code in {0, 1}
    return [(one["path"], one["line"], one["lacks"]) for one in ran.json["places"]]


def test_tables_and_conditions_like_the_patched_ones_are_found_and_their_own_places_are_not(tmp_path: Path) -> None:
    site = plain_site(tmp_path)
    more = {
        "pkg/lanes.py": OTHER_TABLE,
        "pkg/more.py": "def f(arch, x):\n    if x and (arch == 9 or arch == 10):\n        return 1\n    return 0\n",
        "pkg/done.py": "LANES = {9: 2, 10: 4, 12: 4}\n\n\ndef f(x):\n    return x in (9, 10) or x == 12\n",
        "pkg/numbers.py": "PRIMES = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11]\nSTEP = {9: 1, 11: 2}\n",
        "pkg/notes.txt": "9 and 10\n",
    }
    site.folder("tree", {**PRISTINE, **more})
    ran = site.run("scan", "tree", "--json")
    assert seen(ran) == [("pkg/lanes.py", 4, "12"), ("pkg/more.py", 2, "arch == 12")]
    assert [one["likeness"] for one in ran.json["places"]] == ["close", "loose"]
    assert ran.json["places"][1]["address"] == "pkg/more.py::f"
    assert ran.json["places"][1]["patches"] == ["size-12", "open-gate"]
    text = site.run("scan", "tree")
    assert text.out.splitlines()[0] == "pkg/lanes.py:4  close"
    assert text.out.splitlines()[-1].startswith("2 places, 1 close; series of v1, ")


def test_findings_are_information_unless_they_are_to_fail_and_a_person_may_call_them_fine(tmp_path: Path) -> None:
    site = plain_site(tmp_path)
    site.folder("tree", {**PRISTINE, "pkg/lanes.py": OTHER_TABLE})
    assert site.run("scan", "tree").code == 0
    assert site.run("scan", "tree", "--fail").code == 1
    manifest = site.home / "series/patchq.yaml"
    before = manifest.read_text()
    manifest.write_text(before + "policy: {scan-fine: ['pkg/lanes.py::LANES']}\n")
    ran = site.run("scan", "tree", "--fail", "--json")
    assert (ran.code, seen(ran), ran.json["summary"]["called_fine"]) == (0, [], 1)
    manifest.write_text(before + "policy: {scan-fine: 3}\n")
    ran = site.run("scan", "tree")
    assert (ran.code, "scan-fine is no list" in ran.err) == (1, True)


def test_what_the_ref_before_lacked_too_is_not_new(tmp_path: Path) -> None:
    fork = site_fork(tmp_path / "fork")
    old = {"python/pkg/lanes.py": OTHER_TABLE}
    fork.repo.git("checkout", "-q", "v1")
    fork.release("w1", {"python/pkg/lanes.py": "\n\n" + OTHER_TABLE})
    fork.release("w2", {"python/pkg/fresh.py": OTHER_TABLE.replace("LANES", "FRESH"), **old})
    ran = fork.run("scan", "w2", "--since", "w1", "--json")
    told = [(one["path"], one["age"]) for one in ran.json["places"]]
    assert told == [("python/pkg/fresh.py", "new"), ("python/pkg/lanes.py", "old")]
    assert fork.run("scan", "w1", "--since", "w2", "--fail").code == 0
    assert fork.run("scan", "w2", "--since", "w1", "--fail").code == 1
    # Without a tree, upstream of the series itself: v1 has its own two places only.
    assert seen(fork.run("scan", "--json")) == []


def test_a_tree_that_has_the_patches_teaches_as_upstream_does(tmp_path: Path) -> None:
    fork = site_fork(tmp_path / "fork")
    fork.repo.git("checkout", "-q", "patched/v1")
    fork.release("more", {"python/pkg/lanes.py": OTHER_TABLE})
    assert seen(fork.run("scan", "more", "--json")) == [("python/pkg/lanes.py", 4, "12")]
    site = plain_site(tmp_path / "alone")
    site.folder("tree", {"pkg/table.py": WITH_12, "pkg/gate.py": GATE, "pkg/lanes.py": OTHER_TABLE})
    ran = site.run("scan", "tree", "--json")
    assert (ran.err, seen(ran)) == ("", [("pkg/lanes.py", 4, "12")])
    site.folder("tree", {"pkg/table.py": "SIZES = {}\n"})
    ran = site.run("scan", "tree", "--json")
    assert ran.json["not_learned_from"] == ["size-12"]
    assert "nothing is learned from size-12" in ran.err


@pytest.fixture
def go(tmp_path: Path) -> Site:
    gate = GO.split("func Wide", maxsplit=1)[0]
    v1: dict[str, str | bytes | None] = {"arch/fast.go": gate, "arch/sizes.go": GO_TABLE}
    changes = [
        Change("ash", {"arch/fast.go": gate.replace("c.IsElm()", "c.IsElm() || c.IsAsh()")}),
        Change("ash-size", {"arch/sizes.go": GO_TABLE.replace("\tElm: 2,\n", "\tElm: 2,\n\tAsh: 2,\n")}),
    ]
    Fork.create(tmp_path / "fork", v1=v1, v2={"x": "y"}, changes=changes)
    return Site(tmp_path / "fork")


def test_another_language_is_read_by_its_own_grammar(go: Site) -> None:
    wide = GO_TABLE.replace("sizes", "lanes").replace("1", "8")
    go.folder("tree", {"arch/fast.go": GO.split("func Wide", maxsplit=1)[0], "arch/sizes.go": GO_TABLE})
    go.folder("tree", {"arch/rest.go": GO.replace("func Fast", "func Slow"), "arch/lanes.go": wide})
    found = seen(go.run("scan", "tree", "--json"))
    assert {one for one in found if one[0] == "arch/rest.go"} == {
        ("arch/rest.go", 4, "c.IsAsh()"),
        ("arch/rest.go", 8, "c.IsAsh()"),
        ("arch/rest.go", 17, "Ash"),
    }
    assert {one for one in found if one[0] != "arch/rest.go"} == {("arch/lanes.go", 4, "Ash")}


def test_arguments_and_statements_side_by_side_count_like_entries(tmp_path: Path) -> None:
    base = 'def setup():\n    run(oak=1, elm=2)\n    add("oak")\n    add("elm")\n'
    patched = base.replace("elm=2", "elm=2, ash=3") + '    add("ash")\n'
    fork = Fork.create(tmp_path / "fork", v1={"a.py": base}, v2={"x": "y"}, changes=[Change("ash", {"a.py": patched})])
    other = "x = go(elm=5, oak=4, pine=1)\n\n\ndef more():\n    add('elm')\n    y = 1\n    add('oak')\n"
    Site(tmp_path).folder(
        "tree", {"a.py": base, "b.py": other, "c.py": other.replace("pine", "ash") + '    add("ash")\n'}
    )
    found = seen(fork.run("scan", str(tmp_path / "tree"), "--json"))
    assert set(found) == {("b.py", 1, "ash"), ("b.py", 5, 'add("ash")')}


def test_an_operand_beside_a_single_one_asks_for_the_same_comparison(tmp_path: Path) -> None:
    base = "def f(kind):\n    return kind == OAK\n"
    patched = "def f(kind):\n    return kind == OAK or kind == ASH\n"
    fork = Fork.create(tmp_path / "fork", v1={"a.py": base}, v2={"x": "y"}, changes=[Change("ash", {"a.py": patched})])
    Site(tmp_path).folder(
        "tree", {"a.py": base, "b.py": "def g(kind, x):\n    return x or kind == OAK\n", "c.py": "OAK = 1\n"}
    )
    assert seen(fork.run("scan", str(tmp_path / "tree"), "--json")) == [("b.py", 2, "kind == ASH")]


def test_imports_lack_nothing(tmp_path: Path) -> None:
    base = "from trees import (\n    elm,\n    oak,\n)\n"
    fork = Fork.create(
        tmp_path / "fork",
        v1={"a.py": base},
        v2={"x": "y"},
        changes=[Change("ash", {"a.py": base.replace("    elm", "    ash,\n    elm")})],
    )
    Site(tmp_path).folder("tree", {"a.py": base, "b.py": base, "t.py": TABLE})
    assert seen(fork.run("scan", str(tmp_path / "tree"), "--json")) == []
