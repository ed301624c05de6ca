"""What `patchq demo` plays with: the series that ship with patchq, and the small upstream for use without a network."""

from __future__ import annotations

from pathlib import Path

from patchq.errors import SeriesError
from patchq.gitstore.first_checkout import check_out_first
from patchq.gitstore.refs import RefUpdate, update_refs
from patchq.gitstore.repository import Repository
from patchq.gitstore.writer import CommitSpec, write_commits
from patchq.model.patch import GitDate, Person
from patchq.model.tree import FileState, Mode

_PACKAGE = Path(__file__).parents[1]
_UPSTREAM = _PACKAGE / "data" / "demo" / "upstream"
OFFLINE_SERIES = _PACKAGE / "data" / "demo" / "series"

_BRANCH = "upstream"
_AUTHOR = Person(b"kiln", b"kiln@example.org")
_FIRST_DAY = 1767603600  # 2026-01-05 09:00 UTC; the releases follow one another by a month
_MONTH = 30 * 24 * 3600


def shipped_series() -> Path:
    """Return the series that ships with patchq: inside an installed package, beside it in a checkout."""
    for root in (_PACKAGE / "data" / "series", _PACKAGE.parent / "series"):
        if (root / "patchq.yaml").is_file():
            return root
    raise SeriesError("this installation of patchq has no series to show", hint="patchq demo --offline")


def make_offline_upstream(folder: Path) -> str:
    """Make a repository in `folder` with the releases that ship as files, a commit and a tag each; name the newest."""
    releases = sorted(path for path in _UPSTREAM.iterdir() if path.is_dir())
    repo = Repository.create(folder)
    before: dict[bytes, FileState] = {}
    specs = []
    for number, release in enumerate(releases):
        files = {path: FileState(Mode.REGULAR, data) for path, data in _files(release).items()}
        writes: dict[bytes, FileState | None] = dict.fromkeys(before.keys() - files.keys())
        writes.update(files)
        message = f"kiln {release.name.removeprefix('v')}\n".encode()
        date = GitDate(_FIRST_DAY + number * _MONTH, "+0000")
        specs.append(CommitSpec(message=message, author=_AUTHOR, date=date, writes=writes))
        before = files
    written = write_commits(repo, None, specs)
    updates = [
        RefUpdate(ref=f"refs/tags/{release.name}", new=commit.commit, expected_old=None)
        for release, commit in zip(releases, written, strict=True)
    ]
    tip = RefUpdate(ref=f"refs/heads/{_BRANCH}", new=written[-1].commit, expected_old=None)
    update_refs(repo, [*updates, tip], message="patchq demo")
    check_out_first(repo, _BRANCH)
    return releases[-1].name


def _files(release: Path) -> dict[bytes, bytes]:
    return {
        path.relative_to(release).as_posix().encode(): path.read_bytes()
        for path in sorted(release.rglob("*"))
        if path.is_file() and "__pycache__" not in path.parts
    }
