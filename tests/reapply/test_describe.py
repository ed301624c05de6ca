from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from patchq.errors import ApplyError
from patchq.model.tree import FileState, Mode
from patchq.patchfile.render import render_changes
from patchq.reapply.describe import HashAlgorithm, blob_id, diff_states
from tests.gitrepo import GitRepo

if TYPE_CHECKING:
    from pathlib import Path

    from patchq.model.change import FileChange

_NUMBERS = b"".join(b"line %d\n" % number for number in range(40))
_LONG = b"".join(b"%d," % number for number in range(400)) + b"\n"


@pytest.mark.parametrize("algorithm", HashAlgorithm)
def test_blob_ids_are_those_of_git(tmp_path: Path, algorithm: HashAlgorithm) -> None:
    repo = GitRepo.create(tmp_path / "ids", f"--object-format={algorithm.value}")
    data = b"\0\r\n\xff"
    assert blob_id(data, algorithm).encode() == repo.git("hash-object", "--stdin", stdin=data).strip()


def _state(repo: GitRepo, rev: str, path: str) -> FileState | None:
    listed = repo.git("ls-tree", rev, "--", path).split()
    return FileState(Mode(listed[0].decode()), repo.file(rev, path)) if listed else None


def test_a_change_is_described_as_git_shows_it(repo: GitRepo) -> None:
    repo.commit(
        "old",
        {
            "changed": _NUMBERS,
            "deleted": _NUMBERS[:60],
            "emptied": b"1\n",
            "empty": b"",
            "binary": b"\0old",
            "moved-old": _NUMBERS + b"moved\n",
            "long-old": _LONG * 3,
            "as-it-was-old": b"this one is only moved\n",
            "typed": b"text\n",
        },
    )
    for name in ("moved", "long", "as-it-was"):
        repo.git("mv", f"{name}-old", f"{name}-new")
    (repo.path / "typed").unlink()
    (repo.path / "typed").symlink_to("changed")
    (repo.path / "binary").chmod(0o755)
    (repo.path / "empty").chmod(0o755)
    repo.commit(
        "new",
        {
            "changed": _NUMBERS.replace(b"line 7\n", b"").removesuffix(b"\n"),
            "created": b"new\n",
            "created-empty": b"",
            "deleted": None,
            "emptied": b"",
            "binary": b"\0new",
            "moved-new": _NUMBERS.replace(b"line 9\n", b"another line\n") + b"moved\n",
            "long-new": _LONG * 2 + _LONG.replace(b",20,", b"|20|"),
        },
    )
    names = (
        *("as-it-was", "binary", "changed", "created", "created-empty", "deleted", "emptied", "empty", "long", "moved"),
        "typed",
    )
    changes: list[FileChange] = []
    for name in names:
        moved = name in {"as-it-was", "long", "moved"}
        old, new = (f"{name}-old", f"{name}-new") if moved else (name, name)
        states = _state(repo, "HEAD~", old), _state(repo, "HEAD", new)
        changes += diff_states(old.encode(), states[0], new.encode(), states[1])
    shown = repo.git("diff", "--binary", "--full-index", "-M", "HEAD~", "HEAD")
    assert render_changes(changes).decode("latin-1") == shown.decode("latin-1")


def test_equal_states_at_one_path_are_no_change() -> None:
    state = FileState(Mode.REGULAR, b"1\n")
    assert diff_states(b"a", state, b"a", state) == ()
    assert diff_states(b"a", None, b"a", None) == ()


def test_submodules_are_refused_by_name() -> None:
    with pytest.raises(ApplyError, match="vendor/lib is a submodule"):
        diff_states(b"vendor/lib", None, b"vendor/lib", FileState(Mode.GITLINK, b"1" * 40))
