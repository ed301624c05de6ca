from __future__ import annotations

import io
import json
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.fork import TABLE, WITH_12, Change, Fork
from tests.readme import screen
from tests.report.pages import read_page

LANDED = "Raise far (#31)"


@pytest.fixture(scope="module")
def kept(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("report")


@pytest.fixture
def fork(kept: Path) -> Fork:
    """Made once: at v2 one patch is adapted, at v3 one is absorbed and one's file is gone. No test changes it."""
    path = kept / "fork"
    if path.exists():
        from tests.gitrepo import GitRepo  # noqa: PLC0415

        return Fork(GitRepo(path))
    v1 = {"table.py": TABLE, "far.py": "A = 1\n", "knob.py": "K = 1\n"}
    changes = [
        Change("far-2", {"far.py": "A = 2\n"}),
        Change("size-12", {"table.py": WITH_12}, "Owner: Ada <ada@example.org>\nMirror: table.py::SIZES[12] = [10]"),
        Change("knob", {"knob.py": "K = 2\n"}),
    ]
    fork = Fork.create(path, v1=v1, v2={"table.py": TABLE.replace("10: [6, 8]", "10: [4, 6, 8]")}, changes=changes)
    fork.run("rebase", "v1")
    fork.run("rebase", "v2")
    fork.release("v3", {"far.py": "A = 2\n", "knob.py": None}, LANDED)
    fork.run("rebase", "v3", "--skip-conflicts")
    fork.release("v4", {"other.py": "X = 1\n"})
    return fork


def test_a_page_of_a_real_series(fork: Fork, tmp_path: Path) -> None:
    before = fork.state()
    ran = fork.run("report", "-o", str(tmp_path / "report.html"))
    assert (ran.code, ran.out, ran.err) == (0, "", "")
    assert fork.state() == before
    root = read_page((tmp_path / "report.html").read_text())
    assert root.all("h1")[0].text == "2 patches on v3"
    rows = [[cell.text for cell in row.children] for row in root.all("table")[0].all("tr")]
    assert rows == [
        ["patch", "v3 (current)", "v2", "v1"],
        ["far-2", "- absorbed", "+ clean", "+ clean"],
        ["size-12", "+ clean", "* adapted", "+ clean"],
        ["knob", "? orphaned", "+ clean", "+ clean"],
    ]
    landed = fork.repo.text("rev-parse", "v3")[:10]
    assert [node.text for node in root.all("ol")[0].all("li")[0].all("li")] == [
        f"far-2 absorbed by {landed} “Raise far” (#31), 2023-11-14"
    ]
    assert "copied [10], which upstream has changed: [6, 8] -> [4, 6, 8]" in root.text
    assert "What is new from v1 to v2: the change itself differs" in root.text


def test_json_has_the_same_facts(fork: Fork) -> None:
    document = fork.run("report", "--json").json
    assert (document["schema"], document["command"], document["current"]) == (1, "report", "v3")
    assert [ref["ref"] for ref in document["refs"]] == ["v3", "v2", "v1"]
    patches = {patch["name"]: patch for patch in document["patches"]}
    assert list(patches) == ["far-2", "size-12", "knob"]
    size = patches["size-12"]
    assert {"key": "Owner", "value": "Ada <ada@example.org>"} in size["trailers"]
    assert size["reason"] == "Because we need it."
    assert [version["refs"] for version in size["versions"]] == [["v3", "v2"], ["v1"]]
    assert "++    12: [4, 6, 8]," in size["versions"][0]["interdiff"]
    assert size["versions"][1]["diff"].startswith("diff --git a/table.py b/table.py\n")
    assert size["refs"]["v2"]["verdict"] == "adapted"
    assert patches["far-2"]["refs"]["v3"] == {"verdict": "absorbed", "standing": "retired"}
    assert patches["far-2"]["in_ledger"] is True
    (entry,) = document["ledger"]
    assert (entry["name"], entry["pull_request"]) == ("far-2", 31)
    assert document["author_dates"][entry["commit"]] == "2023-11-14T22:13:20+00:00"
    assert [step["about"] for step in document["next"]] == ["orphaned", "resolve", "then"]
    assert document["next"][2]["command"] == "patchq rebase v3"


def test_a_report_takes_the_place_of_a_report_and_of_nothing_else(fork: Fork, tmp_path: Path) -> None:
    target = tmp_path / "report"
    for options in (["--markdown"], ["--json"], []):
        assert fork.run("report", *options, "-o", str(target)).code == 0
        first = target.read_bytes()
        assert fork.run("report", *options, "-o", str(target)).code == 0
        assert target.read_bytes() == first
        assert fork.run("report", *options).out.encode() == first
        target.write_text("# Patches of ours\n")
        ran = fork.run("report", *options, "-o", str(target))
        assert ran.code == 2
        assert ran.err.splitlines()[0] == f"error: {target} is there already, and is no such report"
        assert target.read_text() == "# Patches of ours\n"
        target.unlink()


def test_the_nightly_summary_tells_of_the_dry_run_and_of_nothing_else(
    fork: Fork, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = fork.state()
    dry = fork.run("rebase", "v4", "--no-fetch", "--dry-run", "--json")
    assert dry.code == 3
    (tmp_path / "run.json").write_text(dry.out)
    ran = fork.run("report", "--markdown", "--from-json", str(tmp_path / "run.json"))
    commit = fork.repo.text("rev-parse", "v4")[:10]
    assert ran.code == 0
    assert ran.out.splitlines()[2:6] == [
        f"# Patches onto `v4` (`{commit}`)",
        "",
        "**2 patches: 1 clean, 1 orphaned**, from `v3`.",
        "This is a dry run: nothing was changed.",
    ]
    assert "- upstream still has it: `far-2`" in ran.out
    assert "  - look: `patchq explain knob --onto v4`" in ran.out
    assert fork.state() == before
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(dry.out.encode())))
    monkeypatch.chdir(tmp_path)  # where there is no repository
    assert fork.run("report", "--markdown", "--from-json", "-").out == ran.out


