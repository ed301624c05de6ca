"""The commits between two upstream states that touch given paths, with the versions before and after each."""

from __future__ import annotations

from collections import OrderedDict
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Self

from patchq.gitstore.conversation import Conversation
from patchq.gitstore.objects import CommitTree, ObjectReader
from patchq.gitstore.rawdiff import parse_raw
from patchq.gitstore.refs import resolve
from patchq.model.tree import FileState, Mode
from patchq.model.upstream import Step, Turned, Version

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping
    from types import TracebackType

    from patchq.gitstore.objects import TreeEntry
    from patchq.gitstore.repository import Repository

_RAW = ("diff-tree", "--stdin", "-r", "-z", "--raw")
_RENAMES = ("diff-tree", "-r", "-z", "--raw", "-M50%", "-l400", "--diff-filter=R")
_FORMAT = "--format=%H %T %P"
# Git echoes a line that names no object, and flushes: so one process answers any number of questions. A question must
# fit a pipe (64 KiB), because git may already wait with its answer while the question is still being written. No path
# starts with a slash.
_MARK = b"//"
_AT_ONCE = 320  # pairs of ids, 130 bytes each where they are SHA-256
# Naming a commit is worth no network: a partial clone that lacks a tree or a blob says so instead of fetching each.
_OFFLINE = "protocol.allow=never"
_KEPT_BYTES = 48 * 1024 * 1024  # of file contents: several edits ask for the same versions one after the other
_MOST_PATHS = 64 * 1024  # bytes; far below ARG_MAX, and a diff of whole trees costs the same then


@dataclass(frozen=True, slots=True)
class _Node:
    tree: str
    parents: tuple[str, ...]  # the one that the line is followed to comes first
    first: str | None  # as the commit has them
    rank: int


class UpstreamLog:
    """The history between `base` and `tip` (commit ids) as `model.upstream.History`; use with `with`.

    The commits are listed once, without their files. What they change is asked of one `git diff-tree`, as far back as
    somebody looks: the cost follows the length of the history, with `paths` alone to be compared in each commit
    (20,000 commits of 30,000 files: 0.9 s). A path that is asked for later gets a process of its own.
    """

    def __init__(self, repo: Repository, base: str, tip: str, paths: frozenset[bytes]) -> None:
        """List the commits; GitError where `base` or `tip` is not here."""
        self._repo = repo
        self._nodes, self._cut = _list(repo, base, tip)
        self._tip = tip
        self._reader = ObjectReader(repo, git=repo.git.with_config(_OFFLINE))
        self._asked = [_Differ(repo, frozenset(paths), self._nodes)]
        self._main = frozenset(self._line(tip, frozenset()))
        self._brought: dict[str, str] = {}
        self._blobs: OrderedDict[str, FileState] = OrderedDict()
        self._size = 0

    def __enter__(self) -> Self:
        """Return the log itself."""
        self._reader.__enter__()
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        """End the processes."""
        for asked in self._asked:
            asked.end()
        self._reader.__exit__(kind, error, at)

    @property
    def tip(self) -> str:
        """The commit at which the history ends."""
        return self._tip

    @property
    def complete(self) -> bool:
        """Whether no commit between base and tip is cut off by a shallow clone."""
        return not self._cut

    def steps(self, start: str, paths: frozenset[bytes]) -> Iterator[Step]:
        """Yield the commits that change one of `paths`, newest first: see `History.steps`."""
        stop = frozenset[str]() if start in self._main else self._main
        line = self._line(start, stop)
        differs = [self._differ(path) for path in sorted(paths)]
        ahead = 8  # most questions are answered near the tip; the others soon ask by hundreds
        while chunk := [commit for _, commit in zip(range(ahead), line, strict=False)]:
            ahead = min(ahead * 4, _AT_ONCE)
            for differ in {id(one): one for one in differs}.values():
                differ.learn(chunk)
            for commit in chunk:
                changes: dict[bytes, Turned] = {}
                for differ in differs:
                    changes.update((path, t) for path, t in differ.known[commit].items() if path in paths)
                if changes:
                    yield Step(commit, self._nodes[commit].parents, changes)

    def holds(self, commit: str) -> bool:
        """Whether `commit` is one of the history."""
        return commit in self._nodes

    def rank(self, commit: str) -> int:
        """Return a number that is lower for newer commits: a commit comes before all that it stands on."""
        return self._nodes[commit].rank

    def brought_by(self, commit: str) -> str | None:
        """Return the merge on the tip's line of first parents with which `commit` came; None for one on that line."""
        if not self._brought:
            self._brought = _brought(self._nodes, self._tip)
        bringer = self._brought.get(commit)
        return None if bringer == commit else bringer

    def versions(self, commit: str, paths: frozenset[bytes]) -> Mapping[bytes, Version | None]:
        """Return what `commit` has at each of `paths`; GitError for one that is not here."""
        node = self._nodes.get(commit)
        tree = CommitTree(self._reader, resolve(self._repo, commit).tree if node is None else node.tree)
        return {path: _version(tree.find(path)) for path in paths}

    def read(self, version: Version) -> FileState:
        """Return the bytes of a version; a bounded number of them is kept. GitError where they are missing."""
        if version.mode is Mode.GITLINK:
            return FileState(version.mode, version.object_id.encode())
        known = self._blobs.get(version.object_id)
        if known is None:
            known = FileState(version.mode, self._reader.read_blob(version.object_id))
            self._size += len(known.data)
        self._blobs[version.object_id] = known
        self._blobs.move_to_end(version.object_id)
        while self._size > _KEPT_BYTES and len(self._blobs) > 1:
            self._size -= len(self._blobs.popitem(last=False)[1].data)
        return known if known.mode is version.mode else FileState(version.mode, known.data)

    def came_from(self, step: Step, path: bytes) -> tuple[bytes, Version] | None:
        """Return which file of the first parent `step` has moved to `path`, if git takes that for a rename."""
        git = self._repo.git.with_config(_OFFLINE)
        output = git.run(*_RENAMES, step.parents[0], step.commit)
        for change in parse_raw(output):
            if change.new_path == path and (version := _version(change.old)) is not None:
                return change.old_path, version
        return None

    def _line(self, start: str, stop: frozenset[str]) -> Iterator[str]:
        """Follow first parents from `start` on, over the commits whose parents are known."""
        commit = start
        while (node := self._nodes.get(commit)) is not None and node.parents and commit not in stop:
            yield commit
            commit = node.parents[0]

    def _differ(self, path: bytes) -> _Differ:
        for differ in self._asked:
            if path in differ.paths:
                return differ
        self._asked.append(_Differ(self._repo, frozenset({path}), self._nodes))
        return self._asked[-1]


