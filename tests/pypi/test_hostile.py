from __future__ import annotations

import gzip
import io
import struct
import tarfile
import zipfile
from typing import TYPE_CHECKING

import pytest

from patchq.errors import ReleaseError
from patchq.pypi.archive import open_archive
from patchq.pypi.bounds import MAX_DIRECTORY, MAX_FILE, MAX_FILES, MAX_TOTAL, RATIO_FROM, Budget
from tests.pypi.archives import LINK, entry, make_sdist, make_tar, make_wheel, make_zip, member

if TYPE_CHECKING:
    from pathlib import Path


def refuse(path: Path, reason: str) -> None:
    with pytest.raises(ReleaseError, match=reason) as refusal:
        open_archive(path)
    assert refusal.value.where.file == path.name


@pytest.mark.parametrize("name", ["../up.py", "/abs.py", "demo/../../up.py", ".git/hooks/x", "demo/.GIT/x", "demo\\x"])
def test_a_member_that_leads_out_is_refused(tmp_path: Path, name: str) -> None:
    refuse(make_wheel(tmp_path, "demo", "1", {"demo/a.py": b"", name: b"x"}), "has a member named")
    if not name.startswith("/"):
        refuse(make_tar(tmp_path / "demo-1.tar.gz", entry(f"demo-1/{name}")), "has a member named")


def test_a_data_folder_cannot_lead_out_either(tmp_path: Path) -> None:
    refuse(make_wheel(tmp_path, "demo", "1", {"demo-1.data/purelib/.git/config": b""}), "leads into a git folder")


@pytest.mark.parametrize("kind", [tarfile.SYMTYPE, tarfile.LNKTYPE, tarfile.CHRTYPE, tarfile.BLKTYPE, tarfile.FIFOTYPE])
def test_links_and_devices_in_a_tar_file_are_refused(tmp_path: Path, kind: bytes) -> None:
    path = make_tar(tmp_path / "demo-1.tar.gz", entry("demo-1/a"), entry("demo-1/b", type=kind, linkname="../x"))
    refuse(path, "'demo-1/b' is no plain file")


def test_a_link_in_a_zip_file_is_refused(tmp_path: Path) -> None:
    refuse(make_zip(tmp_path / "demo-1.zip", (member("demo-1/b", LINK), b"/etc/passwd")), "is no plain file")


def test_a_sparse_file_that_claims_an_endless_size_is_refused(tmp_path: Path) -> None:
    headers = {"GNU.sparse.major": "0", "GNU.sparse.minor": "1", "GNU.sparse.map": "0,0", "GNU.sparse.size": "99" * 8}
    refuse(make_tar(tmp_path / "demo-1.tar.gz", entry("demo-1/a", pax_headers=headers)), "is no plain file")


@pytest.mark.filterwarnings("ignore:Duplicate name")
def test_two_members_for_one_path_are_refused(tmp_path: Path) -> None:
    refuse(make_zip(tmp_path / "demo-1.zip", (member("demo-1/a"), b"1"), (member("demo-1/a"), b"2")), "two members")
    files = {"demo/a.py": b"1", "demo-1.data/purelib/demo/a.py": b"2"}
    refuse(make_wheel(tmp_path, "demo", "1", files), "two members for 'demo/a.py'")


def test_a_file_that_is_a_folder_too_is_refused(tmp_path: Path) -> None:
    refuse(make_sdist(tmp_path, "demo", "1", {"a/b/c": b"", "a": b""}), "'a/b/c' lies below another file")


def test_files_beside_the_top_folder_are_refused(tmp_path: Path) -> None:
    refuse(make_tar(tmp_path / "demo-1.tar.gz", entry("demo-1/a"), entry("demo-2/b")), "beside the top folder")
    refuse(make_tar(tmp_path / "other-1.tar.gz", entry("setup.py")), "beside the top folder")


def test_what_is_no_wheel_is_refused(tmp_path: Path) -> None:
    refuse(make_zip(tmp_path / "demo-1-py3-none-any.whl", (member("demo/a.py"), b"")), "no dist-info folder")


