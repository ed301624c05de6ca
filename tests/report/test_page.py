from __future__ import annotations

import re
from dataclasses import replace
from itertools import pairwise

import pytest

from patchq.model.names import PatchName
from patchq.model.series import Seen, Sighting, Standing
from patchq.model.verdict import ReviewClass, Verdict
from patchq.report.markdown_report import overview_markdown
from patchq.report.page import SIGNATURE, page
from patchq.report.stylesheet import DARK, LIGHT, PAIRS, stylesheet, tone
from tests.report.overview_samples import LANDED, REFS, gone, hostile, overview, series, story, text
from tests.report.pages import Node, read_page

PAGES = {"story": story, "hostile": hostile, "empty": overview}


@pytest.fixture(params=sorted(PAGES))
def read(request: pytest.FixtureRequest) -> Node:
    return read_page(page(PAGES[request.param](), "patchq"))


def article(root: Node, name: str) -> Node:
    heading = next(node for node in root.walk() if node.attributes.get("id") == f"patch-{name}")
    while heading.tag != "article":
        assert heading.parent is not None
        heading = heading.parent
    return heading


def test_a_page_needs_nothing_else_and_runs_nothing(read: Node) -> None:
    loading = {"script", "link", "img", "iframe", "object", "embed", "base", "form", "svg", "video", "audio"}
    assert read.all(*loading) == []
    assert [key for node in read.walk() for key in node.attributes if key.startswith("on") or key == "style"] == []
    targets = [node.attributes[key] for node in read.walk() for key in ("href", "src") if key in node.attributes]
    assert targets
    assert [target for target in targets if not target.startswith("#")] == []
    (rule,) = (node for node in read.all("meta") if node.attributes.get("http-equiv") == "Content-Security-Policy")
    assert rule.attributes["content"].startswith("default-src 'none'; style-src 'unsafe-inline'")
    assert "url(" not in stylesheet()
    assert "@import" not in stylesheet()


def test_every_link_has_its_target_and_every_id_is_there_once(read: Node) -> None:
    ids = [node.attributes["id"] for node in read.walk() if "id" in node.attributes]
    assert len(ids) == len(set(ids))
    links = {node.attributes["href"].removeprefix("#") for node in read.all("a")}
    named = {name for node in read.walk() for name in node.attributes.get("aria-labelledby", "").split()}
    assert links | named <= set(ids)


def test_landmarks_and_headings_are_in_order(read: Node) -> None:
    (html,) = read.children
    assert html.attributes["lang"] == "en"
    assert [len(read.all(tag)) for tag in ("title", "h1", "main", "nav", "header", "footer")] == [1] * 6
    first = html.all("body")[0].children[0]
    assert (first.tag, first.attributes["href"]) == ("a", f"#{read.all('main')[0].attributes['id']}")
    levels = [int(node.tag[1]) for node in read.walk() if re.fullmatch("h[1-6]", node.tag)]
    assert levels[0] == 1
    assert all(after <= before + 1 for before, after in pairwise(levels))
    for section in read.all("section", "article"):
        assert section.attributes["aria-labelledby"]
    assert read.all("nav")[0].attributes["aria-label"]


def test_tables_say_what_they_are_and_what_their_heads_are_for(read: Node) -> None:
    for one in read.all("table"):
        assert one.children[0].tag == "caption"
        assert one.children[0].text.strip()
        assert {node.attributes["scope"] for node in one.all("thead")[0].all("th")} == {"col"}
        for row in one.all("tbody")[0].all("tr"):
            first = row.children[0]
            assert (first.tag, first.attributes["scope"]) == ("th", "row")
            assert len(row.children) == len(one.all("thead")[0].all("th"))


def test_what_folds_says_what_is_in_it_and_what_scrolls_can_be_reached_by_key(read: Node) -> None:
    for one in read.all("details"):
        assert one.children[0].tag == "summary"
        assert one.children[0].text.strip()
    for one in read.all("pre"):
        assert one.attributes["tabindex"] == "0"
        assert one.attributes["aria-label"]
    for one in read.walk():
        assert one.attributes.get("class") != "scroll" or one.attributes["tabindex"] == "0"


