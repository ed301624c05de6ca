"""The lines below a patch in a table: what changed upstream, what needs review, what is open, and what to type next."""

from __future__ import annotations

from typing import TYPE_CHECKING

from patchq.model.attempt import Applied
from patchq.model.verdict import Verdict
from patchq.report.cells import ELLIPSIS, cells, cut, cut_path, decoded, visible, wrap
from patchq.report.rows import command_lines, room
from patchq.report.style import Tint
from patchq.report.words import Subject, commit_digits, counted, of_conflict, of_review, of_verdict

if TYPE_CHECKING:
    from patchq.model.attempt import Conflict
    from patchq.model.judgement import UpstreamCommit
    from patchq.model.outcome import FileOutcome, PatchOutcome
    from patchq.report.style import Style

# A table is for finding out where to look; `explain` tells all.
_NOTES_SHOWN = 6
_FILES_SHOWN = 4
_COMMITS_SHOWN = 3
_EDITS_SHOWN = 4
_CONFLICTS_SHOWN = 3
_LINES_PER_NOTE = 4
_CHARACTERS = 2000  # looked at of one note, which may quote a whole file


def patch_notes(outcome: PatchOutcome, subject: Subject, style: Style) -> list[str]:
    """Lay out what has to be known about one patch."""
    lines = [*_landed(outcome, style), *bounded(all_notes(outcome), style)]
    if outcome.needs_review and outcome.review is not None:
        lines += _note(f"class {outcome.review.value}: {of_review(outcome.review, subject).phrase}", style)
    if outcome.verdict is Verdict.PARTIAL:
        taken = [file for file in outcome.files if file.verdict is Verdict.ABSORBED]
        lines += [f"upstream has {cut_path(shown_path(file), room(style) - 13)}" for file in taken[:_FILES_SHOWN]]
        lines += _rest(len(taken) - _FILES_SHOWN, "file that upstream has", "files that upstream has")
        some = [file for file in outcome.files if file.verdict is not Verdict.ABSORBED]
        edits = [f"{shown_path(file)}: {place(it, file)}" for file in some for it in file.absorbed_edits]
        lines += [line for edit in edits[:_EDITS_SHOWN] for line in _note(f"upstream has {edit}", style)]
        lines += _rest(len(edits) - _EDITS_SHOWN, "edit that upstream has", "edits that upstream has")
    left_open = [file for file in outcome.files if file.verdict.needs_person and file.verdict is not Verdict.BLOCKED]
    for file in left_open[:_FILES_SHOWN]:
        lines += _open_file(file, subject, style)
    lines += _rest(len(left_open) - _FILES_SHOWN, "open file", "open files")
    if outcome.broken_by is not None and outcome.verdict.needs_person:
        lines.append("open since " + brought_by(outcome.broken_by, room(style) - len("open since ")))
    if outcome.needs_review or (outcome.verdict.needs_person and outcome.verdict is not Verdict.BLOCKED):
        lines += command_note("look: ", subject.explain, style)
    return lines


def all_notes(outcome: PatchOutcome) -> list[str]:
    """Collect the notes of a patch and of its files, each once."""
    return list(dict.fromkeys([*outcome.notes, *(note for file in outcome.files for note in file.notes)]))


def bounded(notes: list[str], style: Style) -> list[str]:
    """Lay out the first notes, and say how many follow."""
    lines = [line for note in notes[:_NOTES_SHOWN] for line in _note(note, style)]
    return lines + _rest(len(notes) - _NOTES_SHOWN, "note", "notes")


def shown_path(file: FileOutcome) -> str:
    """Give the path that upstream has the file at now, for a screen."""
    return visible(decoded(file.path))


def brought_by(commit: UpstreamCommit, width: int | None = None) -> str:
    """Name a commit of upstream as `named_commit` does, its subject cut to fit `width` cells."""
    return named_commit(commit.commit, commit.subject, commit.pull_request, width)


