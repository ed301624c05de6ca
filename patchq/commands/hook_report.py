"""What the pre-commit hook found, told to somebody at two in the morning: what, where, and what to type."""

from __future__ import annotations

import re
import shlex
from typing import TYPE_CHECKING, assert_never

from patchq.commands.hook_findings import Fault, Finding, Lost, OffRecord
from patchq.commands.hook_told import MOST_SHOWN, line_of, names_of
from patchq.commands.workspace import short_path
from patchq.errors import Where
from patchq.patchfile.intents import parse_anchor
from patchq.reapply.facts import FactState
from patchq.report.cells import decoded, visible

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from patchq.queue.guard import OtherBuild
    from patchq.queue.losses import Loss

_DIGEST = re.compile(r"sha256:[0-9a-f]+:([0-9]+)")


def findings_text(findings: Sequence[Finding]) -> str:
    """Lay out all findings: what is wrong, where, and what to type; the summary comes last."""
    count = "1 finding" if len(findings) == 1 else f"{len(findings)} findings"
    return "\n\n".join(
        [*("\n".join(_told(finding)) for finding in findings), f"{count}; past them, once: git commit --no-verify"]
    )


def _told(finding: Finding) -> Iterator[str]:
    match finding:
        case Fault(error):
            yield f"error: {visible(str(error))}"
            if error.hint:
                yield f"hint: {visible(error.hint)}"
        case OffRecord(build, folder):
            yield f"error: branch {visible(build.branch)} was built from another series than the recorded one"
            yield from (line_of("series", visible(str(short_path(folder)))), *_differences(build))
            yield "hint: build it again; what you have staged goes to a branch of its own first:"
            yield from ("    git switch -c NAME", f"    patchq build {_quoted(build.ref)}")
        case Lost():
            yield from _lost(finding)
        case _:
            assert_never(finding)


def _lost(finding: Lost) -> Iterator[str]:
    path = _quoted(decoded(finding.path))
    listed = _quoted(str(short_path(finding.folder) / "series"))
    yield f"error: the commit loses what patch {finding.patch} put into {visible(decoded(finding.path))}"
    for loss in finding.losses[:MOST_SHOWN]:
        yield from _texts(loss)
    if len(finding.losses) > MOST_SHOWN:
        yield line_of("and", f"{len(finding.losses) - MOST_SHOWN} more places")
    yield "hint: look, and put it back:"
    yield f"    git diff HEAD -- {path}"
    yield "  take all of the file from HEAD, without any of your changes to it:"
    yield f"    git checkout HEAD -- {path}"
    yield f"  drop the patch on purpose: delete its line from {listed}, then"
    yield f"    patchq build {_quoted(finding.ref)}"


def _texts(loss: Loss) -> Iterator[str]:
    yield line_of("at", _steps(loss))
    match loss.state:
        case FactState.TARGET_GONE:
            word = "gone"
        case FactState.DIVERGED:
            word = "changed"
        case FactState.ABSENT | FactState.PRESENT:
            word = "lost"
        case _:
            assert_never(loss.state)
    yield from _some(word, loss.gone)
    yield from _some("back", loss.back)


def _some(word: str, texts: Sequence[str]) -> Iterator[str]:
    yield from (line_of(word, _shown(text)) for text in texts[:MOST_SHOWN])
    if len(texts) > MOST_SHOWN:
        yield line_of(word, f"... {len(texts) - MOST_SHOWN} more")


def _shown(text: str) -> str:
    """Show the text of a fact; a long one stands in the record as a digest with its number of tokens."""
    digest = _DIGEST.fullmatch(text)
    return visible(text) if digest is None else f"({digest[1]} tokens; patchq show has them)"


def _steps(loss: Loss) -> str:
    """Write the way down into the file, which is named above already."""
    fact = loss.promise.fact
    anchor = parse_anchor(fact.anchor, where=Where(field=fact.anchor))
    return visible(str(anchor).removeprefix(f"{anchor.path}::")) or "the file"


def _differences(build: OtherBuild) -> Iterator[str]:
    if not build.edited and not build.dropped:
        yield line_of("built", f"{build.commit[:12]}, which is not in the history of the branch")
    if build.edited:
        yield line_of("edited", f"since then: {names_of(build.edited)}")
    if build.dropped:
        yield line_of("dropped", f"since then: {names_of(build.dropped)}")


def _quoted(word: str) -> str:
    return visible(shlex.quote(word))
