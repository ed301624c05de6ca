from __future__ import annotations

from typing import TYPE_CHECKING

from tests.resolving import open_fork

if TYPE_CHECKING:
    from pathlib import Path


def test_an_open_patch_names_the_commit_of_upstream_since_which_it_is_open(tmp_path: Path) -> None:
    fork = open_fork(tmp_path / "fork")
    broken = fork.repo.text("rev-parse", "v2")
    fork.release("v3", {"pkg/plain.txt": "zero\none\ntwo\n"}, "Something else (#7)")
    for verb in ("rebase", "status"):
        told = {patch["name"]: patch["broken_by"] for patch in fork.run(verb, "v3", "--json").json["patches"]}
        assert told["gate"]["commit"] == told["knob"]["commit"] == broken
        assert told["first"] is None
    assert f'open since {broken[:10]} "release 2"' in fork.run("rebase", "v3").out
