from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.gitrepo import GitRepo
from tests.importing import patch
from tests.running import patchq

if TYPE_CHECKING:
    from pathlib import Path

    from tests.fork import Files


def odd_files() -> tuple[Files, Files]:
    before: Files = {
        "crlf.txt": b"one\r\ntwo\r\nthree\r\n",
        "mixed.txt": b"one\r\ntwo\nlone\rcr\nthree\n",
        "noend.txt": b"one\ntwo",
        "latin.py": "# coding: latin-1\ns = 'gr\u00fc\u00dfe'\n".encode("latin-1"),
        "bom.py": b"\xef\xbb\xbfa = 1\n",
        'na me/q"uo\\te\tta b.txt': b"x\n",
        "gr\u00fc\u00dfe.txt": b"x\n",
        "binary.bin": bytes(range(256)) * 20,
        "gone.txt": b"gone\n",
        "old-name.txt": b"".join(b"line %d\n" % number for number in range(30)),
        "run.sh": b"#!/bin/sh\n",
    }
    after: Files = {
        "crlf.txt": b"one\r\n2\r\nthree\r\n",
        "mixed.txt": b"one\r\n2\nlone\rCR\nthree\n",
        "noend.txt": b"one\ntwo\nthree",
        "latin.py": "# coding: latin-1\ns = 'gr\u00fc\u00dfe \u00e4'\n".encode("latin-1"),
        "bom.py": b"\xef\xbb\xbfa = 2\n",
        'na me/q"uo\\te\tta b.txt': b"y\n",
        "gr\u00fc\u00dfe.txt": b"y\n",
        "binary.bin": bytes(range(256)) * 20 + b"tail",
        "gone.txt": None,
        "old-name.txt": None,
        "new-name.txt": b"".join(b"line %d\n" % number for number in range(30)) + b"one more\n",
        "empty-new": b"",
        "brand/new.bin": b"\0\1\2",
        "brand/new.txt": b"no end",
    }
    return before, after


@pytest.fixture
def odd(repo: GitRepo) -> GitRepo:
    """Tag v1, and the branch `ours` with one commit that does everything that a commit can do to a file."""
    before, after = odd_files()
    repo.git("config", "core.autocrlf", "false")
    (repo.path / "link").symlink_to("crlf.txt")
    repo.commit("one", before, tag="v1")
    repo.git("checkout", "-q", "-b", "ours")
    (repo.path / "link").unlink()
    (repo.path / "link").symlink_to("bom.py")
    (repo.path / "run.sh").chmod(0o755)
    repo.write(after)
    repo.git("add", "-A")
    repo.git(
        "-c",
        "i18n.commitEncoding=latin-1",
        "commit",
        "-q",
        "-F",
        "-",
        stdin="Gr\u00fc\u00dfe [x] an alle\n\ntext\n".encode("latin-1"),
    )
    repo.git("checkout", "-q", "v1")
    repo.write({".git/info/exclude": "/series/\n/*.patch\n"})
    assert patchq("init", "--follow", "v1", cwd=repo.path).code == 0
    return repo


def heads(diff: bytes) -> list[bytes]:
    """Give every line that says what happens to which file and where; git may pack binary contents otherwise."""
    words = (b"diff ", b"index ", b"old ", b"new ", b"deleted ", b"similarity ", b"rename ", b"--- a/", b"+++ ", b"@@ ")
    return [line for line in diff.split(b"\n") if line.startswith(words)]


@pytest.mark.parametrize("route", ["range", "mail", "show", "plain", "work tree"])
def test_everything_git_can_do_to_a_file_arrives_by_every_route(odd: GitRepo, route: str) -> None:
    match route:
        case "range":
            arguments = ["v1..ours"]
        case "work tree":
            odd.git("checkout", "-q", "ours", "--", ".")
            for path in odd.text("diff", "--name-only", "--diff-filter=D", "--no-renames", "v1", "ours").splitlines():
                (odd.path / path).unlink()
            arguments = ["--worktree", "-m", "all"]
        case _:
            command = {
                "mail": ("format-patch", "--stdout", "-1", "--binary"),
                "show": ("show", "--binary"),
                "plain": ("diff", "--binary", "v1"),
            }[route]
            (odd.path / "x.patch").write_bytes(odd.git(*command, "ours"))
            arguments = ["x.patch"]
    ran = patchq("import", *arguments, cwd=odd.path)
    assert (ran.code, ran.err.partition("error")[2]) == (0, "")
    (kept,) = (odd.path / "series/v1").glob("*.patch")
    assert heads(kept.read_bytes()) == heads(odd.git("diff", "--binary", "--full-index", "v1", "ours"))
    if route in {"range", "mail", "show"}:
        assert (
            "Subject: Gr\u00fc\u00dfe [x] an alle\n" in kept.read_bytes().decode("latin-1")
            or kept.stem == "gr-e-x-an-alle"
        )
    odd.git("reset", "-q", "--hard", "v1")
    odd.git("am", "-q", "--keep-cr", str(kept))
    assert odd.text("rev-parse", "HEAD^{tree}") == odd.text("rev-parse", "ours^{tree}")


