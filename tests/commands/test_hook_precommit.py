from __future__ import annotations

import shutil
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from patchq.seriesstore.record import write_record
from patchq.seriesstore.store import SeriesStore
from tests.commands.guarded import ENTRY, TABLE, guarded_fork, hook, silent, stage, without_entry
from tests.gitrepo import GitRepo
from tests.running import patchq

if TYPE_CHECKING:
    from pathlib import Path

    from tests.fork import Fork


@pytest.fixture
def fork(tmp_path: Path, tmp_path_factory: pytest.TempPathFactory) -> Fork:
    return guarded_fork(tmp_path / "fork", tmp_path_factory)


def everything(root: Path) -> dict[str, tuple[int, int, bytes]]:
    """Each file below, with size, time of the last change and contents; folders count by their names."""
    return {
        str(path): (path.lstat().st_size, path.lstat().st_mtime_ns, path.read_bytes() if path.is_file() else b"")
        for path in root.rglob("*")
    }


def test_the_lost_dict_entry_stops_the_commit(fork: Fork) -> None:
    stage(fork, {TABLE: without_entry(fork)})
    ran = hook(fork)
    assert ran.code == 1
    assert ran.out == (
        "error: the commit loses what patch size-12 put into pkg/table.py\n"
        "  at       SIZES[12]\n"
        "  lost     12: [4, 6, 8]\n"
        "hint: look, and put it back:\n"
        "    git diff HEAD -- pkg/table.py\n"
        "  take all of the file from HEAD, without any of your changes to it:\n"
        "    git checkout HEAD -- pkg/table.py\n"
        "  drop the patch on purpose: delete its line from series/v2/series, then\n"
        "    patchq build v2\n"
        "\n"
        "1 finding; past them, once: git commit --no-verify\n"
    )


def test_what_the_hook_advises_puts_the_entry_back(fork: Fork) -> None:
    stage(fork, {TABLE: without_entry(fork)})
    fork.repo.git("checkout", "HEAD", "--", TABLE)
    assert silent(hook(fork))


def test_a_patch_dropped_from_the_series_is_no_longer_guarded(fork: Fork) -> None:
    stage(fork, {TABLE: without_entry(fork)})
    listed = fork.repo.path / "series/v2/series"
    listed.write_text(listed.read_text().replace("size-12.patch\n", ""))
    assert silent(hook(fork))


def test_programs_get_the_same_as_json(fork: Fork) -> None:
    stage(fork, {TABLE: without_entry(fork)})
    ran = hook(fork, "--json")
    assert ran.code == 1
    assert ran.json == {
        "schema": 1,
        "command": "hook pre-commit",
        "findings": [
            {
                "kind": "lost",
                "patch": "size-12",
                "ref": "v2",
                "folder": str(fork.repo.path / "series/v2"),
                "path": TABLE,
                "facts": [
                    {"anchor": "pkg/table.py::SIZES[12]", "state": "absent", "gone": ["12: [4, 6, 8]"], "back": []}
                ],
            }
        ],
    }


def test_nothing_wrong_is_silent_and_an_empty_list_for_programs(fork: Fork) -> None:
    stage(fork, {"pkg/new.py": "X = 1\n", TABLE: "# sizes\n" + (fork.repo.path / TABLE).read_text()})
    assert silent(hook(fork))
    assert hook(fork, "--json").json == {"schema": 1, "command": "hook pre-commit", "findings": []}


def test_another_value_is_a_loss_too(fork: Fork) -> None:
    stage(fork, {TABLE: (fork.repo.path / TABLE).read_text().replace("12: [4, 6, 8]", "12: [6, 8]")})
    assert "  changed  12: [4, 6, 8]\n" in hook(fork).out


def test_a_condition_that_is_put_back_is_named(fork: Fork) -> None:
    gate = (fork.repo.path / "pkg/gate.py").read_text().replace(" or capability == 12", "")
    stage(fork, {"pkg/gate.py": gate})
    ran = hook(fork)
    assert ran.code == 1
    assert "patch open-gate" in ran.out
    assert "capability == 12" in ran.out


def test_only_what_is_staged_counts(fork: Fork) -> None:
    whole = (fork.repo.path / TABLE).read_text()
    fork.repo.write({TABLE: without_entry(fork)})
    assert silent(hook(fork))
    stage(fork, {TABLE: without_entry(fork)})
    fork.repo.write({TABLE: whole})
    assert hook(fork).code == 1


def test_what_head_has_lost_already_is_not_this_commits_loss(fork: Fork) -> None:
    fork.repo.commit("lost on purpose", {TABLE: without_entry(fork)})
    stage(fork, {TABLE: without_entry(fork) + "\nmore = 1\n"})
    assert silent(hook(fork))


def test_a_branch_without_the_patches_is_left_alone(fork: Fork) -> None:
    fork.repo.git("checkout", "-q", "v2")
    stage(fork, {TABLE: None, "pkg/gate.py": "def allowed():\n    return True\n"})
    assert silent(hook(fork))


