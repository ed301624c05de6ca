"""The stream language of git-fast-import: quoted paths, cleaned identities, commits, and one process that writes them.

Source: the git-fast-import manual. The stream is bytes throughout. No reference moves: the temporary branch that every
commit has to name is reset to nothing at the end of the stream, and fast-import then never writes it.
"""

from __future__ import annotations

import os
import re
from dataclasses import dataclass
from enum import Enum
from typing import TYPE_CHECKING

from patchq.errors import PublishError
from patchq.gitstore.objects import TreeEntry
from patchq.model.tree import FileState, Mode

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from patchq.gitstore.git import Git
    from patchq.gitstore.repository import Repository
    from patchq.model.patch import GitDate, Person

# `unpackLimit=1`: one pack instead of up to 100 loose files halves the time of a small series; `compression=1` takes
# 20 % off, and the next `git gc` compresses better. `ignoreCase` would fold `A.py` into an existing `a.py`.
_SETTINGS = ("fastimport.unpackLimit=1", "core.compression=1", "pack.compression=1", "core.ignoreCase=false")

FileSource = FileState | TreeEntry  # the contents themselves, or what is in the object store already

_CRUD = bytes(range(33)) + b".,:;<>\"\\'"  # what git's ident.c strips from both ends of a name
_DATE_OFFSET = re.compile(r"[+-][0-9]{4}")
_FULL_ID = re.compile(rb"[0-9a-f]{40}|[0-9a-f]{64}")
_CRASH_REPORT = re.compile(rb"dumping crash report to (.+)\n")

_PRINTABLE = frozenset(range(ord(" "), ord("~") + 1)) - frozenset(b'"\\')
_QUOTED = [bytes([byte]) if byte in _PRINTABLE else b"\\%03o" % byte for byte in range(256)]

# Names that are `.git` to a case-folding, NTFS or HFS+ file system (git's own fsck list): a checkout would write there.
_HFS_IGNORED = dict.fromkeys([*range(0x200C, 0x2010), *range(0x202A, 0x202F), *range(0x206A, 0x2070), 0xFEFF])
_GIT_FOLDERS = frozenset({".git", "git~1"})


class Start(Enum):
    """The tree that the writes of a commit are made in."""

    FIRST_PARENT = "first parent"
    EMPTY = "empty"


@dataclass(frozen=True, slots=True, kw_only=True)
class Commit:
    """One commit to write, author and committer alike.

    `parents` are full commit ids; None means the commit before in the same call. `writes` maps paths to their new
    state, None deletes.
    """

    message: bytes
    person: Person
    date: GitDate
    writes: Mapping[bytes, FileSource | None]
    parents: Sequence[str] | None
    start: Start = Start.FIRST_PARENT


@dataclass(frozen=True, slots=True)
class Written:
    """The ids, in hex, of a commit that is in the object store now, and of its tree."""

    commit: str
    tree: str


def import_commits(repo: Repository, commits: Sequence[Commit], *, git: Git | None = None) -> tuple[Written, ...]:
    """Write `commits` by one git process and return their ids in order; PublishError where one cannot be written.

    The objects go into `repo`, or where `git` (of the same repository) writes.
    """
    if not commits:
        return ()
    branch = b"refs/patchq/tmp/" + os.urandom(8).hex().encode()
    stream = [b"feature done\n"]
    for mark, commit in enumerate(commits, 1):
        stream += _commit(branch, mark, commit)
    stream.append(b"reset %s\nfrom %s\n\ndone\n" % (branch, repo.null_id.encode()))
    bound = (git or repo.git).with_config(*_SETTINGS)
    done = bound.try_run("fast-import", "--quiet", "--date-format=raw-permissive", stdin=b"".join(stream))
    answers = done.stdout.split(b"\n")[:-1]
    if done.returncode != 0 or len(answers) != 2 * len(commits):
        report = _CRASH_REPORT.search(done.stderr)
        if report is not None:  # it repeats the stream, and nobody would ever remove it from the repository
            (repo.git_dir / os.fsdecode(report[1])).unlink(missing_ok=True)
        raise PublishError(f"the commits could not be written: {done.complaint}")
    pairs = zip(answers[::2], answers[1::2], strict=True)
    return tuple(Written(commit.decode(), listing.split()[2].decode()) for commit, listing in pairs)


