from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tests.fork import Change
from tests.landing import SECOND, fork_along, text

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path

    from tests.gitrepo import GitRepo


def valued(value: str, *changes: tuple[int, str]) -> str:
    """Give one of the sixty lines another value, the one that the patch and some of upstream's commits change."""
    return text(*changes).replace("line_10 = 10\n", f"line_10 = {value}\n")


ONE = Change("one", {"a.py": valued("100")})


def told(path: Path, history: Callable[[GitRepo], object], changes: Sequence[Change] = (ONE,)) -> list[Any]:
    ran = fork_along(path, history, changes).run("forecast", "--json")
    assert ran.code == 0, ran.err
    return list(ran.json["patches"])


def way(patch: Any) -> list[tuple[str, str]]:  # noqa: ANN401 - JSON
    return [(change["to"], change["subject"]) for change in patch["changes"]]


def test_the_commit_that_breaks_a_patch_is_named_with_its_number(tmp_path: Path) -> None:
    def history(repo: GitRepo) -> None:
        repo.commit("elsewhere", {"a.py": text((50, "y = 1"))})
        repo.commit("break it (#9)", {"a.py": valued("55")})
        repo.commit("after", {"b.py": text((3, "z = 1"))})

    (patch,) = told(tmp_path / "fork", history)
    assert patch["verdict"] == "conflict"
    assert patch["breaks"]["subject"] == "break it (#9)"
    assert patch["breaks"]["pull_request"] == 9
    assert patch["not_clean"] == patch["breaks"]
    assert patch["absorbed_by"] is None


def test_the_commit_that_absorbs_a_patch_is_named(tmp_path: Path) -> None:
    def history(repo: GitRepo) -> None:
        repo.commit("take it (#4)", {"a.py": valued("100")})
        repo.commit("after", {"a.py": valued("100", SECOND)})

    (patch,) = told(tmp_path / "fork", history)
    assert patch["verdict"] == "absorbed"
    assert way(patch) == [("absorbed", "take it (#4)")]
    assert patch["absorbed_by"]["pull_request"] == 4
    assert patch["breaks"] is None


def test_a_conflict_that_upstream_reverts_is_seen_on_the_way(tmp_path: Path) -> None:
    def history(repo: GitRepo) -> None:
        repo.commit("break it", {"a.py": valued("55")})
        repo.commit('Revert "break it"', {"a.py": text()})
        repo.commit("take it", {"a.py": valued("100")})
        repo.commit('Revert "take it"', {"a.py": text()})
        repo.commit("after", {"a.py": text((50, "y = 1"))})

    (patch,) = told(tmp_path / "fork", history)
    assert patch["verdict"] == "clean"
    assert way(patch) == [
        ("conflict", "break it"),
        ("clean", 'Revert "break it"'),
        ("absorbed", "take it"),
        ("clean", 'Revert "take it"'),
    ]
    assert patch["breaks"]["subject"] == "break it"


def test_a_break_that_came_with_a_merge_is_named_by_its_own_commit(tmp_path: Path) -> None:
    def history(repo: GitRepo) -> None:
        repo.git("checkout", "-q", "-b", "topic")
        repo.commit("break it", {"a.py": valued("55")})
        repo.commit("more of it", {"c.py": "x = 1\n"})
        repo.git("checkout", "-q", "main")
        repo.commit("meanwhile", {"b.py": text((3, "z = 1"))})
        repo.git("merge", "-q", "--no-ff", "-m", "Merge pull request #42 from ada/topic", "topic")

    (patch,) = told(tmp_path / "fork", history)
    assert (patch["breaks"]["subject"], patch["breaks"]["pull_request"]) == ("break it", 42)


def test_patches_that_share_a_file_are_followed_together(tmp_path: Path) -> None:
    changes = [ONE, Change("two", {"a.py": valued("200")}), Change("alone", {"b.py": text(SECOND)})]
    one, two, alone = told(tmp_path / "fork", lambda repo: repo.commit("break it", {"a.py": valued("55")}), changes)
    assert way(one) == [("conflict", "break it")]
    assert way(two) == [("blocked", "break it")]
    assert way(alone) == []


def test_a_rename_on_the_way_is_followed(tmp_path: Path) -> None:
    def history(repo: GitRepo) -> None:
        repo.commit("rename", {"a.py": None, "lib/a.py": text()})
        repo.commit("rename again", {"lib/a.py": None, "pkg/lib.py": text()})
        repo.commit("take it", {"pkg/lib.py": valued("100")})

    (patch,) = told(tmp_path / "fork", history)
    assert way(patch) == [("moved", "rename"), ("absorbed", "take it")]


def test_the_table_says_the_same_in_eighty_columns(tmp_path: Path) -> None:
    subject = "break it with a subject that is longer than any terminal is wide, and then a little bit more (#9)"
    fork = fork_along(tmp_path / "fork", lambda repo: repo.commit(subject, {"a.py": valued("55")}), [ONE])
    before = fork.state()
    ran = fork.run("forecast", "upstream")
    assert ran.code == 0
    assert max(map(len, ran.out.splitlines())) <= 80
    assert "! one  conflict" in ran.out
    assert "conflict since " in ran.out
    assert '..." (#9)' in ran.out
    assert fork.state() == before


def test_nothing_between_means_nothing_to_foretell(tmp_path: Path) -> None:
    fork = fork_along(tmp_path / "fork", lambda repo: repo.commit("after", {"b.py": text((3, "z = 1"))}), [ONE])
    (patch,) = fork.run("forecast", "v1", "--json").json["patches"]
    assert (patch["verdict"], patch["changes"]) == ("clean", [])
