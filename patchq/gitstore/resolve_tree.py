"""The linked work tree in which an open patch lies: laid out with unmerged files, read back as a tree, removed."""

from __future__ import annotations

import os
import shutil
import tempfile
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from patchq.errors import GitError
from patchq.gitstore.fastimport import check_path
from patchq.gitstore.git import failure
from patchq.gitstore.objects import CommitTree
from patchq.gitstore.rawdiff import parse_raw
from patchq.gitstore.repository import Repository
from patchq.model.tree import Mode

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from patchq.gitstore.objects import ObjectReader
    from patchq.model.tree import FileState

Stages = tuple["FileState | None", "FileState | None", "FileState | None"]  # base, ours and theirs, as git numbers them


def open_tree(repo: Repository, place: Path, commit: str) -> Repository:
    """Return the linked work tree at `place`, made if it is not there, with a detached HEAD at `commit` and no changes.

    GitError where something else lies at `place`. Ignored files stay.
    """
    main = _main(repo)
    if not _is_linked(main, place):
        refuse_occupied(place)
        main.git.run("worktree", "prune")
        main.git.run("worktree", "add", "--quiet", "--detach", os.fspath(place), commit)
    tree = Repository.discover(place)
    # `--detach`: a branch that somebody has checked out there meanwhile must not move.
    done = tree.git.try_run("checkout", "--quiet", "--force", "--detach", commit, "--")
    if done.returncode != 0:
        raise failure("checkout", done)
    tree.git.run("clean", "-ffdq")
    return tree


def refuse_occupied(place: Path) -> None:
    """Raise GitError where `place` is anything but an empty folder, or nothing."""
    if os.path.lexists(place) and not (place.is_dir() and not any(place.iterdir())):
        raise GitError(f"{place} exists already", hint="name another folder: patchq resolve --dir DIR")


def lay_out(
    tree: Repository,
    staged: Mapping[bytes, FileState | None],
    unmerged: Mapping[bytes, tuple[Stages, FileState | None]],
) -> dict[bytes, str | None]:
    """Put `staged` files into index and work tree, `unmerged` ones with their stages and what the work tree shows.

    Returns the blob ids of what is shown. Contents go through git's filters, as at any checkout.
    """
    shown = {path: state for path, (_, state) in unmerged.items()}
    files = {**staged, **shown}
    for path in files:
        check_path(path)
    ids = {path: None if state is None else _blob(tree, state) for path, state in files.items()}
    _index(tree, [_entry(tree, path, state, ids[path], 0) for path, state in files.items()])
    there = [path for path, state in files.items() if state is not None]
    for path in files.keys() - set(there):
        _remove(tree, path)
    tree.git.run("checkout-index", "--force", "-z", "--stdin", stdin=b"".join(path + b"\0" for path in there))
    lines = []
    for path, (stages, _) in unmerged.items():
        lines.append(_entry(tree, path, None, None, 0))
        for number, state in enumerate(stages, 1):
            if state is not None:
                lines.append(_entry(tree, path, state, _blob(tree, state), number))
    _index(tree, lines)
    return {path: ids[path] for path in shown}


def read_back(
    tree: Repository, reader: ObjectReader, commit: str
) -> tuple[dict[bytes, FileState | None], dict[bytes, str]]:
    """Return what the work tree has otherwise than `commit`, new files that are not ignored included, and its blob ids.

    Neither the index nor a file is touched; new objects are written, to which nothing refers.
    """
    with tempfile.TemporaryDirectory(prefix="patchq-") as name:
        index = Path(name) / "index"
        if (tree.git_dir / "index").exists():
            shutil.copy2(tree.git_dir / "index", index)
        git = tree.git.with_env({"GIT_INDEX_FILE": str(index)})
        git.run("add", "--all", "--sparse", ".")
        made = git.run("write-tree").decode("ascii").strip()
    output = tree.git.run("diff-tree", "-r", "-z", "--raw", "--no-renames", "--end-of-options", commit, made)
    changes = list(parse_raw(output))
    after = CommitTree(reader, made)
    writes = {it.new_path: None if it.new.mode is None else after.read(it.new_path) for it in changes}
    return writes, {it.new_path: it.new.object_id for it in changes if it.new.mode is not None}


def unmerged_paths(tree: Repository) -> frozenset[bytes]:
    """Name the files that the index has as unmerged."""
    listed = tree.git.run("ls-files", "--unmerged", "-z").split(b"\0")[:-1]
    return frozenset(line.partition(b"\t")[2] for line in listed)


def close_tree(repo: Repository, place: Path) -> None:
    """Remove the linked work tree, whatever it holds; nothing where it is gone already."""
    main = _main(repo)
    if _is_linked(main, place):
        main.git.run("worktree", "remove", "--force", "--force", os.fspath(place))
    main.git.run("worktree", "prune")


def _main(repo: Repository) -> Repository:
    """Return the repository without a work tree: the one that a person stands in may be about to go."""
    return replace(repo, git_dir=repo.common_dir, work_tree=None)


def _is_linked(main: Repository, place: Path) -> bool:
    if not (place / ".git").is_file():
        return False
    try:
        return Repository.discover(place).common_dir.resolve() == main.common_dir.resolve()
    except GitError:  # its administrative folder is gone: a leftover, which is in the way
        return False


def _blob(tree: Repository, state: FileState) -> str:
    if state.mode is Mode.GITLINK:
        return state.data.decode("ascii")
    return tree.git.run("hash-object", "-w", "--no-filters", "--stdin", stdin=state.data).decode("ascii").strip()


def _entry(tree: Repository, path: bytes, state: FileState | None, object_id: str | None, stage: int) -> bytes:
    if state is None or object_id is None:
        return b"0 %s 0\t%s\0" % (tree.null_id.encode(), path)
    return b"%s %s %d\t%s\0" % (state.mode.value.encode(), object_id.encode(), stage, path)


def _index(tree: Repository, lines: Sequence[bytes]) -> None:
    tree.git.run("update-index", "-z", "--index-info", stdin=b"".join(lines))


def _remove(tree: Repository, path: bytes) -> None:
    if tree.work_tree is None:
        return
    file = tree.work_tree / os.fsdecode(path)
    if os.path.lexists(file) and not (file.is_dir() and not file.is_symlink()):
        file.unlink()
