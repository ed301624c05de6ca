from __future__ import annotations

import io
import os
import subprocess
import sys
import time
from typing import TYPE_CHECKING

import pytest

from patchq.seriesstore.store import SeriesStore
from tests.importing import patch, series
from tests.running import patchq

if TYPE_CHECKING:
    from tests.gitrepo import GitRepo


def test_a_range_becomes_a_patch_for_each_commit_oldest_first(ours: GitRepo) -> None:
    ran = patchq("import", "v1..ours", cwd=ours.path)
    assert ran.code == 0
    assert series(ours) == ["open-the-gate.patch", "sizes-for-12.patch"]
    assert patch(ours, "open-the-gate") == (
        "From: Ada Author <ada@example.org>\n"
        "Date: Tue, 14 Nov 2023 22:13:20 +0000\n"
        "Subject: Open the gate\n"
        "\n"
        "Because we need it.\n"
        "\n"
        "Forwarded: no\n"
        "---\n" + ours.text("diff", "--full-index", "v1", "ours", "--", "pkg/gate.py") + "\n"
    )
    assert "base: v1 (" in ran.err
    assert ran.out.endswith("2 patches added to the series of v1, series/v1\n")


def test_the_record_says_where_each_patch_came_from_and_what_it_leaves(ours: GitRepo) -> None:
    patchq("import", "v1..ours", cwd=ours.path)
    record = SeriesStore(ours.path / "series").record("v1")
    assert record is not None
    commit, tree = ours.text("rev-parse", "v1", "v1^{tree}").split()
    assert (record.base.ref, record.base.commit, record.base.tree, record.branch) == ("v1", commit, tree, None)
    last = record.patches[-1]
    assert (last.verdict.value, last.rung and last.rung.value, last.made_for) == ("clean", "exact", record.base)
    assert last.origin == f"commit {ours.text('rev-parse', 'ours')}"
    assert [(fact.anchor, fact.holds) for fact in last.files[0].facts] == [("pkg/table.py::SIZES[12]", ("12: [6, 8]",))]


def test_what_was_imported_can_be_rebased_and_the_branch_is_the_range(ours: GitRepo) -> None:
    patchq("import", "v1..ours", cwd=ours.path)
    ran = patchq("rebase", "v1", "--no-fetch", "--json", cwd=ours.path)
    assert [one["verdict"] for one in ran.json["patches"]] == ["clean", "clean"]
    assert ours.text("rev-parse", "patched/v1^{tree}") == ours.text("rev-parse", "ours^{tree}")


def test_a_branch_that_patchq_built_gives_its_names_back(ours: GitRepo) -> None:
    patchq("import", "v1..ours~1", "--name", "gate", cwd=ours.path)
    patchq("rebase", "v1", "--no-fetch", cwd=ours.path)
    kept = patch(ours, "gate")
    ours.git("rm", "-rq", "--cached", "--ignore-unmatch", "series")
    assert patchq("--series", "copy", "init", cwd=ours.path).code == 0
    assert patchq("--series", "copy", "import", "v1..patched/v1", cwd=ours.path).code == 0
    assert (ours.path / "copy/v1/gate.patch").read_text() == kept


def test_a_branch_that_has_gone_on_gives_its_name_and_where_the_commits_branched_off(ours: GitRepo) -> None:
    ours.git("tag", "-d", "v1")
    ours.commit("release 2", {"new.py": "N = 1\n"})
    ran = patchq("import", "main..ours", cwd=ours.path)
    assert ran.code == 0
    assert "where main..ours branched off" in ran.err
    record = SeriesStore(ours.path / "series").record("main")
    assert record is not None
    assert record.base.commit == ours.text("merge-base", "main", "ours")


def test_a_merge_in_a_range_is_refused_with_a_way_out(ours: GitRepo) -> None:
    ours.git("checkout", "-q", "-b", "side", "v1")
    ours.commit("side", {"side.py": "S = 1\n"})
    ours.git("checkout", "-q", "ours")
    ours.git("merge", "-q", "--no-edit", "side")
    ran = patchq("import", "v1..ours", cwd=ours.path)
    assert ran.code == 1
    assert "is a merge, which is no patch" in ran.err
    assert "git diff v1...ours | patchq import - -m MESSAGE" in ran.err


