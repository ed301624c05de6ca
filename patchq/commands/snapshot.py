"""`patchq snapshot`: releases on PyPI become upstream commits and tags."""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

import click

from patchq.commands.gathering import as_release, gather
from patchq.commands.workspace import short_path
from patchq.gitstore.first_checkout import check_out_first, create_repository, find_repository
from patchq.gitstore.lock import lock
from patchq.gitstore.snapshot import BRANCH, Branch, Shelf, Snapshot, count_files, publish, read_shelf
from patchq.pypi.paths import parse_prefix
from patchq.pypi.pin import Pin, parse_request

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from patchq.commands.session import Session
    from patchq.gitstore.repository import Repository
    from patchq.pypi.archive import Archive


@click.command()
@click.argument("releases", nargs=-1, required=True, metavar="NAME==VERSION|FILE...")
@click.option("--prefix", default="", metavar="DIR/", help="Put the files below this folder of the tree.")
@click.pass_obj
def command(session: Session, *, releases: tuple[str, ...], prefix: str) -> None:
    r"""Turn releases on PyPI into upstream commits and tags.

    Each release becomes a commit with the tag vVERSION, on top of the nearest lower version that was made into one; the
    branch upstream goes to the newest. The same releases give the same commit ids on every machine. pip fetches them,
    with your settings of it; an archive that you have can be given by its path (.whl, .tar.gz, .zip). Nothing of a
    release is executed. Compiled files are left out. A repository that is not there is made.

    \b
    Examples:
      patchq snapshot sglang==0.5.9 sglang==0.5.23 --prefix python/
      patchq --repo upstream snapshot ./sglang-0.5.9-py3-none-any.whl
    """
    placed = parse_prefix(prefix)
    requests = [parse_request(text) for text in releases]
    repo = find_repository(session.repo_option)
    shelf = Shelf() if repo is None else read_shelf(repo)
    with tempfile.TemporaryDirectory(prefix="patchq-snapshot-") as scratch:
        wanted = gather(requests, shelf, placed, Path(scratch), session.progress)
        # Every archive is here and was read to its end: only now is anything written.
        if repo is None:
            place = session.repo_option or Path.cwd()
            session.progress(f"making a repository in {place}")
            repo = create_repository(place)
        with lock(repo, "snapshot"):
            shelf, branch = _write(session, repo, shelf, wanted, placed)
    _report(session, repo, shelf, wanted, branch)


def _write(
    session: Session, repo: Repository, shelf: Shelf, wanted: Mapping[Pin, Archive | None], prefix: bytes
) -> tuple[Shelf, Branch | None]:
    """Publish what is missing, and give a new repository its first files."""
    branch = None
    missing = [archive for archive in wanted.values() if archive is not None]
    if missing:
        session.progress(f"writing {sum(archive.count for archive in missing)} files")
        shelf, branch = publish(repo, shelf, [as_release(archive, prefix) for archive in missing])
    if check_out_first(repo, BRANCH):
        session.progress(f"checked out {BRANCH}")
    return shelf, branch


def _report(
    session: Session, repo: Repository, shelf: Shelf, wanted: Mapping[Pin, Archive | None], branch: Branch | None
) -> None:
    """Print a line for each release that was asked for, and the summary."""
    asked = [one for one in shelf.snapshots if Pin(one.name, one.version) in wanted]
    asked.sort(key=lambda one: (one.name, one.version))
    rows = [(one, count_files(repo, one), wanted[Pin(one.name, one.version)] is not None) for one in asked]
    width = max(len(one.tag) for one in asked)
    for one, files, created in rows:
        done = f"made from {one.archive}" if created else "already there"
        session.say(f"{one.tag:{width}}  {one.commit[:12]}  {files:6} files  {done}")
    if branch is not None and branch.note is not None:
        session.progress(f"note: {branch.note}")
    made = sum(created for _, _, created in rows)
    moved = "" if branch is None or branch.note is not None else f", branch {branch.name} is at the newest"
    where = short_path(repo.work_tree or repo.git_dir)
    session.say(f"{len(rows)} {'release' if len(rows) == 1 else 'releases'} in {where}: {made} made{moved}")
    session.document(_document(repo, rows, branch))


def _document(repo: Repository, rows: Sequence[tuple[Snapshot, int, bool]], branch: Branch | None) -> dict[str, object]:
    return {
        "schema": 1,
        "command": "snapshot",
        "repository": str(repo.work_tree or repo.git_dir),
        "branch": None if branch is None else {"name": branch.name, "commit": branch.commit, "note": branch.note},
        "releases": [
            {
                "name": one.name,
                "version": str(one.version),
                "tag": one.tag,
                "commit": one.commit,
                "tree": one.tree,
                "files": files,
                "created": created,
                "archive": one.archive,
                "sha256": one.sha256,
            }
            for one, files, created in rows
        ],
    }
