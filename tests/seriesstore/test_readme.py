"""The format page must tell what the code reads."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from patchq.model.series import Manifest
from patchq.seriesstore import ledger, record
from patchq.seriesstore.manifest import read_manifest
from patchq.seriesstore.seriesfile import read_slots, split

PAGE = Path(__file__).parents[2] / "series" / "README.md"


def example(section: str) -> str:
    found = re.search(rf"^## {section}\n.*?^```\w*\n(.*?)^```", PAGE.read_text(), re.MULTILINE | re.DOTALL)
    assert found is not None
    return found[1]


def test_the_manifest_of_the_format_page_is_read() -> None:
    assert read_manifest(example("patchq.yaml").encode(), file="README.md") == Manifest(
        upstream="https://example.org/engine.git", follow="main", current="v0.5.9"
    )


def test_the_series_file_of_the_format_page_is_read() -> None:
    slots = read_slots(split(example("series").encode()), file="README.md")
    assert [(slot.name.value, slot.standing.value) for slot in slots] == [
        ("sm120-symm-mem-max-sizes", "carried"),
        ("sm120-attention", "not-carried"),
        ("sm120-symm-mem-multimem", "carried"),
    ]


@pytest.mark.parametrize("keys", [record.PATCH_KEYS, record.FILE_KEYS, record.FACT_KEYS, ledger.ENTRY_KEYS])
def test_every_key_of_a_record_and_a_ledger_is_told(keys: tuple[str, ...]) -> None:
    page = PAGE.read_text()
    assert [key for key in keys if not re.search(rf"\b{key}\b", page)] == []
