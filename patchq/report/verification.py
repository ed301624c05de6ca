"""What a tree has of a series: a line a patch, what is missing where, and odd things about the tree; or as JSON."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING

from patchq.model.verification import Demand, Staleness, State
from patchq.report.cells import cells, pad, visible, wrap
from patchq.report.jsonsafe import document, text
from patchq.report.style import Tint
from patchq.report.words import counted

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from patchq.model.verification import FileSight, PatchSight, StaleBytecode
    from patchq.report.jsonsafe import Json, JsonObject
    from patchq.report.style import Style

_SIGILS = {State.PRESENT: "+", State.ABSENT: "!", State.PARTIAL: "/", State.DIVERGED: "=", State.TARGET_GONE: "?"}
_SHOWN = 3  # stale files that are named


@dataclass(frozen=True, slots=True, kw_only=True)
class TreeSight:
    """Everything that is told of one tree: how it is called, of which ref the series is, and what was found."""

    tree: str
    ref: str
    patches: Sequence[PatchSight]
    stale: Sequence[StaleBytecode] = ()
    doubles: Sequence[str] = ()


def verification_text(sight: TreeSight, style: Style) -> str:
    """Lay it out for people; the summary is the last line."""
    names = [visible(str(patch.name)) for patch in sight.patches]
    width = max(map(cells, names), default=0)
    lines = []
    for patch, name in zip(sight.patches, names, strict=True):
        optional = "  optional" if patch.demand is Demand.OPTIONAL else ""
        word = style.paint(patch.state.value, _tint(patch))
        lines.append(f"{_SIGILS[patch.state]} {pad(name, width)}  {word}{optional}")
        if patch.state is not State.PRESENT:
            lines += _details(patch, style)
    lines += _oddities(sight, style)
    counts = Counter(patch.state for patch in sight.patches)
    parts = ", ".join(f"{counts[state]} {state.value}" for state in State if counts[state])
    where = f"series of {visible(sight.ref)} in {visible(sight.tree)}"
    return "\n".join(
        [*lines, "", f"{counted(len(sight.patches), 'patch', 'patches')}: {parts or 'none carried'}; {where}"]
    )


def verification_document(sight: TreeSight) -> JsonObject:
    """Give the same as a document."""
    counts = Counter(patch.state for patch in sight.patches)
    summary: JsonObject = {"total": len(sight.patches), **{state.value: counts[state] for state in State}}
    fields: JsonObject = {
        "tree": sight.tree,
        "ref": sight.ref,
        "patches": [_patch(patch) for patch in sight.patches],
        "stale_bytecode": [
            {"path": text(one.path), "source": text(one.source), "effect": one.staleness.value} for one in sight.stale
        ],
        "installed_twice": list(sight.doubles),
        "summary": summary,
    }
    return document("verify", fields)


def _patch(patch: PatchSight) -> Json:
    return {
        "name": str(patch.name),
        "state": patch.state.value,
        "required": patch.demand is Demand.REQUIRED,
        "files": [_file(file) for file in patch.files],
    }


def _file(file: FileSight) -> Json:
    return {
        "path": text(file.path),
        "state": None if file.state is None else file.state.value,
        "reason": file.reason,
        "anchors": [{"anchor": sight.anchor, "state": sight.state.value} for sight in file.anchors],
    }


def _details(patch: PatchSight, style: Style) -> Iterator[str]:
    for file in patch.files:
        if file.state is not State.PRESENT:
            yield f"    {visible(text(file.path))}"
            yield from wrap(visible(file.reason), style.columns, first="      ", rest="        ")


def _oddities(sight: TreeSight, style: Style) -> Iterator[str]:
    used = [one for one in sight.stale if one.staleness is Staleness.USED]
    if used:
        said = "compiled from another source than the one beside it, and Python does not check: the old code runs"
        yield from _told("stale", f"{said}: {_listed(used)}", style)
    others = [one for one in sight.stale if one.staleness is Staleness.RECOMPILED]
    if others:
        said = "older than its source; Python compiles it again if it may write there"
        yield from _told("stale", f"{said}: {_listed(others)}", style)
    if sight.doubles:
        first, *rest = map(visible, sight.doubles)
        yield from _told("twice", f"Python uses {first}, and there is another one: {', '.join(rest)}", style)


def _told(word: str, said: str, style: Style) -> list[str]:
    return wrap(said, style.columns, first=f"{word}  ", rest=" " * (len(word) + 2))


def _listed(stale: Sequence[StaleBytecode]) -> str:
    more = f" and {len(stale) - _SHOWN} more" if len(stale) > _SHOWN else ""
    return ", ".join(visible(text(one.path)) for one in stale[:_SHOWN]) + more


def _tint(patch: PatchSight) -> Tint:
    if patch.state is State.PRESENT:
        return Tint.GREEN
    return Tint.RED if patch.missing else Tint.YELLOW
