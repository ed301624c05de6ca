from __future__ import annotations

from typing import TYPE_CHECKING

from tests.fork import Change, Files, Fork
from tests.queue.test_moved_elsewhere import IMPORTS, LOAD, MIGRATED, SAVE, STORE

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

PATCHED: Files = {"pkg/store.py": f"{IMPORTS}{MIGRATED}\n\n{SAVE}"}


def fork(path: Path, v1: Files, v2: Mapping[str, str | bytes | None]) -> Fork:
    return Fork.create(path / "fork", v1={"pkg/store.py": STORE, **v1}, v2=v2, changes=[Change("migrate", PATCHED)])


def test_a_patch_follows_its_function_into_a_new_module_when_a_person_says_so(tmp_path: Path) -> None:
    v2: Files = {"pkg/store.py": f"{IMPORTS}{SAVE}", "pkg/loading.py": f"{IMPORTS}{LOAD}"}
    made = fork(tmp_path, {}, v2)
    ran = made.run("rebase", "v2", "--json")
    assert ran.code == 3
    (patch,) = ran.json["patches"]
    assert (patch["verdict"], patch["rung"], patch["class"], patch["needs_review"]) == (
        "adapted",
        "structural",
        "D",
        True,
    )
    assert patch["notes"] == ["`load` moved to pkg/loading.py"]
    assert patch["files"][0]["anchors"] == ["pkg/loading.py::load"]
    taken = made.run("rebase", "v2", "--accept", "review", "--json")
    assert taken.code == 0
    assert made.repo.file("patched/v2", "pkg/loading.py").decode() == f"{IMPORTS}{MIGRATED}"
    assert b"--- a/pkg/loading.py" in (made.repo.path / "series/v2/migrate.patch").read_bytes()


def test_a_patch_follows_its_function_into_a_module_that_was_there(tmp_path: Path) -> None:
    v2: Files = {"pkg/store.py": None, "pkg/io.py": f"{IMPORTS}{SAVE}\n\n{LOAD}"}
    made = fork(tmp_path, {"pkg/io.py": f"{IMPORTS}LIMIT = 1\n"}, v2)
    assert made.run("rebase", "v2", "--accept", "review").code == 0
    assert made.repo.file("patched/v2", "pkg/io.py").decode() == f"{IMPORTS}{SAVE}\n\n{MIGRATED}"


def test_a_file_that_is_gone_with_its_code_leaves_the_patch_orphaned(tmp_path: Path) -> None:
    made = fork(tmp_path, {}, {"pkg/store.py": None, "pkg/other.py": f"{IMPORTS}A = 1\n"})
    assert made.verdicts("rebase", "v2") == {"migrate": "orphaned"}


def test_a_twin_in_another_file_is_not_patched_instead(tmp_path: Path) -> None:
    twin = f"{IMPORTS}{LOAD}"
    v2: Files = {"pkg/store.py": f"{IMPORTS}{SAVE}", "pkg/twin.py": f"{twin}\n\nA = 1\n", "pkg/new.py": twin}
    made = fork(tmp_path, {"pkg/twin.py": twin}, v2)
    before = made.state()
    assert made.run("rebase", "v2", "--accept", "review").code == 3
    assert made.state() == before


def test_a_patch_that_stays_for_an_older_base_is_looked_for_from_there(tmp_path: Path) -> None:
    made = fork(tmp_path, {}, {"pkg/store.py": f"{IMPORTS}{SAVE}"})
    assert made.run("rebase", "v2", "--skip-conflicts").code == 3
    made.repo.git("checkout", "-q", "--detach", "v2")
    made.repo.commit("it is back", {"pkg/loading.py": f"{IMPORTS}{LOAD}"}, tag="v3")
    made.repo.git("checkout", "-q", "--detach", "v1")
    assert made.verdicts("rebase", "v3", "--dry-run") == {"migrate": "adapted"}
