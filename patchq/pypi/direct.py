"""Sdists fetched from the address that pip found, because pip itself would run their build code to download them."""

from __future__ import annotations

import hashlib
import http.client
import os
import ssl
import urllib.error
import urllib.request
from contextlib import contextmanager
from pathlib import Path
from typing import IO, TYPE_CHECKING
from urllib.parse import parse_qs, urlsplit

from patchq.errors import NetworkError, ReleaseError
from patchq.pypi.bounds import CHUNK, MAX_TOTAL, amount, too_much

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from patchq.pypi.wheels import SdistOffer

_TIMEOUT = 60.0  # seconds without a byte
_BLOTTED_OUT = "****"  # pip, for a password in an address


def fetch_sdist(offer: SdistOffer, folder: Path, tell: Callable[[str], None]) -> Path:
    """Copy or download the sdist into `folder` and return its path; nothing of it is executed.

    The digest in the address is checked where the index gives one. NetworkError when the download fails.
    """
    parts = urlsplit(offer.url)
    if _BLOTTED_OUT in parts.netloc:
        raise ReleaseError(
            f"{offer.pin} has no wheel, only {offer.file_name} behind a password, and pip would run its build code",
            hint=f"download {offer.url} yourself, then: patchq snapshot ./{offer.file_name}",
        )
    tell(f"{offer.pin}: no wheel, taking {offer.file_name} as it is")
    target = folder / offer.file_name
    digest = hashlib.sha256()
    with _opened(offer) as source, target.open("xb") as file:
        size = 0
        while chunk := source.read(CHUNK):
            size += len(chunk)
            if size > MAX_TOTAL:
                raise too_much(f"has more than {MAX_TOTAL:,} bytes")
            digest.update(chunk)
            file.write(chunk)
    for expected in parse_qs(parts.fragment).get("sha256", ()):
        if digest.hexdigest() != expected.lower():
            raise NetworkError(f"{offer.file_name} arrived with another SHA-256 than the index gives", hint="try again")
    tell(f"{offer.pin}: got {offer.file_name}, {amount(size)}")
    return target


@contextmanager
def _opened(offer: SdistOffer) -> Iterator[IO[bytes]]:
    parts = urlsplit(offer.url)
    try:
        if parts.scheme == "file":
            with Path(urllib.request.url2pathname(parts.path)).open("rb") as file:
                yield file
        else:
            # pip found it on an index that the user configured, and gave http or https: findings.py takes no other
            with urllib.request.urlopen(offer.url, timeout=_TIMEOUT, context=_trust()) as answer:  # noqa: S310
                if parts.scheme == "https" and urlsplit(answer.url).scheme != "https":
                    raise NetworkError(f"{offer.url} leads to an address that is not encrypted", hint=_hint(offer))
                yield answer
    except (OSError, http.client.HTTPException) as error:
        if isinstance(error, urllib.error.HTTPError):
            error.close()  # it is an open connection, too
        raise NetworkError(f"cannot fetch {offer.url}: {error}", hint=_hint(offer)) from error


def _hint(offer: SdistOffer) -> str:
    return f"download it by other means, then: patchq snapshot ./{offer.file_name}"


def _trust() -> ssl.SSLContext:
    """Trust the certificates that pip is told to trust in its environment, or the system's."""
    bundle = os.environ.get("PIP_CERT") or None
    if bundle is not None and Path(bundle).is_dir():
        return ssl.create_default_context(capath=bundle)
    return ssl.create_default_context(cafile=bundle)
