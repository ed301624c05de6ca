from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
import yaml

from tests.fork import TABLE, WITH_12, Change, Fork

if TYPE_CHECKING:
    from collections.abc import Mapping

ROOT = Path(__file__).parents[2]
EXAMPLES = ROOT / "hooks" / "ci"


@pytest.fixture
def fork(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Fork:
    """A fork whose one patch fits upstream, and a program `patchq` on the PATH that is the one under test."""
    v1 = {"pkg/table.py": TABLE}
    changes = [Change("size-12", {"pkg/table.py": WITH_12})]
    fork = Fork.create(tmp_path / "fork", v1=v1, v2={"pkg/more.py": "A = 1\n"}, changes=changes)
    program = tmp_path / "bin" / "patchq"
    program.parent.mkdir()
    program.write_text(f"#!{sys.executable}\nfrom patchq.cli import main\nmain()\n")
    program.chmod(0o755)
    monkeypatch.setenv("PATH", str(program.parent), prepend=os.pathsep)
    monkeypatch.setenv("PYTHONPATH", str(ROOT))
    monkeypatch.setenv("GITHUB_STEP_SUMMARY", str(tmp_path / "summary.md"))
    monkeypatch.setenv("FORK", str(fork.repo.path))
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    return fork


def example(name: str) -> Mapping[str, Any]:
    found: Mapping[str, Any] = yaml.safe_load((EXAMPLES / name).read_text())
    return found


def command(kind: str) -> list[str]:
    """Give what the CI system would run: the very text of the example, by the shell that it uses."""
    match kind:
        case "github.yml":
            return ["bash", "-eo", "pipefail", "-c", example(kind)["jobs"]["nightly"]["steps"][-1]["run"]]
        case "gitlab.yml":
            return ["bash", "-eo", "pipefail", "-c", "\n".join(example(kind)["patchq"]["script"])]
        case _:
            return [str(EXAMPLES / kind)]


def nightly(fork: Fork, kind: str) -> tuple[int, str, str]:
    """Run it in the fork; return the exit code, the summary wherever it goes, and what else was said."""
    done = subprocess.run(command(kind), cwd=fork.repo.path, capture_output=True, text=True, check=False)
    summary = Path(os.environ["GITHUB_STEP_SUMMARY"])
    told = summary.read_text() if kind == "github.yml" and summary.exists() else done.stdout
    return done.returncode, told, done.stdout + done.stderr


@pytest.mark.parametrize("kind", ["github.yml", "gitlab.yml", "cron"])
def test_the_exit_codes_keep_apart_what_has_to_be_done(fork: Fork, kind: str) -> None:
    before = fork.state()["refs"]
    code, summary, said = nightly(fork, kind)
    assert code == 0, said
    assert (summary == "") if kind == "cron" else ("**1 patch: 1 clean**" in summary)
    fork.release("v3", {"pkg/table.py": None})
    code, summary, said = nightly(fork, kind)
    assert code == 3, said
    assert "**1 patch: 1 orphaned**" in summary
    if kind == "github.yml":
        assert "::error::a patch needs a person" in said
    assert fork.state()["refs"] != before  # upstream's release, and no branch of ours
    assert not fork.repo.text("for-each-ref", "refs/heads/patched")
    (fork.repo.path / "series/patchq.yaml").unlink()
    code, _, said = nightly(fork, kind)
    assert code not in (0, 3)
    assert "error: " in said


def test_gitlab_shows_a_patch_that_needs_a_person_as_a_warning() -> None:
    assert example("gitlab.yml")["patchq"]["allow_failure"] == {"exit_codes": 3}
