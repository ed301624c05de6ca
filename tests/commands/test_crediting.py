from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tests.fork import Change
from tests.gitrepo import GitRepo
from tests.landing import FIRST, SECOND, fork_along, text

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

BOTH = Change("both", {"a.py": text(FIRST, SECOND)})


def status(path: Path, history: Callable[[GitRepo], object], change: Change = BOTH) -> Any:  # noqa: ANN401 - JSON
    """Return the one patch of `patchq status upstream --json`."""
    return fork_along(path, history, [change]).run("status", "upstream", "--json").json["patches"][0]


def subjects(patch: Any) -> list[str]:  # noqa: ANN401 - JSON
    return [commit["subject"] for commit in patch["landed_in"]]


def test_a_patch_that_landed_in_one_commit_names_it(tmp_path: Path) -> None:
    def history(repo: GitRepo) -> None:
        repo.commit("before", {"a.py": text((2, "x = 1"))})
        repo.commit("take both (#7)", {"a.py": text((2, "x = 1"), FIRST, SECOND)})
        repo.commit("after", {"a.py": text((2, "x = 1"), FIRST, SECOND, (50, "y = 1"))})

    patch = status(tmp_path / "fork", history)
    assert patch["verdict"] == "absorbed"
    assert patch["absorbed_by"]["subject"] == "take both (#7)"
    assert patch["absorbed_by"]["pull_request"] == 7
    assert patch["absorbed_by"]["author_date"] == "2023-11-14T22:13:20+00:00"
    assert subjects(patch) == ["take both (#7)"]


def test_a_patch_that_landed_in_two_commits_names_both_the_completing_one_first(tmp_path: Path) -> None:
    def history(repo: GitRepo) -> None:
        repo.commit("take one", {"a.py": text(SECOND)})
        repo.commit("between", {"b.py": text((3, "z = 1"))})
        repo.commit("take the other", {"a.py": text(FIRST, SECOND)})

    patch = status(tmp_path / "fork", history)
    assert patch["absorbed_by"]["subject"] == "take the other"
    assert subjects(patch) == ["take the other", "take one"]


def test_a_partial_patch_names_the_commit_of_its_part(tmp_path: Path) -> None:
    change = Change("two-files", {"a.py": text(FIRST), "b.py": text(SECOND)})
    patch = status(tmp_path / "fork", lambda repo: repo.commit("take a (#3)", {"a.py": text(FIRST)}), change)
    assert patch["verdict"] == "partial"
    assert patch["absorbed_by"] is None
    assert [commit["pull_request"] for commit in patch["landed_in"]] == [3]


def test_it_is_found_inside_a_bigger_commit(tmp_path: Path) -> None:
    def history(repo: GitRepo) -> None:
        repo.commit("much", {"a.py": text((1, "p = 1"), FIRST, (25, "q = 1"), SECOND), "c.py": "x = 1\n"})
        repo.commit("more", {"a.py": text((1, "p = 2"), FIRST, (25, "q = 2"), SECOND)})

    assert subjects(status(tmp_path / "fork", history)) == ["much"]


def test_it_is_found_before_the_file_was_renamed_twice(tmp_path: Path) -> None:
    def history(repo: GitRepo) -> None:
        repo.commit("take both", {"a.py": text(FIRST, SECOND)})
        repo.commit("rename", {"a.py": None, "lib/a.py": text(FIRST, SECOND)})
        repo.commit("rename again", {"lib/a.py": None, "pkg/lib/core.py": text(FIRST, SECOND)})
        repo.commit("after", {"pkg/lib/core.py": text(FIRST, SECOND, (50, "y = 1"))})

    assert subjects(status(tmp_path / "fork", history)) == ["take both"]


def test_a_commit_of_a_merged_branch_is_named_with_the_number_of_the_merge(tmp_path: Path) -> None:
    def history(repo: GitRepo) -> None:
        repo.git("checkout", "-q", "-b", "topic")
        repo.commit("take one", {"a.py": text(FIRST)})
        repo.commit("take the other", {"a.py": text(FIRST, SECOND)})
        repo.git("checkout", "-q", "main")
        repo.commit("meanwhile", {"b.py": text((3, "z = 1"))})
        repo.git("merge", "-q", "--no-ff", "-m", "Merge pull request #42 from ada/topic\n\nTake it", "topic")
        repo.commit("after", {"a.py": text(FIRST, SECOND, (50, "y = 1"))})

    patch = status(tmp_path / "fork", history)
    assert subjects(patch) == ["take the other", "take one"]
    assert [commit["pull_request"] for commit in patch["landed_in"]] == [42, 42]


