"""Text to tree by tree-sitter: error-tolerant, with byte spans, comments put where a reader sees them."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

import tree_sitter

from patchq.syntax.clip import may_clip, name_of, out_of_reach, reached, untouched
from patchq.syntax.node import Node, Tree, Unread, column, starts_line
from patchq.syntax.raw import raw_of

if TYPE_CHECKING:
    from patchq.syntax.clip import Place
    from patchq.syntax.facts import LanguageFacts
    from patchq.syntax.languages import Language
    from patchq.syntax.raw import Raw

# The largest source file of SGLang 0.5.23 has 0.5 MB. 4 MB take about 4 s and 400 MB; beyond is generated code.
MAX_BYTES = 4 * 1024 * 1024
# Walking down a tree costs up to three Python frames a level, of 1,000 that the interpreter grants.
MAX_DEPTH = 200
# A list of this many members is data; matching three of them takes seconds.
MAX_MEMBERS = 30_000


@dataclass(frozen=True, slots=True)
class _Clips:
    """What a case does not turn on, see `patchq.syntax.clip`."""

    untouched: frozenset[bytes] = frozenset()
    places: frozenset[Place] = frozenset()
    quiet: frozenset[bytes] = frozenset()

    def __bool__(self) -> bool:
        return bool(self.untouched or self.places)


@dataclass(slots=True)
class Forest:
    """Trees whose identities compare with one another; it lives as long as one case."""

    _ids: dict[tuple[object, ...], int] = field(default_factory=dict)
    _trees: dict[tuple[bytes, str], Tree | Unread] = field(default_factory=dict)
    _parsed: dict[tuple[bytes, str], tree_sitter.Tree] = field(default_factory=dict)
    _clips: _Clips = field(default_factory=_Clips)

    def settle(self, base: bytes, theirs: bytes, ours: bytes, language: Language) -> None:
        """Take what one case does not turn on as it is: trees that are made from now on do not go into it."""
        facts, sources = language.facts, (base, theirs, ours)
        if language.reader is None and facts.shape is None and all(len(source) <= MAX_BYTES for source in sources):
            trees = [self._parse_raw(source, language) for source in sources]
            roots = [tree.root_node for tree in trees if isinstance(tree, tree_sitter.Tree)]
            if len(roots) == len(sources):
                self._clips = _Clips(untouched(roots, sources, facts), *out_of_reach(roots, sources, facts))

    def tree(self, source: bytes, language: Language) -> Tree | Unread:
        """Parse `source`, or return the tree from last time; `Unread` for what is too large or too deep."""
        key = (source, language.facts.name)
        if key not in self._trees:
            self._trees[key] = self._parse(source, language)
        return self._trees[key]

    def _parse(self, source: bytes, language: Language) -> Tree | Unread:
        if len(source) > MAX_BYTES:
            return Unread(f"{len(source):,} bytes are too many to read as {language.facts.name}")
        builder = _Builder(source, language.facts, self._ids, self._clips)
        if language.reader is not None:
            return Tree(builder.grow(language.reader(source)), language.facts)
        parsed = self._parse_raw(source, language)
        if isinstance(parsed, Unread):
            return parsed
        if language.facts.shape is None:
            root = builder.build(parsed)
        else:
            raw = raw_of(parsed, MAX_DEPTH)
            root = None if raw is None else builder.grow(language.facts.shape(raw, source))
        if builder.widest > MAX_MEMBERS:
            return Unread(f"more than {MAX_MEMBERS:,} members in one construct")
        if root is None:
            return Unread(f"nested more than {MAX_DEPTH} levels deep")
        return Tree(root, language.facts, tuple(builder.stubs))

    def _parse_raw(self, source: bytes, language: Language) -> tree_sitter.Tree | Unread:
        key = (source, language.facts.name)
        if key not in self._parsed:
            grammar = language.grammar()
            if isinstance(grammar, Unread):
                return grammar
            self._parsed[key] = tree_sitter.Parser(tree_sitter.Language(grammar)).parse(source)
        return self._parsed[key]


@dataclass(slots=True)
class _Builder:
    source: bytes
    facts: LanguageFacts
    ids: dict[tuple[object, ...], int]
    clips: _Clips
    stubs: list[tuple[int, int]] = field(default_factory=list)
    widest: int = 0
    _reached: frozenset[int] = frozenset()

    def build(self, parsed: tree_sitter.Tree | tree_sitter.Node) -> Node | None:
        """Copy the parser's tree bottom-up in one pass of its cursor; None where it is too deep to be walked."""
        root = parsed.root_node if isinstance(parsed, tree_sitter.Tree) else parsed
        self._reached = reached(root, self.source, self.clips.places, self.facts)
        cursor = parsed.walk()
        levels: list[list[Node]] = []
        while True:
            clipped = self._clipped(cursor)
            while clipped is None and not self._too_wide(cursor) and cursor.goto_first_child():
                levels.append([])
                clipped = self._clipped(cursor)
            if len(levels) > MAX_DEPTH or self.widest > MAX_MEMBERS:
                return None
            made = self._leaf(cursor) if clipped is None else clipped
            while True:
                if not levels:
                    return made
                if made.kind not in self.facts.blanks:
                    levels[-1].append(made)
                if cursor.goto_next_sibling():
                    break
                cursor.goto_parent()
                at = cursor.node
                if at is None:
                    msg = "a cursor without a node"
                    raise ValueError(msg)
                made = self.inner(at.type, cursor.field_name, at.start_byte, at.end_byte, levels.pop())
            # The outer loop goes down again from the sibling.

    def _too_wide(self, cursor: tree_sitter.TreeCursor) -> bool:
        at = cursor.node
        members = 0 if at is None else at.named_child_count
        self.widest = max(self.widest, members)
        return members > MAX_MEMBERS

    def _clipped(self, cursor: tree_sitter.TreeCursor) -> Node | None:
        """Make one token of what the case does not turn on; None for what is to be read."""
        at = cursor.node
        if at is None or not self.clips or not may_clip(at, self.facts):
            return None
        text = self.source[at.start_byte : at.end_byte]
        if text not in self.clips.untouched and at.start_byte not in self._reached:
            return None
        if self._commented_below(at):
            return None
        definition = at.type in self.facts.wrapped
        named = name_of(at) if definition else None
        if definition and named is None:
            return None
        body = at.child_by_field_name("body") if definition else at if at.type in self.facts.blocks else None
        if body is not None and (text in self.clips.untouched or text in self.clips.quiet):
            self.stubs.append((body.start_byte, body.end_byte))
        same = self.intern("untouched", at.type, text)
        start, end, size = at.start_byte, at.end_byte, len(text.split())
        kids = () if named is None else (self._token(named.type, "name", named.start_byte, named.end_byte),)
        return Node(
            at.type, cursor.field_name, self.source, start, end, kids, same, same, size, 0, lambda: self._whole(at)
        )

    def _whole(self, at: tree_sitter.Node) -> Node:
        made = _Builder(self.source, self.facts, self.ids, _Clips()).build(at)
        if made is None:
            msg = "an untouched part is nested too deeply"
            raise RecursionError(msg)
        return made

    def _commented_below(self, at: tree_sitter.Node) -> bool:
        """Whether a comment follows that may belong to the end of this body."""
        if not self.facts.offside:
            return False
        rest = self.source[at.end_byte : at.end_byte + 400].lstrip()
        return rest.startswith(self.facts.to_line_end)

    def grow(self, raw: Raw) -> Node:
        """Give a reshaped tree its identities; its comments are where they belong already."""
        if not raw.children:
            text = self.source[raw.start : raw.end]
            same = self.intern(*(raw.means or (raw.kind, text)))
            errors = int(raw.wrong)
            size = int(bool(text))
            return Node(raw.kind, raw.field, self.source, raw.start, raw.end, (), same, same, size, errors)
        kids = [self.grow(child) for child in raw.children if child.kind not in self.facts.blanks]
        return self.inner(raw.kind, raw.field, raw.start, raw.end, kids)

    def intern(self, *key: object) -> int:
        return self.ids.setdefault(key, len(self.ids))

    def _leaf(self, cursor: tree_sitter.TreeCursor) -> Node:
        at = cursor.node
        if at is None:
            msg = "a cursor without a node"
            raise ValueError(msg)
        text = self.source[at.start_byte : at.end_byte]
        same = self.intern(at.type, text)
        errors = int(at.is_error or at.is_missing)
        return Node(
            at.type, cursor.field_name, self.source, at.start_byte, at.end_byte, (), same, same, int(bool(text)), errors
        )

    def inner(self, kind: str, field: str | None, start: int, end: int, children: list[Node]) -> Node:
        """Make an inner node of what the parser found, arranged as the facts say."""
        facts = self.facts
        if kind in facts.comments:
            return self._token(kind, field, start, start + len(self.source[start:end].rstrip(b"\r\n")))
        if kind in facts.strings and all(child.kind != facts.hole for child in children):
            return self._string(kind, field, start, end, children)
        if facts.offside and facts.shape is None:
            children = self._rehome(children)
        if kind in facts.groups:
            children = self._group(kind, children)
        if kind != facts.wrapper and (kind in facts.blocks or kind in facts.lists):
            children = self._bundled(children)
        if children and not self.source[children[-1].end : end].strip():
            end = children[-1].end  # some grammars count a line end to the construct before it
        if kind == facts.root:
            start, end = 0, len(self.source)
        elif children:
            end = max(end, children[-1].end)
        return self.node(kind, field, start, end, tuple(children), int(kind == "ERROR"))

    def node(self, kind: str, field: str | None, start: int, end: int, kids: tuple[Node, ...], errors: int) -> Node:
        """Make an inner node and give it its identities."""
        same, exact = self._identities(kind, kids)
        size = sum(child.size for child in kids)
        errors += sum(child.errors for child in kids)
        return Node(kind, field, self.source, start, end, kids, same, exact, size, errors)

    def _identities(self, kind: str, kids: tuple[Node, ...]) -> tuple[int, int]:
        facts = self.facts
        if kind in facts.lists:
            counted = [
                kid
                for kid, before in zip(kids, (None, *kids), strict=False)
                if (kid.kind != "," or before is None or before.kind == ",")  # a comma too many is a hole
                and (kid.children or kid.kind not in facts.brackets)
            ]
        elif facts.chained(kind, next((kid for kid in kids if kid.field == "operator"), None)):
            counted = _operands(kind, kids)
        elif kind in facts.transparent:
            counted = [kid for kid in kids if kid.kind not in facts.brackets]
            if len(counted) == 1:
                return counted[0].same, counted[0].exact
        else:
            counted = list(kids)
        kind = facts.alike.get(kind, kind)
        plain = [kid for kid in counted if kid.kind not in facts.comments]
        same = self.intern(kind, *(kid.same for kid in plain))
        if len(plain) == len(counted) and all(kid.same == kid.exact for kid in plain):
            return same, same
        return same, self.intern("with comments", kind, *(kid.exact for kid in counted))

    def _string(self, kind: str, field: str | None, start: int, end: int, children: list[Node]) -> Node:
        """Make one token of a string; the quotes do not count where the contents need neither escape nor newline."""
        facts, text = self.facts, self.source[start:end]
        errors = sum(child.errors for child in children)
        opener = children[0].text if children else b""
        content = self.source[children[0].end : children[-1].start] if len(children) > 1 else text
        plain = facts.free_quotes and not any(byte in content for byte in b"\\\"'\n")
        same = self.intern(kind, opener.rstrip(b"\"'").lower(), content) if plain else self.intern(kind, text)
        return Node(kind, field, self.source, start, end, (), same, same, 1, errors)

    def _token(self, kind: str, field: str | None, start: int, end: int) -> Node:
        text = self.source[start:end]
        same = self.intern(kind, text)
        return Node(kind, field, self.source, start, end, (), same, same, int(bool(text)), 0)

    def _bundled(self, children: list[Node]) -> list[Node]:
        """Put definitions into the wrapper, with the attributes and the comments that stand right above them."""
        facts = self.facts
        bundled: list[Node] = []
        above: list[Node] = []
        for child in children:
            if child.kind in facts.leads or (facts.leads_comments and child.kind in facts.comments):
                if above and not self._right_above(above[-1], child):
                    bundled.extend(above)
                    above = []
                if above or child.kind in facts.leads or starts_line(self.source, child.start):
                    above.append(child)
                else:
                    bundled.append(child)
                continue
            attributed = any(lead.kind in facts.leads for lead in above)
            if above and not (self._right_above(above[-1], child) and (attributed or child.kind in facts.wrapped)):
                bundled.extend(above)
                above = []
            wrap = bool(above) or child.kind in facts.wrapped
            bundled.append(self._wrap((*above, child)) if wrap else child)
            above = []
        return [*bundled, *above]

    def _right_above(self, one: Node, other: Node) -> bool:
        return one.kind in self.facts.leads or self.source[one.end : other.start].count(b"\n") == 1

    def _wrap(self, children: tuple[Node, ...]) -> Node:
        *above, child = children
        kids = (*above, replace(child, field="definition"))
        return self.node(self.facts.wrapper, child.field, kids[0].start, child.end, kids, 0)

    def _group(self, kind: str, children: list[Node]) -> list[Node]:
        group = self.facts.groups[kind]
        first = next((i + 1 for i, child in enumerate(children) if group.after in {child.kind, child.field}), None)
        if first is None:
            return children
        if group.opener:
            first = next((i for i, child in enumerate(children) if i >= first and child.kind == group.opener), None)
        else:
            while first < len(children) and self._beside(children, first):
                first += 1
        last = next((i for i, child in enumerate(children) if first and i >= first and child.kind in group.ends), None)
        members = () if first is None else tuple(children[first:last])
        if not members:
            return children
        made = self.inner(group.kind, "members", members[0].start, members[-1].end, list(members))
        return [*children[:first], made, *(() if last is None else children[last:])]

    def _beside(self, children: list[Node], at: int) -> bool:
        """Whether a comment stands on the line of the token before it."""
        here = children[at]
        return here.kind in self.facts.comments and b"\n" not in self.source[children[at - 1].end : here.start]

    def _rehome(self, children: list[Node]) -> list[Node]:
        """Put comments into the block in which they are written; tree-sitter leaves some beside it."""
        if not any(child.kind in self.facts.comments for child in children):
            return children
        homed: list[Node] = []
        for child in children:
            if child.kind in self.facts.comments and homed:
                moved = self._into_block(homed[-1], child)
                if moved is not None:
                    homed[-1] = moved
                    continue
            if child.kind in self.facts.blocks and child.children:
                lead: list[Node] = []
                while homed and homed[-1].kind in self.facts.comments and starts_line(self.source, homed[-1].start):
                    lead.insert(0, homed.pop())
                if lead:
                    kids = (*lead, *child.children)
                    child = self.node(child.kind, child.field, lead[0].start, child.end, kids, 0)  # noqa: PLW2901 - the same child, completed
            homed.append(child)
        return homed

    def _into_block(self, node: Node, comment: Node) -> Node | None:
        """Return `node` with `comment` at the end of its last block, or None where it does not belong there."""
        if not node.children:
            return None
        last = node.children[-1]
        inner = self._into_block(last, comment)
        if inner is None and node.kind in self.facts.blocks:
            own_line = starts_line(self.source, comment.start)
            deep_enough = column(self.source, comment.start) >= column(self.source, node.start)
            beside = b"\n" not in self.source[last.end : comment.start]
            if (own_line and deep_enough) or (not own_line and beside):
                return self.node(node.kind, node.field, node.start, comment.end, (*node.children, comment), 0)
        if inner is None:
            return None
        return self.node(node.kind, node.field, node.start, inner.end, (*node.children[:-1], inner), 0)


def _operands(kind: str, kids: tuple[Node, ...]) -> list[Node]:
    """Flatten `a and b and c`, which the grammar nests to the left, into operator, operands and comments."""
    operator = next((kid for kid in kids if kid.field == "operator"), None)
    if operator is None:
        return list(kids)
    flat: list[Node] = [operator]
    for kid in kids:
        if kid is operator:
            continue
        nested = kid.kind == kind and kid is kids[0]
        inner = next((k for k in kid.children if k.field == "operator"), None) if nested else None
        if inner is not None and inner.same == operator.same:
            flat.extend(_operands(kind, kid.children)[1:])
        else:
            flat.append(kid)
    return flat
