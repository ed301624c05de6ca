"""What other tools get wrong without a word, through the command line: verdict, exit code, branch and ledger."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
import yaml

from tests.fork import TABLE, WITH_12, Change, Files, Fork

if TYPE_CHECKING:
    from pathlib import Path

CLASS = """class Engine:
    def start(self):
        return self.queue.start()

    def stop(self):
        return self.queue.stop()

    def size(self):
        return len(self.queue)
"""
EXTEND = """    def extend(self, more):
        for request in more:
            self.queue.put(request)
        return self.queue
"""
AT_END = CLASS + "\n" + EXTEND
AT_START = CLASS.replace("    def start(self):", EXTEND + "\n    def start(self):")
MODULE = """import json
import sys

from engine import Engine


def load(path):
    return json.loads(path.read_text())
"""
COLOURS = """from enum import Enum


class Kind(Enum):
    FAST = "fast"
    SLOW = "slow"
    IDLE = "idle"
"""


def ledger_of(fork: Fork) -> list[str]:
    path = fork.repo.path / "series/ledger.yaml"
    return [entry["name"] for entry in yaml.safe_load(path.read_text())["entries"]] if path.exists() else []


@pytest.mark.parametrize(
    ("base", "ours", "upstream"),
    [
        pytest.param(CLASS, AT_END, AT_START, id="method"),
        pytest.param(
            MODULE,
            MODULE.replace("import json\n", "import json\nimport os\n"),
            MODULE.replace("import sys\n", "import sys\nimport os\n"),
            id="import",
        ),
        pytest.param(TABLE, WITH_12, TABLE.replace("    9:", "    12: [6, 8],\n    9:"), id="key"),
        pytest.param(
            COLOURS,
            COLOURS.replace('    IDLE = "idle"\n', '    IDLE = "idle"\n    LOST = "lost"\n'),
            COLOURS.replace('    FAST = "fast"\n', '    LOST = "lost"\n    FAST = "fast"\n'),
            id="enum-member",
        ),
    ],
)
def test_what_upstream_has_elsewhere_in_the_file_is_not_put_in_twice(
    tmp_path: Path, base: str, ours: str, upstream: str
) -> None:
    fork = Fork.create(
        tmp_path / "fork", v1={"m.py": base}, v2={"m.py": upstream}, changes=[Change("one", {"m.py": ours})]
    )
    ran = fork.run("rebase", "v2", "--json")
    assert ran.code == 0
    assert ran.json["patches"][0]["verdict"] == "absorbed"
    assert fork.repo.file("patched/v2", "m.py").decode() == upstream
    assert ledger_of(fork) == ["one"]


def test_a_method_of_the_same_name_with_another_body_is_refused_by_name(tmp_path: Path) -> None:
    other = AT_START.replace("self.queue.put(request)", "self.queue.push(request)")
    fork = Fork.create(
        tmp_path / "fork", v1={"m.py": CLASS}, v2={"m.py": other}, changes=[Change("one", {"m.py": AT_END})]
    )
    before = fork.state()
    ran = fork.run("rebase", "v2", "--json")
    assert ran.code == 3
    assert ran.json["patches"][0]["verdict"] == "superseded"
    assert "Engine.extend" in str(ran.json["patches"][0]["files"])
    assert fork.state() == before
    assert ledger_of(fork) == []


REGISTRY = """MODELS = {
    "llama": "models.llama",
    "qwen": "models.qwen",
}
"""
NAMES = """NAMES = [
    "llama",
    "qwen",
]
"""
REGISTERED = REGISTRY.replace('    "qwen": "models.qwen",\n', '    "qwen": "models.qwen",\n    "yi": "models.yi",\n')
NAMED = NAMES.replace('    "qwen",\n', '    "qwen",\n    "yi",\n')


def test_half_of_it_absorbed_leaves_the_other_half_and_says_so(tmp_path: Path) -> None:
    both: Files = {"registry.py": REGISTERED, "names.py": NAMED}
    fork = Fork.create(
        tmp_path / "fork",
        v1={"registry.py": REGISTRY, "names.py": NAMES},
        v2={"registry.py": REGISTERED.replace("MODELS", "# all of them\nMODELS")},
        changes=[Change("register-yi", both, "Fixes: the lost model\nForwarded: no")],
    )
    ran = fork.run("rebase", "v2", "--json")
    assert ran.code == 0
    (patch,) = ran.json["patches"]
    assert patch["verdict"] == "partial"
    assert {file["path"]: file["verdict"] for file in patch["files"]} == {
        "registry.py": "absorbed",
        "names.py": "clean",
    }
    assert fork.repo.text("diff", "--name-only", "v2", "patched/v2") == "names.py"
    assert fork.repo.file("patched/v2", "names.py").decode() == NAMED
    kept = (fork.repo.path / "series/v2/register-yi.patch").read_text()
    assert "registry.py" not in kept
    assert "Because we need it." in kept
    assert "Fixes: the lost model\nForwarded: no" in kept
    record = yaml.safe_load((fork.repo.path / "series/v2/record.yaml").read_text())["patches"][0]
    assert {file["path"]: file["verdict"] for file in record["files"]} == {
        "registry.py": "absorbed",
        "names.py": "clean",
    }
    assert fork.run("rebase", "v2", "--json").json["patches"] == ran.json["patches"]


def test_half_of_one_file_absorbed_shrinks_the_patch_too(tmp_path: Path) -> None:
    base = REGISTRY + "\n\n" + CLASS
    fork = Fork.create(
        tmp_path / "fork",
        v1={"m.py": base},
        v2={"m.py": REGISTERED + "\n\n" + CLASS},
        changes=[Change("both", {"m.py": REGISTERED + "\n\n" + AT_END})],
    )
    ran = fork.run("rebase", "v2", "--json")
    assert ran.code == 0
    assert ran.json["patches"][0]["verdict"] == "partial"
    assert ran.json["patches"][0]["files"][0]["absorbed_edits"] == ["m.py:4"]
    assert "upstream has m.py: line 4" in fork.run("rebase", "v2").out
    record = yaml.safe_load((fork.repo.path / "series/v2/record.yaml").read_text())["patches"][0]
    assert record["files"][0]["absorbed_edits"] == ["m.py:4"]
    assert fork.repo.file("patched/v2", "m.py").decode() == REGISTERED + "\n\n" + AT_END
    assert "models.yi" not in "".join(
        line for line in (fork.repo.path / "series/v2/both.patch").read_text().splitlines(True) if line[0] == "+"
    )


def test_half_absorbed_in_another_file_does_not_register_it_twice(tmp_path: Path) -> None:
    """Upstream moved the table to a file of its own, and has the entry there."""
    both: Files = {"engine.py": REGISTERED + "\n\n" + CLASS, "names.py": NAMED}
    fork = Fork.create(
        tmp_path / "fork",
        v1={"engine.py": REGISTRY + "\n\n" + CLASS, "names.py": NAMES},
        v2={"engine.py": "from tables import MODELS\n\n\n" + CLASS, "tables.py": REGISTERED},
        changes=[Change("register-yi", both)],
    )
    ran = fork.run("rebase", "v2", "--accept", "review", "--json")
    assert ran.code == 0
    assert ran.json["patches"][0]["verdict"] == "partial"
    assert fork.repo.text("diff", "--name-only", "v2", "patched/v2") == "names.py"


def test_what_only_an_earlier_patch_has_is_not_upstreams(tmp_path: Path) -> None:
    changes = [Change("broad", {"m.py": AT_END}), Change("narrow", {"n.py": "A = 2\n"})]
    fork = Fork.create(
        tmp_path / "fork", v1={"m.py": CLASS, "n.py": "A = 1\n"}, v2={"other.py": "B = 1\n"}, changes=changes
    )
    broad = (fork.repo.path / "series/v1/broad.patch").read_text()
    # Somebody resolved the first patch too broadly: it does what the second one does, too.
    narrow = (fork.repo.path / "series/v1/narrow.patch").read_text()
    (fork.repo.path / "series/v1/broad.patch").write_text(broad + narrow[narrow.index("diff --git") :])
    before = fork.state()
    ran = fork.run("rebase", "v2", "--json")
    assert ran.code == 3
    assert [patch["verdict"] for patch in ran.json["patches"]] == ["clean", "conflict"]
    assert fork.state() == before
    assert ledger_of(fork) == []


def test_an_expected_node_that_is_not_there_afterwards_refuses_the_patch(tmp_path: Path) -> None:
    fork = Fork.create(
        tmp_path / "fork",
        v1={"table.py": TABLE},
        v2={"table.py": TABLE.replace("SIZES", "BYTES")},
        changes=[Change("size-12", {"table.py": WITH_12}, "Expect: table.py::SIZES[12]")],
    )
    ran = fork.run("rebase", "v2", "--accept", "review", "--json")
    assert ran.code == 3
    assert ran.json["patches"][0]["verdict"] == "conflict"
    assert "Expect: table.py::SIZES[12] is not there" in str(ran.json["patches"][0]["files"])
    assert fork.repo.try_git("rev-parse", "--verify", "patched/v2").returncode != 0


def test_every_patch_that_is_carried_changes_something(tmp_path: Path) -> None:
    """Upstream has both edits, in an order that leaves a text merge nothing to do: nothing is carried as empty."""
    fork = Fork.create(
        tmp_path / "fork",
        v1={"a.txt": "one\ntwo\nthree\n"},
        v2={"a.txt": "ONE\ntwo\nTHREE\n"},
        changes=[Change("first", {"a.txt": "ONE\ntwo\nthree\n"}), Change("last", {"a.txt": "ONE\ntwo\nTHREE\n"})],
    )
    assert fork.verdicts("rebase", "v2") == {"first": "absorbed", "last": "absorbed"}
    assert fork.repo.text("rev-parse", "patched/v2") == fork.repo.text("rev-parse", "v2")
    assert ledger_of(fork) == ["first", "last"]


@pytest.mark.parametrize("condition", ["if self.experimental:", "with self.lock:"])
def test_code_behind_a_new_condition_is_not_absorbed(tmp_path: Path, condition: str) -> None:
    body = "        return self.queue.start()\n"
    ours = CLASS.replace(body, "        self.queue.warm(self.size())\n" + body)
    upstream = CLASS.replace(body, f"        {condition}\n            self.queue.warm(self.size())\n" + body)
    fork = Fork.create(
        tmp_path / "fork", v1={"m.py": CLASS}, v2={"m.py": upstream}, changes=[Change("warm", {"m.py": ours})]
    )
    ran = fork.run("rebase", "v2", "--json")
    assert ran.code == 3
    (patch,) = ran.json["patches"]
    assert patch["verdict"] in {"superseded", "conflict"}
    assert condition.split(maxsplit=1)[0] in str(patch["files"][0]["conflicts"])
    assert ledger_of(fork) == []
