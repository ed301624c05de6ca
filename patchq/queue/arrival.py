"""A patch on its way into a series: what it was read from, what it is called, and who signs it."""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import Enum
from typing import TYPE_CHECKING

from patchq.errors import SeriesError
from patchq.model.names import PatchName
from patchq.model.patch import Message, Patch
from patchq.patchfile.intents import parse_intents
from patchq.patchfile.parse import parse_changes
from patchq.patchfile.read import canonical
from patchq.patchfile.trailers import split_trailers, trim_blank_lines
from patchq.queue.settle import PATCH_TRAILER

if TYPE_CHECKING:
    from patchq.model.patch import GitDate, Person

_NAMELESS = PatchName("patch")  # what `read_import` calls a plain diff out of a pipe


class Naming(Enum):
    """Who chose the name of a patch."""

    DERIVED = "derived"  # from a subject or a file name: a number may be added where the name is taken
    GIVEN = "given"  # by a person: it is taken as it is, or refused


@dataclass(frozen=True, slots=True, kw_only=True)
class Arrival:
    """A patch that is to join a series; `origin` says for its record where it came from."""

    patch: Patch
    origin: str
    naming: Naming = Naming.DERIVED


def read_message(text: bytes) -> Message:
    """Read a commit message, or what a person typed for one: the first paragraph is the subject (git-format-patch)."""
    subject, _, rest = trim_blank_lines(text).partition(b"\n\n")
    body, trailers = split_trailers(trim_blank_lines(rest))
    return Message(
        author=None,
        date=None,
        subject=b" ".join(line.strip() for line in subject.split(b"\n")),
        body=body,
        trailers=trailers,
    )


def from_diff(message: Message, diff: bytes, *, file: str) -> Patch:
    """Make a patch, named after its subject, of git's own diff; `file` is what errors call the diff.

    PatchFormatError for a diff that patchq does not carry, such as that of a submodule.
    """
    changes = parse_changes(diff, file=file)
    intents = parse_intents(message, file=file)
    name = PatchName.from_title(message.title)
    return canonical(Patch(name=name, message=message, changes=changes, intents=intents))


def with_own_name(patch: Patch) -> Patch:
    """Give a patch out of a branch that patchq built the name it had in its series, and take that trailer away."""
    message = patch.message
    told = [trailer.value for trailer in message.trailers if trailer.key == PATCH_TRAILER]
    rest = tuple(trailer for trailer in message.trailers if trailer.key != PATCH_TRAILER)
    try:
        name = PatchName(told[-1].strip()) if told else patch.name
    except SeriesError:  # somebody else's words: the subject still gives a name
        name = patch.name
    return replace(patch, name=name, message=replace(message, trailers=rest))


def reworded(patch: Patch, message: Message) -> Patch:
    """Replace subject and body, and add the trailers; author, date and the trailers that are there stay.

    The name stays, too, unless nothing was known about the patch: then it comes from the new subject.
    """
    own = patch.message
    added = tuple(trailer for trailer in message.trailers if trailer not in own.trailers)
    told = replace(own, subject=message.subject, body=message.body, trailers=(*own.trailers, *added))
    intents = parse_intents(told, file=patch.name.file_name)
    name = PatchName.from_title(message.title) if patch.name == _NAMELESS else patch.name
    return replace(patch, name=name, message=told, intents=intents)


def renamed(patch: Patch, name: PatchName) -> Patch:
    """Give `patch` another name; a subject that was nothing but the old one follows."""
    message = patch.message
    if message.subject == str(patch.name).encode():
        message = replace(message, subject=str(name).encode())
    return replace(patch, name=name, message=message)


def signed(patch: Patch, author: Person, date: GitDate) -> Patch:
    """Fill in author and date where the patch says none."""
    message = patch.message
    told = replace(message, author=message.author or author, date=message.date or date)
    return replace(patch, message=told)
