from __future__ import annotations

import stat
import subprocess
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from patchq.gitstore import hooks
from patchq.gitstore.hook_shims import HookName, is_shim, shim
from tests.gitstore.shell import run_hook, script

SOURCE = Path(__file__).parents[2] / "hooks"
every_hook = pytest.mark.parametrize("name", list(HookName), ids=lambda name: name.value)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path / "hooks"


@pytest.fixture
def program(tmp_path: Path) -> Path:
    """A patchq that says how it was called, in a folder whose name needs quoting."""
    return script(tmp_path / "a b's" / "patchq", 'echo "patchq $*"; exit 7')


@every_hook
def test_the_shim_in_the_source_tree_is_the_one_that_is_installed(name: HookName) -> None:
    source = SOURCE / name.value
    assert source.read_bytes() == shim(name, None)
    assert is_shim(name, shim(name, Path("/a b's/patchq")))
    assert source.stat().st_mode & stat.S_IXUSR


@every_hook
def test_the_shim_is_plain_posix_shell(name: HookName) -> None:
    assert subprocess.run(["sh", "-n", SOURCE / name.value], check=False).returncode == 0
    assert shim(name, None).startswith(b"#!/bin/sh\n")


@pytest.mark.parametrize("kind", [HookName.POST_CHECKOUT, HookName.POST_MERGE, HookName.POST_REWRITE])
def test_a_hook_that_comes_after_fails_only_if_the_one_before_it_does(
    folder: Path, program: Path, kind: HookName
) -> None:
    script(folder / kind.value, 'echo "theirs $*"; cat; exit 3')
    (state,) = hooks.install(folder, program, [kind])
    arguments = {HookName.POST_CHECKOUT: ("a", "b", "1"), HookName.POST_MERGE: ("0",)}.get(kind, ("rebase",))
    done = subprocess.run([state.hook, *arguments], input=b"old new\n", capture_output=True, check=False)
    said = " ".join(arguments)
    assert (done.returncode, done.stdout.decode()) == (3, f"theirs {said}\nold new\n")
    assert done.stderr.decode() == f"patchq hook {kind.value} {said}\n"
    (folder / kind.chained).unlink()
    assert run_hook(state.hook, *arguments) == (0, "", f"patchq hook {kind.value} {said}\n")
    program.unlink()
    code, _, told = run_hook(state.hook, *arguments)
    assert (code, told.count("\n")) == (0, 1)
    assert told.startswith("patchq is not found")


@pytest.mark.parametrize(
    ("kind", "arguments"),
    [
        (HookName.POST_CHECKOUT, ("a", "b", "0")),
        (HookName.POST_MERGE, ("1",)),
        (HookName.POST_REWRITE, ("amend",)),
    ],
)
def test_where_nothing_moved_patchq_is_not_even_started(
    folder: Path, program: Path, kind: HookName, arguments: tuple[str, ...]
) -> None:
    (state,) = hooks.install(folder, program, [kind])
    assert run_hook(state.hook, *arguments) == (0, "", "")


@pytest.mark.parametrize("refs", ["", "refs/heads/a 1 refs/heads/a 2\nrefs/heads/b 1 refs/heads/b 2\n"])
def test_both_hooks_before_a_push_get_what_is_pushed(folder: Path, tmp_path: Path, refs: str) -> None:
    program = script(tmp_path / "patchq", 'echo "patchq $*"; cat; exit 7')
    script(folder / "pre-push", f'cat > {tmp_path}/seen; echo "theirs $*"')
    (state,) = hooks.install(folder, program, [HookName.PRE_PUSH])
    done = subprocess.run([state.hook, "origin", "url"], input=refs, capture_output=True, text=True, check=False)
    assert (tmp_path / "seen").read_text() == refs
    assert done.stdout == "theirs origin url\n"
    assert done.stderr.rstrip("\n") == f"patchq hook pre-push origin url\n{refs}".rstrip("\n")
    assert done.returncode == 7
    script(folder / HookName.PRE_PUSH.chained, "exit 3")
    assert run_hook(state.hook, "origin", "url") == (3, "", "")


@given(st.text(st.characters(exclude_characters="\n\0", exclude_categories=["Cs"]), max_size=30))
def test_any_path_of_patchq_survives_the_shell(name: str) -> None:
    text = shim(HookName.PRE_COMMIT, Path("/x") / name).decode()
    line = next(line for line in text.split("\n") if line.startswith("patchq="))
    done = subprocess.run(["sh", "-c", f'{line}\nprintf %s "$patchq"'], capture_output=True, check=True)
    assert done.stdout.decode() == str(Path("/x") / name)
