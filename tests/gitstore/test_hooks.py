from __future__ import annotations

import os
import stat
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from patchq.errors import GitError
from patchq.gitstore import hooks
from patchq.gitstore.hook_shims import HookName, shim
from patchq.gitstore.hooks import Done, HooksFolder, HookState, hooks_folder
from patchq.gitstore.repository import Repository
from tests.gitrepo import GitRepo
from tests.gitstore.shell import run_hook, script

if TYPE_CHECKING:
    from collections.abc import Mapping

NAME = HookName.PRE_COMMIT
HOOK, CHAINED, LEGACY = NAME.value, NAME.chained, NAME.legacy


def install(folder: Path, program: Path | None) -> HookState:
    (state,) = hooks.install(folder, program, [NAME])
    return state


def uninstall(folder: Path) -> HookState:
    (state,) = hooks.uninstall(folder, [NAME])
    return state


@pytest.fixture
def program(tmp_path: Path) -> Path:
    """A patchq that says how it was called, in a folder whose name needs quoting."""
    return script(tmp_path / "a b's" / "patchq", 'echo "patchq $*"; exit 7')


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path / "hooks"


def found(repo: GitRepo) -> HooksFolder:
    return hooks_folder(Repository.discover(repo.path))


def listing(folder: Path) -> Mapping[str, tuple[int, bytes]]:
    return {path.name: (path.lstat().st_mode, path.read_bytes()) for path in folder.iterdir()}


def test_the_hooks_of_a_repository_are_in_its_git_folder(repo: GitRepo) -> None:
    assert found(repo) == HooksFolder(path=repo.path / ".git/hooks", origin=None, inside=True)


def test_a_linked_worktree_shares_the_hooks(repo: GitRepo, tmp_path: Path) -> None:
    repo.commit("one", {"a": "1\n"})
    repo.git("worktree", "add", "-q", str(tmp_path / "linked"))
    assert found(GitRepo(tmp_path / "linked")).path == repo.path / ".git/hooks"


def test_a_relative_hooks_path_starts_at_the_top_of_the_worktree(repo: GitRepo, tmp_path: Path) -> None:
    repo.commit("one", {"a": "1\n", "sub/b": "2\n"})
    repo.git("config", "core.hooksPath", "tools/hooks")
    repo.git("worktree", "add", "-q", str(tmp_path / "linked"))
    assert found(GitRepo(repo.path / "sub")).path == repo.path / "tools/hooks"
    assert found(GitRepo(tmp_path / "linked")).path == tmp_path / "linked/tools/hooks"
    assert found(repo).inside


def test_a_hooks_path_in_the_home_folder_is_outside(repo: GitRepo) -> None:
    repo.git("config", "--global", "core.hooksPath", "~/hooks")
    folder = found(repo)
    assert folder.path == Path(os.environ["HOME"]) / "hooks"
    assert folder.origin == f"file:{os.environ['GIT_CONFIG_GLOBAL']}"
    assert not folder.inside


def test_a_link_out_of_the_repository_is_outside(repo: GitRepo, tmp_path: Path) -> None:
    (repo.path / "hooks").symlink_to(tmp_path)
    repo.git("config", "core.hooksPath", "hooks")
    assert not found(repo).inside


def test_an_absolute_path_into_the_main_worktree_is_inside_for_a_linked_one(repo: GitRepo, tmp_path: Path) -> None:
    repo.commit("one", {"a": "1\n"})
    repo.git("config", "core.hooksPath", str(repo.path / "tools"))
    repo.git("worktree", "add", "-q", str(tmp_path / "linked"))
    assert found(GitRepo(tmp_path / "linked")).inside


def test_the_innermost_setting_wins(repo: GitRepo, monkeypatch: pytest.MonkeyPatch) -> None:
    repo.git("config", "--global", "core.hooksPath", "~/hooks")
    repo.git("config", "core.hooksPath", "near")
    assert found(repo).path == repo.path / "near"
    for name, value in {"COUNT": "1", "KEY_0": "core.hooksPath", "VALUE_0": "nearest"}.items():
        monkeypatch.setenv(f"GIT_CONFIG_{name}", value)
    assert found(repo).path == repo.path / "nearest"


def test_git_itself_would_look_there(repo: GitRepo) -> None:
    for value in ("tools/hooks", "../elsewhere", str(repo.path / "x")):
        repo.git("config", "core.hooksPath", value)
        theirs = repo.path / repo.text("rev-parse", "--git-path", "hooks")
        assert found(repo).path == Path(os.path.normpath(theirs))


def test_an_empty_hooks_path_is_refused(repo: GitRepo) -> None:
    repo.git("config", "core.hooksPath", "")
    with pytest.raises(GitError, match="is empty"):
        found(repo)