def test_an_empty_commit_is_left_out_and_told(ours: GitRepo) -> None:
    ours.git("checkout", "-q", "ours")
    ours.git("commit", "-q", "--allow-empty", "-m", "nothing")
    ran = patchq("import", "v1..ours", cwd=ours.path)
    assert (ran.code, len(series(ours))) == (0, 2)
    assert f"note: commit {ours.text('rev-parse', '--short=12', 'HEAD')} changes nothing" in ran.err


@pytest.mark.parametrize(
    ("source", "code", "error", "hint"),
    [
        ("ours..v1", 1, "there are no commits in ours..v1", "the other way round there are 2: patchq import v1..ours"),
        ("v1...ours", 2, "'v1...ours' has three dots", "patchq import v1..ours"),
        ("ours", 2, "there is no file 'ours'", "for that commit alone: patchq import ours~1..ours"),
        ("../x.patch", 2, "there is no file '../x.patch'", "a source is a file"),
        ("pkg", 1, "pkg: there are no patches in it", "a folder of patches has a `series` file, or files that end"),
        ("x" * 300, 1, "cannot be read", ""),
        ("nobody..ours", 1, "there is no reference or commit 'nobody'", ""),
    ],
)
def test_sources_that_are_none_say_what_to_type(ours: GitRepo, source: str, code: int, error: str, hint: str) -> None:
    ran = patchq("import", source, cwd=ours.path)
    assert ran.code == code
    assert error in ran.err
    assert hint in ran.err


def test_mails_diffs_and_git_show_become_the_same_patch(ours: GitRepo) -> None:
    (ours.path / "1.patch").write_bytes(ours.git("format-patch", "-1", "--stdout", "ours~1"))
    (ours.path / "2.patch").write_bytes(ours.git("show", "ours~1"))
    for file in ("1.patch", "2.patch"):
        assert patchq("import", file, "--base", "v1", cwd=ours.path).code == 0
        assert "Forwarded: no\n---\ndiff --git a/pkg/gate.py" in patch(ours, "open-the-gate")
        kept = patch(ours, "open-the-gate")
        assert patchq("undo", cwd=ours.path).code == 0
        assert patchq("import", "v1..ours~1", "--onto", "main", cwd=ours.path).code == 0
        assert patch(ours, "open-the-gate", "main") == kept
        assert patchq("undo", cwd=ours.path).code == 0


def test_a_mailbox_is_imported_in_its_order_and_its_file_is_noted(ours: GitRepo) -> None:
    (ours.path / "all.mbox").write_bytes(ours.git("format-patch", "--stdout", "v1..ours"))
    assert patchq("import", "all.mbox", "--base", "v1", cwd=ours.path).code == 0
    assert series(ours) == ["open-the-gate.patch", "sizes-for-12.patch"]
    record = SeriesStore(ours.path / "series").record("v1")
    assert record is not None
    assert {one.origin for one in record.patches} == {"file all.mbox"}


def test_a_plain_diff_is_signed_by_the_user_now_and_named_after_its_file(ours: GitRepo) -> None:
    (ours.path / "my-gate.patch").write_bytes(ours.git("diff", "v1", "ours~1"))
    before = int(time.time())
    assert patchq("import", "my-gate.patch", cwd=ours.path).code == 0
    entry = SeriesStore(ours.path / "series").load("main").entries[0].patch
    assert entry.message.subject == b"my-gate"
    assert entry.message.author is not None
    assert (entry.message.author.name, entry.message.author.email) == (b"Ada Author", b"ada@example.org")
    assert entry.message.date is not None
    assert before <= entry.message.date.seconds <= time.time()


