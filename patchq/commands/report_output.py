"""Where a report goes: standard output, or a file, which may take the place of an older report and of nothing else."""

from __future__ import annotations

from pathlib import Path

from patchq.commands.export_target import STANDARD_OUTPUT, Overwriting, write_file
from patchq.errors import PatchqError, UsageError, Where

_ENOUGH = 200


def write_report(file: str | None, text: str, *signatures: str) -> None:
    """Write `text` to `file` (None: standard output), whole or not at all.

    A file that begins like one of `signatures` is replaced; UsageError for any other that is there already.
    """
    target = STANDARD_OUTPUT if file is None else file
    if target != STANDARD_OUTPUT and not _may_be_replaced(Path(target), signatures):
        raise UsageError(f"{target} is there already, and is no such report", hint="name another file")
    write_file(target, text.encode("utf-8"), Overwriting.ALLOWED)


def _may_be_replaced(path: Path, signatures: tuple[str, ...]) -> bool:
    """Whether nothing would be lost: no file, an empty one, an older report, or what is no regular file at all."""
    if not path.is_file():
        return True
    try:
        with path.open("rb") as stream:
            begin = stream.read(_ENOUGH).decode("utf-8", "replace")
    except OSError as error:
        raise PatchqError(f"cannot be read: {error.strerror}", where=Where(file=str(path))) from error
    return not begin or begin.startswith(signatures)