def test_a_missing_folder_is_made_and_the_hook_may_run(folder: Path, program: Path) -> None:
    state = install(folder, program)
    assert (state.done, state.chained) == (Done.INSTALLED, None)
    assert run_hook(state.hook) == (7, "patchq hook pre-commit\n", "")
    assert [path.name for path in folder.iterdir()] == [HOOK]


def test_the_umask_decides_who_else_may_run_it(folder: Path) -> None:
    before = os.umask(0o077)
    try:
        install(folder, None)
    finally:
        os.umask(before)
    assert stat.S_IMODE((folder / HOOK).stat().st_mode) == 0o700


def test_installing_twice_changes_nothing(folder: Path, program: Path) -> None:
    script(folder / HOOK, "true")
    install(folder, program)
    before, when = listing(folder), (folder / HOOK).stat().st_mtime_ns
    assert install(folder, program).done is Done.UNCHANGED
    assert listing(folder) == before
    assert (folder / HOOK).stat().st_mtime_ns == when


def test_a_patchq_that_moved_updates_the_hook_and_keeps_the_chain(folder: Path, program: Path) -> None:
    other = script(folder / HOOK, "echo first").read_bytes()
    install(folder, Path("/elsewhere/patchq"))
    state = install(folder, program)
    assert (state.done, state.chained) == (Done.UPDATED, folder / CHAINED)
    assert (folder / CHAINED).read_bytes() == other
    assert run_hook(state.hook)[1] == "first\npatchq hook pre-commit\n"


def test_a_hook_of_ours_that_lost_its_right_to_run_gets_it_back(folder: Path, program: Path) -> None:
    install(folder, program)
    (folder / HOOK).chmod(0o644)
    assert install(folder, program).done is Done.UPDATED
    assert os.access(folder / HOOK, os.X_OK)


def test_an_existing_hook_runs_first_with_the_same_arguments(folder: Path, program: Path) -> None:
    script(folder / HOOK, 'echo "theirs $# [$1] in $PWD"')
    state = install(folder, program)
    assert state.chained == folder / CHAINED
    assert run_hook(state.hook, "a b") == (7, f"theirs 1 [a b] in {Path.cwd()}\npatchq hook pre-commit\n", "")


def test_the_exit_code_of_an_existing_hook_counts(folder: Path, program: Path) -> None:
    script(folder / HOOK, "exit 3")
    assert run_hook(install(folder, program).hook) == (3, "", "")


def test_an_existing_hook_that_git_would_not_run_is_not_run(folder: Path, program: Path) -> None:
    script(folder / HOOK, "exit 3", mode=0o644)
    assert run_hook(install(folder, program).hook)[0] == 7


@pytest.mark.parametrize("mode", [0o755, 0o700, 0o644])
def test_uninstalling_brings_the_other_hook_back_byte_for_byte(folder: Path, mode: int) -> None:
    script(folder / HOOK, "echo caf\xe9\r", mode=mode)
    before = listing(folder)
    install(folder, None)
    assert uninstall(folder).done is Done.RESTORED
    assert listing(folder) == before


def test_a_link_stays_a_link(folder: Path, program: Path) -> None:
    script(folder / "tools/check", "echo linked")
    (folder / HOOK).symlink_to("tools/check")
    state = install(folder, program)
    assert run_hook(state.hook)[1] == "linked\npatchq hook pre-commit\n"
    uninstall(folder)
    assert (folder / HOOK).readlink() == Path("tools/check")


def test_a_dangling_link_is_kept_and_not_run(folder: Path, program: Path) -> None:
    folder.mkdir()
    (folder / HOOK).symlink_to("nowhere")
    assert run_hook(install(folder, program).hook)[0] == 7
    uninstall(folder)
    assert (folder / HOOK).is_symlink()


def test_a_link_to_a_shim_of_ours_is_somebodys_link(folder: Path, tmp_path: Path) -> None:
    install(tmp_path / "shared", None)
    folder.mkdir()
    (folder / HOOK).symlink_to(tmp_path / "shared" / HOOK)
    assert install(folder, None).chained == folder / CHAINED


def test_a_chained_hook_is_never_overwritten(folder: Path) -> None:
    script(folder / HOOK, "echo new")
    script(folder / CHAINED, "echo old")
    before = listing(folder)
    with pytest.raises(GitError, match="is taken") as refused:
        install(folder, None)
    assert "patchq hook pre-commit" in (refused.value.hint or "")
    assert listing(folder) == before


def test_a_folder_in_the_place_of_the_hook_is_refused(folder: Path) -> None:
    (folder / HOOK).mkdir(parents=True)
    with pytest.raises(GitError, match="is not a file"):
        install(folder, None)
    assert [path.name for path in folder.iterdir()] == [HOOK]


