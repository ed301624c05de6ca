"""What probes have shown: a line for each command, with how it ended on both trees; or as JSON."""

from __future__ import annotations

import shlex
from collections import Counter
from typing import TYPE_CHECKING

from patchq.model.probe import ProbeVerdict
from patchq.report.cells import visible, wrap
from patchq.report.jsonsafe import document
from patchq.report.style import Tint
from patchq.report.words import counted

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from patchq.model.names import PatchName
    from patchq.model.probe import Probed, Ran
    from patchq.report.jsonsafe import Json, JsonObject
    from patchq.report.style import Style

_TINTS = {ProbeVerdict.NEEDED: Tint.GREEN, ProbeVerdict.ABSORBED: Tint.YELLOW, ProbeVerdict.BROKEN: Tint.RED}


def probes_text(results: Mapping[PatchName, Sequence[Probed]], onto: str, style: Style) -> str:
    """Lay it out for people; the summary is the last line."""
    lines: list[str] = []
    for name, probed in results.items():
        lines.append(visible(str(name)))
        for one in probed:
            lines += _told(one, style)
    counts = Counter(one.verdict for probed in results.values() for one in probed)
    total = counted(sum(counts.values()), "probe", "probes")
    said = ", ".join(f"{counts[verdict]} {verdict.value}" for verdict in ProbeVerdict if counts[verdict])
    return "\n".join([*lines, *([""] if lines else []), f"{total}: {said or 'none'}; on {visible(onto)}"])


def probes_document(
    results: Mapping[PatchName, Sequence[Probed]], *, ref: str, pristine: str, patched: str
) -> JsonObject:
    """Give the same as a document, with the last of what each command printed."""
    patches: list[Json] = [
        {"name": str(name), "probes": [_fields(one) for one in probed]} for name, probed in results.items()
    ]
    return document("probe", {"ref": ref, "pristine": pristine, "patched": patched, "patches": patches})


def _fields(one: Probed) -> Json:
    return {
        "trailer": one.probe.key,
        "command": list(one.probe.words),
        "verdict": one.verdict.value,
        "pristine": _ran(one.pristine),
        "patched": _ran(one.patched),
    }


def _ran(ran: Ran) -> Json:
    return {"ending": ran.ending.value, "exit_code": ran.code, "output": ran.tail}


def _told(one: Probed, style: Style) -> Iterator[str]:
    word = style.paint(one.verdict.value, _TINTS[one.verdict])
    yield f"  {word}: {one.pristine.ending.value} on upstream, {one.patched.ending.value} with the patches"
    yield from wrap(
        visible(f"{one.probe.key}: {shlex.join(one.probe.words)}"), style.columns, first="    ", rest="      "
    )
    if one.verdict is ProbeVerdict.BROKEN and (last := one.patched.tail or one.pristine.tail):
        yield from wrap(visible(last.splitlines()[-1]), style.columns, first="    | ", rest="    | ")
