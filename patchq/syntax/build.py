"""The parser's tree as ours: numbered where it can be by text alone, read where it must be, clipped where it may be."""

from __future__ import annotations

from bisect import bisect_left
from dataclasses import dataclass, field
from functools import partial
from typing import TYPE_CHECKING

from patchq.syntax.arrange import Arranger, operands
from patchq.syntax.clip import Clips, name_of, reached
from patchq.syntax.identities import Identities, Known, Reduction
from patchq.syntax.node import Node

if TYPE_CHECKING:
    from collections.abc import Iterator

    import tree_sitter

    from patchq.syntax.facts import LanguageFacts
    from patchq.syntax.raw import Raw

# Walking down a tree costs up to three Python frames a level, of 1,000 that the interpreter grants.
MAX_DEPTH = 200
# A list of this many members is data; matching three of them takes seconds.
MAX_MEMBERS = 30_000
_LEAST_CLIPPED = 40
_BESIDES = (b"//", b"/*", b"<!--", b"-->")


class TooMuchError(Exception):
    """The text is not read as a tree; the argument says why."""


@dataclass(frozen=True, slots=True, eq=False)
class Style:
    """What building needs to know of a language, looked up once for a text."""

    facts: LanguageFacts
    reduction: Reduction
    marks: tuple[bytes, ...]  # without any of them, a text has no comment
    clippable: frozenset[str]
    read: frozenset[str]  # kinds whose number depends on what is inside them

    @classmethod
    def of(cls, facts: LanguageFacts) -> Style:
        """Derive it from the tables."""
        made = {group.kind for group in facts.groups.values()}
        return cls(
            facts=facts,
            reduction=Reduction.of(facts),
            marks=facts.to_line_end if facts.offside else (*facts.to_line_end, *_BESIDES),
            clippable=(facts.blocks | facts.lists | facts.wrapped) - {facts.root, facts.wrapper},
            read=facts.strings | facts.transparent | facts.comments | made | {facts.root, facts.wrapper, "ERROR"},
        )


