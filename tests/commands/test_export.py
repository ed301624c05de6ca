from __future__ import annotations

import shutil
import subprocess
from typing import TYPE_CHECKING

import pytest

from tests.importing import GATE, everything, make_ours, patch, series
from tests.running import patchq

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from tests.gitrepo import GitRepo

# What people have in their configuration, and what other tools' diffs suffer from.
HOSTILE = {
    "diff.noprefix": "true",
    "diff.mnemonicPrefix": "true",
    "diff.external": "false",
    "color.ui": "always",
    "core.quotePath": "false",
    "format.pretty": "oneline",
    "format.signature": "sent from my phone",
    "format.attach": "true",
    "diff.context": "1",
    "diff.renames": "false",
}


@pytest.fixture
def carried(repo: GitRepo, tmp_path_factory: pytest.TempPathFactory) -> GitRepo:
    """Four commits on branch `ours`, one with a rename, one with odd bytes, and the series of them, with comments.

    It is made once a process and copied: making it takes 40 git processes.
    """
    made = tmp_path_factory.getbasetemp() / "carried"
    if not made.exists():
        _make(repo)
        shutil.copytree(repo.path, made, symlinks=True)
    else:
        shutil.rmtree(repo.path)
        shutil.copytree(made, repo.path, symlinks=True)
    return repo


def _make(repo: GitRepo) -> None:
    ours = make_ours(repo)
    ours.git("checkout", "-q", "ours")
    ours.git("mv", "pkg/gate.py", "pkg/door ö.py")
    ours.commit("[x] Rename the gate", {"pkg/door ö.py": GATE.replace("== 9", "in (9, 12)").replace("None", "7")})
    ours.commit("Bytes", {"b.bin": bytes(range(256)), "crlf.txt": "a\r\nb", "pkg/door ö.py": GATE})
    ours.git("checkout", "-q", "main")
    assert patchq("import", "v1..ours", cwd=ours.path).code == 0
    first, second, *rest = series(ours)
    lines = ["# sizes", f"{first}  #+sm120", second, *rest, "# the end"]
    (ours.path / "series/v1/series").write_text("".join(f"{line}\n" for line in lines))


def folder(path: Path) -> dict[str, bytes]:
    return {one.name: one.read_bytes() for one in path.iterdir() if one.name != "record.yaml"}


def again(repo: GitRepo, source: str) -> Mapping[str, bytes]:
    """Import into a fresh series beside the old one; return its folder."""
    shutil.rmtree(repo.path / "copy", ignore_errors=True)
    assert patchq("--series", "copy", "init", cwd=repo.path).code == 0
    ran = patchq("--series", "copy", "import", source, "--base", "v1", cwd=repo.path)
    assert ran.code == 0, ran.err
    return folder(repo.path / "copy/v1")


def test_quilt_and_back_is_the_same_byte_for_byte(carried: GitRepo) -> None:
    text = patch(carried, "sizes-for-12").replace(
        "Subject: Sizes for 12\n", "Description: Sizes for 12\nForwarded: no\n"
    )
    text = text.replace("From: ", "Author: ").replace("Date: ", "X-Note: kept\nLast-Update: 2023-11-14\nX-Date: ")
    (carried.path / "series/v1/sizes-for-12.patch").write_text(text)
    before = everything(carried)
    ran = patchq("export", "--quilt", "../out/patches", cwd=carried.path)
    assert (ran.code, ran.out) == (0, "4 patches of v1 written to ../out/patches\n")
    assert everything(carried) == before
    out = folder(carried.path / "../out/patches")
    assert out == folder(carried.path / "series/v1")
    for source in ("../out/patches", "../out"):
        assert again(carried, source) == out


def test_what_is_not_carried_goes_to_quilt_as_a_comment_and_comes_back(carried: GitRepo) -> None:
    file = carried.path / "series/v1/series"
    file.write_text(file.read_text().replace("bytes.patch\n", "#patchq:not-carried bytes.patch  # conflict\n"))
    patchq("export", "--quilt", "../q", cwd=carried.path)
    assert again(carried, "../q") == folder(carried.path / "series/v1")
    listed = patchq("--series", "copy", "series", "--json", cwd=carried.path).json["patches"]
    assert [one["standing"] for one in listed] == ["carried", "carried", "carried", "not-carried"]
    ran = patchq("export", "--mbox", "../m.mbox", "--json", cwd=carried.path)
    assert ran.json["left_out"] == ["bytes"]
    assert "note: bytes is not carried and was left out" in ran.err


