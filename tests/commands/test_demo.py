from __future__ import annotations

from typing import TYPE_CHECKING

from tests.gitrepo import GitRepo
from tests.readme import screen
from tests.running import patchq

if TYPE_CHECKING:
    from pathlib import Path


def test_the_offline_demonstration_needs_no_network_and_shows_every_kind(tmp_path: Path) -> None:
    ran = patchq("demo", "--offline", "--dir", "kiln", cwd=tmp_path)
    assert ran.code == 0
    for word in ("clean", "adapted", "absorbed", "superseded", "orphaned"):
        assert f" {word} " in ran.out
    assert GitRepo(tmp_path / "kiln").text("rev-parse", "--verify", "patched/v2.0")


def test_the_offline_screen_in_the_readme_is_what_is_printed(tmp_path: Path) -> None:
    shown = screen("offline demo")
    ran = patchq("demo", "--offline", "--dir", "kiln", cwd=tmp_path)
    assert shown.strip() in ran.out


def test_the_forecast_in_the_readme_is_what_is_printed(tmp_path: Path) -> None:
    shown = screen("offline forecast")
    patchq("demo", "--offline", "--dir", "kiln", cwd=tmp_path)
    assert patchq("--repo", "kiln", "forecast", "v2.0", "--from", "v1.0", cwd=tmp_path).out == shown


def test_json_is_the_one_document_of_the_rebase(tmp_path: Path) -> None:
    ran = patchq("demo", "--offline", "--dir", "kiln", "--json", cwd=tmp_path)
    assert ran.json["command"] == "rebase"
    assert ran.json["summary"]["total"] == 6


def test_a_folder_with_files_is_not_played_in(tmp_path: Path) -> None:
    (tmp_path / "mine").write_text("mine")
    ran = patchq("demo", "--offline", "--dir", ".", cwd=tmp_path)
    assert ran.code == 1
    assert "not an empty folder" in ran.err
    assert [path.name for path in tmp_path.iterdir()] == ["mine"]