def test_a_verdict_is_never_told_by_colour_alone(read: Node) -> None:
    tones = {tone(verdict) for verdict in Verdict} - {"soft"}
    for node in read.walk():
        if node.attributes.get("class") in tones:
            assert re.fullmatch(r"\S [a-z, ]+", node.text), node.text


def schemes() -> dict[str, dict[str, str]]:
    """Read the colours from the style sheet itself: the light ones, and those of a dark screen."""
    sheet = stylesheet()
    dark = sheet.index("@media screen and (prefers-color-scheme:dark)")
    blocks = {"light": sheet[:dark], "dark": sheet[dark : sheet.index("}}", dark)]}
    return {name: dict(re.findall(r"--([a-z-]+):(#[0-9a-f]{6})", block)) for name, block in blocks.items()}


def contrast(one: str, two: str) -> float:
    """Compute the contrast ratio of two colours as WCAG 2.2 defines it."""

    def luminance(colour: str) -> float:
        parts = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
        red, green, blue = (it / 12.92 if it <= 0.04045 else ((it + 0.055) / 1.055) ** 2.4 for it in parts)
        return 0.2126 * red + 0.7152 * green + 0.0722 * blue

    darker, lighter = sorted(map(luminance, (one, two)))
    return (lighter + 0.05) / (darker + 0.05)


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_text_stands_out_from_its_ground(scheme: str) -> None:
    colours = schemes()[scheme]
    assert colours == {"light": LIGHT, "dark": DARK}[scheme]
    used = set(re.findall(r"[{;]color:var\(--([a-z-]+)\)", stylesheet()))
    assert used == set(PAIRS)
    low = {
        (front, ground): round(contrast(colours[front], colours[ground]), 2)
        for front, grounds in PAIRS.items()
        for ground in grounds
        if contrast(colours[front], colours[ground]) < 4.5
    }
    assert low == {}


def test_the_matrix_has_what_status_all_has() -> None:
    (matrix,) = (
        node for node in read_page(page(story(), "patchq")).all("table") if "matrix" in node.attributes.get("class", "")
    )
    rows = [[cell.text for cell in row.children] for row in matrix.all("tr")]
    assert rows == [
        ["patch", "v3 (current)", "v2", "v1"],
        ["gate", "+ clean", "+ clean", "+ clean"],
        ["sizes", "* adapted", "* adapted", "+ clean"],
        ["knob", "? orphaned", "+ clean", "+ clean"],
        ["far", "+ clean", "- absorbed", "not there"],
        ["fresh", "n new", "not there", "not there"],
    ]


def test_many_refs_are_marks_with_their_words_hidden_and_a_legend() -> None:
    states = [series("v3", {"gate": (text("gate"), Verdict.CLEAN)}) for _ in range(8)]
    root = read_page(page(overview(*states), "patchq"))
    (matrix,) = (node for node in root.all("table") if "wide" in node.attributes.get("class", ""))
    cell = matrix.all("td")[0]
    assert cell.text == "+ clean"
    assert [node.text for node in cell.walk() if node.attributes.get("class") == "hidden"] == [" clean"]
    assert [node.text for node in root.all("ul") if node.attributes.get("aria-label") == "The marks"] == ["+ clean\n"]


