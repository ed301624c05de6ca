"""What the pre-commit hook found, as the JSON document of `patchq hook pre-commit --json`."""

from __future__ import annotations

from typing import TYPE_CHECKING, assert_never

from patchq.commands.hook_findings import Fault, Finding, Lost, OffRecord
from patchq.report.cells import decoded
from patchq.report.jsonsafe import document

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from patchq.report.jsonsafe import Json, JsonObject


def findings_document(findings: Sequence[Finding]) -> JsonObject:
    """Return the document, an empty list of findings where nothing is wrong; every text of it is safe."""
    return document("hook pre-commit", {"findings": [_plain(finding) for finding in findings]})


def _plain(finding: Finding) -> JsonObject:
    match finding:
        case Fault(error):
            return {"kind": "malformed", "message": str(error), "hint": error.hint}
        case OffRecord(build, folder):
            return {
                "kind": "other-build",
                "ref": build.ref,
                "folder": str(folder),
                "branch": build.branch,
                "commit": build.commit,
                "edited": _words(build.edited),
                "dropped": _words(build.dropped),
            }
        case Lost():
            return {
                "kind": "lost",
                "patch": str(finding.patch),
                "ref": finding.ref,
                "folder": str(finding.folder),
                "path": decoded(finding.path),
                "facts": [
                    {
                        "anchor": loss.promise.fact.anchor,
                        "state": loss.state.value,
                        "gone": _words(loss.gone),
                        "back": _words(loss.back),
                    }
                    for loss in finding.losses
                ],
            }
        case _:
            assert_never(finding)


def _words(values: Iterable[object]) -> list[Json]:
    return [str(value) for value in values]
