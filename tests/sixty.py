"""A fork with sixty patches on a dozen modules, and an upstream that moved under them, for whole sessions."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from tests.gitrepo import GitRepo
from tests.running import Ran, patchq

if TYPE_CHECKING:
    from pathlib import Path

MODULES = 12
STEPS = 5
# What upstream writes into the lines of three patches.
CONTESTED = {(9, 0): "value * 37", (2, 1): "value * 31", (6, 3): "value * 33"}
ABSORBED = (4, 2)


def formula(module: int, step: int) -> str:
    """Give what a function of ours returns."""
    return f"value + {100 * (module + 1) + step}"


def source(module: int, changed: dict[int, str]) -> str:
    """Give the text of a module in which `changed` functions return something else than upstream's first release."""
    parts = [f'"""Stage {module} of the pipeline."""\n\nNAME = "stage-{module}"\n']
    for step in range(STEPS):
        value = changed.get(step, f"value + {step}")
        parts.append(
            f"\n\ndef step_{step}(value, scale):\n"
            f"    if scale < {step}:\n"
            f"        raise ValueError(scale)\n"
            f"    result = {value}\n"
            f"    return result * scale\n"
        )
    return "".join(parts)


def name(module: int, step: int) -> str:
    """Name the patch on a function of a module."""
    return f"m{module:02}-s{step}"


def path(module: int) -> str:
    """Name the file of a module."""
    return f"pkg/stage_{module:02}.py"


def upstream_two() -> dict[str, str | bytes | None]:
    """Give the files of the second release: three lines contested, one patch taken over, lines shifted in a module."""
    taken = {ABSORBED: formula(*ABSORBED)}
    files: dict[str, str | bytes | None] = {
        path(module): source(module, {step: value}) for (module, step), value in {**CONTESTED, **taken}.items()
    }
    files[path(0)] = source(0, {}).replace("\n\nNAME", "\n\nimport math\n\nPI = math.pi\n\nNAME")
    return files


@dataclass(frozen=True)
class Sixty:
    """The repository, HEAD detached at v1, with the commits of ours on `ours` and an empty series."""

    repo: GitRepo

    @classmethod
    def create(cls, folder: Path) -> Sixty:
        repo = GitRepo.create(folder)
        repo.commit("release 1", {path(module): source(module, {}) for module in range(MODULES)}, tag="v1")
        repo.commit("release 2", upstream_two(), tag="v2")
        repo.git("switch", "-q", "-c", "ours", "v1")
        for step in range(STEPS):
            for module in range(MODULES):
                changed = {earlier: formula(module, earlier) for earlier in range(step + 1)}
                files: dict[str, str | bytes | None] = {path(module): source(module, changed)}
                if step == 0 and module % 4 == 0:
                    files[f"docs/stage_{module:02}.txt"] = f"Stage {module} is ours.\n"
                message = f"{name(module, step)}\n\nBecause stage {module} needs it.\n\nForwarded: no\n"
                repo.commit(message, files)
        repo.git("switch", "-q", "--detach", "v1")
        repo.write({".git/info/exclude": "/series/\n/copy/\n"})
        assert patchq("init", "--follow", "main", cwd=repo.path).code == 0
        return cls(repo)

    def run(self, *words: str) -> Ran:
        """Run a command that must succeed."""
        ran = patchq(*words, cwd=self.repo.path)
        assert ran.code == 0, (words, ran.out, ran.err)
        return ran

    def names(self, ref: str) -> list[str]:
        """Give the lines of a series file, without the ends of file names."""
        lines = (self.repo.path / f"series/{ref}/series").read_text().splitlines()
        return [line.removesuffix(".patch") for line in lines]

    def published(self) -> dict[str, bytes]:
        """Give all that a command publishes: the branches, and every file of the series."""
        root = self.repo.path / "series"
        files = {str(one.relative_to(root)): one.read_bytes() for one in root.rglob("*") if one.is_file()}
        return {"refs": self.repo.git("for-each-ref", "refs/heads"), **files}