def test_a_patch_has_its_reason_its_trailers_and_each_text_once() -> None:
    root = read_page(page(story(), "patchq"))
    gate = article(root, "gate")
    assert "It is needed." in gate.text
    facts = dict(zip((it.text for it in gate.all("dt")), (it.text for it in gate.all("dd")), strict=True))
    assert facts["Owner"] == "Ada Author <ada@example.org>"
    assert facts["Forwarded"] == "https://example.org/pull/9"
    assert facts["changes"] == "1 file, 1 line added, 1 removed"
    assert [it.text for it in gate.all("summary")] == ["Diff at v3, v2, v1: 1 file, 1 line added, 1 removed"]
    assert [it.text for it in article(root, "sizes").all("summary")] == [
        "Diff at v3, v2: 1 file, 1 line added, 1 removed",
        "What is new from v1 to v2: the change itself differs",
        "Diff at v1: 1 file, 1 line added, 1 removed",
    ]
    newest, interdiff, _ = article(root, "sizes").all("pre")
    assert newest.text.splitlines()[-3:] == [" y", "-a", "+c"]
    assert [node.text for node in newest.all("ins", "del")] == ["-a\n", "+c\n"]
    assert [node.text for node in interdiff.all("ins", "del")] == ["-+b\n", "++c\n"]
    assert "< x\n" in interdiff.text


def test_an_open_patch_says_what_is_in_its_way_and_what_to_type() -> None:
    root = read_page(page(story(), "patchq --series 'my series'"))
    (box,) = (node for node in article(root, "knob").walk() if node.attributes.get("class") == "todo")
    assert "knob.py: found so at v3" in box.text
    assert [node.text for node in box.all("code")] == [
        "patchq --series 'my series' explain knob",
        "patchq --series 'my series' rebase v3",
    ]
    section = root.all("section")[0].text
    assert "1 patch is not carried." in section
    assert "edit series/v3/knob.patch for the code that is there now" in section
    assert "carry 1 new or edited patch:" in section


def test_the_ledger_is_told_by_the_states_of_upstream_oldest_first() -> None:
    root = read_page(page(story(), "patchq"))
    (line,) = (node for node in root.all("ol") if node.attributes["class"] == "timeline")
    assert [node.text for node in line.all("h3")] == ["v2 (2222222222), 2026-02-25", "v3 (3333333333)"]
    assert [node.text for node in line.all("ul")[0].all("li")] == [
        "far absorbed by cccccccccc “Support 12” (#77), 2026-02-25",
        "dropped dropped: nobody uses it",
    ]
    assert [node.text for node in line.all("ul")[1].all("li")] == ["far back in the series"]
    dropped = article(root, "dropped")
    assert dropped.all("summary")[0].text.startswith("Last text, kept in the ledger")
    assert "+b" in dropped.all("pre")[0].text


def test_the_landed_half_of_a_patch_says_whose_it_is() -> None:
    half = gone("gate-landed", text("gate"), part_of=PatchName("gate"))
    whole = overview(series("v3", {"gate": (text("gate"), Verdict.PARTIAL)}, ["gate-landed"]), ledger=[half])
    told = "gate-landed, the half of gate that upstream has, absorbed by cccccccccc"
    assert told in read_page(page(whole, "patchq")).text
    assert "- `gate-landed`, the half of `gate`, absorbed at `v2` by" in overview_markdown(whole, "patchq")


def test_a_guarded_patch_is_not_carried_and_waits_for_nobody() -> None:
    (entry,) = (state := series("v3", {"new": (text("new"), Verdict.GUARDED)})).entries
    resting = replace(state, entries=(replace(entry, standing=Standing.NOT_CARRIED),))
    root = read_page(page(overview(resting), "patchq"))
    assert "Nothing waits for a person." in root.all("section")[0].text
    assert [node for node in article(root, "new").walk() if "todo" in node.attributes.get("class", "")] == []


def test_hostile_text_stays_text() -> None:
    written = page(hostile(), "patchq")
    assert not re.search("[\x00-\x08\x0b-\x1f\x7f\u202e\ud800-\udfff]", written)
    root = read_page(written)
    evil = article(root, "evil")
    assert "</pre></style><script>alert(1)</script> & \" ' <!-- | ` `` @user #12 \\x1b[31m" in evil.text
    assert "\\u202eevil\\t \\xff" in evil.all("p")[0].text
    assert "\\xff" in evil.all("pre")[0].text
    assert "<script>" in evil.all("dd")[2].text


