"""Authors as mail headers and `git show` write them: `Name <address>`, quoted where a name needs it."""

from __future__ import annotations

import re

from patchq.model.patch import Person
from patchq.patchfile.words import decode_words, encode_word, needs_word, one_line

_ADDRESS = re.compile(rb"(.*?)<([^<>]*)>(.*)", re.DOTALL)
_COMMENTED = re.compile(rb"([^\s()<>]+)\s*\((.*)\)", re.DOTALL)
_QUOTED = re.compile(rb'"((?:[^"\\]|\\.)*)"', re.DOTALL)
_PAIR = re.compile(rb"\\(.)", re.DOTALL)


def parse_person(value: bytes) -> Person:
    """Read one author; encoded words are decoded, a bare address has no name, a bare name no address."""
    text = value.strip()
    if found := _ADDRESS.fullmatch(text):
        return Person(_name(found[1]), found[2].strip())
    if (found := _COMMENTED.fullmatch(text)) and b"@" in found[1]:
        return Person(one_line(decode_words(found[2])), found[1])
    if b"@" in text and b" " not in text:
        return Person(b"", text)
    return Person(_name(text), b"")


def render_person(person: Person) -> bytes:
    """Write `Name <address>`; the name is quoted only where a reader would otherwise take parts of it for syntax."""
    name, email = person.name.strip(), person.email.strip()
    if needs_word(name):
        name = encode_word(name)
    elif re.search(rb'["\\()<>@,;:]', name):
        name = b'"' + re.sub(rb'(["\\])', rb"\\\1", name) + b'"'
    return b"%s <%s>" % (name, email) if name else b"<%s>" % email


def _name(text: bytes) -> bytes:
    text = text.strip()
    if found := _QUOTED.fullmatch(text):
        text = _PAIR.sub(rb"\1", found[1])
    return one_line(decode_words(text))
