from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from patchq.gitstore import renames as module
from patchq.gitstore.renames import changed, renames
from patchq.gitstore.repository import Repository

if TYPE_CHECKING:
    from tests.gitrepo import GitRepo


def body(word: str, lines: int = 20) -> str:
    return "".join(f"{word} {number}\n" for number in range(lines))


def moved(repo: GitRepo, *paths: bytes) -> dict[bytes, bytes]:
    old, new = (repo.text("rev-parse", f"{rev}^{{tree}}") for rev in ("old", "new"))
    return dict(renames(Repository.discover(repo.path), old, new, paths))


def test_only_asked_paths_that_differ_are_reported(repo: GitRepo) -> None:
    repo.commit(
        "one", {"same": "1\n", "edited": "1\n", "gone": "1\n", "x/file": "1\n", "run": "1\n", "other": "1\n"}, tag="old"
    )
    repo.write({"gone": None, "x/file": None, "edited": "2\n", "other": "2\n", "new\n": "1\n"})
    (repo.path / "run").chmod(0o755)
    repo.commit("two", {"x/file/deeper": "1\n"}, tag="new")
    asked = (b"same", b"edited", b"gone", b"x/file", b"run", b"new\n", b"never", b"x", b"*")
    old, new = (repo.text("rev-parse", f"{rev}^{{tree}}") for rev in ("old", "new"))
    found = Repository.discover(repo.path)
    expected = {b"edited", b"gone", b"x/file", b"run", b"new\n"}
    assert changed(found, old, new, asked) == expected
    assert changed(found, old, new, ()) == changed(found, old, old, asked) == frozenset()
    assert changed(found, old, new, [*asked, b"x" * 100_000]) == expected  # too long for arguments


def test_a_file_is_followed_to_its_new_place(repo: GitRepo) -> None:
    repo.commit("one", {"a/x.py": body("x"), "a/y.py": body("y"), "kept": "1\n"}, tag="old")
    repo.write({"a/x.py": None, "a/y.py": None})
    repo.commit("two", {"b/x.py": body("x"), "b \n/z.py": body("y") + "more\n"}, tag="new")
    assert moved(repo, b"a/x.py", b"a/y.py", b"kept", b"never") == {b"a/x.py": b"b/x.py", b"a/y.py": b"b \n/z.py"}


def test_a_file_that_is_gone_has_no_new_place(repo: GitRepo) -> None:
    repo.commit("one", {"a": body("x"), "b": body("y")}, tag="old")
    repo.commit("two", {"a": None, "c": body("z")}, tag="new")
    assert moved(repo, b"a") == {}


def test_two_equal_places_are_no_answer(repo: GitRepo) -> None:
    repo.commit("one", {"a/x.py": body("x")}, tag="old")
    repo.commit("two", {"a/x.py": None, "b/x.py": body("x"), "c/y.py": body("x")}, tag="new")
    assert moved(repo, b"a/x.py") == {}


def test_settings_of_the_user_do_not_turn_detection_off(repo: GitRepo) -> None:
    repo.commit("one", {"a": body("x")}, tag="old")
    repo.commit("two", {"a": None, "b": body("x") + "more\n"}, tag="new")
    repo.git("config", "diff.renames", "false")
    repo.git("config", "diff.renameLimit", "1")
    assert moved(repo, b"a") == {b"a": b"b"}


@pytest.fixture
def crowded(repo: GitRepo, monkeypatch: pytest.MonkeyPatch) -> GitRepo:
    """A repository in which more files go and come than the quick search by similarity looks at."""
    monkeypatch.setattr(module, "_QUICK_LIMIT", 2)
    old = {f"old/{word}": body(word) for word in ("one", "two", "three", "four")}
    repo.commit("one", {**old, "near": body("one", 10) + body("q", 8)}, tag="old")
    repo.write(dict.fromkeys((*old, "near")))
    new = {f"new/{word}{word}": body(word) + "more\n" for word in ("one", "two", "three", "five")}
    repo.commit("two", dict(new), tag="new")
    return repo


def test_in_a_crowd_the_files_asked_for_are_found_by_similarity(crowded: GitRepo) -> None:
    assert moved(crowded, b"old/two", b"old/three", b"old/four") == {
        b"old/two": b"new/twotwo",
        b"old/three": b"new/threethree",
    }


def test_in_a_crowd_a_place_that_another_file_resembles_more_is_not_claimed(crowded: GitRepo) -> None:
    assert moved(crowded, b"near") == {}
    assert moved(crowded, b"near", b"old/one") == {b"old/one": b"new/oneone"}


def test_the_search_leaves_no_objects_behind(crowded: GitRepo) -> None:
    before = crowded.text("count-objects", "-v")
    moved(crowded, b"old/two")
    assert crowded.text("count-objects", "-v") == before
