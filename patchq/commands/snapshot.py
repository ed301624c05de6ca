"""`patchq snapshot`: releases on PyPI become upstream commits and tags."""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, assert_never

import click

from patchq.errors import GitError
from patchq.gitstore.first_checkout import check_out_first, create_repository, find_repository
from patchq.gitstore.snapshot import BRANCH, Branch, Release, Shelf, count_files, publish, read_shelf
from patchq.pypi.archive import Archive, open_archive
from patchq.pypi.paths import parse_prefix
from patchq.pypi.pin import Pin, parse_request
from patchq.pypi.pip import Pip

if TYPE_CHECKING:
    from collections.abc import Sequence

    from patchq.commands.session import Session
    from patchq.gitstore.repository import Repository


@click.command("snapshot")
@click.argument("releases", nargs=-1, required=True, metavar="NAME==VERSION|FILE...")
@click.option("--prefix", default="", metavar="DIR/", help="Put the files below this folder, such as python/.")
@click.pass_obj
def command(session: Session, releases: tuple[str, ...], prefix: str) -> None:
    """Turn releases on PyPI into upstream commits and tags.

    Each release becomes one commit with the tag vVERSION, on top of the nearest lower version that was made into one;
    the branch upstream goes to the newest. The same releases give the same commit ids on every machine. pip fetches
    the archives, with your settings of it; an archive that you have can be given by its path (.whl, .tar.gz, .zip).
    Nothing of a release is executed. A repository that is not there is made.
    """
    placed = parse_prefix(prefix)
    requests = [parse_request(text) for text in releases]
    start = session.repo_option or Path.cwd()
    repo = find_repository(start)
    shelf = Shelf() if repo is None else read_shelf(repo)
    with tempfile.TemporaryDirectory(prefix="patchq-snapshot-") as scratch:
        wanted = _collect(session, requests, shelf, placed, Path(scratch))
        missing = [_release(archive, placed) for archive in wanted.values() if archive is not None]
        # Every archive is here and was read to its end: only now is anything written.
        branch = None
        if repo is None:
            session.progress(f"making a repository in {start}")
            repo = create_repository(start)
        if missing:
            session.progress(f"writing {sum(archive.count for archive in wanted.values() if archive)} files")
            shelf, branch = publish(repo, shelf, missing)
    if check_out_first(repo, BRANCH):
        session.progress(f"checked out {BRANCH}")
    _report(session, repo, shelf, wanted, branch)


def _collect(
    session: Session, requests: Sequence[Pin | Path], shelf: Shelf, prefix: bytes, scratch: Path
) -> dict[Pin, Archive | None]:
    """Open an archive for each release that is asked for, in the order of names and versions; None if it is there."""
    wanted: dict[Pin, Archive | None] = {}
    for number, request in enumerate(requests):
        match request:
            case Pin():
                pin, archive = request, None
            case Path():
                archive = open_archive(request)
                pin = archive.pin
            case never:
                assert_never(never)
        known = shelf.find(pin.name, pin.version, prefix)
        if known is not None and archive is not None and archive.sha256 != known.sha256:
            raise GitError(
                f"{known.tag} was made from another archive, {known.archive}",
                hint="make the snapshot of this one in another repository with --repo",
            )
        if known is None and archive is None and wanted.get(pin) is None:
            folder = scratch / str(number)
            folder.mkdir()
            archive = open_archive(Pip(session.progress).fetch(pin, folder))
        wanted[pin] = wanted.get(pin) or (None if known else archive)
    return dict(sorted(wanted.items(), key=lambda item: (item[0].name, item[0].version)))


def _release(archive: Archive, prefix: bytes) -> Release:
    return Release(
        name=archive.pin.name,
        version=archive.pin.version,
        archive=archive.path.name,
        sha256=archive.sha256,
        seconds=archive.newest,
        prefix=prefix,
        files=archive.files,
    )


def _report(
    session: Session, repo: Repository, shelf: Shelf, wanted: dict[Pin, Archive | None], branch: Branch | None
) -> None:
    """Print a line for each release, what became of the branch, and the summary; or all of it as JSON."""
    asked = [one for one in shelf.snapshots if Pin(one.name, one.version) in wanted]
    rows = [(one, count_files(repo, one), wanted[Pin(one.name, one.version)] is not None) for one in asked]
    rows.sort(key=lambda row: (row[0].name, row[0].version))
    width = max(len(one.tag) for one, _, _ in rows)
    for one, files, created in rows:
        done = f"made from {one.archive}" if created else "already there"
        session.say(f"{one.tag:{width}}  {one.commit[:12]}  {files:6} files  {done}")
    if branch is not None and branch.note is not None:
        session.progress(f"note: {branch.note}")
    made = sum(created for _, _, created in rows)
    where = "" if branch is None or branch.note is not None else f"; branch {branch.name} is at the newest"
    session.say(f"{len(rows)} {'release' if len(rows) == 1 else 'releases'}: {made} made{where}")
    session.document(
        {
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
    )
