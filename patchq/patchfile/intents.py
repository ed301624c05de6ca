"""Intents: the trailers `Expect:` and `Mirror:`, and the addresses in them, as text and as values."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, assert_never

from patchq.errors import PatchFormatError, Where
from patchq.model.anchor import Anchor, Expect, Mirror, Step, StepKind
from patchq.model.patch import Trailer
from patchq.patchfile.paths import unsafe_reason

if TYPE_CHECKING:
    from patchq.model.anchor import Intent
    from patchq.model.patch import Message

EXPECT = "Expect"
MIRROR = "Mirror"

_PATH_END = "::"
_EQUALS = " = "
_NAME = re.compile(r"[^.\[\](){}\n]+")
_OPENING = {"[": "]", "(": ")", "{": "}"}
_CLOSING = frozenset(_OPENING.values())
_STRING = re.compile(r"'''.*?'''|\"\"\".*?\"\"\"|'(?:[^'\\\n]|\\.)*'|\"(?:[^\"\\\n]|\\.)*\"", re.DOTALL)
_IN_PROSE = re.compile(rb"^(Expect|Mirror): (\S[^\n]*::[^\n]*)$", re.MULTILINE)
_MAX_LENGTH = 10_000
_HINT = "write `Expect: PATH::NAME.NAME[KEY]` or `Mirror: PATH::NAME[KEY] = [SIBLING]`"


def parse_anchor(text: str, *, where: Where) -> Anchor:
    """Read `path::Class.attribute[12](argument)`; the law is `parse_anchor(str(anchor)) == anchor`.

    Names are separated by dots; a key is source text, in which brackets nest and strings are skipped over.
    PatchFormatError, with `where`, for anything else, a path that leaves the tree included.
    """
    anchor, rest = _read_anchor(text, where)
    if rest:
        raise _malformed(f"`{rest[:100]}` does not belong to an address", where)
    return anchor


def parse_intent(trailer: Trailer, *, where: Where) -> Intent | None:
    """Read one trailer; None when it is none of the two, PatchFormatError when it is one that is malformed."""
    match trailer.key.title():
        case "Expect":
            return Expect(parse_anchor(trailer.value.strip(), where=where))
        case "Mirror":
            anchor, rest = _read_anchor(trailer.value.strip(), where)
            if not anchor.steps or anchor.steps[-1].kind is not StepKind.ENTRY:
                raise _malformed("only an entry, `[KEY]`, can mirror a sibling", where)
            sibling, rest = _read_step(rest.removeprefix(_EQUALS), where) if rest.startswith(_EQUALS) else (None, rest)
            if sibling is None or sibling.kind is not StepKind.ENTRY or rest:
                raise _malformed("a mirror names its sibling, ` = [KEY]`", where)
            return Mirror(anchor, sibling)
        case _:
            return None


def parse_intents(message: Message, *, file: str, head: bytes = b"") -> tuple[Intent, ...]:
    """Read all intents of a message, trailers first, each once.

    A line of the body that reads `Expect: …::…` counts as well: an intent that is passed over because no blank line
    stands above it would be lost in silence. `head` (the bytes the message was read from) only serves line numbers.
    """
    prose = [
        Trailer(found[1].decode(), found[2].decode("utf-8", "surrogateescape"))
        for found in _IN_PROSE.finditer(message.body)
    ]
    ours = [trailer for trailer in (*message.trailers, *prose) if trailer.key.title() in {EXPECT, MIRROR}]
    numbers = {line.strip(): number for number, line in enumerate(head.split(b"\n"), 1)} if ours else {}
    intents: dict[Intent, None] = {}
    for trailer in ours:
        text = f"{trailer.key}: {trailer.value}".encode("utf-8", "surrogateescape").strip()
        where = Where(file=file, line=numbers.get(text), field=trailer.key)
        intent = parse_intent(trailer, where=where)
        if intent is not None:
            intents[intent] = None
    return tuple(intents)


def format_intent(intent: Intent) -> Trailer:
    """Write an intent as its trailer."""
    match intent:
        case Expect(anchor):
            return Trailer(EXPECT, str(anchor))
        case Mirror(anchor, sibling):
            return Trailer(MIRROR, f"{anchor}{_EQUALS}{sibling}")
        case _:
            assert_never(intent)


def _read_anchor(text: str, where: Where) -> tuple[Anchor, str]:
    """Read an anchor at the start of `text`; also give what follows it, either nothing or ` = …`."""
    path, mark, rest = text.partition(_PATH_END)
    if not mark:
        raise _malformed("an address has `::` behind the path of its file", where)
    reason = unsafe_reason(path.encode("utf-8", "surrogateescape"))
    if reason is not None or len(text) > _MAX_LENGTH:
        raise _malformed(f"the path `{path[:100]}` {reason or 'or its address is too long'}", where)
    steps: list[Step] = []
    while rest and not rest.startswith(_EQUALS):
        if steps and rest.startswith("."):
            rest = rest[1:]
            if rest[:1] in _OPENING:
                raise _malformed("a dot is followed by a name", where)
        elif steps and rest[0] not in _OPENING:
            raise _malformed(f"`{rest[:100]}` follows an address without a dot or bracket", where)
        step, rest = _read_step(rest, where)
        steps.append(step)
    return Anchor(path, tuple(steps)), rest


def _read_step(text: str, where: Where) -> tuple[Step, str]:
    kind = _BRACKETS.get(text[:1])
    if kind is None:
        name = _NAME.match(text)
        if name is None or name[0] != name[0].strip():
            raise _malformed(f"no name at `{text[:100]}`", where)
        return Step(StepKind.NAME, name[0]), text[name.end() :]
    end = _closing(text, skip_strings=True) or _closing(text, skip_strings=False)
    if end is None or not text[1:end].strip():
        raise _malformed(f"no closed, filled bracket at `{text[:100]}`", where)
    return Step(kind, text[1:end]), text[end + 1 :]


def _closing(text: str, *, skip_strings: bool) -> int | None:
    """Find the bracket that closes the first character of `text`.

    Other languages have lone quotes: behind `&` and `<` one starts a lifetime of Rust, and elsewhere (an apostrophe in
    a TOML key) callers try again without strings.
    """
    expected: list[str] = []
    at = 0
    while at < len(text):
        char = text[at]
        if char in _OPENING:
            expected.append(_OPENING[char])
        elif char in _CLOSING:
            if char != expected.pop():
                return None
            if not expected:
                return at
        elif skip_strings and char in "'\"" and text[at - 1] not in "&<":
            string = _STRING.match(text, at)
            if string is None:
                return None
            at = string.end() - 1
        at += 1
    return None


def _malformed(message: str, where: Where) -> PatchFormatError:
    return PatchFormatError(f"malformed intent: {message}", hint=_HINT, where=where)


_BRACKETS = {"[": StepKind.ENTRY, "(": StepKind.ARGUMENT}