def test_an_edited_shim_is_somebodys_hook(folder: Path) -> None:
    install(folder, None)
    edited = (folder / HOOK).read_bytes() + b"echo more\n"
    (folder / HOOK).write_bytes(edited)
    with pytest.raises(GitError, match="edited"):
        uninstall(folder)
    assert install(folder, None).done is Done.INSTALLED
    assert (folder / CHAINED).read_bytes() == edited


def test_uninstalling_where_nothing_is_does_nothing(folder: Path) -> None:
    assert uninstall(folder).done is Done.ABSENT
    assert not folder.exists()


def test_a_hook_of_somebody_else_is_not_uninstalled(folder: Path) -> None:
    script(folder / HOOK, "true")
    before = listing(folder)
    assert uninstall(folder).done is Done.ABSENT
    assert listing(folder) == before
    script(folder / HOOK, "patchq hook pre-commit")
    with pytest.raises(GitError, match="not patchq's"):
        uninstall(folder)


def test_one_hook_that_cannot_be_chained_leaves_all_as_they_were(folder: Path) -> None:
    script(folder / "post-merge", "echo new")
    script(folder / HookName.POST_MERGE.chained, "echo old")
    before = listing(folder)
    with pytest.raises(GitError, match="post-merge"):
        hooks.install(folder, None)
    assert listing(folder) == before


def test_a_disk_that_refuses_is_an_error_and_the_hook_stays(folder: Path, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(GitError, match="cannot be changed"):
        install(tmp_path / "file" / "hooks", None)
    script(folder / HOOK, "true")
    before = listing(folder)
    (folder / f"{HOOK}.patchq-{os.getpid()}").mkdir()  # our own place for the new text is taken
    with pytest.raises(GitError, match="cannot be changed"):
        install(folder, None)
    (folder / f"{HOOK}.patchq-{os.getpid()}").rmdir()
    assert listing(folder) == before


def test_without_its_program_the_hook_takes_the_patchq_on_the_path(folder: Path, program: Path) -> None:
    hook = install(folder, Path("/gone/patchq")).hook
    assert run_hook(hook, path=f"{program.parent}:/usr/bin:/bin") == (7, "patchq hook pre-commit\n", "")


def test_without_any_patchq_the_hook_fails_and_says_what_to_do(folder: Path) -> None:
    code, out, err = run_hook(install(folder, None).hook)
    assert (code, out) == (1, "")
    assert err.startswith("error: patchq is not found")
    assert "hint: " in err
    assert "git commit --no-verify" in err


def test_the_pre_commit_framework_stays_in_front_and_calls_ours(folder: Path, program: Path) -> None:
    framework = '# File generated by pre-commit: https://pre-commit.com\n"${0%/*}/pre-commit.legacy"; echo framework'
    script(folder / HOOK, framework)
    before = listing(folder)
    state = install(folder, program)
    assert (state.done, state.hook, state.chained) == (Done.INSTALLED, folder / LEGACY, None)
    assert run_hook(folder / HOOK)[1] == "patchq hook pre-commit\nframework\n"
    assert install(folder, program).done is Done.UNCHANGED
    assert uninstall(folder).done is Done.REMOVED
    assert listing(folder) == before


def test_a_hook_that_the_pre_commit_framework_has_kept_is_chained(folder: Path, program: Path) -> None:
    script(folder / LEGACY, "echo older")
    script(folder / HOOK, '# File generated by pre-commit: https://pre-commit.com\n"${0%/*}/pre-commit.legacy"')
    before = listing(folder)
    install(folder, program)
    assert run_hook(folder / HOOK)[1] == "older\npatchq hook pre-commit\n"
    uninstall(folder)
    assert listing(folder) == before


def test_ours_is_found_again_after_the_pre_commit_framework_has_moved_it(folder: Path, program: Path) -> None:
    install(folder, program)
    (folder / HOOK).rename(folder / LEGACY)
    script(folder / HOOK, '# File generated by pre-commit: https://pre-commit.com\n"${0%/*}/pre-commit.legacy"')
    assert install(folder, program).done is Done.UNCHANGED


def test_a_copy_of_the_shim_among_the_chained_hooks_makes_no_circle(folder: Path, program: Path) -> None:
    hook = install(folder, program).hook
    (folder / CHAINED).write_bytes(hook.read_bytes())
    (folder / CHAINED).chmod(0o755)
    assert run_hook(hook) == (7, "patchq hook pre-commit\n", "")


def test_a_path_with_a_line_break_is_left_to_the_path_variable(folder: Path) -> None:
    assert shim(NAME, Path("/a\nb/patchq")) == shim(NAME, None)
    install(folder, Path("/a\nb/patchq"))
    assert uninstall(folder).done is Done.REMOVED
