"""What upstream has, but where it does nothing, or only in part, is not absorbed (as people found it, kind by kind)."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.fork import Change, Files, Fork

if TYPE_CHECKING:
    from pathlib import Path

TABLE = "SIZES = {\n    8: 1,\n    10: 2,\n}\n\nT = 1\n"
TWELVE = TABLE.replace("    10: 2,\n", "    10: 2,\n    12: 3,\n")
CLASS = "class A:\n    def open(self):\n        return 1\n\n    def close(self):\n        return 2\n"
FLUSH = CLASS + "\n    def flush(self):\n        return 3\n"
LOAD = "import os\n\n\ndef load(p):\n    d = open(p).read()\n    n = len(d)\n    return d, n\n"
STRIP = LOAD.replace("    n = len", "    d = d.strip()\n    n = len")
JS = "export function start(o) {\n  listen(o);\n  ready(o);\n}\n"
LOG = JS.replace("  ready(o);", "  log(o, 'started');\n  ready(o);")
C = (
    "#include <stdio.h>\n\nstatic int check(int a, int b)\n{\n    int r = a;\n    return r;\n}\n"
    "\nint main(void)\n{\n    return 0;\n}\n"
)
ZERO = C.replace("    int r = a;", "    if (b == 0)\n        return -1;\n    int r = a;")
RUST = 'pub struct P {\n    x: i32,\n}\n\nimpl P {\n    pub fn name(&self) -> &str {\n        "p"\n    }\n}\n'
LOGS = RUST.replace('        "p"', '        log::debug!("asked for the name");\n        "p"')

SUPERSEDED = {
    "a later key of the dict": ("m.py", TABLE, TWELVE, TWELVE.replace("    12: 3,\n", "    12: 3,\n    12: 9,\n")),
    "the table set again": ("m.py", TABLE, TWELVE, TWELVE + "\nSIZES = {8: 1}\n"),
    "a later key of a mapping": ("c.yaml", "a:\n  x: 1\n", "a:\n  x: 1\n  y: 3\n", "a:\n  x: 1\n  y: 3\n  y: 9\n"),
    "a later method": ("m.py", CLASS, FLUSH, FLUSH + "\n    def flush(self):\n        return None\n"),
    "a way out before it": ("m.js", JS, LOG, LOG.replace("  log(", "  return;\n  log(")),
    "an exception before it": (
        "m.py",
        LOAD,
        STRIP,
        STRIP.replace("    d = open", "    raise ValueError\n    d = open"),
    ),
    "the function under #ifdef": (
        "m.c",
        C,
        ZERO,
        ZERO.replace("static int", "#ifdef CONFIG_X\nstatic int").replace("}\n\nint main", "}\n#endif\n\nint main"),
    ),
    "the method under cfg": ("m.rs", RUST, LOGS, LOGS.replace("    pub fn", "    #[cfg(test)]\n    pub fn")),
}


@pytest.mark.parametrize("kind", SUPERSEDED)
def test_what_has_no_effect_there_is_superseded(tmp_path: Path, kind: str) -> None:
    path, base, theirs, ours = SUPERSEDED[kind]
    fork = Fork.create(tmp_path / "fork", v1={path: base}, v2={path: ours}, changes=[Change("ours", {path: theirs})])
    assert fork.verdicts("status", "v2") == {"ours": "superseded"}


IN_EFFECT = {
    "a value that is read before it is set again": (
        "m.py",
        LOAD,
        STRIP,
        STRIP.replace("    return", "    d = d.lower()\n    return"),
    ),
    "a setter below the property": (
        "m.py",
        CLASS,
        CLASS + "\n    @property\n    def size(self):\n        return 3\n",
        CLASS
        + "\n    @property\n    def size(self):\n        return 3\n"
        + "\n    @size.setter\n    def size(self, value):\n        self.s = value\n",
    ),
    "a comment that begins with if": ("m.py", LOAD, STRIP, "# if nobody asks\n" + STRIP),
    "a header with a guard": (
        "m.c",
        C,
        ZERO,
        "#ifndef M_C\n#define M_C\n" + ZERO + "#endif\n",
    ),
}


@pytest.mark.parametrize("kind", IN_EFFECT)
def test_what_has_its_effect_there_is_absorbed(tmp_path: Path, kind: str) -> None:
    path, base, theirs, ours = IN_EFFECT[kind]
    fork = Fork.create(tmp_path / "fork", v1={path: base}, v2={path: ours}, changes=[Change("ours", {path: theirs})])
    assert fork.verdicts("status", "v2") == {"ours": "absorbed"}


def test_a_blocked_patch_is_carried_where_the_earlier_one_is_again(tmp_path: Path) -> None:
    both = STRIP.replace("strip()", 'strip("x")')
    changes = [Change("one", {"m.py": STRIP}), Change("two", {"m.py": both})]
    fork = Fork.create(tmp_path / "fork", v1={"m.py": LOAD}, v2={"m.py": both}, changes=changes)
    fork.release("v3", {"m.py": "# a line\n" + LOAD}, "Take it back")
    fork.run("rebase", "v2", "--skip-conflicts")
    assert fork.verdicts("rebase", "v3") == {"one": "clean", "two": "clean"}


def test_a_patch_that_moves_a_file_which_is_gone_is_orphaned(tmp_path: Path) -> None:
    moved: Files = {"m.py": None, "n.py": LOAD}
    fork = Fork.create(
        tmp_path / "fork", v1={"m.py": LOAD, "k": "k\n"}, v2={"m.py": None}, changes=[Change("ours", moved)]
    )
    assert fork.verdicts("status", "v2") == {"ours": "orphaned"}


def test_a_move_is_left_where_upstream_has_the_lines_only(tmp_path: Path) -> None:
    fork = Fork.create(
        tmp_path / "fork",
        v1={"m.py": LOAD},
        v2={"m.py": STRIP},
        changes=[Change("ours", {"m.py": None, "n.py": STRIP})],
    )
    fork.release("v3", {"m.py": LOAD}, "Take it back")
    assert fork.verdicts("rebase", "v2") == {"ours": "partial"}
    assert fork.repo.file("patched/v2", "n.py").decode() == STRIP
    assert fork.verdicts("rebase", "v3") == {"ours-landed": "clean", "ours": "clean"}
    assert fork.repo.file("patched/v3", "n.py").decode() == STRIP


def test_lines_are_left_where_upstream_has_the_move_only(tmp_path: Path) -> None:
    fork = Fork.create(
        tmp_path / "fork",
        v1={"m.py": LOAD},
        v2={"m.py": None, "n.py": LOAD},
        changes=[Change("ours", {"m.py": None, "n.py": STRIP})],
    )
    fork.release("v3", {"m.py": LOAD, "n.py": None}, "Take it back")
    assert fork.verdicts("rebase", "v2") == {"ours": "partial"}
    assert b"rename" not in (fork.repo.path / "series/v2/ours.patch").read_bytes()
    assert fork.run("lint", "--ignore", "no-status").code == 0
    assert fork.verdicts("rebase", "v3") == {"ours-landed": "clean", "ours": "clean"}
    assert fork.repo.file("patched/v3", "n.py").decode() == STRIP
