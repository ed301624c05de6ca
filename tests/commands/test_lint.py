from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from tests.importing import everything, patch
from tests.running import patchq

if TYPE_CHECKING:
    from tests.gitrepo import GitRepo


def in_series(repo: GitRepo) -> Path:
    """Import the two commits of `ours`; return the folder of v1."""
    assert patchq("import", "v1..ours", cwd=repo.path).code == 0
    return repo.path / "series/v1"


def found(repo: GitRepo, *arguments: str) -> list[tuple[str, str | None, int | None]]:
    document = patchq("lint", "--json", *arguments, cwd=repo.path).json
    return [(one["rule"], one["patch"] or one["file"], one["line"]) for one in document["findings"]]


def test_findings_name_place_rule_and_what_to_type(ours: GitRepo) -> None:
    in_series(ours)
    ran = patchq("lint", cwd=ours.path)
    place = "series/v1/sizes-for-12.patch:3: patch sizes-for-12"
    assert ran.code == 1
    assert ran.out == (
        f"warning: {place}: the message does not say why [no-reason]\n"
        "  hint: write the reason between the subject and the trailers\n"
        f"warning: {place}: nothing says whether upstream has it [no-status]\n"
        "  hint: add `Forwarded: URL`, `Forwarded: no` or `Forwarded: not-needed` to its trailers\n"
        "\n2 findings: 2 warnings\n"
    )
    ran = patchq("lint", "--ignore", "no-reason", "--ignore", "no-status", cwd=ours.path)
    assert (ran.code, ran.out) == (0, "no findings\n")
    assert patchq("lint", "open", cwd=ours.path).out == "no findings\n"


def test_fix_repairs_publishes_once_and_undo_takes_it_back(ours: GitRepo) -> None:
    folder = in_series(ours)
    assert patchq("rebase", "v1", "--no-fetch", cwd=ours.path).code == 0
    right = patch(ours, "open-the-gate"), patch(ours, "sizes-for-12")
    (folder / "open-the-gate.patch").write_text(right[0].replace("\n \n", "\n\n").replace("-1,5 +1,5", "-1,7 +1,7"))
    wrong = right[1].replace("+1,6 @@", "+1,5 @@").replace("+1,7 @@", "+1,5 @@")
    assert wrong != right[1]
    (folder / "sizes-for-12.patch").write_text(wrong)
    before = everything(ours)
    assert [one[0] for one in found(ours)][-1] == "wrong-count"
    assert everything(ours) == before
    ran = patchq("lint", "--fix", "sizes", cwd=ours.path)
    assert "fixed: series/v1/sizes-for-12.patch:" in ran.out
    assert "1 fixed" in ran.out
    assert patch(ours, "sizes-for-12") == right[1]
    assert patchq("undo", cwd=ours.path).code == 0
    assert everything(ours) == before


def test_a_repair_is_no_edit_since_the_build(ours: GitRepo) -> None:
    folder = in_series(ours)
    file = folder / "open-the-gate.patch"
    file.write_text(file.read_text().replace("\n \n", "\n\n"))
    assert patchq("rebase", "v1", "--no-fetch", cwd=ours.path).code == 0
    assert [one[0] for one in found(ours, "open")] == ["trimmed-blank"]
    assert patchq("lint", "--fix", "open", cwd=ours.path).code == 0
    assert "\n \n" in file.read_text()
    ours.git("checkout", "-q", "patched/v1")
    ours.commit("more", {"more": "1\n"})
    ours.write({"more": "2\n"})
    ours.git("add", "more")
    assert patchq("hook", "pre-commit", cwd=ours.path).code == 0


def test_all_faults_of_the_list_are_told_at_once_and_stop_a_repair(ours: GitRepo) -> None:
    folder = in_series(ours)
    names = ["open-the-gate.patch", "sizes-for-12.patch -p0", "gone.patch", "OPEN-the-gate.patch", "sub/x.patch"]
    (folder / "series").write_text("".join(f"{name}\n" for name in names))
    (folder / "stray.patch").write_text("x")
    file = folder / "open-the-gate.patch"
    file.write_text(file.read_text().replace("\n \n", "\n\n"))
    (folder / "OPEN-the-gate.patch").write_text(file.read_text())
    told = found(ours)
    series = "series/v1/series"
    assert told[:6] == [
        ("series-line", series, 2),
        ("missing-file", series, 3),
        ("case-twins", series, 4),
        ("series-line", series, 5),
        ("stray-file", "series/v1/sizes-for-12.patch", None),
        ("stray-file", "series/v1/stray.patch", None),
    ]
    ran = patchq("lint", "--fix", cwd=ours.path)
    assert (ran.code, "series/v1/series:2: the list has to be mended first: " in ran.err) == (1, True)


def test_patch_files_anywhere_are_mended_in_place_without_a_repository(ours: GitRepo, tmp_path: Path) -> None:
    good = ours.git("format-patch", "-1", "--stdout", "ours~1").decode()
    bad = good.replace("@@ -1,5 +1,5 @@", "@@ -1,9 +1,2 @@")
    assert bad != good
    (tmp_path / "x.patch").write_text(bad)
    ran = patchq("lint", "x.patch", cwd=tmp_path)
    assert (ran.code, "error: x.patch:" in ran.out, "[wrong-count]" in ran.out) == (1, True, True)
    assert (tmp_path / "x.patch").read_text() == bad
    assert patchq("lint", "--fix", "x.patch", cwd=tmp_path).code == 0
    assert (tmp_path / "x.patch").read_text() == good
    assert patchq("import", str(tmp_path / "x.patch"), "--base", "v1", cwd=ours.path).code == 0
    file = ours.path / "series/v1/open-the-gate.patch"
    file.write_text(file.read_text().replace("-1,5 +1,5", "-1,4 +1,4"))
    ran = patchq("lint", "--fix", "series/v1/open-the-gate.patch", cwd=ours.path)
    assert (ran.code, "hint: patchq lint --fix open-the-gate --ref v1" in ran.err) == (2, True)
    assert patchq("lint", "no/such.patch", cwd=tmp_path).code == 2


def test_the_series_that_ships_has_no_findings() -> None:
    root = Path(__file__).parents[2]
    patches = sorted(str(path.relative_to(root)) for path in root.glob("series/*/*.patch"))
    assert patches
    ran = patchq("lint", *patches, cwd=root)
    assert (ran.code, ran.out) == (0, "no findings\n")


def test_a_base_that_is_not_here_leaves_the_order_out_and_says_so(ours: GitRepo) -> None:
    folder = in_series(ours)
    (folder / "record.yaml").unlink()
    folder.rename(folder.parent / "v7")
    ran = patchq("lint", "--ref", "v7", "open", cwd=ours.path)
    assert ran.code == 0
    assert "note: whether the patches apply in order was not looked at: the base of the series, v7" in ran.err
