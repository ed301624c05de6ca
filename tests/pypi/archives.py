"""Small wheels and sdists, made member by member, honest ones and others."""

from __future__ import annotations

import io
import tarfile
import zipfile
from collections.abc import Mapping
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path

NOON = (2024, 5, 6, 12, 0, 0)
NOON_SECONDS = 1714996800  # the same in UTC
FILE, PROGRAM, LINK = 0o100644, 0o100755, 0o120777

Files = Mapping[str, bytes]


def member(name: str, mode: int = FILE, when: tuple[int, int, int, int, int, int] = NOON) -> zipfile.ZipInfo:
    info = zipfile.ZipInfo(name, when)
    info.create_system = 3
    info.external_attr = mode << 16
    info.compress_type = zipfile.ZIP_DEFLATED
    return info


def make_zip(path: Path, *members: tuple[zipfile.ZipInfo, bytes]) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    with zipfile.ZipFile(path, "w") as archive:
        for info, data in members:
            archive.writestr(info, data)
    return path


def make_wheel(folder: Path, name: str, version: str, files: Files, tag: str = "py3-none-any") -> Path:
    """A wheel that pip takes."""
    info = f"{name}-{version}.dist-info"
    metadata = f"Metadata-Version: 2.1\nName: {name}\nVersion: {version}\n"
    wheel = "Wheel-Version: 1.0\nRoot-Is-Purelib: true\n" + f"Tag: {tag}\n"
    extra = {f"{info}/METADATA": metadata.encode(), f"{info}/WHEEL": wheel.encode(), f"{info}/RECORD": b""}
    members = [(member(path), data) for path, data in {**extra, **files}.items()]
    return make_zip(folder / f"{name}-{version}-{tag}.whl", *members)


def entry(name: str, data: bytes = b"", **fields: object) -> tuple[tarfile.TarInfo, bytes]:
    info = tarfile.TarInfo(name)
    info.size, info.mtime, info.mode = len(data), NOON_SECONDS, 0o644
    for field, value in fields.items():
        setattr(info, field, value)
    return info, data


def make_tar(path: Path, *entries: tuple[tarfile.TarInfo, bytes]) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    with tarfile.open(path, "w:gz") as archive:
        for info, data in entries:
            archive.addfile(info, io.BytesIO(data))
    return path


def make_sdist(folder: Path, name: str, version: str, files: Files) -> Path:
    """An sdist with its metadata, as build backends make them."""
    top = f"{name}-{version}"
    metadata = f"Metadata-Version: 2.1\nName: {name}\nVersion: {version}\n\nName: not this one\n".encode()
    entries = [entry(f"{top}/{path}", data) for path, data in {"PKG-INFO": metadata, **files}.items()]
    return make_tar(folder / f"{top}.tar.gz", *entries)