@pytest.mark.parametrize("name", ["demo-1-py3-none-any.whl", "demo-1.zip", "demo-1.tar.gz"])
@pytest.mark.parametrize("data", [b"", b"<html>404</html>", b"PK\5\6" + b"\0" * 18, b"\x1f\x8b\x08" + b"\0" * 40])
def test_bytes_that_are_no_archive_are_refused(tmp_path: Path, name: str, data: bytes) -> None:
    path = tmp_path / name
    path.write_bytes(data)
    refuse(path, "broken|no source files|no dist-info")


def test_a_download_that_broke_off_is_refused(tmp_path: Path) -> None:
    path = make_sdist(tmp_path, "demo", "1", {"a": b"0123456789" * 1000})
    path.write_bytes(path.read_bytes()[:-20])
    refuse(path, "broken")


def test_a_changed_byte_is_noticed(tmp_path: Path) -> None:
    path = tmp_path / "demo-1.zip"
    make_zip(path, (zipfile.ZipInfo("demo-1/a"), b"stored as it is"))
    path.write_bytes(path.read_bytes().replace(b"stored", b"STORED"))
    refuse(path, "Bad CRC-32")


def test_an_encrypted_member_is_refused(tmp_path: Path) -> None:
    path = make_zip(tmp_path / "demo-1.zip", (member("demo-1/a"), b"x"))
    raw = bytearray(path.read_bytes())
    raw[raw.index(b"PK\1\2") + 8] |= 1
    path.write_bytes(raw)
    refuse(path, "is encrypted")


def test_a_broken_header_is_not_the_end_of_a_tar_file(tmp_path: Path) -> None:
    raw = gzip.decompress(make_tar(tmp_path / "x.tar.gz", entry("demo-1/a"), entry("demo-1/b")).read_bytes())
    path = tmp_path / "demo-1.tar.gz"
    path.write_bytes(gzip.compress(raw[:512] + b"garbage".ljust(512) + raw[512:]))
    refuse(path, "a header in the middle makes no sense")


def test_a_bomb_is_refused_before_it_goes_off(tmp_path: Path) -> None:
    zeros = bytes(RATIO_FROM // 4)
    members = [(member(f"demo-1/{number}"), zeros) for number in range(5)]
    refuse(make_zip(tmp_path / "demo-1.zip", *members), "more than 200 times its size")


def test_a_tar_file_with_a_huge_member_or_header_is_refused_unread(tmp_path: Path) -> None:
    for kind in (tarfile.REGTYPE, tarfile.XHDTYPE, tarfile.GNUTYPE_LONGNAME):
        info, _ = entry("demo-1/a", size=MAX_FILE + 1, type=kind)
        path = tmp_path / "demo-1.tar.gz"
        path.write_bytes(gzip.compress(info.tobuf(tarfile.USTAR_FORMAT)))
        refuse(path, "has a member of 268,43[0-9],[0-9]{3} bytes")  # headers are counted in whole blocks


def test_a_zip_file_with_a_huge_table_of_contents_is_refused_unread(tmp_path: Path) -> None:
    path = tmp_path / "demo-1.zip"
    size = MAX_DIRECTORY + 1
    with path.open("wb") as file:
        file.truncate(size)
        file.seek(0, io.SEEK_END)
        file.write(struct.pack("<4s4H2LH", b"PK\5\6", 0, 0, 1, 1, size, 0, 0))
    refuse(path, "table of contents of 33,554,433 bytes")


def test_the_bounds_of_number_and_size(tmp_path: Path) -> None:
    path = tmp_path / "archive"
    with path.open("wb") as file:
        file.truncate(MAX_TOTAL // 100)
    budget = Budget(path)
    for _ in range(MAX_FILES):
        budget.enter()
    with pytest.raises(ReleaseError, match="more than 200,000 members"):
        budget.enter()
    for _ in range(MAX_TOTAL // MAX_FILE):
        budget.spend(MAX_FILE)
    with pytest.raises(ReleaseError, match="unpacks to more than 2,147,483,648 bytes"):
        budget.spend(1)
