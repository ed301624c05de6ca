"""Shallow and partial clones: which objects are not here, how to bring many at once, which command brings one."""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

from patchq.errors import NetworkError
from patchq.gitstore.git import Git
from patchq.model.tree import Mode

if TYPE_CHECKING:
    from collections.abc import Iterable

    from patchq.gitstore.objects import CommitTree
    from patchq.gitstore.repository import Repository

# What git itself does for a single missing object (promisor-remote.c): no tags, no FETCH_HEAD, and no negotiation,
# because what is wanted hangs below commits that both sides have.
_LAZY_FETCH = ("fetch", "--no-tags", "--no-write-fetch-head", "--filter=blob:none", "--stdin")
_NO_NEGOTIATION = "fetch.negotiationAlgorithm=noop"


def promisor_remote(repo: Repository) -> str | None:
    """Return the remote that owes this clone its missing objects; None for an ordinary clone."""
    done = repo.git.try_run("config", "-z", "--type=bool", "--get-regexp", r"^remote\..*\.promisor$")
    for record in done.stdout.decode("utf-8", "surrogateescape").split("\0"):
        key, _, value = record.partition("\n")
        if value == "true":
            return key.removeprefix("remote.").removesuffix(".promisor")
    return None


def how_to_bring(repo: Repository, object_id: str) -> str:
    """Return the command that brings the missing object `object_id` into this repository."""
    remote = promisor_remote(repo)
    if remote is not None:
        return f"git fetch {remote} {object_id}"
    if repo.is_shallow:
        return "git fetch --unshallow"
    return f"git fetch origin {object_id}, or git fsck if it should be here"


def absent(repo: Repository, object_ids: Iterable[str]) -> tuple[str, ...]:
    """Return those of `object_ids` (hex) that are not in the object store, without fetching any.

    Git is asked through an empty repository that borrows the object store: it knows no promisor remote, so it says
    `missing` where the real one would start a fetch for each object.
    """
    wanted = "".join(f"{object_id}\n" for object_id in dict.fromkeys(object_ids))
    if not wanted:
        return ()
    with tempfile.TemporaryDirectory(prefix="patchq-") as name:
        probe = Path(name)
        (probe / "refs").mkdir()
        (probe / "HEAD").write_text("ref: refs/heads/none\n")
        sha256 = "\trepositoryFormatVersion = 1\n[extensions]\n\tobjectFormat = sha256\n"
        (probe / "config").write_text("[core]\n" + (sha256 if repo.object_format == "sha256" else ""))
        git = Git(probe, probe, env={"GIT_OBJECT_DIRECTORY": str(repo.common_dir / "objects")})
        answer = git.run("cat-file", "--batch-check=%(objectname)", stdin=wanted.encode()).decode()
    return tuple(line.removesuffix(" missing") for line in answer.splitlines() if line.endswith(" missing"))


def prefetch(repo: Repository, tree: CommitTree, paths: Iterable[bytes]) -> None:
    """Bring the files of `tree` at `paths` that a partial clone lacks by one fetch, not by one each when read.

    In an ordinary clone nothing happens: there a missing object is an error, and reading it says so. NetworkError when
    the promisor remote does not give them.
    """
    remote = promisor_remote(repo)
    if remote is None:
        return
    entries = (tree.find(path) for path in paths)
    missing = absent(
        repo, (entry.object_id for entry in entries if entry is not None and entry.mode not in (None, Mode.GITLINK))
    )
    if not missing:
        return
    wanted = "".join(f"{object_id}\n" for object_id in missing).encode()
    done = repo.git.with_config(_NO_NEGOTIATION).try_run(*_LAZY_FETCH, "--", remote, stdin=wanted)
    if done.returncode != 0:
        raise NetworkError(
            f"{len(missing)} files that this partial clone lacks cannot be fetched from {remote}: {done.complaint}",
            hint=f"git fetch {remote} {missing[0]}",
        )
