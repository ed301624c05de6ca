"""What `patchq lint` found: one place and one sentence each, what to type, and a count last; or the same as JSON."""

from __future__ import annotations

from typing import TYPE_CHECKING

from patchq.model.finding import Severity
from patchq.report.cells import visible
from patchq.report.jsonsafe import document
from patchq.report.style import Tint
from patchq.report.words import counted

if TYPE_CHECKING:
    from collections.abc import Sequence

    from patchq.model.finding import Finding
    from patchq.report.jsonsafe import Json, JsonObject
    from patchq.report.style import Style

_TINTS = {Severity.ERROR: Tint.RED, Severity.WARNING: Tint.YELLOW, Severity.NOTE: Tint.CYAN}


def findings_text(findings: Sequence[Finding], fixed: Sequence[Finding], style: Style) -> str:
    """Lay findings out as compilers do; a hint that many share is told once, behind the first of them."""
    lines = [f"fixed: {_sentence(one)}" for one in fixed]
    told: set[str] = set()
    for one in findings:
        severity = one.severity
        lines.append(f"{style.paint(severity.value, _TINTS[severity])}: {_sentence(one)}")
        if one.hint and one.hint not in told:
            lines.append(f"  hint: {visible(one.hint)}")
            told.add(one.hint)
    return "\n".join([*lines, *([""] if lines else []), _total(findings, fixed)])


def findings_document(ref: str | None, findings: Sequence[Finding], fixed: Sequence[Finding]) -> JsonObject:
    """Give the findings that are left, and those that were fixed."""
    return document("lint", {"ref": ref, "findings": [*map(_plain, findings)], "fixed": [*map(_plain, fixed)]})


def _sentence(finding: Finding) -> str:
    where = str(finding.where)
    return visible(f"{where}: {finding.message}" if where else finding.message) + f" [{finding.rule.value}]"


def _total(findings: Sequence[Finding], fixed: Sequence[Finding]) -> str:
    counts = [(one, sum(it.severity is one for it in findings)) for one in Severity]
    parts = [counted(number, one.value) for one, number in counts if number]
    mended = f"{len(fixed)} fixed" if fixed else ""
    left = f"{counted(len(findings), 'finding')}: {', '.join(parts)}" if findings else "no findings"
    return "; ".join(filter(None, (mended, left)))


def _plain(finding: Finding) -> Json:
    return {
        "rule": finding.rule.value,
        "severity": finding.severity.value,
        "file": finding.where.file,
        "patch": finding.where.patch,
        "hunk": finding.where.hunk,
        "line": finding.where.line,
        "message": finding.message,
        "hint": finding.hint,
        "fixable": finding.fixable,
    }
