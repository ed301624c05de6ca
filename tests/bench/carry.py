"""Time `carry` file by file beside `git merge-file` of the same three texts, on files that are made for it.

    python -m tests.bench carry [--files 40] [--rounds 3] [--json FILE]

A file has 10 to 1,000 functions and methods; the patch changes one or two of them, upstream about every tenth. CPU time
of this process and, for git, of its child. One process carries all files, as a rebase does.
"""

from __future__ import annotations

import argparse
import json
import random
import resource
import statistics
import subprocess
import tempfile
import time
from dataclasses import asdict, dataclass
from pathlib import Path

from patchq.model.attempt import Carried, Case
from patchq.reapply.ladder import carry
from tests.bench.spent import environment


@dataclass(frozen=True)
class Timed:
    """Milliseconds of one file."""

    lines: int
    carried: bool
    patchq: float
    git: float


def made(chance: random.Random, functions: int) -> list[str]:
    """Write a module of classes with methods, one text for each definition."""
    texts = ["import os\n\nLIMIT = 10\n"]
    for number in range(functions):
        margin = "    " if number % 8 else ""
        if not margin:
            texts.append(f"\n\nclass C{number}:\n    kind = {number}\n")
            margin = "    "
        body = "".join(
            f"{margin}    value_{row} = self.f{number}(a, b={chance.randrange(99)})  # step {row}\n" for row in range(6)
        )
        texts.append(
            f"\n{margin}def f{number}(self, a, b=None):\n{margin}    if a is None:\n{margin}        return LIMIT\n"
            f"{body}{margin}    return [value_1, {number}]\n"
        )
    return texts


def changed(chance: random.Random, texts: list[str], places: list[int]) -> bytes:
    """Change a statement, add one, or drop one, in some definitions."""
    new = list(texts)
    for place in places:
        lines = new[place].splitlines(keepends=True)
        row = chance.randrange(4, len(lines))
        edit = chance.randrange(3)
        lines[row : row + 1] = {
            0: [lines[row].replace("self.", "self.other.")],
            1: [lines[row], lines[row].replace("value_", "more_")],
            2: [],
        }[edit]
        new[place] = "".join(lines)
    return "".join(new).encode()


def case(seed: int) -> Case:
    """Make a base, a patch of it and a new upstream."""
    chance = random.Random(seed)  # noqa: S311 - the same files each time
    texts = made(chance, int(10 * 100 ** chance.random()))
    whole = [place for place, text in enumerate(texts) if "def " in text]
    theirs = changed(chance, texts, chance.sample(whole, chance.choice((1, 1, 2))))
    ours = changed(chance, texts, chance.sample(whole, max(1, len(whole) // 10)))
    return Case(path=b"m.py", ours_path=b"m.py", base="".join(texts).encode(), theirs=theirs, ours=ours)


def timed(one: Case, folder: Path) -> Timed:
    """Time both tools on a case."""
    began = time.process_time()
    answer = carry(one)
    ours = time.process_time() - began
    names = []
    for name, text in (("ours", one.ours), ("base", one.base), ("theirs", one.theirs)):
        (folder / name).write_bytes(text)
        names.append(name)
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(
        ["git", "merge-file", "-p", *names], cwd=folder, env=environment(), stdout=subprocess.DEVNULL, check=False
    )
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    git = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return Timed(one.base.count(b"\n"), isinstance(answer, Carried), 1000 * ours, 1000 * git)


def table(found: list[Timed]) -> str:
    """Lay out what a file costs, and the ratio of pairs."""
    rows = []
    for tool in ("patchq", "git"):
        spent = sorted(getattr(one, tool) for one in found)
        high = spent[min(len(spent) - 1, int(0.99 * len(spent)))]
        rows.append(
            f"{tool:8} median {statistics.median(spent):7.1f} ms   99 % {high:7.1f} ms   most {spent[-1]:7.1f} ms"
        )
    ratios = [one.patchq / max(one.git, 0.1) for one in found]
    lines = [one.lines for one in found]
    carried = sum(one.carried for one in found)
    size = (
        f"{len(found)} files of {min(lines)} to {max(lines)} lines, {carried} carried; "
        f"{resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024} MB"
    )
    return "\n".join(
        [
            *rows,
            f"patchq / git merge-file: median {statistics.median(ratios):.1f} ({min(ratios):.1f}-{max(ratios):.1f})",
            size,
        ]
    )


def main(words: list[str]) -> None:
    """Read the options, measure, print."""
    parser = argparse.ArgumentParser(prog="python -m tests.bench carry")
    parser.add_argument("--files", type=int, default=40)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--json", type=Path)
    options = parser.parse_args(words)
    cases = [case(seed) for seed in range(options.files)]
    with tempfile.TemporaryDirectory(prefix="patchq-bench-") as folder:
        found = [timed(one, Path(folder)) for _ in range(options.rounds) for one in cases]
    print(table(found))  # noqa: T201 - a program that prints a table
    if options.json is not None:
        options.json.write_text(json.dumps([asdict(one) for one in found]))