@dataclass(slots=True)
class Builder:
    """Makes the nodes of one text, each when it is asked for; what is inside a node costs nothing until then."""

    source: bytes
    style: Style
    identities: Identities
    clips: Clips = field(default_factory=Clips)
    _reached: list[int] = field(default_factory=list)
    _open: Builder | None = None

    @property
    def facts(self) -> LanguageFacts:
        """The tables of the language."""
        return self.style.facts

    def build(self, root: tree_sitter.Node) -> Node:
        """Make the root; TooMuchError where the tree is too deep or too wide to be walked."""
        self._reached = sorted(reached(root, self.source, self.clips.places, self.facts))
        return self._read(root, root.type, None, 0) if root.child_count else self._leaf(root, root.type, None)

    def stubs(self, root: tree_sitter.Node) -> list[tuple[int, int]]:
        """List the bodies of which all that is asked is known."""
        found: list[tuple[int, int]] = []
        stack = [root] if self.clips else []
        while stack:
            at = stack.pop()
            kind = at.type
            if kind not in self.style.clippable or not self._may_clip(at, kind):
                stack.extend(kid for kid in at.children if kid.end_byte - kid.start_byte >= _LEAST_CLIPPED)
                continue
            text = self.source[at.start_byte : at.end_byte]
            definition = kind in self.facts.wrapped
            body = at.child_by_field_name("body") if definition else at if kind in self.facts.blocks else None
            if body is not None and (text in self.clips.untouched or text in self.clips.quiet):
                found.append((body.start_byte, body.end_byte))
        return sorted(found)

    def grow(self, raw: Raw) -> Node:
        """Give a reshaped tree its identities; its comments are where they belong already."""
        if not raw.children:
            text = self.source[raw.start : raw.end]
            same = self.identities.intern(*(raw.means or (raw.kind, text)))
            return Node(raw.kind, raw.field, self.source, raw.start, raw.end, (), same, same, int(raw.wrong))
        kids = [self.grow(child) for child in raw.children if child.kind not in self.facts.blanks]
        return self._inner(raw.kind, raw.field, raw.start, raw.end, kids)

    def node(self, kind: str, role: str | None, start: int, end: int, kids: tuple[Node, ...], errors: int) -> Node:
        """Make a node that has been read, and give it its identities."""
        bare = self._bare(start, end, kids) if any(kid.bare is not None for kid in kids) else None
        same, exact = self._identities(kind, kids, self.source[start:end] if bare is None else bare)
        for kid in kids:
            errors += kid.errors
        return Node(kind, role, self.source, start, end, kids, same, exact, errors, bare=bare)

    def _make(self, at: tree_sitter.Node, role: str | None, depth: int) -> Node:
        """Make a node, read only if it must be."""
        kind, style = at.type, self.style
        if kind in style.clippable and self.clips and self._may_clip(at, kind):
            return self._clipped(at, kind, role)
        if not at.child_count:
            return self._leaf(at, kind, role)
        if kind in style.read:
            return self._read(at, kind, role, depth)
        start, end = at.start_byte, at.end_byte
        text = self.source[start:end]
        marked = False
        for mark in style.marks:
            marked = marked or mark in text
        # Where a comment goes depends on the column in which the construct begins.
        before = self.source[self.source.rfind(b"\n", 0, start) + 1 : start] if marked else None
        key = (self.facts.name, kind, text, before)
        reaches = self._reaches(start, end)
        known = None if reaches else self.identities.known(key)
        if known is None and not marked and not reaches:
            known = self._by_text(at, kind, key, text, depth)
        if known is not None and depth + known.levels <= MAX_DEPTH:
            inside = partial(self._parts, at, kind, depth)
            end = start + known.length
            return Node(kind, role, self.source, start, end, inside, known.same, known.exact, 0, bare=known.bare)
        made = self._read(at, kind, role, depth)
        if not reaches and not made.errors:
            levels = MAX_DEPTH - depth
            self.identities.learn(key, text, Known(made.same, made.exact, made.end - start, levels, made.bare))
        return made

    def _by_text(
        self, at: tree_sitter.Node, kind: str, key: tuple[object, ...], text: bytes, depth: int
    ) -> Known | None:
        """Give a number to a construct unread, where its text is all that counts and it cannot be nested too deeply."""
        levels = at.descendant_count
        if depth + levels > MAX_DEPTH or at.has_error or text[-1:].isspace():
            return None
        form = self.style.reduction.form(self.facts.alike.get(kind, kind), text)
        number = self.identities.by_text(form, lambda: self._structure(kind, self._parts(at, kind, depth)))
        if number is None:
            return None
        known = Known(number, number, len(text), levels)
        self.identities.learn(key, text, known)
        return known

    def _reaches(self, start: int, end: int) -> bool:
        """Whether one of the bodies that are out of the patch's reach begins here."""
        if not self._reached:
            return False
        at = bisect_left(self._reached, start)
        return at < len(self._reached) and self._reached[at] < end

    def _may_clip(self, at: tree_sitter.Node, kind: str) -> bool:
        """Whether the case does not turn on a node of a kind that is clipped, and nothing but its text counts."""
        start, end = at.start_byte, at.end_byte
        if end - start < _LEAST_CLIPPED:
            return False
        if self.source[start:end] not in self.clips.untouched:
            at_reached = bisect_left(self._reached, start)
            if at_reached == len(self._reached) or self._reached[at_reached] != start:
                return False
        if at.has_error or self._commented_below(end):
            return False
        return kind not in self.facts.wrapped or name_of(at) is not None

    def _clipped(self, at: tree_sitter.Node, kind: str, role: str | None) -> Node:
        """Make one token of what the case does not turn on."""
        start, end = at.start_byte, at.end_byte
        same = self.identities.intern("untouched", kind, self.source[start:end])
        named = name_of(at) if kind in self.facts.wrapped else None
        kids = () if named is None else (self._token(named.type, "name", named.start_byte, named.end_byte),)
        return Node(kind, role, self.source, start, end, kids, same, same, 0, partial(self._whole, at))

    def _commented_below(self, end: int) -> bool:
        """Whether a comment follows that may belong to the end of this body."""
        if not self.facts.offside:
            return False
        return self.source[end : end + 400].lstrip().startswith(self.facts.to_line_end)

    def _whole(self, at: tree_sitter.Node) -> Node:
        if self._open is None:
            self._open = Builder(self.source, self.style, self.identities)
        try:
            return self._open._make(at, None, 0)
        except TooMuchError as found:
            raise RecursionError("an untouched part is nested too deeply") from found

    def _leaf(self, at: tree_sitter.Node, kind: str, role: str | None) -> Node:
        start, end = at.start_byte, at.end_byte
        same = self.identities.intern(kind, self.source[start:end])
        bare = b"" if kind in self.facts.comments else None
        errors = int(at.has_error and (at.is_error or at.is_missing))
        return Node(kind, role, self.source, start, end, (), same, same, errors, bare=bare)

    def _read(self, at: tree_sitter.Node, kind: str, role: str | None, depth: int) -> Node:
        """Make a node of its parts."""
        return self._inner(kind, role, at.start_byte, at.end_byte, list(self._kids(at, depth)))

    def _kids(self, at: tree_sitter.Node, depth: int) -> Iterator[Node]:
        if depth >= MAX_DEPTH:
            raise TooMuchError(f"nested more than {MAX_DEPTH} levels deep")
        if at.named_child_count > MAX_MEMBERS:
            raise TooMuchError(f"more than {MAX_MEMBERS:,} members in one construct")
        cursor = at.walk()
        more = cursor.goto_first_child()
        while more:
            child = cursor.node
            if child is not None and child.type not in self.facts.blanks:
                yield self._make(child, cursor.field_name, depth + 1)
            more = cursor.goto_next_sibling()

    def _parts(self, at: tree_sitter.Node, kind: str, depth: int) -> tuple[Node, ...]:
        """Look inside a node that was numbered unread."""
        return tuple(Arranger(self.source, self.facts, self).arranged(kind, list(self._kids(at, depth))))

    def _inner(self, kind: str, role: str | None, start: int, end: int, kids: list[Node]) -> Node:
        """Make an inner node of what the parser found, arranged as the facts say."""
        facts = self.facts
        if kind in facts.comments:
            return self._token(kind, role, start, start + len(self.source[start:end].rstrip(b"\r\n")))
        if kind in facts.strings and all(kid.kind != facts.hole for kid in kids):
            return self._string(kind, role, start, end, kids)
        return self.arranged(kind, role, start, end, kids)

    def arranged(self, kind: str, role: str | None, start: int, end: int, kids: list[Node]) -> Node:
        """Make an inner node that is no token, arranged as the facts say."""
        kids = Arranger(self.source, self.facts, self).arranged(kind, kids)
        if kids and not self.source[kids[-1].end : end].strip():
            end = kids[-1].end  # some grammars count a line end to the construct before it
        if kind == self.facts.root:
            start, end = 0, len(self.source)
        elif kids:
            end = max(end, kids[-1].end)
        return self.node(kind, role, start, end, tuple(kids), int(kind == "ERROR"))

    def _string(self, kind: str, role: str | None, start: int, end: int, kids: list[Node]) -> Node:
        """Make one token of a string; the quotes do not count where the contents need neither escape nor newline."""
        facts, text = self.facts, self.source[start:end]
        opener = kids[0].text if kids else b""
        content = self.source[kids[0].end : kids[-1].start] if len(kids) > 1 else text
        plain = facts.free_quotes and not any(byte in content for byte in b"\\\"'\n")
        intern = self.identities.intern
        same = intern(kind, opener.rstrip(b"\"'").lower(), content) if plain else intern(kind, text)
        return Node(kind, role, self.source, start, end, (), same, same, sum(kid.errors for kid in kids))

    def _token(self, kind: str, role: str | None, start: int, end: int) -> Node:
        same = self.identities.intern(kind, self.source[start:end])
        bare = b"" if kind in self.facts.comments else None
        return Node(kind, role, self.source, start, end, (), same, same, 0, bare=bare)

    def _bare(self, start: int, end: int, kids: tuple[Node, ...]) -> bytes:
        """Give the text without comments."""
        out: list[bytes] = []
        at = start
        for kid in kids:
            out += (self.source[at : kid.start], kid.text if kid.bare is None else kid.bare)
            at = kid.end
        return b"".join((*out, self.source[at:end]))

    def _identities(self, kind: str, kids: tuple[Node, ...], text: bytes) -> tuple[int, int]:
        facts = self.facts
        counted = self._counted(kind, kids)
        if kind in facts.transparent and len(counted) == 1 and kind not in facts.lists:
            return counted[0].same, counted[0].exact
        kind_alike = facts.alike.get(kind, kind)
        plain = [kid for kid in counted if kid.kind not in facts.comments]
        structure = (kind_alike, *[kid.same for kid in plain])
        if kind in self.style.read or facts.shape is not None:
            same = self.identities.intern(*structure)
        else:
            same = self.identities.by_structure(self.style.reduction.form(kind_alike, text), structure)
        if len(plain) == len(counted) and all(kid.same == kid.exact for kid in plain):
            return same, same
        return same, self.identities.intern("with comments", kind_alike, *[kid.exact for kid in counted])

    def _structure(self, kind: str, kids: tuple[Node, ...]) -> tuple[object, ...]:
        """Give what makes the number of a node that has no comment inside."""
        return (self.style.facts.alike.get(kind, kind), *[kid.same for kid in self._counted(kind, kids)])

    def _counted(self, kind: str, kids: tuple[Node, ...]) -> list[Node]:
        """Leave out what counts neither for the identity nor for the other one."""
        facts = self.facts
        if kind in facts.lists:
            return [
                kid
                for kid, before in zip(kids, (None, *kids), strict=False)
                if (kid.kind != "," or before is None or before.kind == ",")  # a comma too many is a hole
                and (kid.kind not in facts.brackets or kid.children)
            ]
        if facts.chained(kind, next((kid for kid in kids if kid.field == "operator"), None)):
            return operands(kind, kids)
        if kind in facts.transparent:
            return [kid for kid in kids if kid.kind not in facts.brackets]
        return list(kids)
