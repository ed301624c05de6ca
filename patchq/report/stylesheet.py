"""How the page of `patchq report` looks: on a screen light and dark, narrow and wide, and on paper."""

from __future__ import annotations

from patchq.model.verdict import Verdict

# Every text colour has a contrast of 4.5 or more against the grounds it stands on (WCAG 2.2, 1.4.3); a test asks.
LIGHT = {
    "page": "#ffffff",
    "panel": "#f5f7f9",
    "ink": "#1b1f24",
    "soft": "#545d68",
    "link": "#0a4fa8",
    "line": "#c9d1d9",
    "good": "#0d5f2a",
    "look": "#0b5872",
    "wait": "#754900",
    "open": "#a01029",
    "added": "#0b4d22",
    "added-ground": "#e2f6e7",
    "removed": "#7d0a20",
    "removed-ground": "#fdebea",
}
DARK = {
    "page": "#0f1318",
    "panel": "#181e26",
    "ink": "#e4e9ef",
    "soft": "#a3adb9",
    "link": "#84bdff",
    "line": "#3a444f",
    "good": "#7fdc95",
    "look": "#79d3e4",
    "wait": "#e8b95a",
    "open": "#ff9d9a",
    "added": "#a9ecba",
    "added-ground": "#12281a",
    "removed": "#ffc9c6",
    "removed-ground": "#331a1c",
}
# Text colours by the grounds that they stand on.
PAIRS = {
    **dict.fromkeys(("ink", "soft", "link", "good", "look", "wait", "open"), ("page", "panel")),
    "added": ("added-ground",),
    "removed": ("removed-ground",),
}

_TONES = {
    Verdict.CLEAN: "good",
    Verdict.MOVED: "good",
    Verdict.ADAPTED: "look",
    Verdict.PARTIAL: "look",
    Verdict.ABSORBED: "soft",
    Verdict.GUARDED: "soft",
    Verdict.BLOCKED: "wait",
    Verdict.SUPERSEDED: "open",
    Verdict.ORPHANED: "open",
    Verdict.CONFLICT: "open",
}