def test_a_deleted_file_loses_its_patch(fork: Fork) -> None:
    stage(fork, {TABLE: None})
    ran = hook(fork)
    assert ran.code == 1
    assert "  gone     12: [4, 6, 8]\n" in ran.out


def test_a_renamed_file_keeps_its_patch(fork: Fork) -> None:
    text = (fork.repo.path / TABLE).read_text()
    stage(fork, {TABLE: None, "pkg/sizes.py": text.replace("def size", "def size_of"), "pkg/other.py": "A = 1\n"})
    assert silent(hook(fork))


def test_a_renamed_file_that_lost_the_entry_on_the_way_stops_the_commit(fork: Fork) -> None:
    stage(fork, {"pkg/sizes.py": without_entry(fork), TABLE: None})
    assert hook(fork).code == 1


def test_a_table_that_moves_to_another_file_is_not_lost(fork: Fork) -> None:
    moved = (fork.repo.path / TABLE).read_text()
    stage(fork, {TABLE: '"""Moved to sizes."""\n', "pkg/gate.py": (fork.repo.path / "pkg/gate.py").read_text() + moved})
    assert silent(hook(fork))


def test_a_twin_that_had_the_entry_before_hides_no_loss(fork: Fork) -> None:
    twin = (fork.repo.path / TABLE).read_text()
    fork.repo.commit("a copy of the table", {"pkg/twin.py": twin})
    stage(fork, {TABLE: without_entry(fork), "pkg/twin.py": twin + "\nX = 1\n"})
    assert hook(fork).code == 1


def test_a_file_that_becomes_a_link_loses_its_patch(fork: Fork) -> None:
    (fork.repo.path / TABLE).unlink()
    (fork.repo.path / TABLE).symlink_to("gate.py")
    fork.repo.git("add", "-A")
    assert hook(fork).code == 1


def test_all_losses_are_told_at_once(fork: Fork) -> None:
    stage(fork, {TABLE: without_entry(fork), "pkg/gate.py": "def allowed(capability, batch):\n    return False\n"})
    ran = hook(fork)
    assert "patch open-gate" in ran.out
    assert "patch size-12" in ran.out
    assert ran.out.endswith("2 findings; past them, once: git commit --no-verify\n")


def test_nothing_is_written_whatever_is_found(fork: Fork) -> None:
    shutil.rmtree(fork.repo.path / ".git/patchq/cache")
    stage(fork, {TABLE: without_entry(fork)})
    before = everything(fork.repo.path)
    assert hook(fork).code == 1
    fork.repo.git("reset", "-q", "--hard")
    assert everything(fork.repo.path) != before
    before = everything(fork.repo.path)
    assert silent(hook(fork))
    assert everything(fork.repo.path) == before
    assert not (fork.repo.path / ".git/patchq/cache").exists()


def test_the_copy_of_the_record_is_used_where_a_verb_has_left_one(fork: Fork) -> None:
    fork.run("status")
    copy = fork.repo.path / ".git/patchq/cache/record-v2.json"
    copy.write_bytes(copy.read_bytes().replace(b"12: [4, 6, 8]", b"12: [5, 6, 8]"))
    stage(fork, {TABLE: without_entry(fork)})
    # The copy is believed: it says that another value was put there, which HEAD does not have.
    assert silent(hook(fork))


@pytest.mark.parametrize("place", ["pkg", "."])
def test_it_works_from_any_folder(fork: Fork, place: str) -> None:
    stage(fork, {TABLE: without_entry(fork)})
    assert patchq("hook", "pre-commit", cwd=fork.repo.path / place).code == 1
    assert patchq("--repo", str(fork.repo.path / place), "hook", "pre-commit", cwd=fork.repo.path.parent).code == 1


def test_it_works_in_a_linked_worktree_that_says_where_the_series_is(fork: Fork) -> None:
    fork.repo.git("config", "patchq.series", str(fork.repo.path / "series"))
    linked = GitRepo(fork.repo.path.parent / "linked")
    fork.repo.git("worktree", "add", "-q", "-b", "other", str(linked.path), "patched/v2")
    linked.write({TABLE: without_entry(fork)})
    linked.git("add", "-A")
    assert patchq("hook", "pre-commit", cwd=linked.path).code == 1
    assert silent(hook(fork))


def test_the_index_that_git_names_is_the_one_that_counts(fork: Fork, monkeypatch: pytest.MonkeyPatch) -> None:
    other = fork.repo.path / ".git/other-index"
    other.write_bytes((fork.repo.path / ".git/index").read_bytes())
    stage(fork, {TABLE: without_entry(fork)})
    monkeypatch.setenv("GIT_INDEX_FILE", ".git/other-index")
    assert silent(hook(fork))
    # Asked about a repository by name, the environment of some other one is no answer.
    assert hook(fork, "--repo", str(fork.repo.path)).code == 1


