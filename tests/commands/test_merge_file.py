from __future__ import annotations

import os
import re
import shlex
import stat
import subprocess
import sys
from pathlib import Path

import pytest

from patchq.cli import run
from tests.running import Ran, patchq

ROOT = Path(__file__).parents[2]
TABLE = b"T = {\n    9: [1],\n    10: [6, 8],\n}\n"
PATCHED = TABLE.replace(b"    10: [6, 8],\n", b"    10: [6, 8],\n    12: [2],\n")
UPSTREAM = TABLE.replace(b"[6, 8]", b"[4, 6, 8]")
MERGED = b"T = {\n    9: [1],\n    10: [4, 6, 8],\n    12: [2],\n}\n"


CLASH = PATCHED.replace(b"[6, 8]", b"[2, 8]")


@pytest.fixture
def sides(tmp_path: Path) -> Path:
    """A folder with the three files base, theirs and ours."""
    for name, data in (("base", TABLE), ("theirs", PATCHED), ("ours", UPSTREAM)):
        (tmp_path / name).write_bytes(data)
    return tmp_path


def merge(folder: Path, *options: str, path: str = "pkg/table.py") -> Ran:
    return patchq("merge-file", "base", "theirs", "ours", "--path", path, *options, cwd=folder)


def test_the_merged_bytes_are_printed(
    sides: Path, monkeypatch: pytest.MonkeyPatch, capfdbinary: pytest.CaptureFixture[bytes]
) -> None:
    monkeypatch.chdir(sides)
    assert run(["merge-file", "base", "theirs", "ours", "--path", "pkg/table.py"]) == 0
    out, err = capfdbinary.readouterr()
    assert out == MERGED
    assert err.startswith(b"merged: pkg/table.py: adapted (anchored), class B: placed by its key")


def test_into_a_file_nothing_is_printed_and_its_mode_stays(sides: Path) -> None:
    (sides / "out").write_bytes(b"old")
    (sides / "out").chmod(0o750)
    ran = merge(sides, "-o", "out", "-q")
    assert (ran.code, ran.out, ran.err) == (0, "", "")
    assert (sides / "out").read_bytes() == MERGED
    assert stat.S_IMODE((sides / "out").stat().st_mode) == 0o750
    assert sorted(path.name for path in sides.iterdir()) == ["base", "ours", "out", "theirs"]


@pytest.mark.parametrize("name", ["base", "theirs", "ours"])
def test_the_result_may_replace_any_of_the_sides(sides: Path, name: str) -> None:
    assert merge(sides, "-o", name).code == 0
    assert (sides / name).read_bytes() == MERGED


def test_a_link_is_followed_and_stays_a_link(sides: Path) -> None:
    (sides / "link").symlink_to("ours")
    assert merge(sides, "-o", "link").code == 0
    assert (sides / "link").is_symlink()
    assert (sides / "ours").read_bytes() == MERGED


def test_where_the_disk_refuses_nothing_has_changed(sides: Path) -> None:
    if os.geteuid() == 0:
        ran = merge(sides, "-o", "missing/out")
    else:
        sides.chmod(0o500)
        ran = merge(sides, "-o", "ours")
        sides.chmod(0o700)
    assert ran.code == 1
    assert "cannot be written: " in ran.err
    assert (sides / "ours").read_bytes() == UPSTREAM


def test_what_is_not_proved_is_marked_in_the_words_of_the_user(sides: Path) -> None:
    labels = ("-L", "upstream v0.5.23", "-L", "v0.5.9", "-L", "patch sm120-sizes")
    (sides / "theirs").write_bytes(CLASH)
    ran = merge(sides, *labels, "--marker-size", "9", "-o", "out", path="table.dat")
    assert (ran.code, ran.out) == (1, "")
    assert ran.err == "conflict: table.dat: line 3: upstream and the patch change the same lines, or lines that touch\n"
    assert (sides / "out").read_text() == (
        "T = {\n    9: [1],\n<<<<<<<<< upstream v0.5.23\n    10: [4, 6, 8],\n||||||||| v0.5.9\n    10: [6, 8],\n"
        "=========\n    10: [2, 8],\n    12: [2],\n>>>>>>>>> patch sm120-sizes\n}\n"
    )


def test_without_labels_the_sides_are_named_by_what_they_are_and_their_files(sides: Path) -> None:
    (sides / "theirs").write_bytes(CLASH)
    out = merge(sides, path="table.dat").out
    for marker in ("<<<<<<< upstream ours\n", "||||||| base base\n", ">>>>>>> patch theirs\n"):
        assert marker in out


