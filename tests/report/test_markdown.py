from __future__ import annotations

import re
from typing import TYPE_CHECKING

from hypothesis import given
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from patchq.report.markdown import MOST_BYTES, SIGNATURE, bounded, prose, span, table
from patchq.report.markdown_report import overview_markdown
from tests.report.overview_samples import HOSTILE, hostile, overview, series, story, text

if TYPE_CHECKING:
    from collections.abc import Iterator

    from markdown_it.token import Token

READER = MarkdownIt("commonmark", {"html": True}).enable("table")
# What GitHub and GitLab make links of, in any text that is no code.
LINKING = re.compile(r"[@#!~%$&][\w]|://|www\.|\b[0-9a-f]{7,40}\b")
PIECES = (
    *("`", "``", "```\n", "~~~", "|", "\\", "\\|", "| --- |", "* ", "- ", "# ", "\n", "\n\n", "    ", "\t"),
    *("<b>", "<!--", "&amp;", "](", "[a](http://e.org)", "https://e.org", "@user", "#12", "!7", "/close"),
    *("deadbeef1234567", "\u202e", "\udcff", "é"),
)
texts = st.lists(st.sampled_from(PIECES) | st.text(max_size=8), max_size=12).map("".join)


def inlines(tokens: list[Token]) -> Iterator[Token]:
    for token in tokens:
        yield token
        yield from inlines(token.children or [])


def outside_of_code(markdown: str) -> str:
    """Give all text that is no code; refuse every kind of markup but lists, tables, headings and strong words."""
    found = list(inlines(READER.parse(markdown.removeprefix(SIGNATURE))))
    assert {token.type for token in found} & {
        "html_inline",
        "html_block",
        "link_open",
        "image",
        "fence",
        "code_block",
    } == set()
    return " ".join(token.content for token in found if token.type == "text")


@given(texts)
def test_no_text_leaves_its_code_span(hostile: str) -> None:
    for written in (span(hostile), f"- {span(hostile)}", f"- {prose(hostile)}", f"x {prose(hostile)}"):
        assert not LINKING.search(outside_of_code(written)), written
        assert "\n" not in written


@given(texts.filter(lambda it: bool(it.split()) and it.isprintable()))
def test_a_code_span_reads_as_the_text(plain: str) -> None:
    (code,) = (token for token in inlines(READER.parse(span(plain, 1000))) if token.type == "code_inline")
    assert code.content == " ".join(plain.split())


@given(st.lists(st.from_regex(r"[A-Za-z0-9_][A-Za-z0-9._+|@#-]{0,20}", fullmatch=True), min_size=1, max_size=4))
def test_names_with_bars_stay_in_their_cells(names: list[str]) -> None:
    rows = [[span(name) for name in names]] * 2
    tokens = READER.parse("\n".join(table(["x"] * len(names), rows)))
    assert [token.type for token in tokens].count("td_open") == 2 * len(names)
    assert [token.content for token in inlines(tokens) if token.type == "code_inline"] == names * 2


def test_prose_quotes_what_is_no_plain_word() -> None:
    assert prose("copied [10], which @bob has changed: [6, 8] -> [4, 6, 8]") == (
        "copied `[10]`, which `@bob` has changed: `[6, 8] -> [4, 6, 8]`"
    )
    assert len(prose("x" * 100_000)) < 700
    assert span(" " * 100_000 + "end") == "`...`"


def test_what_does_not_fit_is_cut_at_a_line_and_said() -> None:
    written = bounded([["# Head"], ["line"] * 100_000], "More is left out here.")
    assert len(written.encode()) <= MOST_BYTES
    assert written.endswith("line\n\nMore is left out here.\n")


def test_the_story_in_markdown() -> None:
    assert overview_markdown(story(), "patchq") == (
        "<!-- patchq report -->\n"
        "\n"
        "# Patches on `v3` (`3333333333`)\n"
        "\n"
        "**5 patches: 2 clean, 1 adapted, 1 orphaned, 1 never carried**.\n"
        "\n"
        "## A person is needed\n"
        "\n"
        "- `?` orphaned `knob`: what it patches is gone from upstream\n"
        "  - `knob.py`: found so at `v3`\n"
        "  - look: `patchq explain knob`\n"
        "\n"
        "## What to do next\n"
        "\n"
        "- **orphaned**: if it is still needed, edit `series/v3/knob.patch` for the code that is there now; if not, "
        "delete that part from it, or its line from `series/v3/series` if nothing else is left\n"
        "- **resolve**: settle what is open in a work tree of its own, patch by patch: `patchq resolve`\n"
        "- **then**: run again: `patchq rebase v3`\n"
        "- **next**: carry `1` new or edited patch: `patchq rebase v3`\n"
        "\n"
        "## Patches by refs\n"
        "\n"
        "| patch | `v3` | `v2` | `v1` |\n"
        "| --- | --- | --- | --- |\n"
        "| `gate` | `+` clean | `+` clean | `+` clean |\n"
        "| `sizes` | `*` adapted | `*` adapted | `+` clean |\n"
        "| `knob` | `?` orphaned | `+` clean | `+` clean |\n"
        "| `far` | `+` clean | `-` absorbed |  |\n"
        "| `fresh` | new |  |  |\n"
        "\n"
        "## The ledger\n"
        "\n"
        '- `far` absorbed at `v2` by `cccccccccc "Support 12" (#77)`\n'
        "- `far` back at `v3`\n"
        "- `dropped` dropped at `v2`: nobody uses it\n"
    )


def test_a_hostile_series_in_markdown() -> None:
    written = overview_markdown(hostile(), "patchq")
    assert not LINKING.search(outside_of_code(written))
    assert "<script>alert(1)</script>" in written
    assert len(HOSTILE * 1000) > len(written)


def test_a_series_without_anything_in_markdown() -> None:
    assert (
        overview_markdown(overview(), "patchq")
        == f"{SIGNATURE}\n\n# No patches on no ref, never carried yet\n\n**0 patches**.\n"
    )


def test_hundreds_of_patches_at_many_refs_stay_bounded() -> None:
    many = {f"patch-{number}-{'x' * 80}": (text("a"), None) for number in range(800)}
    written = overview_markdown(overview(*(series(ref, many) for ref in ("v3", "v2", "v1"))), "patchq")
    assert len(written.encode()) <= MOST_BYTES
    assert "More is left out here; `patchq report -o report.html` has all of it." in written
