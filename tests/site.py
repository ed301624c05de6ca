"""A small package in every form in which people have one, and a series for it: for tests of verify and apply."""

from __future__ import annotations

import csv
import io
import shutil
import sys
from base64 import urlsafe_b64encode
from dataclasses import dataclass
from hashlib import sha256
from typing import TYPE_CHECKING

from tests.fork import GATE, TABLE, WITH_12, Change, Fork
from tests.gitrepo import GitRepo
from tests.running import Ran, patchq

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

OPEN_GATE = GATE.replace("== 10)", "== 10 or capability == 12)")
V1: dict[str, str | bytes | None] = {
    "python/pkg/__init__.py": "",
    "python/pkg/table.py": TABLE,
    "python/pkg/gate.py": GATE,
    "tests/test_table.py": "def test():\n    assert True\n",
}
PRISTINE = {"pkg/__init__.py": "", "pkg/table.py": TABLE, "pkg/gate.py": GATE}
PATCHED = {**PRISTINE, "pkg/table.py": WITH_12, "pkg/gate.py": OPEN_GATE}
MIRROR = "Forwarded: no\nMirror: python/pkg/table.py::SIZES[12] = [10]"
INFO = "pkg-1.0.dist-info"


@dataclass(frozen=True)
class Site:
    """A folder `home` with `series/` in it, and no repository around."""

    home: Path

    def run(self, *arguments: str) -> Ran:
        return patchq("--series", str(self.home / "series"), *arguments, cwd=self.home)

    def states(self, *arguments: str) -> dict[str, str]:
        """Verify, and return the states by patch."""
        return {patch["name"]: patch["state"] for patch in self.run("verify", *arguments, "--json").json["patches"]}

    def folder(self, name: str, files: Mapping[str, str | bytes]) -> Path:
        """Write files below a folder of that name."""
        for path, text in files.items():
            target = self.home / name / path
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes(text if isinstance(text, bytes) else text.encode())
        return self.home / name

    def environment(self, name: str, files: Mapping[str, str | bytes]) -> tuple[Path, Path]:
        """Make what `python -m venv` and an installer leave, without running either: the interpreter and its site."""
        version = f"python{sys.version_info.major}.{sys.version_info.minor}"
        site = self.home / name / "lib" / version / "site-packages"
        self.folder(str(site.relative_to(self.home)), {**files, **metadata(files)})
        program = self.home / name / "bin" / "python"
        program.parent.mkdir(parents=True)
        program.symlink_to(sys.executable)
        self.folder(name, {"pyvenv.cfg": f"home = {sys.base_prefix}/bin\ninclude-system-site-packages = false\n"})
        return program, site


def metadata(files: Mapping[str, str | bytes], name: str = "pkg") -> dict[str, str]:
    """Write what an installer says of `files`, the hashes in RECORD included."""
    info = f"{name}-1.0.dist-info"
    out = io.StringIO()
    rows = csv.writer(out, lineterminator="\n")
    for path, text in files.items():
        rows.writerow(row_of(path, text if isinstance(text, bytes) else text.encode()))
    rows.writerow((f"{info}/RECORD", "", ""))
    return {
        f"{info}/METADATA": f"Metadata-Version: 2.1\nName: {name}\nVersion: 1.0\n",
        f"{info}/RECORD": out.getvalue(),
    }


def row_of(path: str, data: bytes) -> tuple[str, str, str]:
    """Give the row of RECORD for a file (the binary distribution format)."""
    digest = urlsafe_b64encode(sha256(data).digest()).rstrip(b"=").decode()
    return path, f"sha256={digest}", str(len(data))


def site_fork(path: Path) -> Fork:
    """A fork with two patches below `python/`, one of which copies a sibling; built once in a run, with a record."""
    kept = path.parent.parent / "site-fork"
    if not kept.exists():
        changes = [
            Change("size-12", {"python/pkg/table.py": WITH_12}, MIRROR),
            Change("open-gate", {"python/pkg/gate.py": OPEN_GATE}),
        ]
        v2: dict[str, str | bytes | None] = {"python/pkg/table.py": TABLE.replace("10: [6, 8]", "10: [4, 6, 8]")}
        made = Fork.create(kept, v1=V1, v2=v2, changes=changes)
        assert made.run("build").code == 0
    shutil.copytree(kept, path, symlinks=True)
    fork = Fork(GitRepo(path))
    fork.repo.git("status")  # the copied files are other ones to the index
    return fork


def plain_site(path: Path) -> Site:
    """The series of that fork alone."""
    fork = site_fork(path / "fork")
    home = path / "plain"
    shutil.copytree(fork.repo.path / "series", home / "series")
    shutil.rmtree(path / "fork")
    return Site(home)
