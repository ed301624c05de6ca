"""Commits and differences as patches see them: ranges, the diff of a commit, of two trees, of the work tree."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from patchq.errors import GitError
from patchq.gitstore.partial import absent
from patchq.model.patch import GitDate, Person

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from patchq.gitstore.repository import Repository

# Plumbing ignores most of the user's diff settings; what it obeys, and what later versions may obey, is written out.
DIFF_OPTIONS = (
    "-p",
    "--full-index",
    "--binary",
    "-M50%",
    "-l7000",
    "-U3",
    "--inter-hunk-context=0",
    "--diff-algorithm=myers",
    "--indent-heuristic",
    "--no-color",
    "--no-ext-diff",
    "--no-textconv",
    "--no-relative",
    "--submodule=short",
    "--src-prefix=a/",
    "--dst-prefix=b/",
)

_IDENT = re.compile(rb"(.*?) ?<([^>]*)> (\d+) ([+-]\d{4})")


@dataclass(frozen=True, slots=True, kw_only=True)
class CommitInfo:
    """What a commit says: ids in hex; name, address and the whole message as UTF-8 where their encoding is known."""

    commit: str
    parents: tuple[str, ...]
    author: Person
    date: GitDate
    message: bytes

    @property
    def is_merge(self) -> bool:
        """Whether it joins lines of history; such a commit is no patch."""
        return len(self.parents) > 1


def commits(repo: Repository, span: str) -> tuple[CommitInfo, ...]:
    """Return the commits of `span` (`OLD..NEW` as for git-log), oldest first, parents before children; GitError."""
    return _read_commits(repo, _list(repo, "--topo-order", "--reverse", "--end-of-options", span))


def read_commits(repo: Repository, ids: Sequence[str]) -> tuple[CommitInfo, ...]:
    """Return what the commits `ids` (hex) say, in this order, by one process; GitError where one is not here."""
    return _read_commits(repo, b"".join(_lines(commit.encode("ascii") for commit in ids))) if ids else ()


def known_dates(repo: Repository, ids: Sequence[str]) -> dict[str, GitDate]:
    """Return the author dates of those of the commits `ids` (hex) that are here; nothing is fetched for the others."""
    missing = frozenset(absent(repo, ids))
    here = b"".join(_lines(one.encode("ascii", "replace") for one in ids if one not in missing))
    kinds = repo.git.run("cat-file", "--batch-check=%(objecttype) %(objectname)", stdin=here) if here else b""
    commits_here = [line.removeprefix("commit ") for line in kinds.decode().splitlines() if line.startswith("commit ")]
    return {info.commit: info.date for info in read_commits(repo, commits_here)}


def commit_patch(repo: Repository, commit: str) -> bytes:
    """Return the diff of one commit (id) against its parent; see `commit_patches`."""
    return commit_patches(repo, _read_commits(repo, _list(repo, "--no-walk", "--end-of-options", commit)))[0]


def commit_patches(repo: Repository, infos: Sequence[CommitInfo]) -> tuple[bytes, ...]:
    """Return the diff of each commit against its parent, byte for byte, by one process; empty where nothing changes.

    A root commit is compared with the empty tree. GitError for a merge, which has no one diff, and at the edge of a
    shallow clone, where git takes a commit for a root and would say that it adds every file.
    """
    if not infos:
        return ()
    edge = (repo.common_dir / "shallow").read_text("ascii").split() if repo.is_shallow else ()
    for info in infos:
        if info.is_merge:
            raise GitError(f"{info.commit} is a merge: it has no diff of its own", hint="name the commits it joins")
        if info.commit in edge:
            raise GitError(f"the parent of {info.commit} is not in this shallow clone", hint="git fetch --deepen=1")
    ids = [info.commit.encode() for info in infos]
    output = repo.git.run("diff-tree", *DIFF_OPTIONS, "--root", "--always", "--stdin", stdin=b"".join(_lines(ids)))
    # Git writes each id on a line of its own before the diff. No line of a diff can be mistaken for one: it starts with
    # a word or sign of its own, or is base 85 of a length (5 n + 1) that no id has.
    output = b"\n" + output
    starts: list[int] = []
    for line in _lines(ids):
        starts.append(output.index(b"\n" + line, starts[-1] if starts else 0) + 1)
    ends = [*(start for start in starts[1:]), len(output)]
    return tuple(output[start + len(ids[0]) + 1 : end] for start, end in zip(starts, ends, strict=True))


def tree_diff(repo: Repository, old: str, new: str, paths: Sequence[bytes] = ()) -> bytes:
    """Return the diff between two trees or commits (ids), byte for byte; of `paths` only, where there are any."""
    return repo.git.run("diff-tree", "-r", *DIFF_OPTIONS, "--end-of-options", old, new, "--", *paths)


def first_parent_diff(repo: Repository, commit: str, paths: Sequence[bytes] = ()) -> bytes:
    """Return what `commit` (id) makes of its first parent, as `tree_diff`: of a merge, what it has brought."""
    (info,) = _read_commits(repo, _list(repo, "--no-walk", "--end-of-options", commit))
    if not info.parents:
        return commit_patch(repo, commit)
    return tree_diff(repo, info.parents[0], info.commit, paths)


def _list(repo: Repository, *args: str) -> bytes:
    if args[-1].startswith("-"):
        raise GitError(f"{args[-1]!r} cannot be a range of commits")
    return repo.git.run("rev-list", *args, "--")


def _lines(ids: Iterable[bytes]) -> Iterator[bytes]:
    return (commit + b"\n" for commit in ids)


def _read_commits(repo: Repository, listed: bytes) -> tuple[CommitInfo, ...]:
    output = repo.git.run("cat-file", "--batch", stdin=listed)
    found = []
    at = 0
    while at < len(output):
        start = output.index(b"\n", at) + 1
        commit, _, size = output[at : start - 1].split(b" ")
        found.append(_parse_commit(commit.decode("ascii"), output[start : start + int(size)]))
        at = start + int(size) + 1
    return tuple(found)


def _parse_commit(commit: str, data: bytes) -> CommitInfo:
    """Parse a commit object: lines `key value` (a blank continues the one before), an empty line, the message."""
    head, _, message = data.partition(b"\n\n")
    lines = [line.partition(b" ")[::2] for line in head.split(b"\n")]
    headers = dict(reversed(lines))
    found = _IDENT.match(headers.get(b"author", b""))
    if found is None:
        raise GitError(f"commit {commit} has no readable author", hint="git fsck")
    name, email, seconds, offset = found.groups()
    encoding = headers.get(b"encoding", b"UTF-8")
    return CommitInfo(
        commit=commit,
        parents=tuple(value.decode("ascii") for key, value in lines if key == b"parent"),
        author=Person(_to_utf8(name, encoding), _to_utf8(email, encoding)),
        date=GitDate(int(seconds), offset.decode("ascii")),
        message=_to_utf8(message, encoding),
    )


def _to_utf8(text: bytes, encoding: bytes) -> bytes:
    """Convert where the commit names another encoding that fits; else the bytes are what they are."""
    try:
        return text.decode(encoding.decode("ascii")).encode("utf-8")
    except (LookupError, UnicodeError):
        return text
