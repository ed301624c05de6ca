"""The document that `patchq report` is given: from a file or from standard input, with a bound."""

from __future__ import annotations

from patchq.commands.reading import read_some
from patchq.errors import PatchqError, Where

_MOST_BYTES = 64 * 2**20  # a rebase of 1,000 patches with many notes writes some 5 MB


def read_input(file: str) -> bytes:
    """Read `file` (`-`: standard input); PatchqError where it cannot be read, is empty, or is larger than 64 MiB."""
    try:
        data = read_some(file, _MOST_BYTES)
    except OSError as error:
        raise PatchqError(f"cannot be read: {error.strerror}", where=Where(file=file)) from error
    if not data.strip():
        hint = "the command that writes it has failed; its message says why"
        raise PatchqError("is empty", hint=hint, where=Where(file=file))
    if len(data) > _MOST_BYTES:
        raise PatchqError("is larger than 64 MiB", where=Where(file=file))
    return data
