from __future__ import annotations

from typing import TYPE_CHECKING

from patchq.gitstore.history import commit_patch
from patchq.gitstore.objects import CommitTree, ObjectReader
from patchq.gitstore.refs import resolve
from patchq.gitstore.repository import Repository
from patchq.gitstore.upstream_log import UpstreamLog
from patchq.queue.arrival import from_diff, read_message
from patchq.queue.naming import Named, landings, paths_of, reverts
from patchq.queue.sides import Misfit, sides_of
from tests.landing import FIRST, SECOND, text

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.gitrepo import GitRepo


def named(repo: GitRepo, what: Callable[..., Named], *, patch: str, base: str, tip: str) -> list[str]:
    """Name the commits, newest first, that `what` finds for the change of commit `patch`."""
    store = Repository.discover(repo.path)
    made = from_diff(read_message(b"p\n"), commit_patch(store, resolve(store, patch).commit), file="p")
    with ObjectReader(store) as reader:
        sides = sides_of(made, CommitTree(reader, resolve(store, base).tree))
    assert not isinstance(sides, Misfit)
    start, end = resolve(store, base).commit, resolve(store, tip).commit
    with UpstreamLog(store, start, end, paths_of(sides, {})) as log:
        found = what(log, sides, {})
        return [turn.step.commit for turn in found.newest_first(log)]


def reland(repo: GitRepo) -> dict[str, str]:
    return {
        "base": repo.commit("base", {"a.py": text()}),
        "land": repo.commit("land", {"a.py": text(FIRST, SECOND)}),
        "half": repo.commit("half back", {"a.py": text(SECOND)}),
        "back": repo.commit("all back", {"a.py": text((50, "y = 1"))}),
        "again": repo.commit("again", {"a.py": text(FIRST, SECOND, (50, "y = 1"))}),
        "later": repo.commit("later", {"a.py": text(FIRST, SECOND, (50, "y = 2"))}),
    }


def test_each_point_of_a_landing_a_revert_and_a_relanding_has_its_commit(repo: GitRepo) -> None:
    at = reland(repo)

    def landed(tip: str) -> list[str]:
        return named(repo, landings, patch=at["land"], base=at["base"], tip=at[tip])

    assert landed("land") == [at["land"]]
    assert landed("half") == [at["land"]]
    assert landed("back") == []
    assert landed("again") == [at["again"]]
    assert landed("later") == [at["again"]]


def test_the_reverting_commits_are_named_newest_first(repo: GitRepo) -> None:
    at = reland(repo)

    def reverted(tip: str) -> list[str]:
        return named(repo, reverts, patch=at["land"], base=at["base"], tip=at[tip])

    assert reverted("land") == []
    assert reverted("half") == [at["half"]]
    assert reverted("back") == [at["back"], at["half"]]
    assert reverted("again") == []


def test_other_words_are_found_by_halves(repo: GitRepo) -> None:
    base = repo.commit("base", {"a.py": "def f(a):\n    return a\n\n\n" + text()})
    patch = repo.commit("patch", {"a.py": "def f(a):\n    if a == 'x':\n        return 1\n    return a\n\n\n" + text()})
    repo.git("checkout", "-q", "--detach", base)
    for at in range(4):
        repo.commit("noise", {"a.py": "def f(a):\n    return a\n\n\n" + text((at, "n = 1"))})
    other = 'def f(a):\n    if a == "x":  # the odd one\n        return 1\n    return a\n\n\n'
    land = repo.commit("land", {"a.py": other + text((3, "n = 1"))})
    for at in range(4, 8):
        repo.commit("noise", {"a.py": other + text((at, "n = 1"))})
    assert named(repo, landings, patch=patch, base=base, tip="HEAD") == [land]