def test_name_and_message_are_taken_as_given(ours: GitRepo) -> None:
    (ours.path / "x.patch").write_bytes(ours.git("diff", "v1", "ours~1"))
    ran = patchq("import", "x.patch", "--name", "gate", "-m", "Open it", "-m", "It is shut.\n\nBug: 7", cwd=ours.path)
    assert ran.code == 0
    assert series(ours, "main") == ["gate.patch"]
    assert "Subject: Open it\n\nIt is shut.\n\nBug: 7\n---\n" in patch(ours, "gate", "main")


def test_a_patch_without_a_message_is_called_as_it_is_named(ours: GitRepo) -> None:
    (ours.path / "x.patch").write_bytes(ours.git("diff", "v1", "ours~1"))
    assert patchq("import", "x.patch", "--name", "gate", cwd=ours.path).code == 0
    assert "\nSubject: gate\n" in patch(ours, "gate", "main")


def test_a_message_of_one_word_is_not_taken_for_the_name(ours: GitRepo) -> None:
    ours.git("checkout", "-q", "-b", "hot")
    ours.commit("hotfix", {"pkg/hot.txt": "hot\n"})
    ours.git("checkout", "-q", "main")
    assert patchq("import", "v1..hot", "--name", "p8", cwd=ours.path).code == 0
    ours.write({"pkg/more.txt": "more\n"})
    assert patchq("import", "--worktree", "-m", "workaround", "--name", "p9", cwd=ours.path).code == 0
    assert "Subject: hotfix\n" in patch(ours, "p8")
    assert "Subject: workaround\n" in patch(ours, "p9")


@pytest.mark.parametrize("text", ["Open it\r\n\r\nIt is shut.\r\n- a\r\n", "Open\nit\n \t\nIt is shut.\n- a\n"])
def test_a_subject_ends_where_git_ends_it(ours: GitRepo, text: str) -> None:
    ours.git("checkout", "-q", "-b", "hot")
    ours.write({"pkg/hot.txt": "hot\n"})
    ours.git("add", "-A")
    ours.git("commit", "-q", "--cleanup=verbatim", "-F", "-", stdin=text.encode())
    assert ours.text("log", "-1", "--format=%s") == "Open it"
    (ours.path / "hot.mbox").write_bytes(ours.git("show"))
    ours.git("checkout", "-q", "main")
    for source in ("v1..hot", "hot.mbox"):
        assert patchq("import", source, "--name", "p8", "--base", "v1", cwd=ours.path).code == 0
        assert b"Subject: Open it\n\nIt is shut." in (ours.path / "series/v1/p8.patch").read_bytes()
        assert patchq("undo", cwd=ours.path).code == 0


def test_notes_to_reviewers_are_left_out_and_told(ours: GitRepo) -> None:
    ours.git("notes", "add", "-m", "v2: tested on hardware, ticket 17", "ours~1")
    (ours.path / "a.mbox").write_bytes(ours.git("format-patch", "--notes", "--stdout", "v1..ours"))
    ran = patchq("import", "a.mbox", cwd=ours.path)
    assert ran.code == 0
    assert ran.err.count("note: a.mbox: what stands below the --- was left out") == 1
    assert "Notes: v2: tested on hardware, ticket 17" in ran.err


def test_equal_names_are_read_where_somebody_has_counted_their_parts(ours: GitRepo) -> None:
    prefixes = ("--src-prefix=x/y/", "--dst-prefix=x/y/")
    (ours.path / "x.patch").write_bytes(ours.git("diff", *prefixes, "v1", "ours~1"))
    assert patchq("import", "x.patch", "-p", "2", cwd=ours.path).code == 0
    assert patchq("files", "x", "--json", cwd=ours.path).json["files"][0]["path"] == "pkg/gate.py"


def test_undo_says_that_the_last_command_was_about_another_series(ours: GitRepo) -> None:
    assert patchq("import", "v1..ours~1", cwd=ours.path).code == 0
    assert patchq("--series", "other", "init", cwd=ours.path).code == 0
    ran = patchq("undo", cwd=ours.path)
    assert ran.code == 1
    assert "was about another series: other" in ran.err
    assert patchq("--series", "other", "undo", cwd=ours.path).code == 0
    assert patchq("undo", cwd=ours.path).code == 0


