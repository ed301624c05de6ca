from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from patchq.seriesstore.store import SeriesStore
from tests.importing import everything, patch, series
from tests.running import patchq

if TYPE_CHECKING:
    from tests.gitrepo import GitRepo

DEP3 = (
    "Description: Open the gate\n It is shut.\n .\n For no reason.\nAuthor: Ada <ada@example.org>\nForwarded: no\n"
    "Bug-Debian: https://bugs.example.org/1\nLast-Update: 2023-11-14\n---\nThis note stays.\n"
)
SERIES = (
    "# the gate\n\nopen-gate -p0 # since 9.1\n# needs the gate\n\ttopic/2-sizes.diff #+sm120\n"
    "empty.patch\n# nothing behind\n"
)


@pytest.fixture
def quilt(ours: GitRepo) -> GitRepo:
    """A quilt folder as Debian has it: another -p, a sub-folder, comments, a guard, an empty patch, DEP-3."""
    gate = ours.git("diff", "--no-prefix", "v1", "ours~1").decode()
    sizes = ours.git("diff", "--full-index", "ours~1", "ours").decode()
    ours.write(
        {
            ".git/info/exclude": "/series/\n/debian/\n",
            "debian/patches/series": SERIES,
            "debian/patches/open-gate": f"Subject: Open it\n\nWhy not.\n\nBug: 1\n---\n{gate}",
            "debian/patches/topic/2-sizes.diff": DEP3 + sizes,
            "debian/patches/empty.patch": "",
        }
    )
    return ours


def test_a_quilt_folder_keeps_names_order_comments_guards_and_heads(quilt: GitRepo) -> None:
    ran = patchq("import", "debian/patches", "--base", "v1", cwd=quilt.path)
    assert ran.code == 0, ran.err
    assert (quilt.path / "series/v1/series").read_text() == (
        "# the gate\n\nopen-gate.patch # since 9.1\n# needs the gate\n\ttopic-2-sizes.patch #+sm120\n# nothing behind\n"
    )
    assert "note: topic/2-sizes.diff is called topic-2-sizes here\n" in ran.err
    assert "note: empty.patch changes nothing and was left out\n" in ran.err
    assert patch(quilt, "topic-2-sizes").startswith(DEP3)
    assert "\nSubject: Open it\n\nWhy not.\n\nBug: 1\n---\ndiff --git a/pkg/gate.py" in patch(quilt, "open-gate")
    record = SeriesStore(quilt.path / "series").record("v1")
    assert record is not None
    assert [one.origin for one in record.patches] == ["file patches/open-gate", "file patches/topic/2-sizes.diff"]
    assert patchq("rebase", "v1", "--no-fetch", cwd=quilt.path).code == 0
    assert quilt.text("rev-parse", "patched/v1^{tree}") == quilt.text("rev-parse", "ours^{tree}")
    assert patch(quilt, "topic-2-sizes").startswith(DEP3)


def test_comments_join_behind_those_of_a_series_that_is_there(quilt: GitRepo) -> None:
    assert patchq("import", "v1..ours~1", "--name", "first", cwd=quilt.path).code == 0
    (quilt.path / "series/v1/series").write_text("# mine\nfirst.patch")
    quilt.write({"debian/patches/series": "# theirs\ntopic/2-sizes.diff\n"})
    assert patchq("import", "debian", cwd=quilt.path).code == 0
    assert series(quilt) == ["# mine", "first.patch", "# theirs", "topic-2-sizes.patch"]


def test_lines_that_cannot_be_meant_name_file_and_line(quilt: GitRepo) -> None:
    for line, error, hint in (
        ("open-gate -R", "reversed patches (-R) are not read", "reverse the patch itself"),
        ("open-gate -F3", "the option '-F3' is not understood", "only -p0, -p1"),
        ("open-gate what", "'what' is not understood", "one file name a line"),
        ("../up.patch", "'../up.patch' leads out of the folder", "put the patch beside it"),
        ("/etc/passwd", "'/etc/passwd' leads out of the folder", "put the patch beside it"),
        ("open-gate\nopen-gate", "open-gate stands in line 2 already", "delete one line"),
        ("a.patch.gz", "'a.patch.gz' is packed", "unpack it"),
        ("gone.patch", "gone.patch is named here, but there is no such file", "bring the file back"),
    ):
        quilt.write({"debian/patches/series": f"# one\n{line}\n"})
        before = everything(quilt)
        ran = patchq("import", "debian/patches", "--base", "v1", cwd=quilt.path)
        assert ran.code == 1
        number = 2 + line.count("\n")
        assert f"error: debian/patches/series:{number}: {error}" in ran.err
        assert f"hint: {hint}" in ran.err
        assert everything(quilt) == before


def test_a_folder_without_a_series_file_is_taken_by_number_and_told(ours: GitRepo) -> None:
    ours.write({".git/info/exclude": "/series/\n/mails/\n"})
    ours.git("format-patch", "-q", "-o", "mails", "--cover-letter", "v1..ours")
    (ours.path / "mails/0001-Open-the-gate.patch").rename(ours.path / "mails/9-Open.patch")
    (ours.path / "mails/0002-Sizes-for-12.patch").rename(ours.path / "mails/10-Sizes.patch")
    ran = patchq("import", "mails", "--base", "v1", cwd=ours.path)
    assert (ran.code, series(ours)) == (0, ["open-the-gate.patch", "sizes-for-12.patch"])
    assert "note: mails has no series file; its files were taken in the order of their numbers: 9-Open" in ran.err
    assert "note: 0000-cover-letter.patch is a cover letter and was left out" in ran.err


def test_a_branch_of_gbp_pq_gives_its_names_wherever_gbp_has_put_them(ours: GitRepo) -> None:
    ours.git("checkout", "-q", "-b", "patch-queue/main", "v1")
    ours.git("cherry-pick", "ours~1", "ours")
    filtered = "Open\n\nForwarded: no\n\nprose\nGbp-Pq: Topic gates\nGbp-Pq: Name open.diff\n"
    ours.git("reset", "-q", "--hard", "HEAD~1")
    ours.git("commit", "-q", "--amend", "-m", filtered)
    ours.git("cherry-pick", "ours")
    ours.git("commit", "-q", "--amend", "-m", "Sizes\n\nSigned-off-by: A <a@b>\n\nGbp-Pq: Name 0002-sizes.patch\n")
    ours.commit("Local\n\nGbp-Pq: Ignore\n", {"local": "1\n"})
    ours.git("checkout", "-q", "main")
    ran = patchq("import", "main..patch-queue/main", "--onto", "v1", cwd=ours.path)
    assert (ran.code, series(ours)) == (0, ["gates-open.patch", "0002-sizes.patch"])
    assert "\n\nForwarded: no\n\nprose\n---\n" in patch(ours, "gates-open")
    assert "\nSubject: Sizes\n\nSigned-off-by: A <a@b>\n---\n" in patch(ours, "0002-sizes")
    assert "says Gbp-Pq: Ignore and was left out" in ran.err
