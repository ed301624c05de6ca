"""What applying a series to a tree did, or would do: a line a patch, what stopped it, how to go back; or as JSON."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING

from patchq.model.verdict import Verdict
from patchq.model.verification import State
from patchq.report.cells import cells, pad, visible, wrap
from patchq.report.document import patch_entry
from patchq.report.jsonsafe import document, text
from patchq.report.style import Tint, verdict_tint
from patchq.report.words import counted

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from patchq.model.outcome import PatchOutcome
    from patchq.model.verification import PatchSight
    from patchq.report.jsonsafe import JsonObject
    from patchq.report.style import Style


_PRESENT = "present"


@dataclass(frozen=True, slots=True, kw_only=True)
class Told:
    """Everything that is told of one application. `written` are paths of the tree, `backup` a folder, if there is one.

    `before` and `after` are what the tree has and will have of each patch; `outside` are files that it cannot have.
    """

    tree: str
    ref: str
    dry_run: bool
    outcomes: Sequence[PatchOutcome]
    before: Sequence[PatchSight]
    after: Sequence[PatchSight]
    written: Sequence[bytes]
    outside: Sequence[bytes]
    backup: str | None = None


def application_text(told: Told, style: Style) -> str:
    """Lay it out for people; the summary is the last line."""
    words = _words(told)
    names = {name: visible(name) for name in words}
    width = max(map(cells, names.values()), default=0)
    wide = max(map(len, words.values()), default=0)
    by_name = {str(outcome.name): outcome for outcome in told.outcomes}
    lines: list[str] = []
    for name, word in words.items():
        outcome = None if word == _PRESENT else by_name.get(name)
        tint = Tint.FAINT if outcome is None else Tint.YELLOW if outcome.held else verdict_tint(outcome.verdict)
        rung = "" if outcome is None or outcome.rung is None else outcome.rung.value
        sigil = "+" if outcome is None else outcome.verdict.sigil
        lines.append(f"{sigil} {pad(names[name], width)}  {style.paint(pad(word, wide), tint)}  {rung}".rstrip())
        if outcome is not None:
            lines += _reasons(outcome, style) if outcome.open else _notes(outcome, style)
    for path in told.outside:
        lines += wrap(f"such a tree does not hold {visible(text(path))}", style.columns, first="note  ", rest="      ")
    counts = Counter(words.values())
    parts = ", ".join(f"{number} {word}" for word, number in counts.items())
    where = f"series of {visible(told.ref)} to {visible(told.tree)}"
    lines += ["", f"{counted(len(words), 'patch', 'patches')}: {parts}; {where}"]
    return "\n".join([*lines, *_files(told)])


def application_document(told: Told) -> JsonObject:
    """Give the same as a document."""
    words = _words(told)
    by_name = {str(outcome.name): outcome for outcome in told.outcomes}
    after = {str(sight.name): sight.state.value for sight in told.after}
    fields: JsonObject = {
        "tree": told.tree,
        "ref": told.ref,
        "dry_run": told.dry_run,
        "patches": [
            {
                **({"name": name} if name not in by_name else patch_entry(by_name[name])),
                "outcome": word,
                "state": after[name],
            }
            for name, word in words.items()
        ],
        "written": [text(path) for path in told.written],
        "outside": [text(path) for path in told.outside],
        "backup": told.backup,
    }
    return document("apply", fields)


def _words(told: Told) -> dict[str, str]:
    """Choose a word for each patch: it was there, upstream has it, it is written, it stops the run, or it waits."""
    outcomes = {outcome.name: outcome for outcome in told.outcomes}
    stopped = any(outcome.open for outcome in told.outcomes)
    words: dict[str, str] = {}
    for sight in told.before:
        outcome = outcomes.get(sight.name)
        if outcome is None:
            word = _PRESENT if sight.state is State.PRESENT else "outside"
        elif outcome.open:
            word = "needs review" if outcome.held else outcome.verdict.value
        elif sight.state is State.PRESENT:
            word = _PRESENT
        elif outcome.verdict is Verdict.ABSORBED:
            word = "absorbed"
        else:
            word = "not applied" if stopped else "would apply" if told.dry_run else "applied"
        words[str(sight.name)] = word
    return words


def _reasons(outcome: PatchOutcome, style: Style) -> Iterator[str]:
    for file in outcome.files:
        said = [conflict.reason for conflict in file.conflicts] or [file.evidence]
        yield f"    {visible(text(file.path))}"
        for reason in dict.fromkeys(said):
            yield from wrap(visible(reason), style.columns, first="      ", rest="        ")


def _notes(outcome: PatchOutcome, style: Style) -> Iterator[str]:
    for note in outcome.notes:
        yield from wrap(visible(note), style.columns, first="    ", rest="      ")


def _files(told: Told) -> list[str]:
    if any(outcome.open for outcome in told.outcomes):
        return ["nothing is written: all patches are applied, or none"]
    if not told.written:
        return ["nothing to do"]
    files = counted(len(told.written), "file")
    if told.backup is None:
        return [f"{files} would be written"]
    return [f"{files} written; --revert brings back what is in {visible(told.backup)}"]
