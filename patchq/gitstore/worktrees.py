"""Which branches somebody is standing on, in any worktree: those must not move under the person's feet."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from patchq.gitstore.repository import Repository

# A rebase or bisect detaches HEAD, and names in these files the branches that it will come back to or move itself.
_UNDER_WAY = ("rebase-merge/head-name", "rebase-apply/head-name", "rebase-merge/update-refs", "BISECT_START")


def checked_out(repo: Repository) -> Mapping[str, Path]:
    """Return each branch (`refs/heads/…`, unborn ones too) that a work tree is on or in the middle of, and where."""
    held: dict[str, Path] = {}
    for record in repo.git.run("worktree", "list", "--porcelain", "-z").split(b"\0\0"):
        fields = dict(line.partition(b" ")[::2] for line in record.split(b"\0"))
        if b"branch" in fields:
            held[os.fsdecode(fields[b"branch"])] = Path(os.fsdecode(fields[b"worktree"]))
    for admin, place in _admin_folders(repo.common_dir):
        for branch in _under_way(admin):
            held.setdefault(branch, place)
    return held


def _admin_folders(common_dir: Path) -> Iterator[tuple[Path, Path]]:
    yield common_dir, common_dir.parent
    for admin in sorted((common_dir / "worktrees").glob("*")):
        link = admin / "gitdir"
        if link.is_file():
            yield admin, Path(os.fsdecode(link.read_bytes()).strip()).parent


def _under_way(admin: Path) -> Iterator[str]:
    for name in _UNDER_WAY:
        file = admin / name
        if not file.is_file():
            continue
        for line in os.fsdecode(file.read_bytes()).splitlines():
            if line.startswith("refs/heads/"):
                yield line
            elif name == "BISECT_START":
                yield f"refs/heads/{line}"