def test_mails_and_a_mailbox_come_back_with_their_names_whatever_git_is_told(carried: GitRepo) -> None:
    for key, value in HOSTILE.items():
        carried.git("config", key, value)
    (carried.path / "series/v1/series").write_text("".join(f"{line.split()[0]}\n" for line in series(carried)[1:-1]))
    assert patchq("export", "--format-patch", "../mails", cwd=carried.path).code == 0
    assert patchq("export", "--mbox", "../all.mbox", cwd=carried.path).code == 0
    expected = folder(carried.path / "series/v1")
    names = sorted(one.name for one in (carried.path / "../mails").iterdir())
    assert names == [
        "0001-open-the-gate.patch", "0002-sizes-for-12.patch", "0003-x-rename-the-gate.patch", "0004-bytes.patch",
    ]  # fmt: skip
    assert again(carried, "../mails") == expected
    assert again(carried, "../all.mbox") == expected
    carried.git("checkout", "-q", "--detach", "v1")
    for mails in (["../all.mbox"], [f"../mails/{name}" for name in names]):
        carried.git("reset", "-q", "--hard", "v1")
        carried.git("am", "-q", "--keep-cr", *mails)
        assert carried.text("rev-parse", "HEAD^{tree}") == carried.text("rev-parse", "ours^{tree}")
        assert carried.text("log", "-1", "--format=%an %ae %at %s", "HEAD~1").endswith("1700000000 [x] Rename the gate")


def test_one_diff_is_what_all_of_them_do_with_renames_followed(carried: GitRepo) -> None:
    carried.git("config", "diff.noprefix", "true")
    assert patchq("export", "--diff", "../all.diff", cwd=carried.path).code == 0
    data = (carried.path / "../all.diff").read_bytes()
    assert b"rename from pkg/gate.py\n" in data
    carried.git("checkout", "-q", "--detach", "v1")
    carried.git("apply", "--index", "../all.diff")
    assert carried.text("write-tree") == carried.text("rev-parse", "ours^{tree}")
    ran = patchq("export", "--diff", "-", "sizes-for-12..", cwd=carried.path)
    carried.git("reset", "-q", "--hard", "ours~3")
    carried.git("apply", "--index", "-", stdin=ran.out.encode())
    assert carried.text("write-tree") == carried.text("rev-parse", "ours^{tree}")


def test_some_of_the_patches_by_name_and_by_range(carried: GitRepo) -> None:
    for texts, expected in (
        (["sizes"], ["sizes-for-12"]),
        (["bytes", "..sizes"], ["open-the-gate", "sizes-for-12", "bytes"]),
        (["sizes..x-"], ["sizes-for-12", "x-rename-the-gate"]),
    ):
        ran = patchq("export", "--mbox", "../some", "--force", "--json", *texts, cwd=carried.path)
        assert [one["name"] for one in ran.json["patches"]] == expected
    patchq("export", "--quilt", "../q", "sizes", cwd=carried.path)
    assert (carried.path / "../q/series").read_text() == "# sizes\nsizes-for-12.patch\n# the end\n"


def test_what_is_not_written_says_why_and_touches_nothing(carried: GitRepo) -> None:
    before = everything(carried)
    for arguments, code, said in (
        ([], 2, "export as what?"),
        (["--mbox", "x", "--diff", "y"], 2, "one form at a time"),
        (["--quilt", "-"], 2, "cannot be written to standard output"),
        (["--mbox", "-", "--json"], 2, "cannot be written to standard output"),
        (["--quilt", "pkg"], 2, "pkg is not empty"),
        (["--quilt", "series/v1/new"], 2, "series/v1/new is in the series itself"),
        (["--mbox", "pkg"], 2, "pkg is a folder"),
        (["--mbox", "pkg/gate.py"], 2, "pkg/gate.py is there already"),
        (["--mbox", "-", "nobody"], 1, "has no patch 'nobody'"),
        (["--mbox", "-", "--ref", "v9"], 1, "there is no series for v9"),
        (["--diff", "-", "open", "bytes"], 1, "patch bytes: does not apply without the patches between: "),
        (["--mbox", "-", "bytes..open"], 1, "bytes stands behind open"),
    ):
        ran = patchq("export", *arguments, cwd=carried.path)
        assert (ran.code, ran.out, said in ran.err) == (code, "", True), ran.err
    assert everything(carried) == before


def test_force_replaces_and_tells_what_else_is_there(carried: GitRepo) -> None:
    patchq("export", "--quilt", "../q", cwd=carried.path)
    (carried.path / "../q/old.patch").write_text("mine\n")
    (carried.path / "../q/series").write_text("old.patch\n")
    ran = patchq("export", "--quilt", "../q", "--force", cwd=carried.path)
    assert (ran.code, ran.err) == (0, "note: old.patch was there before and is not part of the export\n")
    assert {**folder(carried.path / "series/v1"), "old.patch": b"mine\n"} == folder(carried.path / "../q")


@pytest.mark.skipif(shutil.which("quilt") is None, reason="quilt is not installed")
def test_quilt_itself_pushes_what_was_exported_and_what_it_refreshed_comes_back(carried: GitRepo) -> None:
    assert patchq("export", "--quilt", "patches", "..sizes", cwd=carried.path).code == 0
    for arguments in (["push", "-a"], ["refresh"], ["pop", "-a"]):
        subprocess.run(["quilt", "--quiltrc", "-", *arguments], cwd=carried.path, check=True, capture_output=True)
    back = again(carried, "patches")
    assert back["sizes-for-12.patch"] == (carried.path / "series/v1/sizes-for-12.patch").read_bytes()
    assert back["series"] == b"# sizes\nopen-the-gate.patch  #+sm120\nsizes-for-12.patch\n# the end\n"
