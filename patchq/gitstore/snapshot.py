"""Releases as upstream commits and tags: found again by their trailers, chained by version, published at once."""

from __future__ import annotations

import os
from dataclasses import dataclass
from typing import TYPE_CHECKING

from packaging.version import InvalidVersion, Version

from patchq.errors import GitError
from patchq.gitstore.refs import RefUpdate, update_refs
from patchq.gitstore.snapshot_stream import IDENTITY, Step, write_steps
from patchq.gitstore.worktrees import checked_out

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from patchq.gitstore.repository import Repository
    from patchq.model.tree import FileState

BRANCH = "upstream"
_BRANCH_REF = f"refs/heads/{BRANCH}"
_EMAIL = IDENTITY.rpartition(b" ")[2]
_RELEASE, _ARCHIVE, _DIGEST, _PREFIX = "Patchq-Release", "Patchq-Archive", "Patchq-SHA256", "Patchq-Prefix"
_FORMAT = "%(refname)%00%(objectname)%00%(tree)%00%(committeremail)%00%(contents)%00"
_FIELDS = 5


@dataclass(frozen=True, slots=True, kw_only=True)
class Release:
    """A release to be written: `name` canonical, `seconds` its date (since 1970, UTC), `prefix` empty or `a/b/`.

    `files` is called once and gives the files without the prefix, each when it is its turn.
    """

    name: str
    version: Version
    archive: str
    sha256: str
    seconds: int
    prefix: bytes
    files: Callable[[], Iterable[tuple[bytes, FileState]]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Snapshot:
    """A release in the repository; ids are full hex."""

    name: str
    version: Version
    archive: str
    sha256: str
    prefix: bytes
    tag: str
    commit: str
    tree: str


@dataclass(frozen=True, slots=True)
class Shelf:
    """The snapshots of a repository, and the other tags that it has, by name."""

    snapshots: tuple[Snapshot, ...] = ()
    other_tags: frozenset[str] = frozenset()

    def find(self, name: str, version: Version, prefix: bytes) -> Snapshot | None:
        """Return the snapshot of a release, None where there is none; GitError where something else has its tag."""
        tag = f"v{version}"
        for snapshot in self.snapshots:
            if snapshot.name == name and snapshot.version == version:
                if snapshot.prefix != prefix:
                    made = f"with the prefix {os.fsdecode(snapshot.prefix)}" if snapshot.prefix else "without a prefix"
                    raise GitError(
                        f"{snapshot.tag} was made {made}",
                        hint="give the same --prefix, or another repository with --repo",
                    )
                return snapshot
            if snapshot.tag == tag:
                raise GitError(
                    f"the tag {tag} is taken: it is {snapshot.name}=={snapshot.version}",
                    hint="give each project a repository of its own with --repo",
                )
        if tag in self.other_tags:
            raise GitError(
                f"the tag {tag} exists and was not made by patchq snapshot",
                hint=f"use {tag} as it is, or make the snapshot in another repository with --repo",
            )
        return None


@dataclass(frozen=True, slots=True)
class Branch:
    """The branch of the newest release: its commit (None: it does not exist), and why it was left alone, if it was."""

    name: str
    commit: str | None
    note: str | None


def read_shelf(repo: Repository) -> Shelf:
    """Read the tags of `repo` with one git process, whatever their number."""
    fields = repo.git.run("for-each-ref", f"--format={_FORMAT}", "refs/tags").split(b"\0")
    snapshots: list[Snapshot] = []
    other: set[str] = set()
    for at in range(0, len(fields) - _FIELDS + 1, _FIELDS):
        tag = os.fsdecode(fields[at].lstrip(b"\n").removeprefix(b"refs/tags/"))
        snapshot = _parse(tag, *fields[at + 1 : at + _FIELDS])
        if snapshot is None:
            other.add(tag)
        else:
            snapshots.append(snapshot)
    return Shelf(tuple(snapshots), frozenset(other))


def count_files(repo: Repository, snapshot: Snapshot) -> int:
    """Count the files of a snapshot."""
    return repo.git.run("ls-tree", "-r", "-z", "--name-only", snapshot.commit).count(b"\0")


def publish(repo: Repository, shelf: Shelf, releases: Sequence[Release]) -> tuple[Shelf, Branch]:
    """Write `releases` as commits, then make all their tags and move the branch in one transaction.

    The parent of each is the nearest lower version of its project, among them or on `shelf`. Returns the shelf with
    them on it, and what became of the branch. PublishError, with no reference changed, when git refuses or another run
    was faster.
    """
    ordered = sorted(releases, key=lambda release: (release.name, release.version))
    steps = [_step(shelf, ordered, index) for index in range(len(ordered))]
    made = tuple(
        Snapshot(
            name=release.name,
            version=release.version,
            archive=release.archive,
            sha256=release.sha256,
            prefix=release.prefix,
            tag=f"v{release.version}",
            commit=written.commit,
            tree=written.tree,
        )
        for release, written in zip(ordered, write_steps(repo, steps), strict=True)
    )
    whole = Shelf((*shelf.snapshots, *made), shelf.other_tags)
    updates = [RefUpdate(ref=f"refs/tags/{one.tag}", new=one.commit, expected_old=None) for one in made]
    branch, move = _plan_branch(repo, whole)
    if move is not None:
        updates.append(move)
    names = ", ".join(f"{one.name}=={one.version}" for one in made)
    update_refs(repo, updates, message=f"patchq snapshot: {names}")
    return whole, branch


def _step(shelf: Shelf, ordered: Sequence[Release], index: int) -> Step:
    release = ordered[index]
    lower: dict[Version, str | int] = {
        snapshot.version: snapshot.commit for snapshot in shelf.snapshots if snapshot.name == release.name
    }
    lower |= {other.version: at for at, other in enumerate(ordered) if other.name == release.name}
    nearest = max((version for version in lower if version < release.version), default=None)
    return Step(
        message=_message(release),
        seconds=release.seconds,
        files=lambda: ((release.prefix + path, state) for path, state in release.files()),
        parent=None if nearest is None else lower[nearest],
    )


def _plan_branch(repo: Repository, shelf: Shelf) -> tuple[Branch, RefUpdate | None]:
    """Decide where the branch goes: to the highest version of the project it is at, if that harms nobody."""
    done = repo.git.try_run("rev-parse", "--quiet", "--verify", _BRANCH_REF)
    old = done.stdout.decode("ascii").strip() or None
    tip = next((snapshot for snapshot in shelf.snapshots if snapshot.commit == old), None)
    if old is not None and tip is None:
        return Branch(BRANCH, old, f"branch {BRANCH} was left alone: its tip is not a snapshot"), None
    name = shelf.snapshots[-1].name if tip is None else tip.name
    newest = max((one for one in shelf.snapshots if one.name == name), key=lambda one: one.version)
    if newest is tip:
        return Branch(BRANCH, newest.commit, None), None
    place = checked_out(repo).get(_BRANCH_REF)
    if place is not None:
        note = (
            f"branch {BRANCH} was left alone: it is checked out in {place}; git merge --ff-only {newest.tag} moves it"
        )
        return Branch(BRANCH, old, note), None
    return Branch(BRANCH, newest.commit, None), RefUpdate(ref=_BRANCH_REF, new=newest.commit, expected_old=old)


def _message(release: Release) -> bytes:
    lines = [
        f"{release.name} {release.version}",
        "",
        "The files of a published release; made by patchq snapshot.",
        "",
        f"{_RELEASE}: {release.name}=={release.version}",
        f"{_ARCHIVE}: {release.archive}",
        f"{_DIGEST}: {release.sha256}",
    ]
    if release.prefix:
        lines.append(f"{_PREFIX}: {os.fsdecode(release.prefix)}")
    return "".join(f"{line}\n" for line in lines).encode("utf-8", "surrogateescape")


def _parse(tag: str, commit: bytes, tree: bytes, email: bytes, contents: bytes) -> Snapshot | None:
    """Read a tag's commit as a snapshot; None for any other tag, an amended or rebased snapshot included."""
    if email != _EMAIL:
        return None
    paragraph = contents.rstrip(b"\n").rpartition(b"\n\n")[2].decode("utf-8", "surrogateescape")
    fields = dict(line.partition(":")[::2] for line in paragraph.split("\n"))
    name, _, text = fields.get(_RELEASE, "").strip().partition("==")
    try:
        version = Version(text)
    except InvalidVersion:
        return None
    if tag != f"v{version}":
        return None
    return Snapshot(
        name=name,
        version=version,
        archive=fields.get(_ARCHIVE, "").strip(),
        sha256=fields.get(_DIGEST, "").strip(),
        prefix=os.fsencode(fields.get(_PREFIX, "").strip()),
        tag=tag,
        commit=commit.decode("ascii"),
        tree=tree.decode("ascii"),
    )
