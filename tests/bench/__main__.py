"""Time `patchq rebase` beside `git rebase` of the same commits, in turn, in clones of one repository.

    python -m tests.bench [--rounds 5] [--work DIR] [--json FILE]
    python -m tests.bench carry ...                 (one file at a time, see `tests.bench.carry`)

The repository is made once in DIR (default: a temporary folder) by `patchq snapshot` from the two releases of the
series that this project ships, so the first run needs PyPI. Each round makes a fresh clone for each tool; only the
command itself is timed, wall clock around the process and CPU of it and its children. `git rebase` stops at each
conflict: it is then told to skip, which is what `--skip-conflicts` does, and the time of all its runs is added up.
"""

from __future__ import annotations

import argparse
import json
import resource
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from dataclasses import asdict, dataclass
from pathlib import Path

from patchq.commands.demo_upstream import shipped_series
from patchq.seriesstore.store import SeriesStore
from tests.bench import carry
from tests.bench.spent import environment

PATCHQ = str(Path(sys.executable).with_name("patchq"))


@dataclass(frozen=True)
class Spent:
    """Seconds of one run."""

    wall: float
    cpu: float


@dataclass(frozen=True)
class Story:
    """The repository to clone, the commits to carry (`start..branch`) and where to."""

    origin: Path
    start: str
    goal: str
    branch: str


def run(*words: str, cwd: Path, accepted: tuple[int, ...] = (0,)) -> int:
    """Run a command; an exit code that is not accepted ends the benchmark."""
    done = subprocess.run(words, cwd=cwd, env=environment(), capture_output=True, check=False)
    if done.returncode not in accepted:
        sys.exit(f"{' '.join(words)} ended with {done.returncode}:\n{done.stderr.decode()}")
    return done.returncode


def make_story(work: Path) -> Story:
    """Make the upstream from releases, and the commits of the first ref's series on it."""
    store = SeriesStore(shipped_series())
    manifest = store.manifest()
    start, goal = store.refs()[0], store.refs()[-1]
    origin = work / "origin"
    if not origin.exists():
        name = (manifest.upstream or "").removeprefix("pypi:")
        prefix = str(manifest.policy["snapshot-prefix"])
        releases = [f"{name}=={ref.removeprefix('v')}" for ref in (start, goal)]
        run(PATCHQ, "--repo", str(origin), "snapshot", *releases, "--prefix", prefix, cwd=work)
        shutil.copytree(store.root, work / "series")
        run(PATCHQ, "--repo", str(origin), "--series", str(work / "series"), "build", start, cwd=work)
    return Story(origin=origin, start=start, goal=goal, branch=f"patched/{start}")


def timed(clone: Path, *steps: tuple[str, ...], accepted: tuple[int, ...]) -> Spent:
    """Time commands one after another."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    began = time.monotonic()
    for step in steps:
        run(*step, cwd=clone, accepted=accepted)
    wall = time.monotonic() - began
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return Spent(wall, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime)


def git_rebase(story: Story, clone: Path) -> Spent:
    """Rebase with git, skipping what conflicts."""
    run("git", "checkout", "-q", "-B", "work", f"origin/{story.branch}", cwd=clone)
    spent = timed(clone, ("git", "rebase", "-q", "--onto", story.goal, story.start, "work"), accepted=(0, 1))
    while (clone / ".git/rebase-merge").exists():
        more = timed(clone, ("git", "rebase", "--skip"), accepted=(0, 1))
        spent = Spent(spent.wall + more.wall, spent.cpu + more.cpu)
    return spent


def patchq_rebase(story: Story, clone: Path) -> Spent:
    """Carry the same patches with patchq, branch and series written."""
    store = SeriesStore(shipped_series())
    shutil.copytree(store.folder(story.start), clone / "series" / store.folder(story.start).name)
    shutil.copy(store.root / "patchq.yaml", clone / "series/patchq.yaml")
    step = (PATCHQ, "rebase", story.goal, "--from", story.start, "--skip-conflicts", "--no-fetch")
    return timed(clone, step, accepted=(0, 3))


TOOLS = {"git rebase": git_rebase, "patchq rebase": patchq_rebase}


def measure(story: Story, work: Path, rounds: int) -> dict[str, list[Spent]]:
    """Run the tools in turn, each in its own clone."""
    found: dict[str, list[Spent]] = {tool: [] for tool in TOOLS}
    for number in range(rounds):
        for tool, command in TOOLS.items():
            clone = work / f"clone-{number}"
            run("git", "clone", "-q", "-s", str(story.origin), str(clone), cwd=work)
            found[tool].append(command(story, clone))
            shutil.rmtree(clone)
    return found


def table(found: dict[str, list[Spent]]) -> str:
    """Lay out medians, spreads and the ratio of pairs."""
    lines = [f"{'':16}{'wall s':>8}{'min-max':>14}{'cpu s':>8}{'min-max':>14}"]
    for tool, runs in found.items():
        cells = ""
        for values in ([spent.wall for spent in runs], [spent.cpu for spent in runs]):
            cells += f"{statistics.median(values):8.2f}{min(values):8.2f}-{max(values):5.2f}"
        lines.append(f"{tool:16}{cells}")
    first, second = found.values()
    for what in ("wall", "cpu"):
        ratios = [getattr(a, what) / getattr(b, what) for a, b in zip(first, second, strict=True)]
        lines.append(
            f"git / patchq, {what}: median {statistics.median(ratios):.1f} ({min(ratios):.1f}-{max(ratios):.1f})"
        )
    return "\n".join(lines)


def main() -> None:
    """Read the options, measure, print."""
    parser = argparse.ArgumentParser(prog="python -m tests.bench")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--work", type=Path)
    parser.add_argument("--json", type=Path)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="patchq-bench-") as scratch:
        work = Path(scratch) if options.work is None else options.work.absolute()
        work.mkdir(parents=True, exist_ok=True)
        found = measure(make_story(work), work, options.rounds)
    print(table(found))  # noqa: T201 - a program that prints a table
    if options.json is not None:
        options.json.write_text(json.dumps({tool: [asdict(one) for one in runs] for tool, runs in found.items()}))


if sys.argv[1:2] == ["carry"]:
    carry.main(sys.argv[2:])
else:
    main()
