from __future__ import annotations

import random
from typing import TYPE_CHECKING

import pytest

from patchq.pypi.pin import Pin, parse_request
from patchq.pypi.wheels import Offer, SdistOffer, WheelOffer, choose, read_offer

if TYPE_CHECKING:
    from collections.abc import Sequence

# In the order in which they are read: each before all that follow.
ORDER = [
    "demo-1.0-py3-none-any.whl",
    "demo-1.0-py2.py3-none-any.whl",
    "demo-1.0-py38-none-any.whl",
    "demo-1.0-cp311-none-any.whl",
    "demo-1.0-py3-none-manylinux_2_5_x86_64.manylinux1_x86_64.whl",
    "demo-1.0-cp38-abi3-manylinux_2_17_x86_64.manylinux2014_x86_64.whl",
    "demo-1.0-cp39-cp39-manylinux2014_x86_64.whl",
    "demo-1.0-cp310-cp310-manylinux_2_17_x86_64.whl",
    "demo-1.0-cp313-cp313-manylinux_2_17_x86_64.whl",
    "demo-1.0-cp313-cp313t-manylinux_2_17_x86_64.whl",
    "demo-1.0-pp310-pypy310_pp73-manylinux_2_17_x86_64.whl",
    "demo-1.0-cp27-cp27mu-manylinux_2_17_x86_64.whl",
    "demo-1.0-cp311-cp311-manylinux_2_34_x86_64.whl",
    "demo-1.0-cp311-cp311-musllinux_1_2_x86_64.whl",
    "demo-1.0-cp311-cp311-manylinux_2_34_aarch64.whl",
    "demo-1.0-cp311-cp311-manylinux_2_34_ppc64le.whl",
    "demo-1.0-cp311-cp311-macosx_11_0_arm64.whl",
    "demo-1.0-cp311-cp311-win_amd64.whl",
    "demo-1.0-cp311-cp311-emscripten_3_1_58_wasm32.whl",
    "demo-1.0.tar.gz",
    "demo-1.0.zip",
]
SAME_RANK = {"demo-1.0-py2.py3-none-any.whl"}


def offers(names: Sequence[str]) -> list[Offer]:
    found = [read_offer(f"https://files.example.org/ab/{name.replace('+', '%2B')}#sha256=00") for name in names]
    return [offer for offer in found if offer is not None]


def pin(text: str) -> Pin:
    request = parse_request(text)
    assert isinstance(request, Pin)
    return request


@pytest.mark.parametrize("seed", range(5))
def test_the_choice_is_the_first_in_the_documented_order_however_they_are_listed(seed: int) -> None:
    names = [name for name in ORDER if name not in SAME_RANK]
    for first, best in enumerate(names):
        listed = names[first:]
        random.Random(seed).shuffle(listed)  # noqa: S311 - an order, not a secret
        chosen = choose(pin("demo==1.0"), offers(listed))
        assert chosen is not None
        assert chosen.file_name == best


def test_of_wheels_for_the_same_the_later_build_wins() -> None:
    names = ["demo-1.0-2-py3-none-any.whl", "demo-1.0-10-py3-none-any.whl", "demo-1.0-py3-none-any.whl"]
    chosen = choose(pin("demo==1.0"), offers(names))
    assert chosen is not None
    assert chosen.file_name == "demo-1.0-10-py3-none-any.whl"


def test_other_versions_are_no_choice_and_a_local_version_is_another() -> None:
    names = ["demo-1.0+cpu-py3-none-any.whl", "demo-1.0.1-py3-none-any.whl", "other-1.0-py3-none-any.whl"]
    assert choose(pin("demo==1.0"), offers(names)) is None
    chosen = choose(pin("demo==1.0+cpu"), offers(names))
    assert chosen is not None
    assert chosen.file_name == names[0]


def test_a_wheel_is_remembered_by_the_tag_that_is_asked_for() -> None:
    (offer,) = offers(["demo-1.0-cp312.cp311-abi3-win_amd64.manylinux2014_x86_64.whl"])
    assert isinstance(offer, WheelOffer)
    assert str(offer.tag) == "cp311-abi3-manylinux2014_x86_64"


def test_an_address_that_is_no_archive_is_no_offer() -> None:
    assert (
        offers(["", "index.html", "demo.tar.gz", "demo-1.0.exe", "demo-1.0-py3.whl", "demo-1.0-%-none-any.whl"]) == []
    )


def test_an_sdist_keeps_the_address_it_was_seen_at() -> None:
    offer = read_offer("https://u:****@files.example.org/demo-1.0.tar.gz#sha256=00")
    assert isinstance(offer, SdistOffer)
    assert offer.url == "https://u:****@files.example.org/demo-1.0.tar.gz#sha256=00"