def test_long_lines_and_long_diffs_are_cut_and_it_is_said() -> None:
    raw = text("big", new="z" * 100_000)
    shown = article(read_page(page(overview(series("v3", {"big": (raw, Verdict.CLEAN)})), "patchq")), "big").text
    assert "(100001 bytes)" in shown
    assert "z" * 2001 not in shown
    many = "\n+".join(f"line {number} of a generated file that nobody reads" for number in range(40_000))
    raw = text("big", new=many).replace(b"+1,2 @@", b"+1,40001 @@")
    written = page(overview(series("v3", {"big": (raw, Verdict.CLEAN)})), "patchq")
    assert len(written) < 1_100_000
    assert re.search(r"… and \d+ more lines, left out here", article(read_page(written), "big").text)


def test_the_same_series_gives_the_same_bytes_and_a_page_that_a_later_one_may_replace() -> None:
    assert page(story(), "patchq") == page(story(), "patchq")
    assert page(story(), "patchq").startswith(SIGNATURE)


def test_what_rests_on_likeness_says_so_and_is_accepted_once_for_all() -> None:
    state = series("v3", {"near": (text("near"), Verdict.ADAPTED)}, review=ReviewClass.D)
    (entry,) = state.entries
    held = replace(state, entries=(replace(entry, standing=Standing.NOT_CARRIED),))
    root = read_page(page(overview(held), "patchq"))
    (box,) = (node for node in article(root, "near").walk() if node.attributes.get("class") == "todo review")
    assert box.text.startswith("One neighbour only, or upstream changed the same expression.")
    assert [node.text for node in box.all("code")] == ["patchq explain near"]
    assert "patchq rebase v3 --accept review" in root.all("section")[0].text


def test_many_large_patches_share_the_room(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("patchq.report.page._CODE", 100_000)
    lines = "\n+".join(f"line {number} of many" for number in range(4000))
    names = [f"patch-{number}" for number in range(8)]
    large = {name: (text(name, new=lines).replace(b"+1,2 @@", b"+1,4001 @@"), Verdict.CLEAN) for name in names}
    written = page(overview(series("v3", large)), "patchq")
    assert len(written) < 8 * 20_000
    assert written.count("left out here") == 8


def test_no_end_of_a_wide_line_is_lost_in_silence() -> None:
    raw = text("wide", new="\U0001f600" * 2001)
    shown = article(read_page(page(overview(series("v3", {"wide": (raw, Verdict.CLEAN)})), "patchq")), "wide").text
    assert "… (8005 bytes)" in shown


def test_a_patch_that_landed_twice_names_each_landing_where_it_was() -> None:
    again = replace(LANDED, commit="d" * 40)
    history = (
        Sighting(seen=Seen.ABSORBED, at=REFS["v1"], commit=LANDED.commit, subject="first"),
        Sighting(seen=Seen.RETURNED, at=REFS["v2"]),
        Sighting(seen=Seen.ABSORBED, at=REFS["v3"], commit=again.commit, subject="second"),
    )
    there = {"far": (text("far"), Verdict.CLEAN)}
    states = (series("v3", {}, ["far"]), series("v2", there), series("v1", {}, ["far"]))
    root = read_page(page(overview(*states, ledger=[gone("far", text("far"), history=history)]), "patchq"))
    rows = [[cell.text for cell in row.children] for row in article(root, "far").all("tbody")[0].all("tr")]
    assert rows == [
        ["v3", "- absorbed", "absorbed by dddddddddd “second”\n"],
        ["v2", "+ clean exact", "found so at v2\n"],
        ["v1", "- absorbed", "absorbed by cccccccccc “first”, 2026-02-25\n"],
    ]


def test_long_messages_and_long_lists_are_cut_and_it_is_said() -> None:
    raw = text("long", body="why " * 50_000)
    notes = tuple(f"note {number}" for number in range(100))
    shown = article(
        read_page(page(overview(series("v3", {"long": (raw, Verdict.CLEAN)}, notes=notes)), "patchq")), "long"
    )
    assert len(shown.text) < 25_000
    assert "note 28" in shown.text
    assert "… and 71 more" in shown.text
