"""Where upstream moved files: git's rename detection between two trees, asked only when a file is missing."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from patchq.gitstore.fastimport import Commit, import_commits
from patchq.gitstore.rawdiff import parse_raw
from patchq.gitstore.scratch import scratch_objects
from patchq.model.patch import GitDate, Person
from patchq.model.tree import Mode

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Mapping

    from patchq.gitstore.git import Git
    from patchq.gitstore.objects import TreeEntry
    from patchq.gitstore.rawdiff import RawChange
    from patchq.gitstore.repository import Repository

_RAW = ("diff-tree", "-r", "-z", "--raw")
_FILES = (Mode.REGULAR, Mode.EXECUTABLE)
_SIMILARITY = "-M50%"
_QUICK_LIMIT = 400  # git skips the search by similarity when (files gone) * (files new) exceeds the square of this
_LIMIT = 7000
_MOST_ARGUMENT_BYTES = 64 * 1024  # of paths; far below ARG_MAX, and then one diff of the whole trees costs no more
_NOBODY = Person(b"patchq", b"patchq@localhost")


def changed(repo: Repository, old_tree: str, new_tree: str, paths: Collection[bytes]) -> frozenset[bytes]:
    """Return those of `paths` that differ between the two trees (ids, hex): other bytes, other mode, come or gone."""
    return frozenset(change.old_path for change in _differences(repo, old_tree, new_tree, paths))


def upstream_new(repo: Repository, old_tree: str, new_tree: str) -> tuple[bytes, ...]:
    """Return the paths of the regular files that `new_tree` has and `old_tree` has not, or with other bytes."""
    if old_tree == new_tree:
        return ()
    output = repo.git.run(*_RAW, "--no-renames", "--diff-filter=AM", old_tree, new_tree)
    return tuple(change.new_path for change in parse_raw(output) if change.new.mode in _FILES)


def all_files(repo: Repository, tree: str) -> tuple[bytes, ...]:
    """Return the paths of everything in `tree`."""
    listed = repo.git.run("ls-tree", "-r", "-z", "--name-only", "--full-tree", tree)
    return tuple(path for path in listed.split(b"\0") if path)


def renames(repo: Repository, old_tree: str, new_tree: str, paths: Collection[bytes]) -> Mapping[bytes, bytes]:
    """Return where those of `paths` that are in `old_tree` but no longer in `new_tree` went, as far as git can tell.

    At least half of a file must be the same. A path is left out where the same bytes came to several new places: git
    would choose one by its name, and a wrong choice patches the wrong twin.
    """
    missing = {change.old_path for change in _differences(repo, old_tree, new_tree, paths) if change.status == "D"}
    if not missing:
        return {}
    # Equal contents and equal base names are paired here, and small sets also by similarity.
    output = repo.git.run(*_RAW, _SIMILARITY, f"-l{_QUICK_LIMIT}", "--diff-filter=ADR", old_tree, new_tree)
    changes = tuple(parse_raw(output))
    moved = {change.old_path: change.new_path for change in changes if change.status == "R"}
    gone = {change.old_path: change.old for change in changes if change.status == "D"}
    come = {change.new_path: change.new for change in changes if change.status == "A"}
    sought = {path: entry for path, entry in gone.items() if path in missing}
    if sought and len(gone) * len(come) > _QUICK_LIMIT**2:
        moved |= _by_similarity(repo, sought, gone, come)
    copies = Counter(change.new.object_id for change in changes if change.status != "D")
    unique = {change.new_path for change in changes if copies[change.new.object_id] == 1}
    return {old: new for old, new in moved.items() if old in missing and new in unique}


def _by_similarity(
    repo: Repository,
    sought: Mapping[bytes, TreeEntry],
    gone: Mapping[bytes, TreeEntry],
    come: Mapping[bytes, TreeEntry],
) -> dict[bytes, bytes]:
    """Pair the `sought` of all files `gone` with files that have `come`, where the liking is mutual.

    Git would compare each with each: 2.1 s between two releases half a year apart (751 left to 4,985). Of interest are
    the files that a patch touches: those are compared with all that came (60: 0.5 s), and what was found then
    with all that are gone, so that a file which another one resembles more is not claimed.
    """
    with scratch_objects(repo) as (git, _):
        proposed = _pairs(repo, git, sought, come)
        if not proposed:
            return {}
        confirmed = _pairs(repo, git, gone, {path: come[path] for path in proposed.values()})
    return {old: new for old, new in proposed.items() if confirmed.get(old) == new}


def _pairs(
    repo: Repository, git: Git, old: Mapping[bytes, TreeEntry], new: Mapping[bytes, TreeEntry]
) -> dict[bytes, bytes]:
    sides = [
        Commit(message=b"", person=_NOBODY, date=GitDate(0, "+0000"), writes=files, parents=()) for files in (old, new)
    ]
    trees = [written.tree for written in import_commits(repo, sides, git=git)]
    output = git.run(*_RAW, _SIMILARITY, f"-l{_LIMIT}", "--diff-filter=R", *trees)
    return {change.old_path: change.new_path for change in parse_raw(output)}


def _differences(repo: Repository, old_tree: str, new_tree: str, paths: Collection[bytes]) -> Iterator[RawChange]:
    wanted = frozenset(paths)
    if not wanted or old_tree == new_tree:
        return
    limited = sorted(wanted) if sum(map(len, wanted)) <= _MOST_ARGUMENT_BYTES else ()
    output = repo.git.run(*_RAW, "--no-renames", old_tree, new_tree, "--", *limited)
    for change in parse_raw(output):
        # A path that became a folder is listed with what lies below it.
        if change.old_path in wanted:
            yield change
