from __future__ import annotations

import subprocess
import sys
import textwrap
from typing import TYPE_CHECKING

from patchq.seriesstore.journal import NEW, OLD, BranchMove
from patchq.seriesstore.publication import Publication
from patchq.seriesstore.publish import Recovered, finish, finishing, pending, recover, stage
from patchq.seriesstore.snapshot import restore_files, snapshot_files, stage_restore
from tests.seriesstore.values import NEW as V2
from tests.seriesstore.values import OLD as V1
from tests.seriesstore.values import a_record, a_series, tree_of

if TYPE_CHECKING:
    from pathlib import Path

COMMIT = "d" * 40

# Kills itself with SIGKILL before the k-th thing it does to the disk, for every k until it comes through.
VICTIM = textwrap.dedent("""\
    import os, shutil, signal, sys
    from pathlib import Path
    from patchq.seriesstore.publish import finish, stage
    from patchq.seriesstore.snapshot import stage_restore
    from tests.seriesstore.test_crash import new_publication

    work, mode = Path(sys.argv[1]), sys.argv[2]
    DEADLY = {"open", "os.rename", "os.remove", "os.mkdir", "os.rmdir"}

    def run(home: Path, k: int) -> None:
        left = k

        def hook(event, args):
            nonlocal left
            writes = event != "open" or (isinstance(args[1], str) and args[1][0] in "wx")
            if event in DEADLY and writes:
                left -= 1
                if left < 0:
                    os.kill(os.getpid(), signal.SIGKILL)

        publication = new_publication()
        sys.addaudithook(hook)
        if mode == "publish":
            staged = stage(home / "series", publication)
        else:
            staged = stage_restore(home / "series", {}, move=publication.move)
        (home / "branch").write_text(publication.move.new)  # the commit point
        finish(staged)
        os._exit(0)

    for k in range(200):
        home = work / f"{k:03}"
        shutil.copytree(work / "start", home)
        if (pid := os.fork()) == 0:
            run(home, k)
        if os.waitpid(pid, 0)[1] == 0:
            break
    print(k)
""")


def new_publication() -> Publication:
    """Replaces v1, adds v2, removes v0."""
    return Publication(
        series=(
            a_series("v1", "two", "three", record=a_record(V1, "two", "three")),
            a_series("v2", "one", record=a_record(V2, "one")),
        ),
        remove=("v0",),
        move=BranchMove("patched/v2", None, COMMIT),
    )


def old_series(root: Path) -> None:
    finish(stage(root, Publication(series=(a_series("v0", "one"), a_series("v1", "one", "two")))))
    (root / "v0" / "notes.txt").write_text("why\n")
    (root / "v1" / "notes.txt").write_text("why\n")
    (root / "README.md").write_text("ours\n")


def killed_everywhere(tmp_path: Path, mode: str) -> list[Path]:
    old_series(tmp_path / "start" / "series")
    done = subprocess.run(
        [sys.executable, "-c", VICTIM, str(tmp_path), mode], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    return [tmp_path / f"{k:03}" for k in range(int(done.stdout) + 1)]


def check_that_every_death_ends_in_old_or_new(homes: list[Path]) -> None:
    old, new = tree_of(homes[0].parent / "start/series"), tree_of(homes[-1] / "series")
    ends = set()
    for home in homes[:-1]:
        root = home / "series"
        branch = (home / "branch").read_text() if (home / "branch").exists() else None
        visible = {name: data for name, data in tree_of(root).items() if not name.startswith(".")}
        if branch is None:
            assert visible == old, f"{home}: half a state is visible before the branch moved"
        elif pending(root) is None:
            assert visible == new, f"{home}: no journal, but not the new state"
        recovered = recover(root, lambda _, branch=branch: branch)  # type: ignore[misc]
        ends.add((recovered, branch is not None))
        finish(stage(root, Publication(series=(a_series("v9", "one"),))))
        assert not (root / NEW).exists()
        assert not (root / OLD).exists()
        expected = old if branch is None else new
        assert {name: data for name, data in tree_of(root).items() if not name.startswith("v9/")} == expected, home
    assert ends == {(Recovered.NOTHING, False), (Recovered.DISCARDED, False), (Recovered.FINISHED, True)}


def test_a_publish_killed_before_any_write_to_the_disk_ends_in_the_old_state_or_the_new_one(tmp_path: Path) -> None:
    homes = killed_everywhere(tmp_path, "publish")
    assert len(homes) > 30
    check_that_every_death_ends_in_old_or_new(homes)


def test_a_killed_undo_ends_in_the_old_state_or_the_new_one(tmp_path: Path) -> None:
    homes = killed_everywhere(tmp_path, "restore")
    assert sorted(tree_of(homes[-1] / "series")) == ["README.md", "v0/notes.txt", "v1/notes.txt"]
    check_that_every_death_ends_in_old_or_new(homes)


def test_stopping_after_any_step_and_finishing_again_gives_the_same_state(tmp_path: Path) -> None:
    old_series(tmp_path / "whole")
    finish(stage(tmp_path / "whole", new_publication()))
    count = len(finishing(stage(tmp_path / "x", new_publication())))
    for stop in range(count + 1):
        root = tmp_path / f"{stop:02}"
        old_series(root)
        staged = stage(root, new_publication())
        for step in finishing(staged)[:stop]:
            step()
        finish(staged)
        assert tree_of(root) == tree_of(tmp_path / "whole")
        finish(staged)
        assert tree_of(root) == tree_of(tmp_path / "whole")


def test_a_branch_moved_on_after_a_half_finish_does_not_bring_the_old_state_back(tmp_path: Path) -> None:
    old_series(tmp_path)
    staged = stage(tmp_path, new_publication())
    for step in finishing(staged)[:2]:
        step()
    assert recover(tmp_path, lambda _: "e" * 40) is Recovered.FINISHED
    assert (tmp_path / "v1/series").read_bytes() == b"two.patch\nthree.patch\n"


def test_a_snapshot_restored_is_the_same_series_again(tmp_path: Path) -> None:
    old_series(tmp_path)
    before, everything = snapshot_files(tmp_path), tree_of(tmp_path)
    finish(stage(tmp_path, new_publication()))
    restore_files(tmp_path, before)
    assert tree_of(tmp_path) == everything
    restore_files(tmp_path, before)
    assert tree_of(tmp_path) == everything
    assert pending(tmp_path) is None


def test_an_undo_waits_for_its_branch_as_well(tmp_path: Path) -> None:
    old_series(tmp_path)
    before = tree_of(tmp_path)
    stage_restore(tmp_path, {}, move=BranchMove("patched/v2", COMMIT, None))
    assert recover(tmp_path, lambda _: COMMIT) is Recovered.DISCARDED
    assert tree_of(tmp_path) == before