def test_what_was_odd_is_built_again_bit_by_bit(odd: GitRepo) -> None:
    assert patchq("import", "v1..ours", cwd=odd.path).code == 0
    assert patchq("rebase", "v1", "--no-fetch", cwd=odd.path).code == 0
    assert odd.text("rev-parse", "patched/v1^{tree}") == odd.text("rev-parse", "ours^{tree}")


def test_a_rename_and_nothing_else_arrives(repo: GitRepo) -> None:
    pure_rename(repo)
    repo.git("am", "-q", "series/v1/two.patch")
    assert repo.text("rev-parse", "HEAD^{tree}") == repo.text("rev-parse", "ours^{tree}")


def test_a_rename_and_nothing_else_is_built_again(repo: GitRepo) -> None:
    pure_rename(repo)
    assert patchq("rebase", "v1", "--no-fetch", cwd=repo.path).code == 0
    assert repo.text("rev-parse", "patched/v1^{tree}") == repo.text("rev-parse", "ours^{tree}")


def pure_rename(repo: GitRepo) -> None:
    repo.commit("one", {"a.py": "A = 1\n", "keep.py": "K = 1\n"}, tag="v1")
    repo.git("checkout", "-q", "-b", "ours")
    repo.commit("two", {"a.py": None, "b.py": "A = 1\n", "keep.py": "K = 2\n"})
    repo.git("checkout", "-q", "v1")
    patchq("init", "--follow", "v1", cwd=repo.path)
    assert patchq("import", "v1..ours", cwd=repo.path).code == 0


@pytest.fixture
def retyped(repo: GitRepo) -> GitRepo:
    """Tag v1 with a file and a symlink; `ours` makes each the other."""
    repo.write({"file": "text\n"})
    (repo.path / "link").symlink_to("file")
    repo.commit("one", {}, tag="v1")
    repo.git("checkout", "-q", "-b", "ours")
    (repo.path / "link").unlink()
    (repo.path / "file").unlink()
    (repo.path / "file").symlink_to("link")
    repo.commit("two", {"link": "text\n"})
    repo.git("checkout", "-q", "v1")
    patchq("init", "--follow", "v1", cwd=repo.path)
    return repo


def test_a_file_that_becomes_a_symlink_arrives(retyped: GitRepo) -> None:
    assert patchq("import", "v1..ours", cwd=retyped.path).code == 0
    retyped.git("am", "-q", "series/v1/two.patch")
    assert retyped.text("rev-parse", "HEAD^{tree}") == retyped.text("rev-parse", "ours^{tree}")


def test_a_file_that_becomes_a_symlink_is_built_again(retyped: GitRepo) -> None:
    patchq("import", "v1..ours", cwd=retyped.path)
    assert patchq("rebase", "v1", "--no-fetch", cwd=retyped.path).code == 0


def test_files_that_change_places_arrive(repo: GitRepo) -> None:
    one, two = ("".join(f"{word} {word} {word} {number}\n" for number in range(400)) for word in ("one", "two"))
    repo.commit("one", {"a": one, "b": two}, tag="v1")
    repo.git("checkout", "-q", "-b", "ours")
    repo.commit("swap", {"a": two, "b": one})
    repo.write({"x.patch": repo.git("diff", "-B", "-M", "v1", "ours")})
    assert b"rename from b" in (repo.path / "x.patch").read_bytes()
    patchq("init", "--follow", "v1", cwd=repo.path)
    assert patchq("import", "x.patch", cwd=repo.path).code == 0
    repo.git("checkout", "-q", "v1")
    repo.git("apply", "--index", "series/v1/x.patch")
    assert repo.text("write-tree") == repo.text("rev-parse", "ours^{tree}")


def test_a_patch_that_was_converted_to_crlf_is_refused_with_advice(ours: GitRepo) -> None:
    (ours.path / "x.patch").write_bytes(ours.git("diff", "v1", "ours~1").replace(b"\n", b"\r\n"))
    ran = patchq("import", "x.patch", cwd=ours.path)
    assert ran.code in {0, 1}
    assert ran.code == 0 or "x.patch:1: the header line ends with a carriage return" in ran.err


def test_a_sha256_repository_gets_ids_of_its_own_kind(tmp_path: Path) -> None:
    repo = GitRepo.create(tmp_path / "r", "--object-format=sha256")
    repo.commit("one", {"a": "1\n"}, tag="v1")
    repo.commit("two", {"a": "2\n"})
    patchq("init", "--follow", "v1", cwd=repo.path)
    (repo.path / "x.patch").write_text("--- a/a\n+++ b/a\n@@ -1 +1 @@\n-1\n+2\n")
    assert patchq("import", "x.patch", cwd=repo.path).code == 0
    assert repo.git("diff", "--full-index", "v1", "HEAD").decode() in patch(repo, "x")
