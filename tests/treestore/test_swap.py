from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from patchq.errors import PublishError
from patchq.treestore.swap import STATE, Change, TreeStore
from tests.treestore.trees import CHANGES, NEW, OLD, files, made


@pytest.fixture
def store(tmp_path: Path) -> TreeStore:
    return TreeStore(made(tmp_path / "tree"))


def test_all_files_change_and_come_back(store: TreeStore) -> None:
    (store.root / "pkg/a.py").chmod(0o754)
    backup = store.apply(CHANGES, ())
    assert files(store.root) == NEW
    assert (store.root / "pkg/a.py").stat().st_mode & 0o777 == 0o754
    assert (store.root / "pkg/deep/new.py").stat().st_mode & 0o111
    assert backup is not None
    assert store.generations() == (1,)
    assert set(store.revert(())) == set(CHANGES)
    assert files(store.root) == OLD
    assert [path.name for path in store.root.iterdir()] == ["pkg"]
    assert not (store.root / "pkg/deep").exists()
    with pytest.raises(PublishError, match="nothing was applied"):
        store.revert(())


def test_backups_are_a_stack(store: TreeStore) -> None:
    store.apply(CHANGES, ())
    store.apply({b"pkg/a.py": Change(b"a = 2\n", b"a = 3\n")}, ())
    assert store.revert(()) == (b"pkg/a.py",)
    assert files(store.root) == NEW
    store.revert(())
    assert files(store.root) == OLD


@pytest.mark.parametrize("verb", ["apply", "revert"])
def test_a_kill_at_any_moment_leaves_the_old_state_or_the_next_run_finishes(verb: str, tmp_path: Path) -> None:
    words = [sys.executable, "-m", "tests.treestore.killed", verb, str(tmp_path)]
    done = subprocess.run(words, cwd=Path(__file__).parents[2], check=False, capture_output=True)
    assert done.returncode == 0, done.stderr.decode()
    seen = json.loads(done.stdout)
    assert {*seen} == {"nothing", "finished", "discarded"}
    assert len(seen) > 30


def test_an_interrupted_run_can_be_taken_back(store: TreeStore, monkeypatch: pytest.MonkeyPatch) -> None:
    real = os.fchmod

    def once(*args: int) -> None:
        monkeypatch.setattr(os, "fchmod", failing)
        real(*args)

    def failing(*args: int) -> None:
        raise KeyboardInterrupt(args)

    monkeypatch.setattr(os, "fchmod", once)
    with pytest.raises(KeyboardInterrupt):
        store.apply(CHANGES, ())
    monkeypatch.undo()
    assert files(store.root) not in (OLD, NEW)
    assert store.interrupted()
    store.roll_back()
    assert files(store.root) == OLD
    assert not store.interrupted()


def test_a_file_that_was_edited_meanwhile_is_not_overwritten(store: TreeStore) -> None:
    (store.root / "pkg/b.py").write_bytes(b"mine\n")
    with pytest.raises(PublishError, match="changed while patchq was at work"):
        store.apply(CHANGES, ())
    assert files(store.root)["pkg/a.py"] == b"a = 1\n"
    (store.root / "pkg/b.py").write_bytes(b"b = 1\n")
    store.apply(CHANGES, ())
    (store.root / "pkg/b.py").write_bytes(b"mine\n")
    with pytest.raises(PublishError, match="not as patchq has left it"):
        store.revert(())
    assert files(store.root)["pkg/a.py"] == b"a = 2\n"


@pytest.mark.parametrize("link", ["pkg", "pkg/a.py", STATE])
def test_nothing_is_written_through_a_symbolic_link(tmp_path: Path, link: str) -> None:
    root = made(tmp_path / "tree")
    aside = tmp_path / "aside"
    if (root / link).exists():
        (root / link).rename(aside)
    else:
        aside.mkdir()
    (root / link).symlink_to(aside)
    store = TreeStore(root)

    def run() -> None:
        with store.locked():
            store.apply(CHANGES, ())

    with pytest.raises(PublishError, match="symbolic link"):
        run()
    assert not list(aside.rglob("*.patchq*")) if aside.is_dir() else aside.read_bytes() == b"a = 1\n"


@pytest.mark.parametrize("path", [b"../x", b"/etc/x", b"a//b", b"a/../../x", b""])
def test_no_path_leads_out_of_the_tree(store: TreeStore, path: bytes) -> None:
    with pytest.raises(ValueError, match="outside"):
        store.apply({path: Change(None, b"x")}, ())
    store.apply(CHANGES, ())
    plan = store.state / "0001/plan.json"
    plan.write_text(plan.read_text().replace("pkg/a.py", "../a.py"))
    with pytest.raises(PublishError, match="is no plan"):
        store.revert(())


def test_two_at_once_are_told_apart(store: TreeStore) -> None:
    with store.locked(), pytest.raises(PublishError, match="another patchq"), TreeStore(store.root).locked():
        pass


def test_a_hard_link_elsewhere_keeps_its_bytes(store: TreeStore, tmp_path: Path) -> None:
    os.link(store.root / "pkg/a.py", tmp_path / "cache")
    store.apply(CHANGES, ())
    assert (tmp_path / "cache").read_bytes() == b"a = 1\n"
