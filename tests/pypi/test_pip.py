from __future__ import annotations

import hashlib
import sys
import venv
from typing import TYPE_CHECKING

import pytest

from patchq.errors import NetworkError, ReleaseError
from patchq.pypi.archive import open_archive
from patchq.pypi.pin import Pin, parse_request
from patchq.pypi.pip import Pip
from tests.pypi.archives import make_sdist, make_wheel

if TYPE_CHECKING:
    from pathlib import Path

    from tests.pypi.conftest import Site

FILES = {"demo/__init__.py": b"x = 1\n"}


def fetch(text: str, folder: Path, interpreter: str = sys.executable) -> tuple[Path, list[str]]:
    pin = parse_request(text)
    assert isinstance(pin, Pin)
    folder.mkdir()
    told: list[str] = []
    return Pip(told.append, interpreter).fetch(pin, folder), told


def test_the_pure_wheel_is_taken_with_one_question(wheelhouse: Path, tmp_path: Path) -> None:
    make_wheel(wheelhouse, "demo", "1.0", FILES, tag="cp311-cp311-manylinux_2_17_x86_64")
    pure = make_wheel(wheelhouse, "demo", "1.0", FILES)
    make_sdist(wheelhouse, "demo", "1.0", FILES)
    path, told = fetch("demo==1.0", tmp_path / "got")
    assert path.read_bytes() == pure.read_bytes()
    assert path.is_relative_to(tmp_path / "got")
    assert told == [
        "demo==1.0: asking pip",
        f"demo==1.0: got demo-1.0-py3-none-any.whl, {len(path.read_bytes()) / 1024:.1f} KiB",
    ]


def test_a_platform_wheel_is_chosen_for_no_platform_and_no_python_in_particular(
    wheelhouse: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    metadata = b"Metadata-Version: 2.1\nName: demo\nVersion: 1.0\nRequires-Python: >=3.99\n"
    files = {**FILES, "demo-1.0.dist-info/METADATA": metadata}
    for tag in ("cp399-abi3-manylinux_2_34_x86_64", "cp310-cp310-win_amd64", "cp310-cp310-manylinux_2_34_aarch64"):
        make_wheel(wheelhouse, "demo", "1.0", files, tag=tag)
    make_wheel(wheelhouse, "demo", "1.1", FILES)
    monkeypatch.setenv("PIP_PLATFORM", "win_amd64")
    monkeypatch.setenv("PIP_NO_BINARY", ":all:")
    monkeypatch.setenv("PIP_REQUIRE_VIRTUALENV", "1")
    path, _ = fetch("demo==1", tmp_path / "got")
    assert path.name == "demo-1.0-cp399-abi3-manylinux_2_34_x86_64.whl"


def test_a_local_version_is_another_release(wheelhouse: Path, tmp_path: Path) -> None:
    make_wheel(wheelhouse, "demo", "1.0+cpu", FILES)
    make_wheel(wheelhouse, "demo", "1.0", FILES)
    path, _ = fetch("demo==1.0", tmp_path / "got")
    assert path.name == "demo-1.0-py3-none-any.whl"


def test_an_sdist_is_taken_as_it_is_and_nothing_of_it_runs(wheelhouse: Path, tmp_path: Path) -> None:
    ran = tmp_path / "ran"
    setup = (
        f"open({str(ran)!r}, 'w').close()\nfrom setuptools import setup\nsetup(name='demo', version='1.0')\n".encode()
    )
    made = make_sdist(wheelhouse, "demo", "1.0", {**FILES, "setup.py": setup})
    path, told = fetch("demo==1.0", tmp_path / "got")
    assert path.read_bytes() == made.read_bytes()
    assert open_archive(path).count == 2
    assert "demo==1.0: no wheel, taking demo-1.0.tar.gz as it is" in told
    assert not ran.exists()


def test_a_file_called_pip_in_the_current_folder_does_not_run(
    wheelhouse: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    make_wheel(wheelhouse, "demo", "1.0", FILES)
    (tmp_path / "pip.py").write_text("open('ran', 'w').close()")
    monkeypatch.chdir(tmp_path)
    fetch("demo==1.0", tmp_path / "got")
    assert not (tmp_path / "ran").exists()


def test_an_unknown_version_names_those_near_it(wheelhouse: Path, tmp_path: Path) -> None:
    for version in ("1.0", "1.9", "1.10", "2.0rc1", "3.0"):
        make_wheel(wheelhouse, "demo", version, FILES)
    with pytest.raises(ReleaseError, match=r"demo has no release 1\.11") as refusal:
        fetch("demo==1.11", tmp_path / "got")
    assert refusal.value.hint == "near it there are 1.0, 1.9, 1.10, 2.0rc1, 3.0"


def test_no_release_and_no_index_to_ask(wheelhouse: Path, tmp_path: Path) -> None:
    assert wheelhouse.is_dir()
    with pytest.raises(ReleaseError, match="finds no release of demo, and is told to look at no index") as refusal:
        fetch("demo==1.0", tmp_path / "got")
    assert "PIP_NO_INDEX" in str(refusal.value.hint)


@pytest.mark.usefixtures("wheelhouse")
def test_an_index_that_does_not_answer_is_a_network_error(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("PIP_NO_INDEX")
    monkeypatch.setenv("PIP_INDEX_URL", "http://127.0.0.1:9/simple")
    monkeypatch.setenv("NO_PROXY", "*")
    with pytest.raises(
        NetworkError, match=r"cannot look for demo==1\.0 at http://127\.0\.0\.1:9/simple/demo/: .*refused"
    ):
        fetch("demo==1.0", tmp_path / "got")


@pytest.mark.usefixtures("wheelhouse")
def test_an_interpreter_without_pip_is_named(tmp_path: Path) -> None:
    venv.create(tmp_path / "bare", with_pip=False)
    python = str(tmp_path / "bare" / "bin" / "python")
    with pytest.raises(ReleaseError, match=f"pip is not installed for {python}") as refusal:
        fetch("demo==1.0", tmp_path / "got", python)
    assert "ensurepip" in str(refusal.value.hint)


@pytest.fixture
def index(wheelhouse: Path, site: Site, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder of a web site that is the only index that pip asks."""
    assert wheelhouse.is_dir()
    (site.folder / "simple" / "demo").mkdir(parents=True)
    monkeypatch.delenv("PIP_NO_INDEX")
    monkeypatch.setenv("PIP_INDEX_URL", f"{site.url}/simple")
    return site.folder


def test_an_sdist_comes_from_the_address_on_the_index_and_its_digest_is_checked(index: Path, tmp_path: Path) -> None:
    made = make_sdist(index, "demo", "1.0", FILES)
    digest = hashlib.sha256(made.read_bytes()).hexdigest()
    link = f"../../{made.name}#sha256={digest}"
    (index / "simple" / "demo" / "index.html").write_text(f'<!DOCTYPE html><a href="{link}">{made.name}</a>')
    path, _ = fetch("demo==1.0", tmp_path / "got")
    assert path.read_bytes() == made.read_bytes()


def test_a_wheel_that_the_index_lists_and_does_not_have_is_a_network_error(index: Path, tmp_path: Path) -> None:
    link = '<a href="../../demo-1.0-py3-none-any.whl">demo-1.0-py3-none-any.whl</a>'
    (index / "simple" / "demo" / "index.html").write_text(f"<!DOCTYPE html>{link}")
    with pytest.raises(NetworkError, match=r"pip could not download demo==1\.0: .*404"):
        fetch("demo==1.0", tmp_path / "got")