def test_the_repository_that_git_names_is_the_one_that_counts(
    fork: Fork, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    stage(fork, {TABLE: without_entry(fork)})
    monkeypatch.setenv("GIT_DIR", str(fork.repo.path / ".git"))
    monkeypatch.setenv("GIT_WORK_TREE", str(fork.repo.path))
    assert patchq("hook", "pre-commit", cwd=tmp_path).code == 1


def test_other_variables_of_git_are_kept_out(fork: Fork, monkeypatch: pytest.MonkeyPatch) -> None:
    stage(fork, {TABLE: without_entry(fork)})
    for name in ("GIT_OBJECT_DIRECTORY", "GIT_COMMON_DIR", "GIT_NAMESPACE", "GIT_CONFIG_PARAMETERS"):
        monkeypatch.setenv(name, "/nowhere")
    assert hook(fork).code == 1


def test_without_a_series_it_is_silent(repo: GitRepo) -> None:
    repo.write({"a.py": "A = 1\n"})
    repo.git("add", "-A")
    assert silent(patchq("hook", "pre-commit", cwd=repo.path))


def test_before_the_first_commit_only_the_series_is_looked_at(repo: GitRepo) -> None:
    repo.write({"a.py": "A = 1\n", "series/patchq.yaml": "schema: 1\n", "series/v1/series": "# none yet\n"})
    repo.git("add", "-A")
    assert silent(patchq("hook", "pre-commit", cwd=repo.path))
    repo.write({"series/v1/series": "gone.patch\n"})
    repo.git("add", "-A")
    assert patchq("hook", "pre-commit", cwd=repo.path).code == 1


def test_in_a_bare_repository_it_is_silent(tmp_path: Path) -> None:
    bare = GitRepo.create(tmp_path / "bare.git", "--bare")
    assert silent(patchq("hook", "pre-commit", cwd=bare.path))


def test_outside_of_a_repository_it_says_so(tmp_path: Path) -> None:
    ran = patchq("hook", "pre-commit", cwd=tmp_path)
    assert ran.code == 1
    assert "not a git repository" in ran.err


def test_a_merge_that_brings_the_patch_for_another_upstream_loses_nothing(fork: Fork) -> None:
    fork.run("rebase", "v1", "--from", "v1", "--no-fetch", "--branch", "patched/v1")
    fork.repo.git("checkout", "-q", "-b", "old-work", "patched/v1")
    assert ENTRY not in (fork.repo.path / TABLE).read_text()
    fork.repo.try_git("merge", "-q", "--no-commit", "patched/v2")
    fork.repo.git("checkout", "patched/v2", "--", "pkg")
    fork.repo.git("checkout", "old-work", "--", "pkg/old.py")  # upstream has deleted it, and a patch needs it
    assert silent(hook(fork))
    # The same contents without the merge are an edit of what the patch for v1 put there.
    (fork.repo.path / ".git/MERGE_HEAD").unlink()
    assert hook(fork).code == 1


def test_on_a_recorded_branch_only_its_own_series_counts(fork: Fork) -> None:
    fork.run("rebase", "v1", "--from", "v1", "--no-fetch", "--branch", "patched/v1")
    # Upstream has absorbed open-gate with v2; the folder of v1 carries it still, and rightly so.
    store = SeriesStore(fork.repo.path / "series")
    record = store.record("v2")
    assert record is not None
    left = tuple(patch for patch in record.patches if str(patch.name) != "open-gate")
    fork.repo.write({"series/v2/record.yaml": write_record(replace(record, patches=left))})
    gate = (fork.repo.path / "pkg/gate.py").read_text().replace(" or capability == 12", "")
    stage(fork, {"pkg/gate.py": gate})
    assert silent(hook(fork))
    # A copy of the branch with a history of its own says nothing about where it is from.
    tree = fork.repo.text("rev-parse", "HEAD^{tree}")
    fork.repo.git("update-ref", "refs/heads/work", fork.repo.text("commit-tree", tree, "-m", "copied"))
    assert "what patch open-gate put into" in hook(fork).out


def test_hostile_names_and_contents_are_shown_harmless(fork: Fork) -> None:
    record = fork.repo.path / "series/v2/record.yaml"
    name = "pkg/ta\u202eble '1'.txt"
    fork.repo.commit("odd", {name: "keep \x1b[31mthis\n"})
    record.write_text(
        record.read_text()
        .replace("path: pkg/table.py", "path: \"pkg/ta\\u202eble '1'.txt\"")
        .replace("anchor: pkg/table.py::SIZES[12]", "anchor: \"pkg/ta\\u202eble '1'.txt::\"")
        .replace('- "12: [4, 6, 8]"', '- "keep \\e[31mthis"')
    )
    stage(fork, {name: "nothing\n"})
    ran = hook(fork)
    assert ran.code == 1
    assert "\x1b" not in ran.out
    assert "\u202e" not in ran.out
    assert "keep \\x1b[31mthis" in ran.out
    assert ran.out.isprintable() or all(char.isprintable() or char == "\n" for char in ran.out)
    hook(fork, "--json").out.encode("ascii")