def named_commit(commit: str, subject: str, pull_request: int | None, width: int | None = None) -> str:
    """Write `1a2b3c4d5e "Support SM120" (#12345)`."""
    number = "" if pull_request is None else f" (#{pull_request})"
    subject = visible(subject.removesuffix(number).strip()[:_CHARACTERS])
    digits = commit_digits(commit)
    if width is not None:
        left = width - cells(f'{digits} ""{number}')
        if left < len(ELLIPSIS):
            return digits + number
        subject = cut(subject, left)
    return f'{digits} "{subject}"{number}'


def conflict_line(conflict: Conflict, file: FileOutcome, subject: Subject) -> str:
    """Say which place is open and why: `Class.method: upstream renamed the argument`."""
    where = place(conflict.anchor, file)
    why = conflict.reason or of_conflict(conflict.kind, subject).phrase
    return f"{where}: {why}" if where else why


def place(anchor: str, file: FileOutcome) -> str:
    """Write an anchor, or a `path:line`, without the path of the file it is told under; empty for the whole file."""
    for path in (file.path, file.old_path):
        name = decoded(path) if path is not None else None
        if name is not None and anchor.startswith(f"{name}::"):
            return anchor.removeprefix(f"{name}::")
        if name is not None and anchor.startswith(f"{name}:"):
            return anchor.replace(f"{name}:", "line ", 1)
    return anchor


def anchors_of(file: FileOutcome) -> list[str]:
    """List where a file's change has gone: the anchors of its facts, or of its edits where it left nothing."""
    edits = [
        edit for trial in file.trials if isinstance(trial.attempt, Applied) for edit in trial.attempt.evidence.edits
    ]
    anchors = [fact.anchor for fact in file.facts] or [edit.anchor for edit in edits if "::" in edit.anchor]
    anchors = anchors or [anchor for anchor in file.absorbed_edits if "::" in anchor]
    return list(dict.fromkeys(anchors))


def command_note(label: str, command: str, style: Style) -> list[str]:
    """Lay out a command to type, as a note."""
    lines = command_lines(command, room(style) - len(label))
    return [(" " * len(label) if index else label) + style.paint(line, Tint.BOLD) for index, line in enumerate(lines)]


def _landed(outcome: PatchOutcome, style: Style) -> list[str]:
    """Name the commit that completed the patch, and with how many more; of a partial one those that it has."""
    first = "absorbed by " if outcome.verdict is Verdict.ABSORBED else "partly in "
    lines = [
        label + brought_by(commit, room(style) - len(label))
        for at, commit in enumerate(outcome.landed_in[:_COMMITS_SHOWN])
        for label in (first if at == 0 else " " * (len(first) - len("and ")) + "and ",)
    ]
    return lines + _rest(len(outcome.landed_in) - _COMMITS_SHOWN, "commit", "commits")


def _open_file(file: FileOutcome, subject: Subject, style: Style) -> list[str]:
    lines = [cut_path(shown_path(file), room(style))]
    for conflict in file.conflicts[:_CONFLICTS_SHOWN]:
        lines += _note(conflict_line(conflict, file, subject), style, indent="  ")
    lines += ["  " + line for line in _rest(len(file.conflicts) - _CONFLICTS_SHOWN, "place", "places")]
    if not file.conflicts:
        lines += _note(file.evidence or of_verdict(file.verdict, subject).phrase, style, indent="  ")
    return lines


def _note(text: str, style: Style, *, indent: str = "") -> list[str]:
    lines = wrap(visible(text[:_CHARACTERS]), room(style), first=indent, rest=indent + "  ")
    if len(lines) <= _LINES_PER_NOTE:
        return lines
    return [*lines[: _LINES_PER_NOTE - 1], f"{indent}  ... and more"]


def _rest(number: int, noun: str, plural: str) -> list[str]:
    return [f"... and {counted(number, f'more {noun}', f'more {plural}')}"] if number > 0 else []