def quote_path(path: bytes) -> bytes:
    """Quote in C style, which git reads wherever it allows quoted paths; every byte but NUL survives."""
    return b'"' + b"".join(map(_QUOTED.__getitem__, path)) + b'"'


def check_path(path: bytes) -> None:
    """Refuse with PublishError a path that would leave the tree or reach `.git` when somebody checks it out."""
    parts = path.split(b"/")
    if b"\0" in path or any(part in (b"", b".", b"..") or _is_git_folder(part) for part in parts):
        raise PublishError(f"{path!r} is not a path that a commit may contain")


def _is_git_folder(part: bytes) -> bool:
    name = part.decode("utf-8", "replace").translate(_HFS_IGNORED).lower()
    # On NTFS a backslash separates folders, `name:stream` opens `name`, and blanks and dots at the end are dropped.
    return any(piece.partition(":")[0].rstrip(" .") in _GIT_FOLDERS for piece in name.split("\\"))


def _commit(branch: bytes, mark: int, commit: Commit) -> list[bytes]:
    if b"\0" in commit.message:
        raise PublishError("a commit message may not contain a NUL byte")
    ident = _ident(commit.person, commit.date)
    stream = [
        # Without this a commit that names no parent goes on top of the one before.
        b"" if commit.parents is None else b"reset %s\n\n" % branch,
        b"commit %s\nmark :%d\nauthor %s\ncommitter %s\n" % (branch, mark, ident, ident),
        b"data %d\n%s\n" % (len(commit.message), commit.message),
    ]
    for place, parent in enumerate(commit.parents or ()):
        stream.append(b"%s %s\n" % (b"merge" if place else b"from", _full_id(parent.encode())))
    if commit.start is Start.EMPTY:
        stream.append(b"deleteall\n")
    stream += _writes(commit.writes)
    stream.append(b'\nget-mark :%d\nls :%d ""\n' % (mark, mark))
    return stream


def _writes(writes: Mapping[bytes, FileSource | None]) -> list[bytes]:
    kept = {path for path, state in writes.items() if state is not None}
    stream: list[bytes] = []
    # Deletions first, so that a file can take the place of a folder and the reverse.
    for path in sorted(writes, key=lambda path: (path in kept, path)):
        check_path(path)
        state = writes[path]
        if state is None:
            stream.append(b"D %s\n" % quote_path(path))
            continue
        if any(path[:at] in kept for at, byte in enumerate(path) if byte == ord("/")):
            raise PublishError(f"{path!r} lies below a path that is written as a file")
        if state.mode is None:
            raise PublishError(f"{path!r} is a folder")
        mode, data = state.mode.value.encode(), state.data if isinstance(state, FileState) else state.object_id.encode()
        if isinstance(state, TreeEntry) or state.mode is Mode.GITLINK:
            stream.append(b"M %s %s %s\n" % (mode, _full_id(data), quote_path(path)))
        else:
            stream += [b"M %s inline %s\ndata %d\n" % (mode, quote_path(path), len(data)), data, b"\n"]
    return stream


def _full_id(text: bytes) -> bytes:
    """Refuse what is no full id, because the stream is made of lines and this one may come from a patch."""
    if not _FULL_ID.fullmatch(text):
        raise PublishError(f"{text!r} is not a full object id")
    return text


def _ident(person: Person, date: GitDate) -> bytes:
    if date.seconds < 0 or not _DATE_OFFSET.fullmatch(date.offset):
        raise PublishError(f"git cannot store the date {date.seconds} {date.offset}")
    email = _clean(person.email)
    name = _clean(person.name) or email
    if not name:
        raise PublishError("a commit needs an author with a name or an address")
    offset = "+0000" if date.offset == "-0000" else date.offset
    return b"%s <%s> %d %s" % (name, email, date.seconds, offset.encode())


def _clean(text: bytes) -> bytes:
    """Strip as git does before it stores a name, so that the commit equals one made by git itself."""
    return text.strip(_CRUD).translate(None, b"\0\n<>")