def test_a_result_that_needs_a_look_is_a_conflict_until_it_is_accepted(sides: Path) -> None:
    (sides / "theirs").write_bytes(PATCHED.replace(b"[2]", b"[6, 8]"))
    ran = merge(sides)
    assert ran.code == 1
    assert "=======\n    12: [6, 8],\n>>>>>>>" in ran.out
    assert ran.err.splitlines()[0].startswith("needs review: pkg/table.py: adapted (anchored), class D: ")
    assert ran.err.splitlines()[-1] == (
        "hint: if it is right, patchq merge-file base theirs ours --accept review --path pkg/table.py"
    )
    accepted = merge(sides, "--accept", "review")
    assert (accepted.code, accepted.out.encode()) == (0, MERGED.replace(b"[2]", b"[6, 8]"))


def test_json_tells_verdict_rung_class_and_evidence(sides: Path) -> None:
    ran = merge(sides, "--json", "-o", "out")
    document = ran.json
    assert ran.code == 0
    assert [document[key] for key in ("schema", "command", "verdict", "rung", "class", "needs_review", "merged")] == [
        1,
        "merge-file",
        "adapted",
        "anchored",
        "B",
        False,
        True,
    ]
    assert document["edits"] == [
        {"fate": "carried", "class": "B", "anchor": "pkg/table.py::T[12]", "how": "placed by its key"}
    ]
    assert document["conflicts"] == []
    (sides / "theirs").write_bytes(CLASH)
    refused = merge(sides, "--json", "-o", "out", path="t.dat").json
    assert (refused["verdict"], refused["rung"], refused["class"], refused["merged"]) == ("conflict", None, None, False)
    assert refused["conflicts"][0]["sides"]["upstream"] == "    10: [4, 6, 8],\n"


def test_what_upstream_has_is_absorbed_and_upstreams_text_stays(sides: Path) -> None:
    other_words = MERGED.replace(b"[2]", b"[\n        2,\n    ]")
    (sides / "ours").write_bytes(other_words)
    ran = merge(sides, "-o", "out", "--json")
    assert (ran.code, ran.json["verdict"]) == (0, "absorbed")
    assert (sides / "out").read_bytes() == other_words


@pytest.mark.parametrize(
    ("arguments", "error", "hint"),
    [
        (["base", "theirs", "ours"], "--path is missing", "base theirs ours --path src/name.py"),
        (["base"], "THEIRS and OURS missing", "BASE THEIRS OURS --path src/name.py"),
        (["base", "theirs", "ours", "--path", "x.py", "--json"], "--json needs -o", "-o FILE --json --path x.py"),
        (["base", "theirs", "ours", "--path", "x", *["-L", "x"] * 4], "4 labels for three sides", "-L OURS -L BASE"),
        (["base", "theirs", "ours", "--batch", "base"], "--batch takes files", "--batch FILE"),
    ],
)
def test_a_call_that_cannot_be_meant_says_what_to_type(
    sides: Path, arguments: list[str], error: str, hint: str
) -> None:
    ran = patchq("merge-file", *arguments, cwd=sides)
    assert (ran.code, ran.out) == (2, "")
    assert error in ran.err
    assert hint in ran.err.replace("'", "")


def test_a_path_outside_of_every_repository_is_only_a_name(sides: Path) -> None:
    (sides / "ours").write_bytes(TABLE.replace(b"}", b"    12: [3],\n}"))
    for path in ("/abs/table.py", "../table.py", "a::b.py", "gr\udcfc.py"):
        ran = merge(sides, path=path)
        assert (ran.code, ran.out.count("<<<<<<<")) == (1, 1)


def test_what_a_merge_of_git_waits_for_is_little() -> None:
    names = "{'git', 'yaml', 'unidiff', 'email'}"
    code = f"import sys, patchq.commands.merge_file as m; print({names} & {{n.split('.')[0] for n in sys.modules}})"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "set()\n"


def test_the_example_in_the_readme_is_what_is_printed(tmp_path: Path) -> None:
    readme = (ROOT / "README.md").read_text()
    command, shown = screen_of(readme)
    base = "SIZES = {\n    9: [4, 6, 8],\n    10: [6, 8],\n}\n\nLIMIT = 8\n"
    patched = base.replace("    10: [6, 8],\n", "    10: [6, 8],\n    12: [2],\n").replace("= 8", "= 12")
    new = base.replace("10: [6, 8]", "10: [4, 6, 8]").replace("= 8", "= 16")
    for name, text in (("base.py", base), ("patched.py", patched), ("new.py", new)):
        (tmp_path / name).write_text(text)
    ran = patchq(*shlex.split(command)[1:], cwd=tmp_path)
    assert (ran.code, ran.out) == (1, shown)
    assert f"`{ran.err.strip()}`" in readme


def screen_of(readme: str) -> tuple[str, str]:
    """The command of the example and what stands under `<!-- merge-file -->`."""
    found = re.search(r"(patchq merge-file base.*)\n```\n(?s:.*?)<!-- merge-file -->\n```text\n((?s:.*?))```", readme)
    assert found is not None
    return found[1], found[2]
