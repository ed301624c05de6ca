from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING

import pytest

from patchq.errors import NetworkError, ReleaseError
from patchq.pypi.direct import fetch_sdist
from patchq.pypi.wheels import SdistOffer, read_offer
from tests.pypi.archives import make_sdist

if TYPE_CHECKING:
    from pathlib import Path

    from tests.pypi.conftest import Site


def offer(url: str) -> SdistOffer:
    found = read_offer(url)
    assert isinstance(found, SdistOffer)
    return found


def fetch(url: str, folder: Path) -> Path:
    folder.mkdir(exist_ok=True)
    return fetch_sdist(offer(url), folder, lambda _: None)


def test_a_digest_in_the_address_is_checked(site: Site, tmp_path: Path) -> None:
    made = make_sdist(site.folder, "demo", "1.0", {"a.py": b""})
    digest = hashlib.sha256(made.read_bytes()).hexdigest()
    url = f"{site.url}/{made.name}"
    assert fetch(f"{url}#sha256={digest.upper()}&egg=demo", tmp_path / "a").read_bytes() == made.read_bytes()
    with pytest.raises(NetworkError, match="arrived with another SHA-256"):
        fetch(f"{url}#sha256={digest[1:]}0", tmp_path / "b")


def test_what_is_not_there_is_a_network_error_with_a_way_round(site: Site, tmp_path: Path) -> None:
    with pytest.raises(NetworkError, match=r"cannot fetch http://.*/demo-1\.0\.tar\.gz: HTTP Error 404") as refusal:
        fetch(f"{site.url}/demo-1.0.tar.gz", tmp_path / "got")
    assert refusal.value.hint == "download it by other means, then: patchq snapshot ./demo-1.0.tar.gz"


def test_a_folder_of_archives_is_read_without_any_server(tmp_path: Path) -> None:
    made = make_sdist(tmp_path / "two words", "demo", "1.0", {"a.py": b""})
    assert fetch(made.as_uri(), tmp_path / "got").read_bytes() == made.read_bytes()


def test_a_password_that_pip_blotted_out_is_not_guessed(tmp_path: Path) -> None:
    with pytest.raises(ReleaseError, match=r"only demo-1\.0\.tar\.gz behind a password"):
        fetch("https://user:****@example.org/demo-1.0.tar.gz", tmp_path / "got")
