"""A patch on its way into a series: what it was read from, what it is called, and who signs it."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from enum import Enum
from typing import TYPE_CHECKING

from patchq.errors import SeriesError
from patchq.model.names import PatchName
from patchq.model.patch import Message, Patch
from patchq.model.series import Standing
from patchq.patchfile.intents import parse_intents
from patchq.patchfile.parse import parse_changes
from patchq.patchfile.read import canonical
from patchq.patchfile.trailers import render_trailer, split_subject, split_trailers, trim_blank_lines
from patchq.queue.settle import PATCH_TRAILER

if TYPE_CHECKING:
    from collections.abc import Iterator

    from patchq.model.patch import GitDate, Person, Trailer

_GBP = re.compile(rb"^gbp(?:-pq)?(?:: ?|-)(name|topic|ignore):?[ \t]*(.*)\n?", re.IGNORECASE | re.MULTILINE)
_NAMELESS = PatchName("patch")  # what `read_import` calls a plain diff out of a pipe


class Naming(Enum):
    """Who chose the name of a patch."""

    DERIVED = "derived"  # from a subject or a file name: a number may be added where the name is taken
    GIVEN = "given"  # by a person: it is taken as it is, or refused


class Wording(Enum):
    """What becomes of the text that a patch came with."""

    WRITTEN_ANEW = "written anew"  # as patchq writes patches
    KEPT = "kept"  # its head byte for byte, and the whole of it where the diff says just what is true of its place


@dataclass(frozen=True, slots=True)
class Line:
    """What stands around a patch in the `series` file it came with: lines above it, and text beside its name."""

    above: tuple[str, ...] = ()
    before: str = ""
    behind: str = "\n"


@dataclass(frozen=True, slots=True, kw_only=True)
class Arrival:
    """A patch that is to join a series; `origin` says for its record where it came from.

    One that is not carried joins at its place without being applied. `patch.raw` counts where `wording` is KEPT.
    """

    patch: Patch
    origin: str
    naming: Naming = Naming.DERIVED
    standing: Standing = Standing.CARRIED
    wording: Wording = Wording.WRITTEN_ANEW
    line: Line = Line()


def read_message(text: bytes) -> Message:
    """Read a commit message, or what a person typed for one: the first paragraph is the subject (git-format-patch)."""
    subject, rest = split_subject(text)
    body, trailers = split_trailers(rest)
    return Message(
        author=None,
        date=None,
        subject=subject,
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
    """Give a patch the name that its own message says, and take those lines away.

    They are `Patchq-Patch:` of a branch or mail that patchq made, and the `Gbp-Pq: Name` and `Gbp-Pq: Topic` of
    gbp-pq(1), which may stand anywhere: gbp glues them to the last paragraph, whatever that is.
    """
    message = patch.message
    told = [trailer.value for trailer in message.trailers if trailer.key == PATCH_TRAILER]
    said = dict(_gbp_commands(message))
    name = told[-1] if told else "/".join(filter(None, (said.get("topic"), said.get("name"))))
    rest = tuple(one for one in message.trailers if one.key != PATCH_TRAILER and not _GBP.fullmatch(_written(one)))
    body, more = message.body, message.trailers[:0]
    if _GBP.search(body):
        body, more = split_trailers(trim_blank_lines(_GBP.sub(b"", body)))
    known = name_of_file(name) if told or "name" in said else None
    return replace(patch, name=known or patch.name, message=replace(message, body=body, trailers=(*more, *rest)))


def is_ignored(patch: Patch) -> bool:
    """Whether the commit says `Gbp-Pq: Ignore`: gbp pq leaves it out of the patches as well."""
    return "ignore" in dict(_gbp_commands(patch.message))


def _gbp_commands(message: Message) -> Iterator[tuple[str, str]]:
    """Yield command and value of each line of gbp, those of older versions (`Gbp-Pq-Topic: VALUE`) included."""
    lines = (message.body, *map(_written, message.trailers))
    for found in _GBP.finditer(b"\n".join(lines)):
        yield found[1].decode().lower(), found[2].decode("utf-8", "surrogateescape").strip()


def _written(trailer: Trailer) -> bytes:
    return render_trailer(trailer).removesuffix(b"\n")


def name_of_file(path: str) -> PatchName | None:
    """Name a patch after its file in another tool's queue: exactly where that is legal, `a/b.patch` becomes `a-b`.

    None where nothing is left of it.
    """
    flat = path.strip().strip("/").replace("/", "-")
    try:
        return PatchName.from_file_name(flat)
    except SeriesError:
        stem = re.sub(r"\.(?:patch|diff)$", "", flat)
        return PatchName.from_title(stem) if re.search(r"[A-Za-z0-9_]", stem) else None


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
    """Give `patch` another name; a subject that was made of the old one, for want of any word about it, follows."""
    message = patch.message
    unsigned = message.author is None and message.date is None and not message.body and not message.trailers
    if unsigned and message.subject == str(patch.name).encode():
        message = replace(message, subject=str(name).encode())
    return replace(patch, name=name, message=message)


def signed(patch: Patch, author: Person, date: GitDate) -> Patch:
    """Fill in author and date where the patch says none."""
    message = patch.message
    told = replace(message, author=message.author or author, date=message.date or date)
    return replace(patch, message=told)
