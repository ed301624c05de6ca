"""The shipped series where it runs: releases from PyPI as downloaded, patched without git, and spoilt by hand."""

from __future__ import annotations

import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from tests.running import Ran, patchq

pytestmark = pytest.mark.pypi

SHIPPED = Path(__file__).parents[1] / "series"
MULTIMEM = "sglang/srt/distributed/device_communicators/torch_symm_mem.py"
# The newer release has wheels for single versions of CPython only; nothing of them is installed or run.
WHEELS = ("--only-binary=:all:", "--python-version=3.11", "--abi=cp311", "--platform=manylinux_2_34_x86_64")


def run(*arguments: str, cwd: Path) -> Ran:
    return patchq("--series", str(SHIPPED), *arguments, cwd=cwd)


@pytest.mark.parametrize(("version", "count"), [("0.5.9", 4), ("0.5.23", 2)])
def test_a_release_lacks_the_patches_until_they_are_applied_and_once_one_is_lost(
    version: str, count: int, tmp_path: Path
) -> None:
    pip = [sys.executable, "-m", "pip", "download", "-q", "--no-deps", *WHEELS, f"sglang=={version}"]
    subprocess.run(pip, cwd=tmp_path, check=True)
    [wheel] = tmp_path.glob("sglang-*.whl")
    downloaded = run("verify", wheel.name, "--json", cwd=tmp_path)
    assert (downloaded.code, downloaded.json["ref"]) == (1, f"v{version}")
    assert [patch["state"] for patch in downloaded.json["patches"]] == ["absent"] * count

    site = tmp_path / "site-packages"
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(site)
    applied = run("apply", str(site), "--json", cwd=tmp_path)
    assert applied.code == 0, applied.err
    assert [patch["outcome"] for patch in applied.json["patches"]] == ["applied"] * count
    present = run("verify", str(site), "--json", cwd=tmp_path)
    assert (present.code, present.json["summary"]["present"]) == (0, count)
    assert run("apply", str(site), cwd=tmp_path).out.splitlines()[-1] == "nothing to do"

    file = site / MULTIMEM
    lines = file.read_text().splitlines(keepends=True)
    entries = [line for line in lines if line.startswith("        12: [")]
    assert len(entries) == 1
    file.write_text("".join(line for line in lines if line not in entries) + "\n# edited by hand\n")
    spoilt = run("verify", str(site), "--json", cwd=tmp_path)
    states = {patch["name"]: patch["state"] for patch in spoilt.json["patches"]}
    assert spoilt.code == 1
    assert states.pop("sm120-symm-mem-multimem") == "absent"
    assert set(states.values()) == {"present"}
