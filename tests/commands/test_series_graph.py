from __future__ import annotations

from typing import TYPE_CHECKING

from tests.fork import Change, Fork
from tests.queued import built_fork

if TYPE_CHECKING:
    from pathlib import Path


def needed(fork: Fork) -> dict[str, list[tuple[str, str, str]]]:
    document = fork.run("series", "--graph", "--json").json
    return {
        it["name"]: [(need["on"], need["kind"], need["what"]) for need in it["needs"]] for it in document["patches"]
    }


def test_lines_and_files_of_other_patches_are_needed(tmp_path: Path) -> None:
    fork = built_fork(tmp_path / "fork")
    assert needed(fork) == {"alpha": [], "beta": [], "gamma": [("alpha", "lines", "pkg/t.txt")], "delta": []}
    assert "gamma\n    needs alpha: changes its lines in pkg/t.txt\n" in fork.run("series", "--graph").out
    path = fork.repo.path / "pkg/t.txt"
    path.write_text(path.read_text().replace("line 21\n", "line 21!\n"))
    fork.repo.write({"pkg/new.txt": "hello again\n"})
    assert fork.run("new", "last").code == 0
    assert needed(fork)["last"] == [("delta", "file", "pkg/new.txt"), ("beta", "beside", "pkg/t.txt")]


def test_a_name_used_in_another_file_is_needed_and_a_drop_warns_of_it(tmp_path: Path) -> None:
    tools, app = "def old():\n    return 1\n", "import tools\n\n\ndef run():\n    return 2\n"
    changes = [
        Change("tool", {"tools.py": tools + "\n\ndef shiny_tool():\n    return 3\n"}),
        Change("app", {"app.py": app.replace("return 2", "return tools.shiny_tool()")}),
        Change("word", {"readme.txt": "nothing of it\n"}),
    ]
    v1: dict[str, str | bytes | None] = {"tools.py": tools, "app.py": app}
    fork = Fork.create(tmp_path / "named", v1=v1, v2={}, changes=changes)
    assert needed(fork) == {"tool": [], "app": [("tool", "name", "shiny_tool")], "word": []}
    assert "app uses shiny_tool, which tool defines" in fork.run("move", "app", "--first").out
    assert fork.run("undo").code == 0
    assert "app uses shiny_tool, which tool defines" in fork.run("drop", "tool").out