@dataclass(slots=True)
class _Differ:
    """One `git diff-tree` for a set of paths, and what it has said so far of each commit against its first parent."""

    repo: Repository
    paths: frozenset[bytes]
    nodes: Mapping[str, _Node]
    known: dict[str, Mapping[bytes, Turned]] = field(default_factory=dict)
    git: Conversation | None = None

    def learn(self, commits: Iterable[str]) -> None:
        """Ask for all of `commits` (at most 320) that are not known yet."""
        wanted = [commit for commit in commits if commit not in self.known]
        if not wanted:
            return
        few = sorted(self.paths) if sum(map(len, self.paths)) <= _MOST_PATHS else ()
        git = self.git = self.git or Conversation(
            self.repo.git.with_config(_OFFLINE), *_RAW, "--no-renames", "--", *few
        )
        # With a parent named, git compares with that one alone: a merge with what was there before it.
        pairs = [f"{commit} {self.nodes[commit].parents[0]}".encode() for commit in wanted]
        output = git.ask_until(b"\n".join(pairs), _MARK)
        found: dict[str, dict[bytes, Turned]] = {commit: {} for commit in wanted}
        for change in parse_raw(output):
            if change.new_path in self.paths and change.commit is not None:
                found[change.commit][change.new_path] = Turned(_version(change.old), _version(change.new))
        self.known.update(found)

    def end(self) -> None:
        """Stop git."""
        git, self.git = self.git, None
        if git is not None:
            git.end()


def _list(repo: Repository, base: str, tip: str) -> tuple[dict[str, _Node], bool]:
    """List the commits of tip that base has not, and say whether a shallow clone has cut some off.

    Of the parents of a merge the first one comes first, unless only another one stands on base: then it is that one, so
    that the line from the tip ends at base wherever base is an ancestor.
    """
    span = ("--end-of-options", tip, f"^{base}", "--")
    output = repo.git.run("rev-list", "--topo-order", "--no-commit-header", _FORMAT, *span)
    nodes: dict[str, _Node] = {}
    on_base = {base}
    lines = output.decode("ascii").splitlines()
    for age, line in enumerate(reversed(lines)):
        commit, tree, *rest = line.split(" ")
        parents = list(filter(None, rest))
        first = parents[0] if parents else None
        standing = [parent for parent in parents if parent in on_base]
        if standing:
            on_base.add(commit)
            parents.remove(standing[0])
            parents.insert(0, standing[0])
        nodes[commit] = _Node(tree, tuple(parents), first, len(lines) - age)
    edge = (repo.common_dir / "shallow").read_text("ascii").split() if repo.is_shallow else ()
    return nodes, any(commit in nodes for commit in edge)


def _brought(nodes: Mapping[str, _Node], tip: str) -> dict[str, str]:
    """Say of each commit which one on the line of first parents from `tip` is the first that has it."""
    line: list[str] = []
    commit: str | None = tip
    while commit is not None and commit in nodes:
        line.append(commit)
        commit = nodes[commit].first
    found: dict[str, str] = {}
    for bringer in reversed(line):
        ahead = [bringer]
        while ahead:
            at = ahead.pop()
            if at in nodes and at not in found:
                found[at] = bringer
                ahead += nodes[at].parents
    return found


def _version(entry: TreeEntry | None) -> Version | None:
    return None if entry is None or entry.mode is None else Version(entry.mode, entry.object_id)