def test_the_nightly_job_of_the_readme_is_what_can_be_run(
    fork: Fork, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    job = screen("nightly")
    program = tmp_path / "bin" / "patchq"
    program.parent.mkdir()
    program.write_text(f"#!{sys.executable}\nfrom patchq.cli import main\nmain()\n")
    program.chmod(0o755)
    monkeypatch.setenv("PATH", str(program.parent), prepend=":")
    monkeypatch.setenv("PYTHONPATH", str(Path(__file__).parents[2]))
    monkeypatch.setenv("GITHUB_STEP_SUMMARY", str(tmp_path / "summary.md"))
    shutil.copytree(fork.repo.path, tmp_path / "fork")
    done = subprocess.run(["bash", "-euc", job], cwd=tmp_path / "fork", capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (3, "")
    summary = (tmp_path / "summary.md").read_text()
    assert "\n# Patches onto `upstream` (" in summary
    assert "**2 patches: 1 clean, 1 orphaned**" in summary
    (tmp_path / "fork/series/patchq.yaml").unlink()
    failed = subprocess.run(["bash", "-euc", job], cwd=tmp_path / "fork", capture_output=True, text=True, check=False)
    assert failed.returncode == 1
    assert (tmp_path / "summary.md").read_text() == summary


def test_a_run_that_failed_is_no_summary_of_nothing(fork: Fork, tmp_path: Path) -> None:
    (tmp_path / "run.json").write_text("")
    ran = fork.run("report", "--markdown", "--from-json", str(tmp_path / "run.json"))
    assert (ran.code, ran.out) == (1, "")
    assert ran.err.splitlines()[1] == "hint: the command that writes it has failed; its message says why"
    (tmp_path / "run.json").write_text(json.dumps({"schema": 1, "command": "status", "strays": []}))
    assert fork.run("report", "--markdown", "--from-json", str(tmp_path / "run.json")).code == 1
    assert fork.run("report", "--markdown", "--from-json", str(tmp_path / "none.json")).code == 1


@pytest.mark.parametrize(
    "options", [["--from-json", "x"], ["--markdown", "--json"], ["--markdown", "--json", "--from-json", "x"]]
)
def test_what_cannot_be_meant_is_refused(fork: Fork, options: list[str]) -> None:
    assert fork.run("report", *options).code == 2


def test_a_series_without_patches_has_a_report_too(tmp_path: Path) -> None:
    fork = Fork.create(tmp_path / "fork", v1={"a": "1\n"}, v2={}, changes=[])
    assert read_page(fork.run("report").out).all("h1")[0].text == "0 patches on v1"
    assert fork.run("report", "--markdown").out.splitlines()[2] == "# No patches on `v1`, never carried yet"
