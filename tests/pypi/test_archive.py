from __future__ import annotations

import hashlib
import os
import zipfile
from typing import TYPE_CHECKING

import pytest

from patchq.errors import ReleaseError
from patchq.model.tree import FileState, Mode
from patchq.pypi.archive import Archive, open_archive
from tests.pypi.archives import NOON_SECONDS, PROGRAM, entry, make_sdist, make_tar, make_wheel, make_zip, member

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path


def tree(archive: Archive) -> Mapping[bytes, FileState]:
    return dict(archive.files())


def plain(data: bytes) -> FileState:
    return FileState(Mode.REGULAR, data)


def test_a_wheel_is_its_files_without_metadata_byte_for_byte(tmp_path: Path) -> None:
    files = {"demo/__init__.py": b"", "demo/dos.py": b"a\r\nb\r\n", "demo/raw.bin": b"\0\xff", "demo/no-end.txt": b"x"}
    path = make_wheel(tmp_path, "Demo_Pkg", "1.0", files)
    archive = open_archive(path)
    assert str(archive.pin) == "demo-pkg==1.0"
    assert archive.sha256 == hashlib.sha256(path.read_bytes()).hexdigest()
    assert (archive.count, archive.newest) == (4, NOON_SECONDS)
    assert tree(archive) == {name.encode(): plain(data) for name, data in files.items()}


def test_compiled_files_are_left_out_so_that_the_platform_does_not_matter(tmp_path: Path) -> None:
    source = {"demo/__init__.py": b"1", "demo/so.py": b"2", "demo/x.solution": b"3"}
    linux = {"demo/_x.cpython-311-x86_64-linux-gnu.so": b"ELF", "demo.libs/libz-1a.so.1.2": b"ELF"}
    windows = {"demo/_x.cp311-win_amd64.pyd": b"MZ", "demo.libs/z.DLL": b"MZ"}
    mac = {"demo/.dylibs/z.dylib": b"\xfe", "demo/__pycache__/so.cpython-311.pyc": b"0"}
    trees = [
        tree(open_archive(make_wheel(tmp_path / tag, "demo", "1", {**source, **compiled}, tag=f"cp311-cp311-{tag}")))
        for tag, compiled in (("linux_x86_64", linux), ("win_amd64", windows), ("macosx_11_0_arm64", mac))
    ]
    assert trees == [{name.encode(): plain(data) for name, data in source.items()}] * 3


def test_of_a_data_folder_only_what_goes_to_site_packages_is_taken(tmp_path: Path) -> None:
    files = {
        "demo/a.py": b"a",
        "demo-1.data/purelib/demo/b.py": b"b",
        "demo-1.data/platlib/demo/c.py": b"c",
        "demo-1.data/scripts/demo": b"#!python",
        "demo-1.data/headers/demo.h": b"h",
    }
    archive = open_archive(make_wheel(tmp_path, "demo", "1", files))
    assert set(tree(archive)) == {b"demo/a.py", b"demo/b.py", b"demo/c.py"}


def test_an_sdist_is_its_files_below_the_top_folder_without_metadata(tmp_path: Path) -> None:
    files = {
        "setup.py": b"raise SystemExit('must not run')",
        "src/demo/a.py": b"a",
        "src/demo.egg-info/PKG-INFO": b"Name: demo",
        "src/demo/PKG-INFO": b"kept",
    }
    archive = open_archive(make_sdist(tmp_path, "demo", "1.0", files))
    assert set(tree(archive)) == {b"setup.py", b"src/demo/a.py", b"src/demo/PKG-INFO"}


def test_a_zip_file_can_be_an_sdist_too(tmp_path: Path) -> None:
    folder = (zipfile.ZipInfo("demo-1/"), b"")
    archive = open_archive(make_zip(tmp_path / "demo-1.zip", folder, (member("demo-1/a.py"), b"a")))
    assert tree(archive) == {b"a.py": plain(b"a")}


def test_the_executable_bit_is_kept(tmp_path: Path) -> None:
    wheel = make_wheel(tmp_path, "demo", "1", {"demo/a.py": b"a"})
    with zipfile.ZipFile(wheel, "a") as archive:
        archive.writestr(member("demo/run.sh", PROGRAM), b"#!/bin/sh\n")
    sdist = make_tar(tmp_path / "demo-1.tar.gz", entry("demo-1/run.sh", b"#!/bin/sh\n", mode=0o755))
    assert tree(open_archive(wheel))[b"demo/run.sh"].mode is Mode.EXECUTABLE
    assert tree(open_archive(wheel))[b"demo/a.py"].mode is Mode.REGULAR
    assert tree(open_archive(sdist))[b"run.sh"].mode is Mode.EXECUTABLE


def test_names_are_the_bytes_of_the_archive(tmp_path: Path) -> None:
    wheel = make_wheel(tmp_path, "demo", "1", {"demo/\u00e9 \u20ac.py": b""})
    assert set(tree(open_archive(wheel))) == {"demo/\u00e9 \u20ac.py".encode()}
    latin = os.fsdecode(b"demo-1/\xe9.py")
    sdist = make_tar(tmp_path / "demo-1.tar.gz", entry(latin, b""))
    assert set(tree(open_archive(sdist))) == {b"\xe9.py"}


def test_the_date_is_that_of_the_newest_file_taken_in_no_time_zone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TZ", "Asia/Tokyo")
    path = make_zip(
        tmp_path / "demo-1-py3-none-any.whl",
        (member("demo/a.py", when=(2023, 1, 1, 0, 0, 0)), b""),
        (member("demo/b.py"), b""),
        (member("demo-1.dist-info/METADATA", when=(2040, 1, 1, 0, 0, 0)), b""),
    )
    assert open_archive(path).newest == NOON_SECONDS


@pytest.mark.parametrize("mtime", [-1, 1 << 40, float("nan"), float("inf")])
def test_an_impossible_date_does_not_count(tmp_path: Path, mtime: float) -> None:
    path = make_tar(tmp_path / "demo-1.tar.gz", entry("demo-1/a.py", pax_headers={"mtime": str(mtime)}))
    assert open_archive(path).newest == 0


def test_a_renamed_archive_is_not_taken_for_another_release(tmp_path: Path) -> None:
    wheel = make_wheel(tmp_path, "demo", "1.0", {"demo/a.py": b""})
    with pytest.raises(
        ReleaseError, match=r"demo-2\.0-py3-none-any\.whl: the metadata inside say that it is demo==1\.0"
    ):
        open_archive(wheel.rename(tmp_path / "demo-2.0-py3-none-any.whl"))
    sdist = make_sdist(tmp_path, "demo", "1.0", {"a.py": b""})
    with pytest.raises(ReleaseError, match=r"say that it is demo==1\.0"):
        open_archive(sdist.rename(tmp_path / "other-1.0.tar.gz"))


def test_an_archive_without_source_files_is_refused(tmp_path: Path) -> None:
    path = make_wheel(tmp_path, "demo", "1", {"demo.so": b"ELF"}, tag="cp311-cp311-linux_x86_64")
    with pytest.raises(ReleaseError, match="no source files"):
        open_archive(path)


def test_a_file_that_is_not_there_is_named(tmp_path: Path) -> None:
    with pytest.raises(ReleaseError, match=r"cannot read .*demo-1\.zip: No such file"):
        open_archive(tmp_path / "demo-1.zip")