def test_what_was_reverted_and_landed_again_is_owed_to_the_last_landing(tmp_path: Path) -> None:
    def history(repo: GitRepo) -> None:
        repo.commit("take both (#1)", {"a.py": text(FIRST, SECOND)})
        repo.commit('Revert "take both (#1)" (#2)', {"a.py": text()})
        repo.commit("[Reland] take both (#3)", {"a.py": text(FIRST, SECOND)})

    patch = status(tmp_path / "fork", history)
    assert [commit["pull_request"] for commit in patch["landed_in"]] == [3]


def test_a_new_file_and_a_deleted_one_are_found(tmp_path: Path) -> None:
    def history(repo: GitRepo) -> None:
        repo.commit("add it", {"new.py": "x = 1\n"})
        repo.commit("drop it", {"b.py": None})

    patch = status(tmp_path / "fork", history, Change("files", {"new.py": "x = 1\n", "b.py": None}))
    assert subjects(patch) == ["drop it", "add it"]


def test_histories_that_have_nothing_in_common_name_nothing(tmp_path: Path) -> None:
    def history(repo: GitRepo) -> None:
        repo.git("checkout", "-q", "--orphan", "other")
        repo.commit("release 2", {"a.py": text(FIRST, SECOND)})

    patch = status(tmp_path / "fork", history)
    assert patch["verdict"] == "absorbed"
    assert patch["absorbed_by"]["commit"] is None
    assert patch["landed_in"] == []
    assert not any("cut off" in note for note in patch["notes"])


def test_a_shallow_clone_says_that_history_is_cut_off(tmp_path: Path) -> None:
    def history(repo: GitRepo) -> None:
        repo.commit("take both", {"a.py": text(FIRST, SECOND)})
        repo.commit("after", {"b.py": text((3, "z = 1"))})

    fork = fork_along(tmp_path / "fork", history, [BOTH])
    shallow = GitRepo.create(tmp_path / "shallow")
    url = (tmp_path / "fork").as_uri()
    shallow.git("fetch", "-q", "--depth=1", url, "refs/tags/v1:refs/tags/v1", "upstream:refs/heads/upstream")
    shallow.git("checkout", "-q", "--detach", "v1")
    for name in ("patchq.yaml", "v1/series", "v1/both.patch"):
        shallow.write({f"series/{name}": (fork.repo.path / "series" / name).read_bytes()})
    patch = type(fork)(shallow).run("status", "upstream", "--json").json["patches"][0]
    assert patch["landed_in"] == []
    assert any("cut off" in note for note in patch["notes"])


def test_a_clone_without_files_keeps_its_verdict_and_fetches_nothing_to_name_a_commit(tmp_path: Path) -> None:
    def history(repo: GitRepo) -> None:
        repo.commit("take both", {"a.py": text(FIRST, SECOND)})
        repo.commit("after", {"a.py": text(FIRST, SECOND, (50, "y = 1"))})
        repo.commit("after that", {"a.py": text(FIRST, SECOND, (50, "y = 2"))})

    fork = fork_along(tmp_path / "fork", history, [BOTH])
    fork.repo.git("config", "uploadpack.allowFilter", "true")
    fork.repo.git("config", "uploadpack.allowAnySHA1InWant", "true")
    fork.repo.git("clone", "-q", "--no-checkout", "--filter=blob:none", (tmp_path / "fork").as_uri(), "../partial")
    partial = GitRepo(tmp_path / "partial")
    for name in ("patchq.yaml", "v1/series", "v1/both.patch"):
        partial.write({f"series/{name}": (fork.repo.path / "series" / name).read_bytes()})
    lacking = type(fork)(partial)
    patch = lacking.run("status", "origin/upstream", "--json").json["patches"][0]
    assert patch["verdict"] == "absorbed"
    assert patch["landed_in"] == []
    assert any("git fetch --refetch --no-filter origin" in note for note in patch["notes"])
    ran = lacking.run("forecast", "origin/upstream")
    assert (ran.code, ran.out) == (1, "")
    assert "hint: git fetch --refetch --no-filter origin" in ran.err
    partial.git("fetch", "-q", "--refetch", "--no-filter", "origin")
    patch = lacking.run("status", "origin/upstream", "--json").json["patches"][0]
    assert subjects(patch) == ["take both"]


def test_the_table_fits_and_the_ledger_keeps_the_name(tmp_path: Path) -> None:
    subject = "take both, with a subject that is a good deal longer than any terminal has room for it (#12345)"
    fork = fork_along(tmp_path / "fork", lambda repo: repo.commit(subject, {"a.py": text(FIRST, SECOND)}), [BOTH])
    ran = fork.run("rebase", "upstream", "--no-fetch")
    line = next(line for line in ran.out.splitlines() if "absorbed by" in line)
    assert line.endswith('..." (#12345)')
    assert len(line) <= 80
    ledger = (fork.repo.path / "series/ledger.yaml").read_text()
    assert f"commit: '{fork.repo.text('rev-parse', 'upstream')}'" in ledger.replace('"', "'")
    assert "pull_request: 12345" in ledger
    assert "subject: take both" in ledger
