"""A long-running git that answers line by line, and gives back everything it held when it ends."""

from __future__ import annotations

import tempfile
from contextlib import ExitStack, suppress
from typing import IO, TYPE_CHECKING, cast

from patchq.errors import GitError
from patchq.gitstore.git import Completed

if TYPE_CHECKING:
    from patchq.gitstore.git import Git


class Conversation:
    """A git process that answers line by line, as `cat-file --batch` does, started by the constructor."""

    def __init__(self, git: Git, *args: str) -> None:
        """Start `git args`; GitError when git cannot be started."""
        with ExitStack() as stack:
            # A file, because a pipe that nobody reads would stop git after 64 KiB of warnings.
            self._stderr = stack.enter_context(tempfile.TemporaryFile())
            self._process = stack.enter_context(git.popen(*args, stderr=self._stderr))
            self._resources = stack.pop_all()
        self._to_git = cast("IO[bytes]", self._process.stdin)
        self._from_git = cast("IO[bytes]", self._process.stdout)

    def ask(self, line: bytes) -> bytes:
        """Send `line` (without its end) and return the first line of the answer, empty when git has died."""
        try:
            self._to_git.write(line + b"\n")
            self._to_git.flush()
        except BrokenPipeError:
            return b""
        return self._from_git.readline()

    def ask_until(self, text: bytes, mark: bytes) -> bytes:
        """Send `text` and then `mark`, each with a line end, and return all that comes before git echoes the mark.

        GitError when git dies over it. `text` must fit a pipe, or both sides would wait for the other.
        """
        with suppress(BrokenPipeError):
            self._to_git.write(text + b"\n" + mark + b"\n")
            self._to_git.flush()
        said = bytearray()
        end = mark + b"\n"
        while not (said.endswith(b"\0" + end) or said == end):
            line = self._from_git.readline()
            if not line:
                raise GitError(f"git stopped answering: {self.end().complaint}")
            said += line
        return bytes(said.removesuffix(end))

    def read(self, size: int) -> bytes:
        """Return the next `size` bytes of the answer, fewer when git has died."""
        return self._from_git.read(size)

    def end(self) -> Completed:
        """Stop git at once, give back what it held, and return what it said; it must not have written anything."""
        with self._resources:
            # When git died over a question, the rest of it is still in the buffer and close() tries once more.
            with suppress(BrokenPipeError):
                self._to_git.close()
            self._process.kill()
            self._process.wait()
            self._stderr.seek(0)
            return Completed(self._process.returncode, b"", self._stderr.read())