def test_standard_input_is_read(ours: GitRepo, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(ours.git("diff", "v1", "ours~1"))))
    assert patchq("import", "-", "-m", "From a pipe", cwd=ours.path).code == 0
    assert series(ours, "main") == ["from-a-pipe.patch"]


def test_names_are_numbered_where_they_are_taken_unless_a_person_gave_them(ours: GitRepo) -> None:
    (ours.path / "x.patch").write_bytes(ours.git("diff", "v1", "ours~1"))
    (ours.path / "y.patch").write_bytes(ours.git("diff", "v1", "ours", "--", "pkg/table.py"))
    assert patchq("import", "x.patch", "-m", "Twice", "--name", "Twice", cwd=ours.path).code == 0
    refused = patchq("import", "y.patch", "--name", "twice", cwd=ours.path)
    assert (refused.code, "there is a patch twice already" in refused.err) == (1, True)
    (ours.path / "twice.patch").write_bytes((ours.path / "y.patch").read_bytes())
    ran = patchq("import", "twice.patch", cwd=ours.path)
    assert (ran.code, "note: twice is called twice-2 here, because that name is taken\n" in ran.err) == (0, True)
    assert series(ours, "main") == ["Twice.patch", "twice-2.patch"]


def test_a_name_for_several_patches_is_a_usage_error(ours: GitRepo) -> None:
    ran = patchq("import", "v1..ours", "--name", "both", cwd=ours.path)
    assert (ran.code, ran.err) == (2, "error: --name and --message are for one patch, and these are 2\n")


def test_a_line_number_that_has_drifted_is_corrected_and_blob_ids_are_those_of_the_place(ours: GitRepo) -> None:
    diff = ours.git("diff", "-U1", "v1", "ours~1").decode().replace("@@ -1,3 +1,3 @@", "@@ -40,3 +40,3 @@")
    assert "@@ -40,3 +40,3 @@" in diff
    (ours.path / "gate.patch").write_text(diff)
    assert patchq("import", "gate.patch", "--base", "v1", cwd=ours.path).code == 0
    assert patch(ours, "gate").partition("---\n")[2] == ours.git("diff", "--full-index", "v1", "ours~1").decode()


def test_a_copy_of_a_neighbour_is_proposed_and_not_written(ours: GitRepo) -> None:
    line = "Mirror: pkg/table.py::SIZES[12] = [10]"
    ran = patchq("import", "v1..ours", cwd=ours.path)
    assert line in ran.out
    assert line not in patch(ours, "sizes-for-12")
    patchq("undo", cwd=ours.path)
    assert [one["proposed"] for one in patchq("import", "v1..ours", "--json", cwd=ours.path).json["patches"]] == [
        [],
        [line],
    ]


def test_a_mirror_is_added_when_asked_for_and_not_looked_for_when_not_wanted(ours: GitRepo) -> None:
    line = "Mirror: pkg/table.py::SIZES[12] = [10]"
    assert "Mirror" not in patchq("import", "v1..ours", "--no-mirror", cwd=ours.path).out
    patchq("undo", cwd=ours.path)
    ran = patchq("import", "v1..ours", "--mirror", "--json", cwd=ours.path)
    assert [one["proposed"] for one in ran.json["patches"]] == [[], []]
    assert f"\n{line}\n---\n" in patch(ours, "sizes-for-12")
    assert patchq("rebase", "v1", "--no-fetch", cwd=ours.path).code == 0


def test_a_pipe_into_the_process_and_its_document_out_of_it(ours: GitRepo) -> None:
    program = [sys.executable, "-c", "from patchq.cli import main; main()"]
    done = subprocess.run(
        [*program, "--json", "import", "-", "--name", "piped", "--base", "v1"],
        cwd=ours.path / "pkg",
        input=ours.git("diff", "v1", "ours~1"),
        capture_output=True,
        check=False,
        env={**os.environ, "GIT_DIR": "/nowhere", "GIT_INDEX_FILE": "/nowhere/index"},
    )
    assert done.returncode == 0, done.stderr.decode()
    assert b'"command": "import"' in done.stdout
    assert series(ours) == ["piped.patch"]
