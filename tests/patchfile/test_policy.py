from __future__ import annotations

from datetime import date

import pytest
from packaging.version import Version

from patchq.errors import PatchFormatError
from patchq.model.names import PatchName
from patchq.model.policy import Need, Policy
from patchq.patchfile.policy import before, is_clear_status, parse_policy
from patchq.patchfile.read import read_patch

HEAD = "From: Ada <ada@example.org>\nSubject: Do it\n\nBecause.\n\n"


def policy(text: str, need: Need = Need.USUAL) -> Policy:
    raw = text.encode()
    patch = read_patch(PatchName("p"), raw, file="p.patch")
    return parse_policy(patch.message, file="p.patch", head=raw, need=need)


def test_all_of_a_policy_is_read_in_any_case() -> None:
    told = policy(
        f"{HEAD}Policy: Required\nsince: v0.5.9\nUntil: 0.6\nOwner: ada\nOwner: bob <b@x>\n"
        "Forwarded: https://example.org/7\nExpires: 2026-12-31\n---\n"
    )
    assert told == Policy(
        need=Need.REQUIRED,
        since=Version("0.5.9"),
        until=Version("0.6"),
        owners=("ada", "bob <b@x>"),
        forwarded="https://example.org/7",
        expires=date(2026, 12, 31),
    )
    assert told.condition == "Since: 0.5.9, Until: 0.6"


def test_what_is_not_said_is_the_rule_of_the_series() -> None:
    assert policy(f"{HEAD}---\n") == Policy()
    assert policy(f"{HEAD}---\n", Need.OPTIONAL).need is Need.OPTIONAL
    assert policy(f"{HEAD}Policy: required\n---\n", Need.OPTIONAL).need is Need.REQUIRED


def test_the_fields_of_a_dep3_head_count_and_so_does_a_line_without_a_blank_one_above() -> None:
    assert policy(
        "Description: Do it\nExpires: 2026-12-31\nForwarded: no\n\n--- a/f\n+++ b/f\n@@ -1 +1 @@\n-a\n+b\n"
    ).expires == date(2026, 12, 31)
    glued = policy("From: A <a@b.c>\nSubject: s\n\nBecause we need it\nSince: 0.6\nPolicy: optional\n---\n")
    assert (glued.condition, glued.need) == ("Since: 0.6", Need.OPTIONAL)
    assert policy("From: A <a@b.c>\nSubject: s\n\nSince: the day it broke\nwe need it.\n---\n") == Policy()


@pytest.mark.parametrize(
    ("trailers", "message"),
    [
        ("Policy: maybe", "p.patch:6: Policy: 'maybe' is no policy"),
        ("Owner: a\nSince: soon", "p.patch:7: Since: 'soon' is no version"),
        ("Expires: 31.12.2026", "p.patch:6: Expires: '31.12.2026' is no date"),
        ("Expires: 2026-02-30", "p.patch:6: Expires: '2026-02-30' is no date: day"),
        ("Since: 0.6\nUntil: 0.6", "p.patch:7: Until: no version is from 0.6 on and before 0.6"),
        ("Policy: required\nPolicy: optional", "p.patch:7: Policy: is given twice"),
    ],
)
def test_what_cannot_be_meant_is_refused_with_its_line(trailers: str, message: str) -> None:
    with pytest.raises(PatchFormatError) as refused:
        policy(f"{HEAD}{trailers}\n---\n")
    assert str(refused.value).startswith(message)
    assert refused.value.hint


@pytest.mark.parametrize(
    ("version", "bound", "earlier"),
    [
        ("0.5.9", "0.5.10", True),
        ("0.6", "0.6", False),
        ("0.6rc1", "0.6", False),  # it has the code of 0.6
        ("0.6.dev3", "0.6", False),
        ("0.6rc1", "0.6rc2", True),
        ("0.5.9.post1", "0.5.9", False),
        ("0.6rc1", "0.6.1", True),
    ],
)
def test_a_pre_release_counts_as_its_release(version: str, bound: str, earlier: bool) -> None:  # noqa: FBT001 - a table
    assert before(Version(version), Version(bound)) is earlier


def test_expiry_is_overdue_from_the_next_day_on() -> None:
    told = Policy(expires=date(2026, 12, 1))
    assert [told.overdue(date(2026, 12, day)) for day in (1, 2)] == [False, True]


@pytest.mark.parametrize("value", ["https://example.org/1", "no", "Not-Needed", "yes"])
def test_clear_statements_about_upstream(value: str) -> None:
    assert is_clear_status(value)
    assert not is_clear_status(f"{value} perhaps")
