"""Which upstream state a patch was made for, by the blob ids in its diff."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from patchq.gitstore.partial import promisor_remote
from patchq.model.change import ChangeKind

if TYPE_CHECKING:
    from patchq.gitstore.repository import Repository
    from patchq.model.patch import Patch

_MOST_REFS = 300  # the newest ones: with 10 files 3,000 look-ups, 30 ms
_NAMESPACES = ("refs/tags", "refs/remotes", "refs/heads")


def made_for(repo: Repository, patch: Patch) -> str | None:
    """Name the newest tag or branch that has every file as `patch` found it; None where none has, or nothing tells.

    A partial clone is not asked: it would fetch the trees of every release.
    """
    wanted = [
        (change.old_path, change.old_id)
        for change in patch.changes
        if change.old_path is not None and change.old_id is not None and change.kind is not ChangeKind.COPY
    ]
    if not wanted or any(b"\n" in path for path, _ in wanted) or promisor_remote(repo) is not None:
        return None
    listed = repo.git.run(
        "for-each-ref", f"--count={_MOST_REFS}", "--sort=-creatordate", "--format=%(refname:short)", *_NAMESPACES
    )
    refs = listed.splitlines()
    asked = b"".join(ref + b":" + path + b"\n" for ref in refs for path, _ in wanted)
    answers = (
        repo.git.run("cat-file", "--batch-check=%(objectname)", stdin=asked).decode("utf-8", "replace").splitlines()
    )
    for index, ref in enumerate(refs):
        ids = answers[index * len(wanted) : (index + 1) * len(wanted)]
        if all(found.startswith(stated) for found, (_, stated) in zip(ids, wanted, strict=True)):
            return os.fsdecode(ref)
    return None
