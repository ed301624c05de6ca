from __future__ import annotations

from pathlib import Path

import pytest
from packaging.version import Version

from patchq.errors import ReleaseError, UsageError
from patchq.pypi.pin import Kind, Pin, identify, parse_request


@pytest.mark.parametrize("text", ["Demo_Pkg==1.0", "demo-pkg == 1.0", " demo.pkg==1.0 "])
def test_a_pin_has_one_spelling(text: str) -> None:
    assert str(parse_request(text)) == "demo-pkg==1.0"


def test_equal_versions_are_one_release() -> None:
    assert parse_request("demo==1") == parse_request("demo==1.0.0")


@pytest.mark.parametrize("text", ["./demo-1.0.tar.gz", "demo-1.0-py3-none-any.whl", "/x/demo-1.0.zip"])
def test_an_archive_is_told_by_its_suffix(text: str) -> None:
    assert parse_request(text) == Path(text)


@pytest.mark.parametrize("text", ["demo", "demo>=1", "demo==1.*", "demo===1", "demo[all]==1", "demo==one", "-x==1", ""])
def test_anything_but_one_exact_version_is_a_usage_error(text: str) -> None:
    with pytest.raises(UsageError, match="names no release"):
        parse_request(text)


def test_a_file_name_says_kind_project_and_version() -> None:
    assert identify("Demo_Pkg-1.0rc1-cp311-cp311-win_amd64.whl") == (Kind.WHEEL, Pin("demo-pkg", Version("1.0rc1")))
    assert identify("demo-pkg-2.0.post1.tar.gz") == (Kind.SDIST, Pin("demo-pkg", Version("2.0.post1")))


@pytest.mark.parametrize(
    "name", ["demo.whl", "demo.tar.gz", "demo-1-x.whl", "a b-1.zip", "demo\nPatchq-Release: x-1.zip"]
)
def test_a_file_name_that_says_nothing_is_refused(name: str) -> None:
    with pytest.raises(ReleaseError, match="not the file name of a release"):
        identify(name)
