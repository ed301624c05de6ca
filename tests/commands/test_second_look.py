"""What no rung can carry because upstream took it over and went on: told, and held for a look."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tests.fork import Change, Fork

if TYPE_CHECKING:
    from pathlib import Path

BASE = """import os


def load(path):
    with open(path) as file:
        return file.read()


def choose(name, sizes):
    if name in sizes:
        return sizes[name]
    return None


def store(path, data):
    with open(path, "w") as file:
        file.write(data)
"""
CHOSEN = """    fallback = os.environ.get("SIZES_FALLBACK", "default")
    if fallback in sizes:
        return sizes[fallback]
    return None
"""
STORED = """def store(path, data):
    os.makedirs(os.path.dirname(path), exist_ok=True)
"""
WITH_CHOICE = BASE.replace("    return None\n", CHOSEN)
PATCHED = WITH_CHOICE.replace("def store(path, data):\n", STORED)


def went_on(text: str) -> str:
    """What upstream has made of it since, in the very lines."""
    return text.replace('"SIZES_FALLBACK", "default"', '"KILN_FALLBACK", default="default"').replace(
        "        return sizes[fallback]\n", "        log(fallback)\n        return sizes[fallback]\n"
    )


def fork_of(path: Path, upstream: str) -> Fork:
    return Fork.create(path, v1={"m.py": BASE}, v2={"m.py": upstream}, changes=[Change("choose", {"m.py": PATCHED})])


def test_what_upstream_took_over_and_changed_since_waits_for_a_look(tmp_path: Path) -> None:
    fork = fork_of(tmp_path / "fork", went_on(PATCHED))
    before = fork.state()
    ran = fork.run("rebase", "v2", "--json")
    (patch,) = ran.json["patches"]
    assert (ran.code, patch["verdict"], patch["class"], patch["needs_review"]) == (3, "absorbed", "E", True)
    assert fork.state() == before
    accepted = fork.run("rebase", "v2", "--accept", "review", "--json")
    assert accepted.code == 0
    assert fork.repo.file("patched/v2", "m.py").decode() == went_on(PATCHED)
    assert "choose" in fork.run("absorbed").out


def test_of_what_upstream_took_half_and_went_on_the_other_half_is_carried_after_a_look(tmp_path: Path) -> None:
    upstream = went_on(WITH_CHOICE).replace("import os\n", "import os\n\nfrom kiln import log\n")
    fork = fork_of(tmp_path / "fork", upstream)
    ran = fork.run("rebase", "v2", "--json")
    (patch,) = ran.json["patches"]
    assert (ran.code, patch["verdict"], patch["class"], patch["needs_review"]) == (3, "partial", "E", True)
    accepted = fork.run("rebase", "v2", "--accept", "review", "--json")
    assert accepted.code == 0
    assert fork.repo.file("patched/v2", "m.py").decode() == upstream.replace("def store(path, data):\n", STORED)
    assert "SIZES_FALLBACK" not in (fork.repo.path / "series/v2/choose.patch").read_text()


def test_what_upstream_has_nothing_of_stays_a_conflict(tmp_path: Path) -> None:
    doubled, valued = (BASE.replace("sizes[name]\n", f"sizes[name]{more}\n") for more in (" * 2", ".value(path)"))
    fork = Fork.create(
        tmp_path / "fork", v1={"m.py": BASE}, v2={"m.py": valued}, changes=[Change("double", {"m.py": doubled})]
    )
    ran = fork.run("rebase", "v2", "--json")
    assert (ran.code, ran.json["patches"][0]["verdict"]) == (3, "conflict")
