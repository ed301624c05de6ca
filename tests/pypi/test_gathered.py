from __future__ import annotations

import gzip
import io
import lzma
import tarfile
from typing import TYPE_CHECKING

import pytest

from patchq.errors import ReleaseError
from patchq.pypi.gathered import Gathered, gather, gather_stream
from tests.pypi.archives import FILE, LINK, entry, make_tar, make_zip, member

if TYPE_CHECKING:
    from pathlib import Path


def every(path: bytes) -> bool:
    return path.endswith(b".py")


def texts(kept: Gathered) -> dict[bytes, bytes]:
    return {path: state.data for path, state in kept.states.items()}


def test_streams_are_read_in_every_packing_and_of_several_parts(tmp_path: Path) -> None:
    plain = gzip.decompress(make_tar(tmp_path / "x.tar.gz", entry("./a/m.py", b"1\n"), entry("b", b"2")).read_bytes())
    cut = len(plain) // 2
    packings = {
        "plain": plain,
        "gzip": gzip.compress(plain[:cut]) + gzip.compress(plain[cut:]),
        "xz": lzma.compress(plain[:cut]) + b"\0\0\0\0" + lzma.compress(plain[cut:]),
    }
    for name, data in packings.items():
        assert texts(gather_stream(io.BytesIO(data), tmp_path / name, every)) == {b"a/m.py": b"1\n"}
    for data in (packings["xz"][:80], packings["gzip"][:80], plain[:1025], plain[:1024], b""):
        with pytest.raises(ReleaseError, match="broken"):
            gather_stream(io.BytesIO(data), tmp_path / "cut", every)


def test_an_xz_stream_may_not_ask_for_all_memory(tmp_path: Path) -> None:
    filters = [{"id": lzma.FILTER_LZMA2, "dict_size": 1 << 29}]
    data = lzma.compress(b"\0" * 10240, format=lzma.FORMAT_XZ, filters=filters)
    with pytest.raises(ReleaseError, match="Memory usage limit"):
        gather_stream(io.BytesIO(data), tmp_path / "x", every)


def test_the_last_of_two_counts_in_a_tar_and_hard_links_have_their_first_name(tmp_path: Path) -> None:
    path = make_tar(
        tmp_path / "x.tar.gz",
        entry("cache/m.py", b"1\n"),
        entry("site/m.py", type=tarfile.LNKTYPE, linkname="cache/m.py"),
        entry("cache/m.py", b"2\n"),
        entry("link.py", type=tarfile.SYMTYPE, linkname="site/m.py"),
        entry("torn.py", type=tarfile.LNKTYPE, linkname="elsewhere"),
        entry("pipe.py", type=tarfile.FIFOTYPE),
    )
    kept = gather(path, every)
    assert texts(kept) == {b"cache/m.py": b"2\n", b"site/m.py": b"1\n", b"link.py": b"site/m.py"}
    assert b"torn.py" in kept.paths
    with pytest.raises(ReleaseError, match="hard link to 'elsewhere'"):
        kept.read(b"torn.py")


def test_two_members_of_a_wheel_for_one_file_and_links_are_refused(tmp_path: Path) -> None:
    twice = make_zip(tmp_path / "a.whl", (member("m.py"), b"1"), (member("m-1.data/purelib/m.py"), b"2"))
    with pytest.raises(ReleaseError, match="two members"):
        gather(twice, every)
    link = make_zip(tmp_path / "b.whl", (member("m.py", LINK), b"/etc/passwd"), (member("n.py", FILE), b""))
    with pytest.raises(ReleaseError, match="no plain file"):
        gather(link, every)
    slip = make_zip(tmp_path / "c.whl", (member("../m.py"), b"1"))
    with pytest.raises(ReleaseError, match="has a member named"):
        gather(slip, every)


def test_what_is_kept_is_bounded(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = make_tar(tmp_path / "x.tar.gz", *(entry(f"{number}/m.py", b"x" * 600) for number in range(4)))
    monkeypatch.setattr("patchq.pypi.gathered.MAX_KEPT", 2000)
    with pytest.raises(ReleaseError, match="more than 2,000 bytes"):
        gather(path, every)
    monkeypatch.setattr("patchq.pypi.gathered.MAX_MEMBERS", 2)
    with pytest.raises(ReleaseError, match="more than 2 members"):
        gather(path, lambda _: False)
