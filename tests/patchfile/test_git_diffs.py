"""Against git itself: what git writes we read and write back byte for byte, and what we write git applies."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from patchq.model.change import BinaryBody, BinaryMethod, ChangeKind, FileChange, TextBody
from patchq.model.tree import Mode
from patchq.patchfile.binary import apply_block
from patchq.patchfile.parse import parse_changes
from patchq.patchfile.render import render_changes
from tests.gitrepo import GitRepo

if TYPE_CHECKING:
    from collections.abc import Mapping

_LINES = b"".join(b"line %d\n" % number for number in range(30))
_NOISE = bytes(range(256)) * 8
_ODD_NAMES = [
    "plain.py",
    "with blank.py",
    "tab\there",
    'quo"te',
    "back\\slash",
    "uml\u00e4ut/\u6f22\u5b57.py",
    "new\nline",
    " leading",
    "trailing ",
    "a b/c d",
    "b/x b/x",
    "-dash",
    "\x01\x7f",
    os.fsdecode(b"latin-\xe9"),
    "a/b.py",
    "dev/null",
]
_Files = dict[str, str | bytes | None]


def _diff(repo: GitRepo, *options: str) -> bytes:
    return repo.git("diff", "--full-index", "--binary", "--no-renames", *options, "HEAD~1", "HEAD")


def _round_trip(repo: GitRepo, *options: str) -> tuple[FileChange, ...]:
    diff = _diff(repo, *options)
    changes = parse_changes(diff, file="git diff")
    assert render_changes(changes) == diff
    repo.git("checkout", "-q", "--detach", "HEAD~1")
    repo.git("apply", "--index", "--binary", stdin=render_changes(changes))
    assert repo.text("write-tree") == repo.text("rev-parse", "main^{tree}")
    repo.git("reset", "-q", "--hard")
    repo.git("checkout", "-q", "main")
    return changes


def _two_commits(
    repo: GitRepo, before: Mapping[str, str | bytes | None], after: Mapping[str, str | bytes | None]
) -> None:
    repo.commit("before", before)
    repo.commit("after", after)


def test_odd_names_are_written_and_read_as_git_does(repo: GitRepo) -> None:
    before: _Files = dict.fromkeys(_ODD_NAMES, "old\nsame\n")
    after: _Files = dict.fromkeys(_ODD_NAMES, "new\nsame\n")
    _two_commits(repo, before, after)
    changes = _round_trip(repo)
    assert sorted(change.path for change in changes) == sorted(map(os.fsencode, _ODD_NAMES))


def test_odd_names_can_be_created_renamed_copied_and_deleted(repo: GitRepo) -> None:
    before: _Files = {name: f"{name!r}\n".encode() + _LINES for name in _ODD_NAMES}
    after: _Files = dict.fromkeys(_ODD_NAMES[:8])
    after |= {f"moved/{name}": before[name] for name in _ODD_NAMES[2:8]}
    after |= {f"copied {name}": before[name] for name in _ODD_NAMES[8:]}
    after |= {f"new {name}": f"{name!r} is new\n" for name in _ODD_NAMES}
    _two_commits(repo, before, after)
    changes = _round_trip(repo, "-M", "-C", "-C")
    assert {change.kind for change in changes} == set(ChangeKind) - {ChangeKind.MODIFY}
    assert all(change.similarity == 100 for change in changes if change.kind in {ChangeKind.RENAME, ChangeKind.COPY})


def test_names_survive_without_quoting_of_bytes_beyond_ascii(repo: GitRepo) -> None:
    _two_commits(repo, {"uml\u00e4ut b.py": "a\n"}, {"uml\u00e4ut b.py": "b\n"})
    (change,) = parse_changes(repo.git("-c", "core.quotePath=false", "show", "--format="), file="x")
    assert change.path == "uml\u00e4ut b.py".encode()


def test_line_ends_and_bytes_survive(repo: GitRepo) -> None:
    before: _Files = {
        "crlf": b"a\r\nb\r\nc\r\n",
        "cr": b"a\rb\rc\nd\n",
        "mixed": b"a\r\nb\nc\r\r\nd",
        "latin": b"caf\xe9\n\xff\xfe\n",
        "bom": b"\xef\xbb\xbfb = 1\n",
        "blank": b"\n\n \n\t\n",
        "feeds": b"a\x0cb\x0bc\x85d\xe2\x80\xa8e\n",
        "no newline": b"a\nb",
        "newline goes": b"a\nb\n",
        "newline comes": b"a\nb",
        "late nul": b"x\n" * 5000 + b"\0\n",
    }
    after = {name: data.replace(b"b", b"B") for name, data in before.items() if isinstance(data, bytes)}
    after |= {
        "newline goes": b"a\nb",
        "newline comes": b"a\nb\n",
        "blank": b"\n \n\n\t\n",
        "latin": b"caf\xe8\n\xff\xfe\n",
    }
    after["late nul"] = b"y\n" + b"x\n" * 5000 + b"\0\n"
    _two_commits(repo, before, after)
    assert len(_round_trip(repo)) == len(before)


def test_modes_links_empty_files_and_type_changes_survive(repo: GitRepo) -> None:
    before: _Files = {
        "script": _LINES,
        "both": _LINES,
        "gone": b"",
        "becomes link": b"text\n",
        "dies": b"one",
        "x": b"1\n",
    }
    repo.write(before)
    Path(repo.path, "link").symlink_to("target")
    Path(repo.path, "becomes file").symlink_to("target")
    repo.commit("before", {})
    for name in ("becomes link", "link", "becomes file"):
        Path(repo.path, name).unlink()
    Path(repo.path, "becomes link").symlink_to("../elsewhere")
    Path(repo.path, "link").symlink_to("other")
    Path(repo.path, "script").chmod(0o755)
    Path(repo.path, "both").chmod(0o755)
    after: _Files = {
        "both": _LINES + b"more\n",
        "gone": None,
        "dies": None,
        "empty": b"",
        "becomes file": b"text\n",
        "x": b"",
    }
    repo.commit("after", after)
    changes = {(change.path, change.kind): change for change in _round_trip(repo)}
    assert changes[b"script", ChangeKind.MODIFY].new_mode is Mode.EXECUTABLE
    assert changes[b"script", ChangeKind.MODIFY].body == TextBody(())
    assert changes[b"link", ChangeKind.MODIFY].old_mode is Mode.SYMLINK
    assert changes[b"becomes link", ChangeKind.DELETE].old_mode is Mode.REGULAR
    assert changes[b"becomes link", ChangeKind.CREATE].new_mode is Mode.SYMLINK
    assert changes[b"empty", ChangeKind.CREATE].body == TextBody(())


def test_renames_with_edits_and_modes_survive(repo: GitRepo) -> None:
    _two_commits(repo, {"a.py": _LINES, "b.py": _LINES[10:]}, {"a.py": None, "c d.py": _LINES + b"x\n"})
    Path(repo.path, "c d.py").chmod(0o755)
    repo.git("commit", "-q", "-a", "--amend", "-m", "after")
    (change,) = _round_trip(repo, "-M")
    assert (change.kind, change.old_path, change.new_path) == (ChangeKind.RENAME, b"a.py", b"c d.py")
    assert (change.old_mode, change.new_mode) == (Mode.REGULAR, Mode.EXECUTABLE)
    assert change.similarity is not None
    assert change.similarity < 100


def test_binary_files_survive_as_literals_and_deltas(repo: GitRepo) -> None:
    before: dict[str, bytes | None] = {
        "delta.bin": _NOISE,
        "literal.bin": b"\0abc",
        "dies.bin": b"\0" + _NOISE,
        "nl\n.bin": b"\0",
    }
    after: dict[str, bytes | None] = {
        "delta.bin": _NOISE[:700] + b"?" + _NOISE[700:],
        "literal.bin": b"\0xyz" * 99,
        "dies.bin": None,
    }
    after |= {"new.bin": b"\0new", "empty.bin": b"\0", "nl\n.bin": b"\0\n"}
    _two_commits(repo, {**before}, {**after})
    methods = set()
    for change in _round_trip(repo):
        assert isinstance(change.body, BinaryBody)
        assert change.body.reverse is not None
        old, new = (files.get(change.path.decode()) or b"" for files in (before, before | after))
        assert apply_block(change.body.forward, old) == new
        assert apply_block(change.body.reverse, new) == old
        methods |= {change.body.forward.method, change.body.reverse.method}
    assert methods == set(BinaryMethod)


@pytest.mark.parametrize("options", [(), ("-U0",), ("-U1",), ("-W",), ("--patience",), ("--inter-hunk-context=9",)])
def test_any_amount_of_context_survives(repo: GitRepo, options: tuple[str, ...]) -> None:
    after = _LINES.replace(b"line 3\n", b"").replace(b"line 12\n", b"line 12\nmore\n").replace(b"line 29\n", b"end")
    _two_commits(repo, {"x.py": b"def f():\n" + _LINES}, {"x.py": b"def f():\n" + after})
    diff = _diff(repo, *options)
    assert render_changes(parse_changes(diff, file="x")) == diff


def test_short_ids_and_other_prefixes_are_read(repo: GitRepo) -> None:
    _two_commits(repo, {"d/x.py": "a\n"}, {"d/x.py": "b\n"})
    short = repo.git("diff", "HEAD~1", "HEAD")
    (change,) = parse_changes(short, file="x")
    assert len(change.old_id or "") == 7
    assert render_changes((change,)) == short
    full = parse_changes(_diff(repo), file="x")
    assert parse_changes(_diff(repo, "--src-prefix=i/", "--dst-prefix=w/"), file="x") == full
    assert parse_changes(_diff(repo, "--no-prefix"), file="x", strip=0) == full
    assert parse_changes(_diff(repo, "--src-prefix=a/deep/", "--dst-prefix=b/deep/"), file="x", strip=2) == full


def test_a_repository_with_sha256_ids_is_read(tmp_path: Path) -> None:
    repo = GitRepo.create(tmp_path / "sha256", "--object-format=sha256")
    _two_commits(repo, {"x": "a\n", "y": ""}, {"x": "b\n", "y": None, "z": ""})
    assert {len(change.new_id or "") for change in _round_trip(repo)} == {64}


def test_a_rewrite_with_dissimilarity_index_is_read(repo: GitRepo) -> None:
    _two_commits(repo, {"x": _LINES}, {"x": _LINES.replace(b"line", b"row")})
    (change,) = parse_changes(_diff(repo, "-B"), file="x")
    assert change.similarity is None
    assert change.kind is ChangeKind.MODIFY