_RULES = """
*{box-sizing:border-box}
html{color-scheme:light dark;scroll-padding-top:1rem}
body{margin:0;background:var(--page);color:var(--ink);font:1rem/1.5 system-ui,sans-serif;overflow-wrap:anywhere}
header,main,footer{max-width:72rem;margin:0 auto;padding:0 1rem}
header{padding-top:1.5rem}
footer{padding-top:2rem;padding-bottom:2rem;color:var(--soft)}
h1{font-size:1.6rem;line-height:1.25;margin:0 0 .25rem}
h2{font-size:1.25rem;margin:2.5rem 0 .75rem;padding-bottom:.25rem;border-bottom:1px solid var(--line)}
h3{font-size:1.05rem;margin:0 0 .25rem}
p,dl,ul,ol{margin:.5rem 0}
a{color:var(--link)}
:focus-visible{outline:3px solid var(--link);outline-offset:2px;border-radius:2px}
code,pre,kbd,.mono{font-family:ui-monospace,SFMono-Regular,Menlo,Consolas,"DejaVu Sans Mono",monospace;font-size:.875em}
code,bdi,.name{unicode-bidi:isolate}
.soft{color:var(--soft)}
.good{color:var(--good)}.look{color:var(--look)}.wait{color:var(--wait)}.open{color:var(--open)}
.skip{position:absolute;left:-100vw;top:0;padding:.5rem 1rem;background:var(--panel);z-index:3}
.skip:focus{left:0}
.hidden{position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%);white-space:nowrap}
nav ul{display:flex;flex-wrap:wrap;gap:.25rem 1.25rem;list-style:none;padding:0}
.counts{display:flex;flex-wrap:wrap;gap:.5rem;list-style:none;padding:0}
.counts li,.badge{border:1px solid var(--line);border-radius:1rem;padding:.05rem .7rem;background:var(--panel)}
.badge{font-size:.875rem;font-weight:600;white-space:nowrap}
.scroll{overflow:auto;width:fit-content;max-width:100%;max-height:85vh;border:1px solid var(--line);border-radius:.4rem}
table{border-collapse:collapse;width:100%;font-size:.9rem}
caption{text-align:left;padding:.4rem .6rem;color:var(--soft);font-size:.875rem}
th,td{text-align:left;vertical-align:top;padding:.3rem .6rem;border-top:1px solid var(--line)}
thead th{background:var(--panel);white-space:nowrap}
tbody th{font-weight:400;background:var(--page)}
.scroll thead th{position:sticky;top:0;z-index:1}
.scroll tbody th{position:sticky;left:0}
.matrix{width:auto}
td p,td ul{margin:0 0 .2rem}
td ul{padding-left:1.1rem}
.verdict{white-space:nowrap}
.how{display:block;font-size:.85em;color:var(--soft)}
.title{font-weight:600}
article tbody th{min-width:min(5rem,12vw)}
.matrix td{white-space:nowrap}
.matrix tbody a{display:inline-block;width:max-content;max-width:min(26rem,45vw)}
.wide th:not(:first-child),.wide td{padding:.3rem .45rem;text-align:center;vertical-align:bottom}
.wide thead th:not(:first-child)>span{writing-mode:vertical-rl;transform:rotate(180deg);max-height:12rem}
.wide thead th:first-child{vertical-align:bottom}
.matrix thead th:first-child{left:0;z-index:2}
.matrix .sigil,.badge .sigil,.counts .sigil{font-weight:700;display:inline-block;min-width:1ch;text-align:center}
.now{background:var(--panel)}
article{border:1px solid var(--line);border-radius:.4rem;padding:1rem;margin:1rem 0}
article .top{display:flex;flex-wrap:wrap;justify-content:space-between;gap:.25rem 1rem;align-items:baseline}
.reason{white-space:pre-line}
.facts{display:grid;grid-template-columns:max-content minmax(0,1fr);gap:.1rem .8rem;font-size:.9rem}
.facts dt{color:var(--soft)}
.facts dd{margin:0}
.todo{border-left:4px solid var(--open);background:var(--panel);padding:.5rem .9rem;margin:.75rem 0}
.todo.review{border-color:var(--wait)}
.command{display:block;white-space:pre-wrap;padding:.3rem .6rem;margin:.3rem 0;background:var(--page);
border:1px solid var(--line);border-radius:.3rem}
details{margin:.5rem 0}
summary{cursor:pointer;padding:.15rem 0;color:var(--link)}
details>.facts-table{margin-top:.25rem}
.code{margin:.25rem 0;padding:.6rem;overflow-x:auto;background:var(--panel);border:1px solid var(--line);
border-radius:.3rem;line-height:1.4;tab-size:4;overflow-wrap:normal;direction:ltr;unicode-bidi:isolate}
.code ins,.code del{text-decoration:none;display:block;width:max-content;min-width:100%}
.code ins{color:var(--added);background:var(--added-ground)}
.code del{color:var(--removed);background:var(--removed-ground)}
.code .h{color:var(--look)}
.code .f{font-weight:700}
.timeline{list-style:none;padding:0 0 0 1.2rem;border-left:3px solid var(--line);margin-left:.4rem}
.timeline>li{margin:0 0 1rem;position:relative}
.timeline>li::before{content:"";position:absolute;left:-1.7rem;top:.45rem;width:.7rem;height:.7rem;border-radius:50%;
background:var(--soft);border:2px solid var(--page)}
.timeline ul{padding-left:1.2rem;margin:.2rem 0}
@media (max-width:40rem){
body{font-size:.95rem}
header,main,footer{padding-left:.75rem;padding-right:.75rem}
article{padding:.75rem}
.facts{grid-template-columns:minmax(0,1fr)}
.facts dd{margin:0 0 .3rem 1rem}
}
"""

_PAPER = """
@media print{
@page{margin:15mm}
html{font-size:9.5pt}
header,main,footer{max-width:none;padding:0}
nav,.skip{display:none}
a{color:inherit;text-decoration:none}
.scroll,.code{overflow:visible;max-height:none}
.scroll{border:0}
.code{white-space:pre-wrap;overflow-wrap:anywhere;font-size:8pt}
.scroll thead th,.scroll tbody th{position:static}
.code ins,.code del{width:auto}
h2,h3,.top,caption,thead{break-after:avoid}
tr,.todo,.timeline>li,.facts{break-inside:avoid}
details:not([open]){display:none}
ins,del,.badge,.todo{print-color-adjust:exact;-webkit-print-color-adjust:exact}
}
"""


def tone(verdict: Verdict | None) -> str:
    """Name the class, and with it the colour, that a verdict is shown in; None is a patch that was never carried."""
    return "soft" if verdict is None else _TONES[verdict]


def stylesheet() -> str:
    """Write the whole style sheet; on paper it is always the light one."""
    light, dark = _variables(LIGHT), _variables(DARK)
    return f":root{light}@media screen and (prefers-color-scheme:dark){{:root{dark}}}{_RULES}{_PAPER}"


def _variables(colours: dict[str, str]) -> str:
    return "{" + ";".join(f"--{name}:{value}" for name, value in colours.items()) + "}"
