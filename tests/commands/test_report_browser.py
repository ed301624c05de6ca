"""The page of `patchq report` in a real browser: skipped where there is no Chromium."""

from __future__ import annotations

import html
import json
import re
import shutil
import subprocess
from typing import TYPE_CHECKING, Any

import pytest

from patchq.report.page import page
from tests.report.overview_samples import hostile

if TYPE_CHECKING:
    from pathlib import Path

BROWSERS = ("chromium", "chromium-browser", "google-chrome")
# Runs in the page, of which the test takes the policy away that forbids it, and tells the page around it.
PROBE = """<script>addEventListener("load", () => {
  const all = [...document.querySelectorAll("*")];
  const root = document.documentElement;
  parent.postMessage(JSON.stringify({
    wide: root.scrollWidth > root.clientWidth, width: root.clientWidth,
    ground: getComputedStyle(document.body).backgroundColor,
    tags: [...new Set(all.map((it) => it.tagName.toLowerCase()))],
    handlers: all.filter((it) => it.onerror || it.onclick).length,
    open: document.querySelectorAll("details[open]").length,
    headings: [...document.querySelectorAll("h1, h2, h3")].map((it) => it.offsetHeight > 0),
    pre: document.querySelector("pre").textContent,
  }), "*");
})</script>"""
# A window of a browser is never narrower than 500 pixels, a frame may be.
AROUND = """<!doctype html><title></title>
<script>addEventListener("message", (it) => { document.title = "found " + it.data + " end"; })</script>
<iframe src="page.html" width="%d" height="900"></iframe>"""


@pytest.fixture(scope="module")
def browser() -> str:
    found = next((path for name in BROWSERS if (path := shutil.which(name)) is not None), None)
    if found is None:
        pytest.skip("Chromium is not installed")
    return found


def run(browser: str, page: Path, *options: str) -> str:
    profile = f"--user-data-dir={page.parent / 'profile'}"
    base = ("--headless", "--no-sandbox", "--disable-gpu", "--hide-scrollbars", "--window-size=1300,1000", profile)
    command = [browser, *base, *options, page.as_uri()]
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=120)
    assert done.returncode == 0, done.stderr
    return done.stdout


def probed(browser: str, folder: Path, width: int, *options: str) -> Any:  # noqa: ANN401 - what the page found
    (folder / "around.html").write_text(AROUND % width)
    shown = run(browser, folder / "around.html", "--dump-dom", "--virtual-time-budget=5000", *options)
    found = re.search(r"<title>found (.*?) end</title>", shown, re.DOTALL)
    assert found is not None, shown
    return json.loads(html.unescape(found[1]))


def test_a_browser_shows_a_hostile_page_as_text_in_any_width_and_scheme(browser: str, tmp_path: Path) -> None:
    written = page(hostile(), "patchq")
    without_policy = re.sub(r'<meta http-equiv="Content-Security-Policy"[^>]*>', PROBE, written)
    assert without_policy != written
    (tmp_path / "page.html").write_text(without_policy)
    wide = probed(browser, tmp_path, 1200)
    # The probe is the only script, and nothing of a patch has become an element.
    assert set(wide["tags"]) & {"img", "iframe", "object", "b", "svg", "link"} == set()
    assert (wide["handlers"], wide["open"], wide["width"], wide["wide"]) == (0, 0, 1200, False)
    assert all(wide["headings"])
    assert "</pre></style><script>alert(1)</script>" in wide["pre"]
    narrow = probed(browser, tmp_path, 320, "--blink-settings=preferredColorScheme=0")
    assert (narrow["width"], narrow["wide"]) == (320, False)
    assert (wide["ground"], narrow["ground"]) == ("rgb(255, 255, 255)", "rgb(15, 19, 24)")


def test_a_browser_prints_it(browser: str, tmp_path: Path) -> None:
    (tmp_path / "page.html").write_text(page(hostile(), "patchq"))
    run(browser, tmp_path / "page.html", f"--print-to-pdf={tmp_path / 'page.pdf'}", "--no-pdf-header-footer")
    assert (tmp_path / "page.pdf").read_bytes().startswith(b"%PDF-")
